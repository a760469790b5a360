import type { IDataObject, INode, INodeParameters, OnError } from 'n8n-workflow';
import { selfSignedCertificate } from '../../sandbox/certificate';
import { echoPlaces, encodings, type Encoding } from '../../sandbox/echo';
import { inhabitants } from '../../sandbox/people';
import { answers, type Trouble } from '../../sandbox/trouble';
import { findSecrets } from '../spellings';
import { until, type Execution, type WorkflowFile } from './n8n';
import { sendingIn } from './sending';
import { useStranger } from './server';
import { chain, withRows } from './workflows';
import { useWorld } from './world';

/*
 * Everything goes wrong once, at n8n's debug log level. What n8n wrote and answered in all of it is searched at the end
 * for keys, and its error texts for whole numbers.
 */
// Settings, so that this n8n is its own: all of its log is searched, and it is stopped before the last look.
const world = useWorld({ N8N_LOG_LEVEL: 'debug' });

/** With what JSON, addresses, HTML and patterns write otherwise. */
const apiKey = 'Ak"7\\+/=$&$1<\'>%20-4b1f';
const preSharedKey = 'κλειδί"9+/=$&\\\'<ά>%41 ψ-9d2a';
/** They are refused, and are keys all the same: of another service, or of last year. */
const otherKeys = ['another-"amka"-key-77c0', 'άλλο-"key"+77c0', 'κλειδί-that-no-header-can-hold', 'q~7!'];
const keys = [apiKey, preSharedKey, ...otherKeys];

const [{ record: person }] = inhabitants() as [ReturnType<typeof inhabitants>[number]];
const ssn = person.amka_in!;
const birthDate = person.birth_date!;
const surname = person.surname_cur_gr!;
const mobiles = ['6912345678', '+30 698 765 4321'];
const numbers = [ssn, ...mobiles, '6987654321', '306912345678'];
/** Proves that the search finds what is there. */
const marker = 'marker-of-this-test-5f07';
const row = (changes: IDataObject = {}): IDataObject => ({
	ssn,
	birthDate,
	surname,
	recipient: mobiles[0]!,
	secondRecipient: mobiles[1]!,
	marker,
	...changes,
});

/** What n8n told callers and its editor. */
const told: string[] = [];
/** What users read where something failed. */
const errorTexts: string[] = [];

const stranger = useStranger({ match: 'true', serviceId: '101', errorCode: '', error: '' });

let credentials: Record<'amkaApi' | 'smsPlatformApi', { id: string; name: string }>;
beforeEach(async () => {
	Object.assign(world.sandbox.settings, { apiKey, preSharedKey });
	credentials ??= await addCredentials();
});
const addCredentials = async (amka: object = {}, sms: object = {}): Promise<typeof credentials> => ({
	amkaApi: await world.n8n.addCredential('amkaApi', { ...world.amkaApi(), ...amka }),
	smsPlatformApi: await world.n8n.addCredential('smsPlatformApi', { ...world.smsPlatformApi(), ...sms }),
});

const amka = (parameters: INodeParameters = {}, changes: Partial<INode> = {}): INode => ({
	...world.node('amka', {
		operation: 'validate',
		ssn: '={{ $json.ssn }}',
		birthDate: '={{ $json.birthDate }}',
		surname: '={{ $json.surname }}',
		output: 'record',
		options: { timeout: 3 },
		...parameters,
	}),
	credentials: { amkaApi: credentials.amkaApi },
	...changes,
});

const { sendNode, trouble } = sendingIn(world);
const send = (parameters: INodeParameters = {}, changes: Partial<INode> = {}): INode =>
	sendNode(
		{ timeout: 3, dlrUrl: 'https://n8n.example.gr/webhook/abc/dlr', ...(parameters.options as INodeParameters) },
		{ credentials: { smsPlatformApi: credentials.smsPlatformApi }, ...changes },
		Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== 'options')),
	);

/** One row through both services, side by side. */
const both = (onError: OnError, changes: Partial<INode> = {}): WorkflowFile => {
	const nodes = [
		amka({}, { onError, ...changes }),
		send({}, { onError, ...changes }),
		send({ recipient: '={{ $json.secondRecipient }}' }, { name: 'second', onError, ...changes }),
	];
	const workflow = withRows([row()], ...nodes);
	workflow.connections = { Start: { main: [nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }))] } };
	return workflow;
};

/** Runs a workflow, and notes what it leaves for its user to read. */
async function run(workflow: WorkflowFile): Promise<Execution> {
	const execution = await world.n8n.execute(workflow);
	errorTexts.push(...errorsIn(execution.result));
	told.push(JSON.stringify(await world.n8n.rest('GET', `/executions/${execution.id}`)));
	return execution;
}

