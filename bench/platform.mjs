/*
 * The SMS platform of the bench. It accepts every message after a delay, and counts. It is also the registry, which knows
 * every person. It is a process of its own, so that it never shares a core's time slice with the measured process. It prints
 * its port, and ends with its parent.
 *
 * Arguments: milliseconds to wait before an answer, and for https the files of key and certificate.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

const [, , begins, keyFile, certificateFile] = process.argv;
let delay = Number(begins);
const count = { requests: 0, connections: 0, inFlight: 0, mostInFlight: 0 };
const TAKEN = JSON.stringify({ serviceId: 'bench', errorCode: '', error: '' });

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
			response.end(ssn === null ? TAKEN : recordOf(ssn));
		}, delay),
	);
};
const server = keyFile
	? createSecureServer({ key: readFileSync(keyFile), cert: readFileSync(certificateFile) }, answer)
	: createServer(answer);
server.on(keyFile ? 'secureConnection' : 'connection', () => count.connections++);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('close', () => process.exit()).resume();
