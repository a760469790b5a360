import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type SandboxOptions, type Sandbox } from '../../sandbox/server';
import { until } from './n8n';
import { control, send } from './sandboxCalls';
import { listen } from './server';

/** Checks that the sandbox of `npm start` stores all its data in a file, and continues with it after a stop or a crash. */
const folder = mkdtempSync(join(tmpdir(), 'sandbox-memory-'));
const started: Sandbox[] = [];

const start = async (file: string, manner: Partial<SandboxOptions> = {}): Promise<Sandbox> => {
	const sandbox = await startSandbox(0, undefined, { database: join(folder, file), ...manner });
	started.push(sandbox);
	return sandbox;
};
afterEach(async () => {
	for (const sandbox of started.splice(0)) await sandbox.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const stateOf = async (sandbox: Sandbox): Promise<Record<string, unknown>> => {
	const { version, now, ...state } = (await (await control(sandbox, 'GET', 'state')).json()) as Record<string, unknown>;
	expect([version, now]).toEqual([expect.any(String), expect.any(String)]);
	return state;
};

const person = {
	amka: '03047700112',
	birthDate: '1977-04-03',
	surname: 'ΕΠΙΝΟΗΜΕΝΟΣ',
	name: 'ΝΕΟΣ',
	mobile: '6900000099',
};

const reportsIn = ({ traffic }: Sandbox) => traffic.calls.map(({ url, body }) => [url, body]);

test('the sandbox has all its data after a restart', async () => {
	const institution = await startSandbox();
	const first = await start('restart');
	await control(first, 'PATCH', 'settings', { forwardUrl: `${institution.url}/forward` });
	await control(first, 'PATCH', 'trouble', { report: 'lost', reportDelayMs: 5 });
	await control(first, 'POST', 'people', person);
	await send(first);
	await send(first, { recipient: 'dokimastikou' });
	await control(first, 'POST', 'forward', { msisdn: '6900000002', text: 'σίτιση αίτηση 12' });
	await control(first, 'POST', 'forward', { msisdn: '6900000002', text: 'καλημέρα' });
	await first.settled();
	const before = await stateOf(first);
	await first.close();
	await institution.close();
	const second = await start('restart');

	expect(await stateOf(second)).toEqual(before);
	expect(before).toMatchObject({
		settings: { forwardUrl: `${institution.url}/forward` },
		trouble: { report: 'lost' },
		messages: [{ phone: '6900000001', text: 'Η αίτηση 17 εγκρίθηκε.' }, { phone: '6900000004' }],
		texts: [
			{ keyword: 'σίτιση', result: { status: 404 } },
			{ text: 'καλημέρα', keyword: '', result: null },
		],
	});
	const answer = await fetch(
		`${second.url}/api/rest/v1/ssn_validation?ssn=03047700112&birthdate=1977-04-03&surname=${encodeURIComponent('ΕΠΙΝΟΗΜΕΝΟΣ')}`,
		{ headers: { authorization: `Token ${second.settings.apiKey}` } },
	);
	expect(await answer.json()).toMatchObject({ match: 'true', name_gr: 'ΝΕΟΣ', birth_date: '03/04/1977' });
});

test('a delivery report that is due while the sandbox is stopped is sent after the start', async () => {
	const institution = await startSandbox();
	const first = await start('owed', { trouble: { reportDelayMs: 60_000 } });
	await send(first, { 'dlr-url': `${institution.url}/sendSMS?ref=1` });
	await first.close();
	// The time of the report passes while the sandbox is stopped.
	const now = Date.now();
	const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 61_000);
	const second = await start('owed');
	await until('the report has come', () => institution.traffic.calls.length === 1).finally(() => clock.mockRestore());
	await institution.close();

	expect(reportsIn(institution)).toEqual([
		['/sendSMS?ref=1', { serviceId: '102', recipient: '6900000001', status: 'DELIVRD' }],
	]);
	expect(second.accepted('6900000001')).toBe(1);
});

test('a crash of the sandbox loses neither messages nor pending delivery reports', async () => {
	const institution = await startSandbox();
	const first = await start('crash', { trouble: { reportDelayMs: 300 } });
	await send(first, { 'dlr-url': `${institution.url}/sendSMS?ref=2` });
	// A crash leaves the files on the disk without closing them.
	for (const end of ['', '-wal']) cpSync(join(folder, `crash${end}`), join(folder, `left${end}`));
	await first.close();
	const second = await start('left');
	await second.settled();
	await institution.close();

	expect(second.messages).toMatchObject([{ recipient: '6900000001', serviceId: '102' }]);
	expect(reportsIn(institution).map(([url]) => url)).toEqual(['/sendSMS?ref=2']);
});

test('an incoming SMS that n8n could not accept is forwarded again with the same id', async () => {
	const institution = await startSandbox();
	const sandbox = await start('forwards', { retryMs: [10, 10] });
	// The send operation of another sandbox takes the place of n8n: it fails with an HTTP status at first.
	sandbox.settings.forwardUrl = `${institution.url}/sendSMS`;
	Object.assign(institution.trouble, { answer: '500', times: 2 });
	const first = await sandbox.forward('6900000001', 'ΣΙΤΙΣΗ 1');
	await sandbox.settled();
	const ids = institution.traffic.calls.map(({ body }) => (body as Record<string, string>)['sms-forward-id']);
	await institution.close();

	expect(first).toMatchObject({ status: 500 });
	expect(sandbox.traffic.calls.map(({ status }) => status)).toEqual([500, 500, 200]);
	expect(new Set(ids).size).toBe(1);
	expect(sandbox.texts).toMatchObject([{ keyword: 'ΣΙΤΙΣΗ', result: { status: 200 } }]);
});

test('an incoming SMS that n8n rejected with the documented response is not forwarded again', async () => {
	const refusal = { result: '1', errorCode: 'INVALID_KEY', error: 'The key is wrong.' };
	const institution = await listen((_, response) => response.writeHead(401).end(JSON.stringify(refusal)));
	const sandbox = await start('refused', { retryMs: [10, 10] });
	sandbox.settings.forwardUrl = `${institution.url}/forward`;
	await sandbox.forward('6900000001', 'ΣΙΤΙΣΗ 1');
	await sandbox.settled();
	await institution.close();

	expect(sandbox.traffic.calls.map(({ status }) => status)).toEqual([401]);
	expect(sandbox.texts).toMatchObject([{ result: { status: 401, answer: refusal } }]);
});

test("the sandbox's page loads files only from the sandbox, and other sites can't send commands to the sandbox", async () => {
	const sandbox = await start('page');
	const page = await fetch(sandbox.url);
	const html = await page.text();
	const files = [...html.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path]) => path!);
	const answers = await Promise.all(files.map(async (path) => (await fetch(sandbox.url + path)).status));

	expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
	expect(html).not.toMatch(/https?:\/\//);
	expect(answers).toEqual(files.map(() => 200));
	expect(files.length).toBeGreaterThan(2);
	const headers = { origin: 'https://example.gr' };
	expect((await fetch(`${sandbox.url}/control/clear`, { method: 'POST', headers })).status).toBe(403);
	expect(sandbox.traffic.calls).toEqual([]);
});