/**
 * Every text of an error in stored data: of failed nodes (message, description, stack, context) and of error items.
 * Not the node's own parameters, which n8n stores beside, and not those details that name the row.
 */
function errorsIn(stored: unknown): string[] {
	if (typeof stored !== 'object' || stored === null) return [];
	const found: string[] = [];
	for (const [name, value] of Object.entries(stored)) {
		if (name === 'error' && value) found.push(readable(value));
		else if (name === 'json' && 'error' in (value as object)) {
			const { error, message, details } = value as IDataObject;
			found.push(readable({ error, message, details }));
		} else if (name === 'hints') found.push(readable(value));
		else found.push(...errorsIn(value));
	}
	return found;
}

const readable = (error: unknown): string =>
	JSON.stringify(error, (name, value: unknown) =>
		['node', 'recipient', 'reference'].includes(name) ? undefined : value,
	);

/** Every way in which a service can answer wrongly. */
const statuses = [200, 400, 401, 403, 404, 422, 429, 500, 502, 503];
const failures: Array<Partial<Trouble>> = [
	...answers.filter((answer) => !['normal', 'echo', 'redirect'].includes(answer)).map((answer) => ({ answer })),
	{ answer: '503', retryAfter: '0' },
	{ holdUntilTaken: 1000 },
];
const echoes: Array<Partial<Trouble>> = [
	...statuses.flatMap((status) =>
		echoPlaces.map((echoIn): Partial<Trouble> => ({ answer: 'echo', status, echoIn, echoAs: 'plain' })),
	),
	...(Object.keys(encodings) as Encoding[]).flatMap((echoAs) =>
		(['refusal', 'success'] as const).map(
			(echoIn): Partial<Trouble> => ({ answer: 'echo', status: 200, echoIn, echoAs }),
		),
	),
];

describe('a service that does not answer as documented', () => {
	test.each([...failures, ...echoes])('%j', async (changes) => {
		trouble(changes);
		const execution = await run(both('continueErrorOutput'));

		expect(execution.status).toBe('success');
		// Each of the three was asked, and what it was told is there.
		expect(Object.keys(execution.result.runData).sort()).toEqual(['Start', 'amka', 'second', 'smsSend']);
		if (changes.echoIn !== 'success') expect(errorsIn(execution.result).length).toBeGreaterThan(0);
		// And where the run stops.
		if (changes.answer !== 'echo' || changes.echoIn === 'refusal') {
			for (const node of [amka(), send({ recipient: '={{ $json.secondRecipient }}' })]) {
				await run(withRows([row()], node));
			}
		}
		trouble({ holdUntilTaken: 0 });
	});

	test.each<Partial<Trouble>>([
		{ answer: '500' },
		{ answer: '429', retryAfter: '0' },
		{ answer: 'cutBefore' },
		{ answer: 'echo', status: 400, echoIn: 'refusal', echoAs: 'jsonTwice' },
	])('%j, with Retry On Fail and with retries', async (changes) => {
		trouble(changes);
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			await run(both(onError, { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }));
		}
		await run(withRows([row()], send()));
	});

	test.each<Partial<Trouble>>([
		{ answer: 'refuse' },
		{ answer: 'cutAfter' },
		{ answer: 'echo', status: 200, echoIn: 'refusal', echoAs: 'plain' },
		{ answer: 'echo', status: 500, echoIn: 'refusal', echoAs: 'base64' },
	])('%j to Send and Wait', async (changes) => {
		trouble({ ...changes, report: 'lost' });
		const execution = await run(withRows([row()], send({ operation: 'sendAndWait' })));

		// What may have been taken is waited for.
		expect(execution.status).toBe(isRefusal(changes) ? 'error' : 'waiting');
	});
	const isRefusal = ({ answer, status }: Partial<Trouble>): boolean =>
		answer === 'refuse' || (answer === 'echo' && status === 200);

	test('every failure, shown by the test of a credential', async () => {
		const attempt = async (type: 'amkaApi' | 'smsPlatformApi', changes: object = {}): Promise<void> => {
			const { message } = await world.n8n.testCredential(type, { ...world[type](), ...changes });
			expect(message).toMatch(/./);
			told.push(message);
			errorTexts.push(message);
		};
		for (const type of ['amkaApi', 'smsPlatformApi'] as const) {
			for (const changes of [...failures, ...echoes]) {
				if (changes.holdUntilTaken) continue;
				world.sandbox.endTrouble();
				trouble(changes);
				await attempt(type);
			}
			world.sandbox.endTrouble();
			for (const key of otherKeys) await attempt(type, { apiKey: key, preSharedKey: key });
			await attempt(type, { baseUrl: 'http://127.0.0.1:9' });
			await attempt(type, { baseUrl: `${world.sandbox.url}/wrong` });
		}
	}, 120_000);
});

