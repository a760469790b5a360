/*
 * The simulated SMS platform of the measurements. It accepts every message after a delay, and counts the requests. It is also the
 * simulated registry, which knows every person. It runs as a separate process, so that its work does not delay the measured
 * process. It prints its port, and ends with the process that started it.
 *
 * Arguments: the milliseconds before each answer, and for https the files with key and certificate.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

const [, , initialDelay, keyFile, certificateFile] = process.argv;
let delay = Number(initialDelay);
const count = { requests: 0, connections: 0, inFlight: 0, mostInFlight: 0 };
const ACCEPTED = JSON.stringify({ serviceId: 'bench', errorCode: '', error: '' });

const recordOf = (ssn) =>
	JSON.stringify({
		...{ match: 'true', ssn, amka_in: ssn, amka_cur: ssn, name_gr: 'ΠΑΡΑΔΕΙΓΜΑ', surname_cur_gr: 'ΔΟΚΙΜΑΣΤΙΚΟΥ', father_gr: 'ΥΠΟΘΕΤΙΚΟΣ' },
		...{ mother_gr: 'ΥΠΟΘΕΤΙΚΗ', sex: 'Θ', birth_date: '15/03/1999', tid: '012345678', tel1: '2100000000', tel2: '6900000001' },
	});

const answer = (request, response) => {
	const { searchParams } = new URL(request.url, 'http://bench');
	if (request.url === '/count') {
		response.end(JSON.stringify(count));
		Object.assign(count, { requests: 0, connections: 0, mostInFlight: 0 });
		return;
	}
	if (request.url.startsWith('/delay/')) {
		delay = Number(request.url.split('/')[2]);
		response.end();
		return;
	}
	count.requests++;
	count.inFlight++;
	count.mostInFlight = Math.max(count.mostInFlight, count.inFlight);
	request.resume();
	request.on('end', () =>
		setTimeout(() => {
			count.inFlight--;
			response.setHeader('content-type', 'application/json');
			const ssn = searchParams.get('ssn');
			response.end(ssn === null ? ACCEPTED : recordOf(ssn));
		}, delay),
	);
};
const server = keyFile
	? createSecureServer({ key: readFileSync(keyFile), cert: readFileSync(certificateFile) }, answer)
	: createServer(answer);
server.on(keyFile ? 'secureConnection' : 'connection', () => count.connections++);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('close', () => process.exit()).resume();
