import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The package's folder, in which npm runs scripts. This file may be compiled to another folder. */
const folder = join(process.cwd(), 'sandbox', 'page');

const types: Readonly<Record<string, string>> = {
	'index.html': 'text/html; charset=utf-8',
	'style.css': 'text/css; charset=utf-8',
	...Object.fromEntries(
		['page', 'common', 'phones', 'fate', 'log', 'switches', 'people', 'agreed', 'words'].map((name) => [
			`${name}.js`,
			'text/javascript; charset=utf-8',
		]),
	),
	'icon.svg': 'image/svg+xml',
};

/** The page on which a person sees and does what `controls` offers. Its files go out as they are. */
export function page(server: FastifyInstance): void {
	const send = async (file: string, reply: FastifyReply): Promise<FastifyReply> =>
		await reply
			.type(types[file]!)
			// Nothing from elsewhere, and what a message says stays text.
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
