/*
 * Slow clients of a webhook: each opens a connection, sends the headers and the first byte of a body, and then nothing more.
 * They run in a separate process, which prints a line when all connections are open. It ends when its standard input ends.
 *
 * Arguments: the URL, and the number of connections.
 */
import { once } from 'node:events';
import { connect } from 'node:net';

const [, , url, count] = process.argv;
const { hostname, port, pathname } = new URL(url);
const head = [
	`POST ${pathname} HTTP/1.1`,
	`Host: ${hostname}:${port}`,
	'Content-Type: application/json',
	'Content-Length: 100',
].join('\r\n');

await Promise.all(
	Array.from({ length: Number(count) }, async () => {
		const socket = connect(Number(port), hostname);
		socket.on('error', () => undefined);
		await once(socket, 'connect');
		socket.write(`${head}\r\n\r\n{`);
	}),
);
console.log('open');
process.stdin.on('end', () => process.exit()).resume();
