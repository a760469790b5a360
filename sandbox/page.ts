import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The folder of the page's files. It begins at npm's working directory, because this file may be compiled elsewhere. */
const folder = join(process.cwd(), 'sandbox', 'page');

const types: Readonly<Record<string, string>> = {
	'index.html': 'text/html; charset=utf-8',
	'style.css': 'text/css; charset=utf-8',
	...Object.fromEntries(
		['page', 'common', 'phones', 'outcome', 'log', 'switches', 'people', 'agreed', 'words'].map((name) => [
			`${name}.js`,
			'text/javascript; charset=utf-8',
		]),
	),
	'icon.svg': 'image/svg+xml',
};

/** Serves the page on which a person uses the functions of controls.ts. The browser gets the files of `page/` unchanged. */
export function page(server: FastifyInstance): void {
	const send = async (file: string, reply: FastifyReply): Promise<FastifyReply> =>
		await reply
			.type(types[file]!)
			// The page loads nothing from other origins, and runs no scripts that a message contains.
			.header(
				'content-security-policy',
				"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
			)
			.header('x-content-type-options', 'nosniff')
			.header('cache-control', 'no-cache')
			.send(await readFile(join(folder, file)));

	server.get('/', async (_request, reply) => await send('index.html', reply));
	for (const file of Object.keys(types)) {
		server.get(`/page/${file}`, async (_request, reply) => await send(file, reply));
	}
}
