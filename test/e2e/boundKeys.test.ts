import type { INode } from 'n8n-workflow';
import { useStranger } from './server';
import { builtIn, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/* Tests n8n's HTTP Request node from version 2 on, with the credentials of this package. */

const world = useWorld();
const stranger = useStranger({ errorCode: '', error: '' });

type Type = 'amkaApi' | 'smsPlatformApi';

/** Returns an HTTP Request node with a credential. Its request names no recipient or person. */
const httpRequest = (type: Type, typeVersion: number, url: string, options: object): INode => {
	const body = '{"serviceId":"","messageId":"","recipient":"","replacements":[]}';
	const isNew = typeVersion >= 3;
	return {
		...builtIn('n8n-nodes-base.httpRequest', 'HTTP', typeVersion, {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: type,
			[isNew ? 'method' : 'requestMethod']: 'POST',
			...(isNew
				? { sendBody: true, specifyBody: 'json', jsonBody: body }
				: { jsonParameters: true, bodyParametersJson: body }),
			options: options as never,
		}),
		credentials: { [type]: world.node(type === 'amkaApi' ? 'amka' : 'smsSend', {}).credentials![type]! },
		onError: 'continueRegularOutput',
	};
};

const cases = (['amkaApi', 'smsPlatformApi'] as const).flatMap((type) =>
	[2, 3, 4, 4.1, 4.2, 4.3, 4.4, 4.5].map((version) => [type, version] as const),
);

test.each(cases)(
	'the credential %s in HTTP Request version %d sends its key only to its own Base URL',
	async (type, version) => {
		const run = async (url: string, options: object = {}) =>
			await world.n8n.execute(withRows([{}], httpRequest(type, version, `${url}/sendSMS`, options)));
		const { url, traffic, trouble } = world.sandbox;

		await run(url);
		expect(traffic.calls).toHaveLength(1);
		expect(JSON.stringify(traffic.calls)).toContain(type === 'amkaApi' ? 'authorization' : 'pre-shared key');

		const refused = JSON.stringify((await run(stranger.url)).result.runData.HTTP);
		expect(refused).toContain('sends its key only to its own Base URL');
		expect(refused).toContain(stranger.url);

		const redirect = {
			redirect: { redirect: { followRedirects: true, maxRedirects: 5 } },
			followRedirect: true,
			followAllRedirects: true,
		};
		for (const status of [301, 302, 307, 308]) {
			Object.assign(trouble, { answer: 'redirect', status, redirectTo: stranger.url });
			await run(url, redirect);
			// Settings of the user must not switch off the checks that this package adds to a request.
			await run(url, { ...redirect, response: { response: { neverError: true, fullResponse: true } } });
		}
		expect(traffic.calls.length).toBeGreaterThanOrEqual(9);
		world.sandbox.endTrouble();
		await run(url, { proxy: stranger.url });

		expect(stranger.requests).toEqual([]);
	},
);

keysStaySecret(world);
