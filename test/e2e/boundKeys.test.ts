import type { INode } from 'n8n-workflow';
import { useStranger } from './stranger';
import { withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/* n8n's own HTTP Request node, in all of its versions, with the credentials of this package. */

const world = useWorld();

const stranger = useStranger({ errorCode: '', error: '' });
afterEach(() => stranger.mail.splice(0));

type Type = 'amkaApi' | 'smsPlatformApi';

/** The key of a credential, by which it would be known in what reached somebody. */
const keyOf = (type: Type): string => world.sandbox.settings[type === 'amkaApi' ? 'apiKey' : 'preSharedKey'];

/** An HTTP Request node of n8n's with a credential; a message to nobody, or a question about nobody. */
const httpRequest = (type: Type, typeVersion: number, url: string, options: object = {}): INode => {
	const body = '{"serviceId":"","messageId":"","recipient":"","replacements":[]}';
	const isNew = typeVersion >= 3;
	return {
		id: 'http',
		name: 'HTTP',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion,
		position: [0, 0],
		parameters: {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: type,
			[isNew ? 'method' : 'requestMethod']: 'POST',
			...(isNew
				? { sendBody: true, specifyBody: 'json', jsonBody: body }
				: { jsonParameters: true, bodyParametersJson: body }),
			options: options as never,
		},
		credentials: { [type]: world.node(type === 'amkaApi' ? 'amka' : 'smsSend', {}).credentials![type]! },
		onError: 'continueRegularOutput',
	};
};

const versions = [2, 3, 4.1, 4.2, 4.3, 4.4];
const cases = (['amkaApi', 'smsPlatformApi'] as const).flatMap((type) =>
	versions.map((version) => [type, version] as const),
);

describe.each(cases)('%s in HTTP Request %d', (type, version) => {
	const run = async (url: string, options: object = {}) =>
		await world.n8n.execute(withRows([{}], httpRequest(type, version, url, options)));
	/** Everything that is stored of the run, and what the node says. */
	const said = (execution: Awaited<ReturnType<typeof run>>): string => JSON.stringify(execution.result.runData.HTTP);

	test('goes to its own Base URL', async () => {
		await run(`${world.sandbox.url}/sendSMS`);

		const [call] = world.sandbox.traffic.calls;
		expect(world.sandbox.traffic.calls).toHaveLength(1);
		expect(JSON.stringify(call)).toContain(type === 'amkaApi' ? 'authorization' : 'pre-shared key');
	});

	test('goes to no other URL, and the node says why', async () => {
		const execution = await run(`${stranger.url}/sendSMS`);

		expect(stranger.mail).toEqual([]);
		expect(said(execution)).toContain('gives its key to its own Base URL alone');
		expect(said(execution)).toContain(stranger.url);
	});

	test.each([301, 302, 307, 308])('follows no redirect: %d', async (status) => {
		Object.assign(world.sandbox.trouble, { answer: 'redirect', status, redirectTo: stranger.url });
		const redirect = {
			redirect: { redirect: { followRedirects: true, maxRedirects: 5 } },
			followRedirect: true,
			followAllRedirects: true,
		};
		await run(`${world.sandbox.url}/sendSMS`, redirect);
		// What the package adds to a request must not be what a user switches off.
		await run(`${world.sandbox.url}/sendSMS`, {
			...redirect,
			response: { response: { neverError: true, fullResponse: true } },
		});

		expect(stranger.mail).toEqual([]);
		expect(world.sandbox.traffic.calls.length).toBeGreaterThanOrEqual(2);
		expect(keyOf(type)).not.toBe('');
	});

	test('goes through no proxy of the request', async () => {
		await run(`${world.sandbox.url}/sendSMS`, { proxy: stranger.url });

		expect(stranger.mail).toEqual([]);
	});
});

keysStaySecret(world);
