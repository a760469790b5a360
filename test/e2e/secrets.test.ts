import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { selfSignedCertificate, type Certificate } from '../../sandbox/certificate';
import { echoPlaces, encodings } from '../../sandbox/echo';
import { newPeople } from '../../sandbox/people';
import { startSandbox, type Sandbox } from '../../sandbox/server';
import { answers, type Trouble } from '../../sandbox/trouble';
import { findSecrets } from '../spellings';
import { until, type Execution, type WorkflowFile } from './n8n';
import { sendingIn } from './sending';
import { useStranger } from './server';
import { chain, withRows } from './workflows';
import { useWorld } from './world';

/*
 * Causes failures of many kinds, at n8n's debug log level. At the end, n8n's files and the texts that it sent are searched for
 * keys, and its error texts and its log also for complete phone numbers and AMKA. workflow/secrets, workflow/amka/secrets and
 * workflow/outcomes cover every status and every encoding.
 */
// With a setting, this file has its own n8n: n8n's whole log is searched, and n8n is stopped before the last search.
const world = useWorld({ N8N_LOG_LEVEL: 'debug' });
jest.setTimeout(120_000);

/** Keys with characters that JSON, URLs, HTML and patterns escape. */
const apiKey = 'Ak"7\\+/=$&$1<\'>%20-4b1f';
const preSharedKey = 'κλειδί"9+/=$&\\\'<ά>%41 ψ-9d2a';
/** Rejected keys. They are secrets too: they may be keys of another service, or former keys. */
const otherKeys = ['another-"amka"-key-77c0', 'κλειδί-that-no-header-can-hold', 'q~7!'];
const keys = [apiKey, preSharedKey, ...otherKeys];

const [{ record: person }] = newPeople() as [ReturnType<typeof newPeople>[number]];
const ssn = person.amka_in!;
const birthDate = person.birth_date!;
const surname = person.surname_cur_gr!;
const mobiles = ['6912345678', '+30 698 765 4321'];
const numbers = [ssn, ...mobiles, '6987654321', '306912345678'];
/** A text that the search must find, which shows that the search works. */
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

/** Texts that n8n sent to callers and to its editor. */
const told: string[] = [];
/** Texts that users read after a failure. */
const errorTexts: string[] = [];

const stranger = useStranger({ match: 'true', serviceId: '101', errorCode: '', error: '' });

type Credentials = Record<'amkaApi' | 'smsPlatformApi', { id: string; name: string }>;
let credentials: Credentials;
beforeAll(async () => {
	Object.assign(world.sandbox.settings, { apiKey, preSharedKey });
	credentials = await addCredentials();
});
beforeEach(() => void Object.assign(world.sandbox.settings, { apiKey, preSharedKey }));
const addCredentials = async (amka: object = {}, sms: object = {}): Promise<Credentials> => ({
	amkaApi: await world.n8n.addCredential('amkaApi', { ...world.amkaApi(), apiKey, ...amka }),
	smsPlatformApi: await world.n8n.addCredential('smsPlatformApi', { ...world.smsPlatformApi(), preSharedKey, ...sms }),
});

/** A separate sandbox for both services, and their credentials in n8n. */
interface Place {
	sandbox: Sandbox;
	/** The time-out of the nodes in seconds: short if no response ever comes, and otherwise long enough for a busy n8n. */
	timeout: number;
	credentials: Credentials;
	/** Tests a credential with these values. @returns what its form shows */
	test(type: keyof Credentials, changes?: object): Promise<{ status: string; message: string }>;
}

/**
 * Does something with services that fail in some way.
 * @param changes keys in the credentials other than the right ones
 */
async function at<R>(
	trouble: Partial<Trouble>,
	act: (place: Place) => Promise<R>,
	changes: { apiKey?: string; preSharedKey?: string } = {},
	certificate?: Certificate,
): Promise<R> {
	const sandbox = await startSandbox(0, certificate);
	Object.assign(sandbox.settings, { apiKey, preSharedKey });
	Object.assign(sandbox.trouble, trouble);
	const address = { baseUrl: sandbox.url, allowUnauthorizedCerts: certificate !== undefined };
	const amka = { apiKey, ...address };
	const sms = { preSharedKey, ...address };
	const test: Place['test'] = async (type, others) => {
		const own = { amkaApi: amka, smsPlatformApi: sms }[type];
		const result = await world.n8n.testCredential(type, { ...world[type](), ...own, ...others });
		told.push(result.message);
		errorTexts.push(result.message);
		return result;
	};
	try {
		const own = await addCredentials({ ...amka, ...changes }, { ...sms, ...changes });
		return await act({ sandbox, timeout: trouble.holdUntilTaken ? 2 : 30, credentials: own, test });
	} finally {
		Object.assign(sandbox.trouble, { holdUntilTaken: 0 });
		await sandbox.close();
	}
}