describe('a key that is refused', () => {
	test.each(otherKeys)('%s', async (key) => {
		const { amkaApi, smsPlatformApi } = await addCredentials({ apiKey: key }, { preSharedKey: key });
		for (const changes of [{}, { answer: 'echo', status: 403, echoIn: 'refusal' }] as Array<Partial<Trouble>>) {
			trouble(changes);
			for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
				await run(withRows([row()], amka({}, { onError, credentials: { amkaApi } })));
				await run(withRows([row()], send({}, { onError, credentials: { smsPlatformApi } })));
			}
		}
	});
});

test('values that an expression or a rule refuses', async () => {
	const bad = (value: string): INode[] => [
		amka({ ssn: value }, { onError: 'continueErrorOutput' }),
		amka({ birthDate: value }),
		amka({ surname: value, options: { acceptDeceased: '={{ $json.ssn }}' } }),
		send({ recipient: value }, { onError: 'continueErrorOutput' }),
		send({ options: { replacements: value } }),
		send({ options: { dlrUrl: value } }),
		send({ options: { concurrency: value } }),
	];
	const nodes = [
		'={{ JSON.parse($json.ssn + "x") }}',
		'={{ $json[$json.recipient].nope }}',
		'={{ $json.ssn + "9\\n" }}',
		'={{ [$json.ssn] }}',
	].flatMap(bad);
	for (const node of nodes) await run(withRows([row()], node));
}, 120_000);

describe('a redirect', () => {
	const targets: Array<[name: string, secure: boolean, to: () => string]> = [
		['the same host', false, () => world.sandbox.url],
		['another port', false, () => stranger.url],
		['another name', false, () => stranger.url.replace('127.0.0.1', 'localhost')],
		['plain http', true, () => stranger.url],
	];
	const cases = targets.flatMap((target) => [301, 302, 303, 307, 308].map((status) => [status, ...target] as const));

	test.each(cases)('%d to %s (from https: %s) is an error, and nothing follows it', async (status, _, secure, to) => {
		const sandbox = secure ? await world.anotherSandbox(selfSignedCertificate()) : world.sandbox;
		Object.assign(sandbox.settings, { apiKey, preSharedKey });
		Object.assign(sandbox.trouble, { answer: 'redirect', status, redirectTo: to() });
		const address = { baseUrl: sandbox.url, allowUnauthorizedCerts: true };
		const own = secure ? await addCredentials(address, address) : credentials;
		const onError = 'continueErrorOutput';
		for (const node of [
			amka({}, { onError, credentials: { amkaApi: own.amkaApi } }),
			send({}, { onError, credentials: { smsPlatformApi: own.smsPlatformApi } }),
			send({ operation: 'sendAndWait' }, { onError, credentials: { smsPlatformApi: own.smsPlatformApi } }),
		]) {
			const execution = await run(withRows([row()], node));
			// Whoever redirects may have passed the message on, so Send and Wait waits for its report.
			if (node.parameters.operation === 'sendAndWait') expect(execution.status).toBe('waiting');
			else expect(errorsIn(execution.result).join()).toContain('redirect');
		}
		for (const type of ['amkaApi', 'smsPlatformApi'] as const) {
			const { status: result, message } = await world.n8n.testCredential(type, { ...world[type](), ...address });
			expect([result, message]).toEqual(['Error', expect.stringContaining('redirect')]);
			told.push(message);
		}

		expect(stranger.mail).toEqual([]);
		expect(sandbox.traffic.calls.filter(({ direction }) => direction === 'in')).toHaveLength(5);
	});
});

