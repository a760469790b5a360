import { selfSignedCertificate } from '../../sandbox/certificate';
import { keysStaySecret, useWorld } from './world';

/** Credential tests as the editor's button runs them. None may send a message or ask about a real person. */
const world = useWorld();

describe.each(['amkaApi', 'smsPlatformApi'] as const)('%s', (type) => {
	const key = type === 'amkaApi' ? 'apiKey' : 'preSharedKey';
	const attempt = async (changes: object = {}) =>
		await world.n8n.testCredential(type, { ...world[type](), ...changes });

	afterEach(() => {
		expect(world.sandbox.messages).toEqual([]);
		expect(JSON.stringify(world.sandbox.traffic.calls)).not.toContain('ΔΟΚΙΜΑΣΤΙΚ');
	});

	test('works, and claims no more than it knows', async () => {
		const { status, message } = await attempt();

		expect(status).toBe('OK');
		if (type === 'smsPlatformApi') expect(message).not.toMatch(/key (is|was) accepted|accepted the key/i);
		expect(world.sandbox.traffic.calls).toHaveLength(1);
	});

	test('understands a trailing slash and a pasted operation address', async () => {
		const path = type === 'amkaApi' ? '/api/rest/v1/ssn_validation' : '/sendSMS';

		expect((await attempt({ baseUrl: `${world.sandbox.url}/` })).status).toBe('OK');
		expect((await attempt({ baseUrl: `${world.sandbox.url}${path}` })).status).toBe('OK');
	});

	test('a rejected key', async () => {
		expect(await attempt({ [key]: 'wrong' })).toEqual({
			status: 'Error',
			message: expect.stringMatching(/reject.*key/i),
		});
	});

	test('nobody at this address', async () => {
		const gone = await world.anotherSandbox();
		await gone.close();

		expect(await attempt({ baseUrl: gone.url })).toEqual({ status: 'Error', message: expect.stringMatching(/reach/i) });
	});

	test('a wrong base address', async () => {
		expect(await attempt({ baseUrl: `${world.sandbox.url}/wrong` })).toEqual({
			status: 'Error',
			message: expect.stringMatching(/Base URL/),
		});
		Object.assign(world.sandbox.trouble, { answer: 'html' });
		expect(await attempt()).toEqual({ status: 'Error', message: expect.stringMatching(/Base URL/) });
	});

	test('a certificate that nobody trusts, until the option says to ignore that', async () => {
		const secure = await world.anotherSandbox(selfSignedCertificate());
		const refused = await attempt({ baseUrl: secure.url });
		const ignored = await attempt({ baseUrl: secure.url, allowUnauthorizedCerts: true });

		expect(refused).toEqual({ status: 'Error', message: expect.stringMatching(/certificate.*Ignore SSL Issues/i) });
		expect(ignored.status).toBe('OK');
	});

	test('https where http is spoken is no matter of certificates', async () => {
		const { status, message } = await attempt({ baseUrl: world.sandbox.url.replace('http:', 'https:') });

		expect(status).toBe('Error');
		expect(message).toMatch(/http or https/);
		expect(message).not.toMatch(/SSL Issues/);
	});
});

describe('what stands in the SMS platform credential once for all nodes is read by its test', () => {
	test.each([
		['messages that can all be read', { messages: '# ours\n101/1: {Μάθημα,1}: {Βαθμός,2}\n\n101/2: χωρίς' }, 'OK', /./],
		['a line that is none', { messages: '101/1: {Μάθημα,1}\nwhatever' }, 'Error', /Line 2 of/],
		['the same ids twice', { messages: '101/1: α\n101/2: β\n101/1: γ' }, 'Error', /Line 3 of/],
		['a Delivery Report URL for reports', { dlrUrl: 'https://n8n.example.gr/webhook/abc/dlr' }, 'OK', /./],
		['a placeholder without a position', { messages: '101/1: {Μάθημα}' }, 'Error', /Line 1 of .*\{Μάθημα,1\}/],
		['plain http to a host elsewhere', { baseUrl: 'http://sms.example.gr' }, 'Error', /must begin with https/],
		['one that is for messages', { dlrUrl: 'https://n8n.example.gr/webhook/abc/forward' }, 'Error', /\/forward/],
	])('%s', async (_, changes, status, words) => {
		const { sandbox, n8n } = world;

		expect(await n8n.testCredential('smsPlatformApi', { ...world.smsPlatformApi(), ...changes })).toEqual({
			status,
			message: expect.stringMatching(words),
		});
		expect(sandbox.messages).toEqual([]);
	});
});

keysStaySecret(world);