const amka = (parameters: INodeParameters = {}, changes: Partial<INode> = {}): INode => ({
	...world.node('amka', {
		operation: 'validate',
		ssn: '={{ $json.ssn }}',
		birthDate: '={{ $json.birthDate }}',
		surname: '={{ $json.surname }}',
		output: 'record',
		...parameters,
	}),
	credentials: { amkaApi: credentials.amkaApi },
	...changes,
});

const { sendNode } = sendingIn(world);
const send = (parameters: INodeParameters = {}, changes: Partial<INode> = {}): INode =>
	sendNode(
		{ dlrUrl: 'https://n8n.example.gr/webhook/abc/dlr', ...(parameters.options as INodeParameters) },
		{ credentials: { smsPlatformApi: credentials.smsPlatformApi }, ...changes },
		Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== 'options')),
	);

/** Returns a workflow in which each of these nodes gets the same row. */
const sideBySide = (...nodes: INode[]): WorkflowFile => {
	const workflow = withRows(
		[row()],
		// n8n runs the nodes from top to bottom.
		...nodes.map((node, index): INode => ({ ...node, position: [200, 200 * index] })),
	);
	workflow.connections = { Start: { main: [nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }))] } };
	return workflow;
};

/**
 * Returns a node for the AMKA service and two for the SMS platform. These two have different recipients, because a workflow sends
 * the same message to a recipient only once.
 */
const both = ({ timeout, credentials: { amkaApi, smsPlatformApi } }: Place, changes: Partial<INode>): INode[] => [
	amka({ options: { timeout } }, { ...changes, credentials: { amkaApi } }),
	send({ options: { timeout } }, { ...changes, credentials: { smsPlatformApi } }),
	send(
		{ recipient: '={{ $json.secondRecipient }}', options: { timeout } },
		{ ...changes, credentials: { smsPlatformApi }, name: 'second' },
	),
];

/** Runs a workflow, and records the stored execution and its error texts. */
async function run(workflow: WorkflowFile): Promise<Execution> {
	const execution = await world.n8n.execute(workflow, 60_000);
	errorTexts.push(...errorsIn(execution.result));
	told.push(JSON.stringify(await world.n8n.rest('GET', `/executions/${execution.id}`)));
	return execution;
}

