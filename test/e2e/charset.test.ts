import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { Nginx } from './nginx';
import { chain } from './workflows';
import { keysStaySecret, useWorld } from './world';

/* The letters of a message that comes in: what n8n does with a charset, and what the node does without one. */

const world = useWorld();
const program = process.env.NGINX ?? '/usr/sbin/nginx';

/** A trigger, published. @returns its path */
async function publish(webhookId: string): Promise<{ id: string; path: string }> {
	const trigger: INode = { ...world.node('smsTrigger', { keywords: 'ΒΑ' }), webhookId };
	const id = await world.n8n.addWorkflow(chain('trigger', trigger));
	await world.n8n.publish(id);
	return { id, path: `/webhook/${webhookId}/forward` };
}

const text = 'Ηλεκτρονική';
const forward = (id: string): string =>
	JSON.stringify({
		MSISDN: '6912345678',
		keyword: 'ΒΑ',
		body: text,
		'pre-shared key': world.sandbox.settings.preSharedKey,
		'sms-forward-id': id,
	});
const call = async (
	url: string,
	contentType: string,
	body: string | Buffer,
): Promise<{ status: number; answer: unknown }> => {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': contentType },
		body: new Uint8Array(Buffer.from(body)),
	});
	return { status: response.status, answer: await response.json() };
};
const SUCCESS = { result: '0', errorCode: '', error: '' };
const stored = async (id: string, count: number): Promise<string> =>
	JSON.stringify(await world.n8n.executionsWhenEnded(id, count));

test('UTF-8 that calls itself ISO-8859-1 is refused by n8n itself, before the node', async () => {
	const { path } = await publish('a-charset-that-n8n-does-not-know');

	expect(await call(world.n8n.url + path, 'application/json; charset=ISO-8859-1', forward('1'))).toEqual({
		status: 422,
		answer: expect.objectContaining({ message: 'Failed to parse request body' }),
	});
	expect(await call(world.n8n.url + path, 'application/json; charset=utf-8', forward('2'))).toEqual({
		status: 200,
		answer: SUCCESS,
	});
});

(existsSync(program) ? test : test.skip)('with two lines of nginx it comes in, whole', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
	const nginx = new Nginx(folder, program, {
		http: 'map $http_content_type $type_for_n8n { default $http_content_type; ~*^application/json application/json; }',
		server: 'proxy_set_header Content-Type $type_for_n8n;',
	});
	try {
		await nginx.choosePort();
		await nginx.start(world.n8n.url, [world.n8n.url]);
		const { id, path } = await publish('a-charset-behind-nginx');
		for (const type of [
			'application/json; charset=ISO-8859-1',
			'application/json;charset=iso-8859-1',
			'application/json',
			'text/plain',
		]) {
			expect(await call(nginx.url + path, type, forward(type))).toEqual({ status: 200, answer: SUCCESS });
		}

		expect((await stored(id, 4)).split(text).length - 1).toBeGreaterThanOrEqual(4);
	} finally {
		await nginx.end();
		rmSync(folder, { recursive: true });
	}
});

test('a byte-order mark, windows-1253 without a charset, and what is neither', async () => {
	const { id, path } = await publish('letters-without-a-charset');
	const url = world.n8n.url + path;
	const bytes = Buffer.from(
		[...forward('w')].map((letter) => (letter < '\u0080' ? letter.charCodeAt(0) : letter.charCodeAt(0) - 0x380 + 0xb0)),
	);
	const broken = Buffer.concat([
		Buffer.from(forward('b').slice(0, -1)),
		Buffer.from(',"x":"'),
		Buffer.from([0xce, 0xff]),
		Buffer.from('"}'),
	]);

	for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
		expect(await call(url, type, `\ufeff${forward(type)}`)).toEqual({ status: 200, answer: SUCCESS });
		expect(await call(url, type, broken)).toEqual({
			status: 400,
			answer: expect.objectContaining({ result: '1', errorCode: 'INVALID_REQUEST' }),
		});
	}
	expect(await call(url, 'application/json', bytes)).toEqual({ status: 200, answer: SUCCESS });

	const kept = await stored(id, 4);
	expect(kept.split(text).length - 1).toBeGreaterThanOrEqual(4);
	expect(kept).not.toContain('\ufffd');
});

keysStaySecret(world);