test("every text of the sandbox's page exists in Greek and in English", () => {
	const source = (file: string): string => readFileSync(join('sandbox/page', file), 'utf8');
	const words = new Function(source('words.js').replace('export const words =', 'return'))() as Record<
		'en' | 'el',
		Record<string, string>
	>;
	const scripts = readdirSync('sandbox/page').filter((file) => file.endsWith('.js') && file !== 'words.js');
	const inPage = [...source('index.html').matchAll(/data-word(?:-label|-placeholder)?="(\w+)"/g)];
	const inScripts = scripts.flatMap((file) => [...source(file).matchAll(/(?:word|part|cell)\('(\w+)'/g)]);

	expect(scripts.length).toBeGreaterThan(3);
	expect(Object.keys(words.el)).toEqual(Object.keys(words.en));
	expect(Object.keys(words.en)).toEqual(expect.arrayContaining([...inPage, ...inScripts].map(([, name]) => name)));
	// Both versions of a text have the same placeholders.
	const gaps = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([gap]) => gap).sort();
	for (const [name, text] of Object.entries(words.en))
		expect([name, gaps(words.el[name]!)]).toEqual([name, gaps(text)]);
	expect(JSON.stringify(words.el)).not.toMatch(/δοκιμαστήρι|άρνηση|αλλιώς/i);
});