/**
 * Returns all error texts in stored data: of failed nodes (message, description, stack, context), of error items, and of hints.
 * They do not include the node's parameters, which n8n stores beside them, or the details that identify the item: recipient,
 * reference, and with Include Input Fields the columns of the item.
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
		['node', 'recipient', 'reference', 'input'].includes(name) ? undefined : value,
	);

const echo = (status: number, changes: Partial<Trouble>): Partial<Trouble> => ({ answer: 'echo', status, ...changes });
const failures: Array<Partial<Trouble>> = [
	{ holdUntilTaken: 1000 },
	...answers.filter((answer) => !['normal', 'echo', 'redirect'].includes(answer)).map((answer) => ({ answer })),
	{ answer: '503', retryAfter: '0' },
];
const echoes: Array<Partial<Trouble>> = [
	...echoPlaces.map((echoIn) => echo(400, { echoIn })),
	echo(200, { echoIn: 'success' }),
	echo(200, { echoIn: 'refusal', echoAs: 'jsonAscii' }),
	echo(500, { echoIn: 'refusal', echoAs: 'base64' }),
];

test.each([
	['does not answer as documented', failures],
	['repeats the request in its response', echoes],
])('the nodes report a failure of a service that %s, and each credential test returns a text', async (_, troubles) => {
	// All cases run at the same time, because a failed look-up is repeated for seconds.
	const ran = troubles.map(
		async (trouble) =>
			await at(trouble, async (place) => {
				const kept = await run(sideBySide(...both(place, { onError: 'continueErrorOutput' })));
				const again = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
				for (const node of both(place, again)) await run(withRows([row()], node));
				// A credential test waits longer than a node, so a service without a response is not tested.
				const tests = trouble.holdUntilTaken ? [] : (['amkaApi', 'smsPlatformApi'] as const);
				for (const type of tests) expect((await place.test(type)).message).toMatch(/./);
				return { trouble, kept, asked: place.sandbox.traffic.calls.length };
			}),
	);
	for (const { trouble, kept, asked } of await Promise.all(ran)) {
		const tasks = ['amka', 'smsSend', 'second'].map((name) => kept.result.runData[name]);
		// Each of the three nodes has called its service, and its outcome is stored.
		expect([trouble, kept.status, tasks.map((task) => task?.length)]).toEqual([trouble, 'success', [1, 1, 1]]);
		expect(asked).toBeGreaterThanOrEqual(3);
		if (trouble.echoIn !== 'success') for (const task of tasks) expect(errorsIn(task).length).toBeGreaterThan(0);
	}
});

test.each<[string, Partial<Trouble>, string]>([
	['ends with an error if the platform rejects the message', echo(200, { echoIn: 'refusal' }), 'error'],
	['waits if the outcome of the message is unknown', echo(500, { echoIn: 'refusal', echoAs: 'base64' }), 'waiting'],
])('Send and Wait %s', async (_, trouble, status) => {
	await at({ ...trouble, report: 'lost' }, async ({ credentials: { smsPlatformApi } }) => {
		const node = send({ operation: 'sendAndWait' }, { credentials: { smsPlatformApi } });
		expect((await run(withRows([row()], node))).status).toBe(status);
	});
});

test.each(otherKeys)(
	'the nodes fail if a key is rejected, and each credential test returns a text: %s',
	async (key) => {
		const typed = { apiKey: key, preSharedKey: key };
		for (const trouble of [{}, echo(403, { echoIn: 'refusal' })]) {
			const all = async (place: Place): Promise<void> => {
				expect((await run(sideBySide(...both(place, { onError: 'continueErrorOutput' })))).status).toBe('success');
				for (const node of both(place, {})) expect((await run(withRows([row()], node))).status).toBe('error');
				for (const type of ['amkaApi', 'smsPlatformApi'] as const)
					expect((await place.test(type, typed)).message).toMatch(/./);
			};
			await at(trouble, all, typed);
		}
	},
);

test.each(['amkaApi', 'smsPlatformApi'] as const)(
	'the test of a credential of type %s reports a wrong Base URL',
	async (type) => {
		await at({}, async ({ sandbox, test }) => {
			for (const baseUrl of ['http://127.0.0.1:9', `${sandbox.url}/wrong`])
				expect(await test(type, { baseUrl })).toEqual({
					status: 'Error',
					message: expect.stringMatching(/./) as string,
				});
		});
	},
);

const throwing = ['={{ JSON.parse($json.ssn + "x") }}', '={{ $json[$json.recipient].nope }}'];
test.each([...throwing, '={{ $json.ssn + "9\\n" }}', '={{ [$json.ssn] }}'])(
	'the nodes report an expression that fails or has an invalid result (in Delivery Report URL, only an invalid result): %s',
	async (value) => {
		const kept = [amka({ ssn: value }), send({ recipient: value })].map(
			(node): INode => ({ ...node, onError: 'continueErrorOutput' }),
		);
		const statuses = [(await run(sideBySide(...kept))).status];
		for (const node of [
			amka({ birthDate: value }),
			amka({ surname: value, options: { acceptDeceased: '={{ $json.ssn }}' } }),
			send({ options: { replacements: value } }),
			send({ options: { dlrUrl: value } }),
			send({ options: { concurrency: value } }),
		])
			statuses.push((await run(withRows([row()], node))).status);

		// n8n replaces the value of a failed expression by nothing, and then the report URL of the credential is used.
		const url = throwing.includes(value) ? 'success' : 'error';
		expect(statuses).toEqual(['success', 'error', 'error', 'error', url, 'error']);
	},
);

test.each<[status: number, name: string, secure: boolean, to: (from: Sandbox) => string]>([
	[307, 'the same host', false, ({ url }) => url],
	[301, 'another port', false, () => stranger.url],
	[302, 'another name', false, () => stranger.url.replace('127.0.0.1', 'localhost')],
	[308, 'a URL without encryption', true, () => stranger.url],
])('a redirect with %d to %s (from https: %s) is an error, and is not followed', async (status, _, secure, to) => {
	const certificate = secure ? selfSignedCertificate() : undefined;
	const follow = async ({ sandbox, credentials: { amkaApi, smsPlatformApi }, test }: Place): Promise<void> => {
		sandbox.trouble.redirectTo = to(sandbox);
		const sms = { onError: 'continueErrorOutput', credentials: { smsPlatformApi } } as const;
		const execution = await run(
			sideBySide(
				amka({}, { ...sms, credentials: { amkaApi } }),
				send({}, sms),
				send({ operation: 'sendAndWait' }, { ...sms, name: 'wait' }),
			),
		);
		for (const node of ['amka', 'smsSend'])
			expect(errorsIn(execution.result.runData[node]).join()).toContain('redirect');
		// The server that redirects may have passed the message on, so Send and Wait waits for its report.
		expect(execution.status).toBe('waiting');
		for (const type of ['amkaApi', 'smsPlatformApi'] as const)
			expect(await test(type)).toMatchObject({
				status: 'Error',
				message: expect.stringContaining('redirect') as string,
			});
		expect(sandbox.traffic.calls.filter(({ direction }) => direction === 'in')).toHaveLength(5);
	};
	await at({ answer: 'redirect', status }, follow, {}, certificate);
	expect(stranger.requests).toEqual([]);
});

describe('SMS Trigger handles calls that contain a secret', () => {
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

	test('in the URL, if a user has set the method GET, and starts no execution without the right key and a keyword', async () => {
		const { id, forwardUrl } = await publish('secrets-in-an-address', { options: { httpMethod: 'GET' } });
		const get = async (changes: Record<string, string>): Promise<void> => {
			const query = { MSISDN: mobiles[0]!, keyword: 'ΒΑ', 'pre-shared key': preSharedKey, ...changes };
			await hear(await fetch(`${forwardUrl}?${new URLSearchParams(query).toString()}`));
		};
		await get({});
		await get({ keyword: '' });
		await get({ body: preSharedKey });
		await get({ 'pre-shared key': otherKeys[0]! });

		await world.n8n.executionsWhenEnded(id, 2);
	});

	test('in the wrong place, with the right key, or in an unreadable body, and redacts the secret in the executions', async () => {
		const { id, forwardUrl } = await publish('secrets-of-this-test', { acceptUnsignedReports: true });
		const forward = (changes: object = {}): string =>
			JSON.stringify({ MSISDN: mobiles[0], keyword: 'ΒΑ', body: '', 'pre-shared key': preSharedKey, ...changes });
		const inAddress = encodeURIComponent(preSharedKey);

		const json = { 'content-type': 'application/json' };
		const call = async (url: string, body: string, headers: Record<string, string> = {}): Promise<void> =>
			await hear(await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: Buffer.from(body) }));
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
		for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x']) {
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

		await until('all executions have succeeded', async () =>
			(await world.n8n.executions(id)).every(({ status }) => status === 'success'),
		);
		const executions = await world.n8n.executions(id);
		expect(executions.length).toBeGreaterThan(4);
		expect(JSON.stringify(executions)).toContain('•••');
	});
});

describe('after all tests of this file', () => {
	/** Returns each secret that these texts contain, with the text before it. */
	const finds = (texts: string[], secrets: string[]): string[] =>
		texts.flatMap((each) =>
			findSecrets(each, secrets).map((spelling) => each.slice(0, each.indexOf(spelling) + spelling.length).slice(-200)),
		);

	test('the search finds a known value in the database and in the recorded texts', async () => {
		expect((await world.n8n.leaks([marker])).join()).toMatch(/database\.sqlite|postgres\.sql/);
		expect(findSecrets(told.join('\n'), [marker])).not.toEqual([]);
		expect(errorTexts.length).toBeGreaterThan(100);
		expect(world.n8n.printed()).toContain('debug');
	});

	test('no key is in any response or error text', () => {
		expect(finds(told, keys)).toEqual([]);
		expect(finds(errorTexts, keys)).toEqual([]);
	});

	test('no complete phone number or AMKA is in any error text', () => {
		expect(finds(errorTexts, numbers)).toEqual([]);
	});

	test("no key, complete phone number or AMKA is in n8n's log", () => {
		expect(finds(world.n8n.printed().split('\n'), [...keys, ...numbers])).toEqual([]);
	});

	test('no server except the services got a request', () => {
		expect(stranger.requests).toEqual([]);
	});

	test("no key is in n8n's database or other files, while n8n runs and after it has stopped", async () => {
		expect(await world.n8n.leaks(keys)).toEqual([]);
		await world.n8n.stop();
		expect(await world.n8n.leaks(keys)).toEqual([]);
	});
});
