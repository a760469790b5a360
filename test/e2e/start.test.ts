import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { freePort, until } from '../../scripts/n8n';
import { FormPage } from './examples';

/** Does what a new user does: runs `npm start`, reads its output, uses the examples, presses Ctrl-C, and starts again. */
jest.setTimeout(180_000);
const folder = mkdtempSync(join(tmpdir(), 'npm-start-'));

/** Occupies a port. @returns the server that occupies it */
const hold = async (port = 0): Promise<Server> =>
	await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server));
	});
const release = async (server: Server): Promise<void> => void (await new Promise((closed) => server.close(closed)));

/** Runs `npm start` as in a terminal. */
class Terminal {
	printed = '';
	readonly ended: Promise<number | null>;
	private readonly process: ChildProcess;

	constructor(ports: [number, number], home = folder) {
		const [n8n, sandbox] = ports.map(String) as [string, string];
		this.process = spawn('npm', ['start', '--', '--folder', home, '--n8n-port', n8n, '--sandbox-port', sandbox], {
			// The command runs in its own process group, as in a shell.
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		for (const stream of [this.process.stdout!, this.process.stderr!]) {
			stream.on('data', (chunk: Buffer) => (this.printed += chunk.toString()));
		}
		this.ended = new Promise((resolve) => this.process.once('close', resolve));
	}

	async ready(): Promise<void> {
		await until(
			`it is ready`,
			() => {
				if (this.process.exitCode !== null) throw new Error(`It has ended:\n${this.printed}`);
				return this.printed.includes('Ctrl-C ends both.');
			},
			150_000,
		);
	}

	/** Sends Ctrl-C, which reaches the whole process group, including npm. */
	async ctrlC(): Promise<void> {
		if (this.process.exitCode === null && this.process.signalCode === null) process.kill(-this.process.pid!, 'SIGINT');
		await this.ended;
	}

	/** Returns the part of the output that the pattern's group matches. */
	find(pattern: RegExp): string {
		const [, found] = pattern.exec(this.printed) ?? [];
		if (!found) throw new Error(`Not printed: ${String(pattern)}\n${this.printed}`);
		return found;
	}
}

let ports: [number, number];
let terminal: Terminal;
let n8n: string;
let sandbox: string;
let cookie: string;

const post = async (url: string, body: object): Promise<Response> =>
	await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...(url.startsWith(n8n) && { cookie }) },
		body: JSON.stringify(body),
	});

/** Logs in to n8n with the printed data. */
async function logIn(): Promise<void> {
	n8n = terminal.find(/n8n\s+(http\S+)/);
	sandbox = terminal.find(/Sandbox\s+(http\S+)/);
	cookie = '';
	const response = await post(`${n8n}/rest/login`, {
		emailOrLdapLoginId: terminal.find(/log in as (\S+)/),
		password: terminal.find(/log in as \S+ with (\S+)/),
	});
	expect(response.status).toBe(200);
	cookie = response.headers
		.getSetCookie()
		.map((one) => one.split(';')[0])
		.join('; ');
}

const workflows = async (): Promise<Array<{ id: string; name: string; active: boolean; nodes: unknown }>> => {
	const response = await fetch(`${n8n}/rest/workflows`, { headers: { cookie } });
	return ((await response.json()) as { data: Array<{ id: string; name: string; active: boolean; nodes: unknown }> })
		.data;
};

/** Returns the messages that the sandbox's page shows on a phone. */
const phone = async (number: string): Promise<string[]> => {
	const { messages, now } = (await (await fetch(`${sandbox}/control/state`)).json()) as {
		now: string;
		messages: Array<{ phone: string; text: string; arrivesAt: string }>;
	};
	return messages.filter((message) => message.phone === number && message.arrivesAt <= now).map(({ text }) => text);
};

/** The output of a second `npm start` during the installation by the first `npm start`. */
let besideTheFirst: string;

beforeAll(async () => {
	ports = [await freePort(), await freePort()];
	terminal = new Terminal(ports);
	await until('the package is being built', () => terminal.printed.includes('Building'), 60_000);
	const second = new Terminal([await freePort(), await freePort()]);
	await second.ended;
	besideTheFirst = second.printed;
	await terminal.ready();
	await logIn();
});
afterAll(async () => {
	await terminal.ctrlC();
	rmSync(folder, { recursive: true, force: true });
});

