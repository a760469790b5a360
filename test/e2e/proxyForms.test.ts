import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, forward, success } from './calls';
import { importExample, publishForUsers } from './examples';
import { Nginx } from './nginx';
import { keysStaySecret, useWorld } from './world';

/** Opens a form that asks for an account of n8n, behind nginx with the configuration in docs/admin.md. */
const world = useWorld();

const program = process.env.NGINX ?? '/usr/sbin/nginx';
const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Opens a form as a browser does in which nobody has signed in, and follows the redirects through nginx. */
async function open(nginx: Nginx, form: string): Promise<[path: string, status: number]> {
	for (let url = new URL(form), cookie = ''; ; ) {
		const response = await fetch(`${nginx.url}${url.pathname}${url.search}`, {
			redirect: 'manual',
			headers: { cookie, accept: 'text/html' },
		});
		cookie = [cookie, ...response.headers.getSetCookie().map((set) => set.split(';')[0])].filter(Boolean).join('; ');
		const next = response.headers.get('location');
		if (next === null) return [url.pathname, response.status];
		url = new URL(next, url);
	}
}

(existsSync(program) ? test : test.skip).each([
	['from the own network leads to a page of n8n', '127.0.0.1', 200],
	['from elsewhere leads to a refusal of the proxy', '192.0.2.0/24', 403],
])('a form with n8n User Auth that is opened %s, and the platform reaches SMS Trigger', async (_, network, status) => {
	const nginx = new Nginx(folder, program, undefined, 'docs/admin.md', network);
	const form = await importExample(world, 'desk/cancel-a-list.json');
	await publishForUsers(world.n8n, form, 'Cancel a list');
	const { id, forwardUrl } = await world.publishTrigger();
	try {
		await nginx.choosePort();
		await nginx.start(world.n8n.url, []);
		expect(await open(nginx, form.url('Cancel a list'))).toEqual([expect.stringMatching(/^\/oauth\//), status]);
		expect((await fetch(`${nginx.url}/signin`)).status).toBe(status);
		expect((await fetch(`${nginx.url}/rest/settings`)).status).toBe(status);
		expect(await call(forwardUrl.replace(world.n8n.url, nginx.url), forward(world))).toEqual([200, success]);
		await world.n8n.executionsWhenEnded(id, 1);
	} finally {
		await nginx.end();
	}
});

keysStaySecret(world);