describe('what comes in', () => {
	const publish = async (
		webhookId: string,
		parameters: INodeParameters,
	): Promise<{ id: string; forwardUrl: string }> => {
		const trigger: INode = {
			...world.node('smsTrigger', parameters),
			webhookId,
			credentials: { smsPlatformApi: credentials.smsPlatformApi },
		};
		const id = await world.n8n.addWorkflow(chain('trigger', trigger));
		await world.n8n.publish(id);
		return { id, forwardUrl: `${world.n8n.url}/webhook/${webhookId}/forward` };
	};
	const hear = async (response: Response): Promise<void> => {
		const answer = await response.text();
		told.push(answer, JSON.stringify([...response.headers]));
		if (response.status >= 400) errorTexts.push(answer);
	};

	test('in the address, as a user may have it', async () => {
		const { id, forwardUrl } = await publish('secrets-in-an-address', { options: { httpMethod: 'GET' } });
		const get = async (changes: Record<string, string>): Promise<void> => {
			const query = { MSISDN: mobiles[0]!, keyword: 'ΒΑ', 'pre-shared key': preSharedKey, ...changes };
			await hear(await fetch(`${forwardUrl}?${new URLSearchParams(query).toString()}`));
		};
		await get({});
		await get({ keyword: '' });
		await get({ body: preSharedKey });
		await get({ 'pre-shared key': otherKeys[1]! });

		await world.n8n.executionsWhenEnded(id, 2);
	});

	test('with the right key in the wrong place, or in what can not be read', async () => {
		const { id, forwardUrl } = await publish('secrets-of-this-test', { acceptUnsignedReports: true });
		const forward = (changes: object = {}): string =>
			JSON.stringify({ MSISDN: mobiles[0], keyword: 'ΒΑ', body: '', 'pre-shared key': preSharedKey, ...changes });
		const inAddress = encodeURIComponent(preSharedKey);

		const call = async (url: string, body: string, headers: Record<string, string> = {}): Promise<void> => {
			await hear(
				await fetch(url, {
					method: 'POST',
					headers: { 'content-type': 'application/json', ...headers },
					body: Buffer.from(body),
				}),
			);
		};
		for (const field of ['MSISDN', 'keyword', 'body', 'sms-forward-id']) {
			await call(forwardUrl, forward({ [field]: preSharedKey }));
			await call(
				forwardUrl,
				forward({ [field]: `${preSharedKey} ${encodings.json(preSharedKey)} ${encodings.base64(preSharedKey)}` }),
			);
			await call(forwardUrl, forward({ [field]: { [preSharedKey]: preSharedKey } }));
		}
		await call(forwardUrl, forward({ MSISDN: [mobiles[0]] }));
		await call(forwardUrl, forward().slice(0, -3));
		await call(forwardUrl, `${preSharedKey} ${mobiles[0]}`);
		for (const type of [
			'text/plain',
			'application/x-www-form-urlencoded',
			'application/xml',
			'multipart/form-data; boundary=x',
		]) {
			await call(forwardUrl, forward().slice(0, -3), { 'content-type': type });
			await call(forwardUrl, forward(), { 'content-type': type });
		}
		await call(`${forwardUrl}?pre-shared+key=${inAddress}`, forward({ 'pre-shared key': undefined }));
		await call(forwardUrl, forward(), { 'content-encoding': 'gzip' });
		await call(forwardUrl, forward({ 'pre-shared key': 'wrong' }), {
			authorization: `Bearer ${encodings.base64(preSharedKey)}`,
		});
		const dlrUrl = forwardUrl.replace('/forward', '/dlr');
		await call(`${dlrUrl}?ref=${inAddress}&exp=1&sig=${inAddress}`, JSON.stringify({ serviceId: preSharedKey }));
		await call(`${dlrUrl}?ref=1&exp=9999999999&sig=${inAddress}`, JSON.stringify({ serviceId: '101' }));

		await until('they are worked off', async () =>
			(await world.n8n.executions(id)).every(({ status }) => status === 'success'),
		);
		const executions = await world.n8n.executions(id);
		expect(executions.length).toBeGreaterThan(4);
		expect(JSON.stringify(executions)).toContain('•••');
	});
});

describe('afterwards', () => {
	/** The places in these texts where a secret stands, with what comes before it. */
	const finds = (texts: string[], secrets: string[]): string[] =>
		texts.flatMap((each) =>
			findSecrets(each, secrets).map((spelling) => each.slice(0, each.indexOf(spelling) + spelling.length).slice(-200)),
		);

	test('what was searched for can be found', async () => {
		expect((await world.n8n.leaks([marker])).join()).toMatch(/database\.sqlite|postgres\.sql/);
		expect(findSecrets(told.join('\n'), [marker])).not.toEqual([]);
		expect(errorTexts.length).toBeGreaterThan(200);
		expect(world.n8n.printed()).toContain('debug');
	});

	test('no key is in any answer or any error text', () => {
		expect(finds(told, keys)).toEqual([]);
		expect(finds(errorTexts, keys)).toEqual([]);
	});

	test('no whole number is in any error text', () => {
		expect(finds(errorTexts, numbers)).toEqual([]);
	});

	test('neither a key nor a whole number is in the log', () => {
		expect(finds(world.n8n.printed().split('\n'), [...keys, ...numbers])).toEqual([]);
	});

	test('nothing was sent to a stranger', () => {
		expect(stranger.mail).toEqual([]);
	});

	test('no key is in the database or in any other file of n8n, running and stopped', async () => {
		expect(await world.n8n.leaks(keys)).toEqual([]);
		await world.n8n.stop();
		expect(await world.n8n.leaks(keys)).toEqual([]);
	});
});