test('`npm start` prints what it does, and all printed URLs work', async () => {
	expect(terminal.printed).toMatch(/Building the package[^]*Installing it into n8n[^]*Starting[^]*Ready after \d+ s/);
	expect([n8n, sandbox]).toEqual(ports.map((port) => `http://127.0.0.1:${port}`));
	expect((await fetch(sandbox)).headers.get('content-type')).toContain('text/html');
	expect(existsSync(join(folder, 'n8n', '.n8n', 'database.sqlite'))).toBe(true);
	const [, user, password] = /asks for a login: (\S+) with (\S+)/.exec(terminal.printed)!;
	const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
	const forms = [...terminal.printed.matchAll(/^Form "(.*)" of .*: (\S+)( \*)?$/gm)];
	expect(forms.map(([, name, , asks]) => [name, asks !== undefined])).toEqual(
		expect.arrayContaining([
			['Enrolment form', false],
			['Upload', true],
			['Who got it', true],
			['Ask', true],
			['Answers', true],
			['Ask somebody', true],
		]),
	);
	for (const [, , form, asks] of forms) {
		expect((await fetch(form!)).status).toBe(asks ? 401 : 200);
		expect((await fetch(form!, { headers: { authorization } })).status).toBe(200);
	}
	const project = (await (await fetch(`${n8n}/rest/projects/personal`, { headers: { cookie } })).json()) as {
		data: { id: string };
	};
	const tables = await fetch(`${n8n}/rest/projects/${project.data.id}/data-tables`, { headers: { cookie } });
	const names = await tables.text();
	for (const name of ['messages', 'questions', 'open-questions']) expect(names).toContain(`"amka-sms-${name}"`);
});

test('an example workflow replies to a keyword from a phone of the sandbox', async () => {
	await post(`${sandbox}/control/forward`, { msisdn: '6900000003', text: 'ΒΑ' });

	await until('the reply is on the phone', async () => (await phone('6900000003')).length > 0);
	expect(await phone('6900000003')).toEqual(['Ο βαθμός σας στο μάθημα ΗΛΕΚΤΡΟΝΙΚΗ ΙΙ είναι 7']);
});

test('a question is sent by the form of an example workflow, and can be answered from a phone of the sandbox', async () => {
	const form = terminal.find(/^Form "Ask somebody" of .*: (\S+)/m);
	const [, user, password] = /asks for a login: (\S+) with (\S+)/.exec(terminal.printed)!;
	const asked = await FormPage.open(form, { user: user!, password: password! });
	await asked.send('6900000005', 'τη θέση');
	const question = await until('the question is on the phone', async () => (await phone('6900000005'))[0]);
	await post(`${sandbox}/control/forward`, { msisdn: '6900000005', text: /ΑΠ \d{4} ΝΑΙ/.exec(question)![0] });

	await until('the answer gets a reply', async () => (await phone('6900000005'))[1]?.includes('καταγράφηκε: ΝΑΙ'));
});

test('an example workflow that is run in n8n sends an SMS to a phone of the sandbox, and gets the delivery report', async () => {
	const { id } = (await workflows()).find(({ name }) => name.startsWith('Send and wait'))!;
	const run = await post(`${n8n}/rest/workflows/${id}/run`, { triggerToStartFrom: { name: 'Start' } });
	const { executionId } = ((await run.json()) as { data: { executionId: string } }).data;

	await until('the SMS is on the phone', async () => (await phone('6912345678')).length > 0);
	expect(await phone('6912345678')).toEqual(['Η αίτηση 17 εγκρίθηκε.']);
	await until('the run ends', async () => {
		const response = await fetch(`${n8n}/rest/executions/${executionId}`, { headers: { cookie } });
		const { status, data } = ((await response.json()) as { data: { status: string; data: string } }).data;
		return status === 'success' && data.includes('Confirmed');
	});
});

