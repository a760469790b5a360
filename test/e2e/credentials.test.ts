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

keysStaySecret(world);
