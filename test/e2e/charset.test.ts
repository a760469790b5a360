import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, forward, success } from './calls';
import { Nginx } from './nginx';
import { keysStaySecret, useWorld } from './world';

/* Tests how n8n reads the charset of an incoming SMS, and how the node reads a body without a charset. */

const world = useWorld();
const program = process.env.NGINX ?? '/usr/sbin/nginx';
const text = 'Ηλεκτρονική';
const body = (id: string): string => JSON.stringify(forward(world, { body: text, 'sms-forward-id': id }));

test('n8n rejects an SMS in UTF-8 that is declared as ISO-8859-1, before SMS Trigger gets it', async () => {
	const { forwardUrl } = await world.publishTrigger();

	expect(await call(forwardUrl, body('1'), { contentType: 'application/json; charset=ISO-8859-1' })).toEqual([
		422,
		expect.objectContaining({ message: 'Failed to parse request body' }),
	]);
	expect(await call(forwardUrl, body('2'), { contentType: 'application/json; charset=utf-8' })).toEqual([200, success]);
});

(existsSync(program) ? test : test.skip)(
	'an SMS in UTF-8 is read correctly behind nginx with two additional lines, even if it is declared as ISO-8859-1 or has no charset',
	async () => {
		const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
		const nginx = new Nginx(folder, program, {
			http: 'map $http_content_type $type_for_n8n { default $http_content_type; ~*^application/json application/json; }',
			server: 'proxy_set_header Content-Type $type_for_n8n;',
		});
		try {
			await nginx.choosePort();
			await nginx.start(world.n8n.url, [world.n8n.url]);
			const { id, forwardUrl } = await world.publishTrigger();
			for (const contentType of [
				'application/json; charset=ISO-8859-1',
				'application/json;charset=iso-8859-1',
				'application/json',
				'text/plain',
			]) {
				const url = forwardUrl.replace(world.n8n.url, nginx.url);
				expect(await call(url, body(contentType), { contentType })).toEqual([200, success]);
			}

			const executions = await world.n8n.executionsWhenEnded(id, 4);
			expect(executions.map((one) => JSON.stringify(one).includes(text))).toEqual([true, true, true, true]);
		} finally {
			await nginx.end();
			rmSync(folder, { recursive: true });
		}
	},
);

keysStaySecret(world);