test('a second `npm start` says that the first `npm start` is still in progress, and installs nothing', () => {
	expect(besideTheFirst).toContain('is already starting');
	expect(besideTheFirst).not.toMatch(/Installing|Building|at .*\.mjs:\d/);
});

test('a second `npm start` reports that n8n is running already', async () => {
	const second = new Terminal(ports);

	expect(await second.ended).not.toBe(0);
	expect(second.printed).toContain(`running already, at ${n8n}`);
});

test('Ctrl-C ends n8n and the sandbox and frees their ports, and the next `npm start` builds nothing again and has all data', async () => {
	const before = { workflows: await workflows(), phone: await phone('6912345678') };
	await terminal.ctrlC();
	for (const port of ports) await release(await hold(port));
	expect(terminal.printed).toMatch(/Ending n8n and the sandbox \.\.\.\s+Both have ended\./);

	terminal = new Terminal(ports);
	await terminal.ready();
	await logIn();

	expect(terminal.printed).not.toMatch(/Building|Installing|Compiling|Importing/);
	expect({ workflows: await workflows(), phone: await phone('6912345678') }).toEqual(before);
	await post(`${sandbox}/control/forward`, { msisdn: '6900000002', text: 'βαθμός φυσική' });
	await until('the reply is on the phone', async () => (await phone('6900000002')).length > 0);
	await terminal.ctrlC();
});

test.each([
	['n8n', 0, '--n8n-port'],
	['the sandbox', 1, '--sandbox-port'],
])('`npm start` advises to choose another port, if the port of %s is in use', async (_, which, flag) => {
	const holder = await hold(ports[which]);
	const refused = new Terminal(ports);
	const code = await refused.ended;
	await release(holder);

	expect(code).not.toBe(0);
	expect(refused.printed).toMatch(new RegExp(`Port ${ports[which]}.* is taken[^]*npm start -- ${flag} \\d+`));
	expect(refused.printed).not.toMatch(/Building|Starting|at .*\.mjs:\d/);
});

test('`npm start` on other ports changes the credentials, the URL for incoming SMS and the report URL', async () => {
	ports = [await freePort(), await freePort()];
	terminal = new Terminal(ports);
	await terminal.ready();
	await logIn();

	const before = (await phone('6900000002')).length;
	await post(`${sandbox}/control/forward`, { msisdn: '6900000002', text: 'ΒΑ ΦΥΣΙΚΗ' });
	await until('the reply is on the phone', async () => (await phone('6900000002')).length > before);
	const rest = async (path: string) =>
		(await (await fetch(`${n8n}/rest/${path}`, { headers: { cookie } })).json()) as { data: unknown };
	const credentials = (await rest('credentials')).data as Array<{ id: string; type: string }>;
	const { id } = credentials.find(({ type }) => type === 'smsPlatformApi')!;
	expect(await rest(`credentials/${id}?includeData=true`)).toMatchObject({
		data: {
			data: { baseUrl: sandbox, dlrUrl: expect.stringMatching(new RegExp(`^${n8n}/webhook/[\\w-]+/dlr$`)) as unknown },
		},
	});
});

test('the next `npm start` in the same folder imports and publishes the remaining examples, after Ctrl-C during their import', async () => {
	await terminal.ctrlC();
	// A relative path, as in the output of `npm start -- --help`.
	const home = relative('.', join(folder, 'interrupted'));
	const state = () => readFileSync(join(home, 'state.json'), 'utf8');
	terminal = new Terminal(ports, home);
	await until(
		'the first example is in n8n',
		() => existsSync(join(home, 'state.json')) && state().includes('.json'),
		150_000,
	);
	await terminal.ctrlC();
	expect(terminal.printed).not.toContain('Ready');

	terminal = new Terminal(ports, home);
	await terminal.ready();
	await logIn();
	const names = (await workflows()).map(({ name }) => name);
	expect(new Set(names).size).toBe(names.length);
	expect(
		(await workflows()).filter(({ active, nodes }) => !active && /"webhookId"/.test(JSON.stringify(nodes))),
	).toEqual([]);
	await post(`${sandbox}/control/forward`, { msisdn: '6900000003', text: 'ΒΑ' });
	await until('the reply is on the phone', async () => (await phone('6900000003')).length > 0);
});
