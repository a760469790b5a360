import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { selfSignedCertificate, type Certificate } from '../../sandbox/certificate';
import { echoPlaces, encodings, type Encoding } from '../../sandbox/echo';
import { inhabitants } from '../../sandbox/people';
import { startSandbox, type Sandbox } from '../../sandbox/server';
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
jest.setTimeout(120_000);

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

/** The two services on an address of their own, and what n8n knows of them. */
interface Place {
	sandbox: Sandbox;
	/** How long a node waits for them, in seconds: short where nothing ever comes, and long enough for a busy n8n otherwise. */
	timeout: number;
	credentials: Credentials;
	/** What the credential's test shows with these values. */
	test(type: keyof Credentials, changes?: object): Promise<{ status: string; message: string }>;
}

/**
 * Does something with services that are in trouble.
 * @param changes what is typed into the credentials otherwise
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

/** A failed look-up is asked again for seconds. With many more at a time n8n would be too late for its own time limits. */
const AT_A_TIME = 12;
const waiting: Array<() => Promise<unknown>> = [];
beforeAll(() => {
	const goOn = async (): Promise<void> => {
		for (let next = waiting.shift(); next; next = waiting.shift()) await next();
	};
	for (let lane = 0; lane < AT_A_TIME; lane++) void goOn();
});

/** Does this for each case, beside others and before its test. @returns what waits for it, for the test to look at */
function ahead<T, R>(cases: readonly T[], act: (each: T) => Promise<R>): (each: T) => Promise<R> {
	const all = new Map<T, Promise<R>>();
	for (const each of cases) {
		let begin!: () => void;
		const one = new Promise<void>((begun) => (begin = begun)).then(async () => await act(each));
		all.set(each, one);
		waiting.push(async () => {
			begin();
			await one.catch(() => undefined);
		});
	}
	return async (each) => await all.get(each)!;
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

/** One row through each of these nodes. */
const sideBySide = (...nodes: INode[]): WorkflowFile => {
	const workflow = withRows(
		[row()],
		// n8n takes them from top to bottom.
		...nodes.map((node, index): INode => ({ ...node, position: [200, 200 * index] })),
	);
	workflow.connections = { Start: { main: [nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }))] } };
	return workflow;
};

/** One row through both services, by nodes with this at the end of their names. */
const both = (
	{ timeout, credentials: { amkaApi, smsPlatformApi } }: Place,
	changes: Partial<INode>,
	end = '',
): INode[] => {
	// They are in one workflow, which sends a message once.
	const options = (name: string): INodeParameters => ({ timeout, duplicateKey: name + end });
	const sms = { ...changes, credentials: { smsPlatformApi } };
	return [
		amka({ options: { timeout } }, { ...changes, credentials: { amkaApi }, name: `amka${end}` }),
		send({ options: options('first') }, { ...sms, name: `smsSend${end}` }),
		send({ recipient: '={{ $json.secondRecipient }}', options: options('second') }, { ...sms, name: `second${end}` }),
	];
};

/** Runs a workflow, and notes what it leaves for its user to read. */
async function run(workflow: WorkflowFile): Promise<Execution> {
	const execution = await world.n8n.execute(workflow, 60_000);
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

/** Every way in which a service can answer wrongly, by workflows: what fails slowly has one for itself. */
const statuses = [200, 400, 401, 403, 404, 422, 429, 500, 502, 503];
const failures: Array<Array<Partial<Trouble>>> = [
	[{ holdUntilTaken: 1000 }],
	...answers.filter((answer) => !['normal', 'echo', 'redirect'].includes(answer)).map((answer) => [{ answer }]),
	[{ answer: '503', retryAfter: '0' }],
];
const isAskedAgain = (status: number): boolean => status === 429 || status >= 500;
const echoes: Array<Array<Partial<Trouble>>> = [
	...statuses.flatMap((status) => {
		const all = echoPlaces.map((echoIn): Partial<Trouble> => ({ answer: 'echo', status, echoIn, echoAs: 'plain' }));
		return isAskedAgain(status) ? all.map((each) => [each]) : [all];
	}),
	...(['refusal', 'success'] as const).map((echoIn) =>
		(Object.keys(encodings) as Encoding[])
			.filter((echoAs) => echoAs !== 'plain')
			.map((echoAs): Partial<Trouble> => ({ answer: 'echo', status: 200, echoIn, echoAs })),
	),
];

/** Does something with several pairs of services. */
const atEach = async <R>(troubles: Array<Partial<Trouble>>, act: (places: Place[]) => Promise<R>): Promise<R> => {
	const further = async (places: Place[]): Promise<R> =>
		places.length === troubles.length
			? await act(places)
			: await at(troubles[places.length]!, async (place) => await further([...places, place]));
	return await further([]);
};

describe('where n8n or the node tries again', () => {
	const cases: Array<Partial<Trouble>> = [
		{ answer: '500' },
		{ answer: '429', retryAfter: '0' },
		{ answer: 'cutBefore' },
		{ answer: 'echo', status: 400, echoIn: 'refusal', echoAs: 'jsonAscii' },
	];
	const done = ahead(
		cases,
		async (changes) =>
			await at(changes, async (place) => {
				const again = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
				const executions: Execution[] = [];
				for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const)
					executions.push(await run(sideBySide(...both(place, { onError, ...again }))));
				await run(withRows([row()], send({}, { credentials: { smsPlatformApi: place.credentials.smsPlatformApi } })));
				return executions.map(({ status }) => status);
			}),
	);

	test.each(cases)('%j, with Retry On Fail and with retries', async (changes) => {
		expect(await done(changes)).toEqual(['error', 'success']);
	});
});

describe('a service that does not answer as documented', () => {
	const groups = [...failures, ...echoes];
	const done = ahead(
		groups,
		async (troubles) =>
			await atEach(troubles, async (places) => {
				const nodes = places.map((place, index) => both(place, { onError: 'continueErrorOutput' }, ` ${index}`));
				const kept = await run(sideBySide(...nodes.flat()));
				const asked = places.map(({ sandbox }) => sandbox.traffic.calls.length);
				const shown: string[][] = [];
				for (const [index, { timeout, credentials: own, test }] of places.entries()) {
					const { answer, echoIn, echoAs, holdUntilTaken } = troubles[index]!;
					// And where the run stops; of the spellings it is enough that workflow/secrets and workflow/amka/secrets do.
					if (answer !== 'echo' || (echoIn === 'refusal' && echoAs === 'plain')) {
						for (const node of [
							amka({ options: { timeout } }, { credentials: { amkaApi: own.amkaApi } }),
							send(
								{ recipient: '={{ $json.secondRecipient }}', options: { timeout } },
								{ credentials: { smsPlatformApi: own.smsPlatformApi } },
							),
						])
							await run(withRows([row()], node));
					}
					// And in the form of the credential, which waits longer than a node does.
					shown.push(holdUntilTaken ? [] : [(await test('amkaApi')).message, (await test('smsPlatformApi')).message]);
				}
				return { kept, asked, shown };
			}),
	);

	const cases = groups.flatMap((group) => group.map((changes, index) => [changes, index, group] as const));
	test.each(cases)('%j', async (changes, index, group) => {
		const { kept, asked, shown } = await done(group);
		const tasks = ['amka', 'smsSend', 'second'].map((name) => kept.result.runData[`${name} ${index}`]);

		expect(kept.status).toBe('success');
		// Each of the three was asked, and what it was told is there.
		expect(tasks.map((task) => task?.length)).toEqual([1, 1, 1]);
		expect(asked[index]).toBeGreaterThanOrEqual(3);
		if (changes.echoIn !== 'success') for (const task of tasks) expect(errorsIn(task).length).toBeGreaterThan(0);
		for (const message of shown[index]!) expect(message).toMatch(/./);
	});
});

describe('Send and Wait', () => {
	const cases: Array<Partial<Trouble>> = [
		{ answer: 'refuse' },
		{ answer: 'cutAfter' },
		{ answer: 'echo', status: 200, echoIn: 'refusal', echoAs: 'plain' },
		{ answer: 'echo', status: 500, echoIn: 'refusal', echoAs: 'base64' },
	];
	const done = ahead(
		cases,
		async (changes) =>
			await at({ ...changes, report: 'lost' }, async ({ credentials: { smsPlatformApi } }) => {
				const node = send({ operation: 'sendAndWait' }, { credentials: { smsPlatformApi } });
				return await run(withRows([row()], node));
			}),
	);

	test.each(cases)('%j', async (changes) => {
		// What may have been taken is waited for.
		expect((await done(changes)).status).toBe(isRefusal(changes) ? 'error' : 'waiting');
	});
	const isRefusal = ({ answer, status }: Partial<Trouble>): boolean =>
		answer === 'refuse' || (answer === 'echo' && status === 200);
});

describe('a key that is refused', () => {
	const done = ahead(otherKeys, async (key) => {
		const echo: Partial<Trouble> = { answer: 'echo', status: 403, echoIn: 'refusal' };
		const statuses: string[] = [];
		for (const changes of [{}, echo]) {
			await at(
				changes,
				async (place) => {
					const { amkaApi, smsPlatformApi } = place.credentials;
					const node = [amka({}, { credentials: { amkaApi } }), send({}, { credentials: { smsPlatformApi } })] as const;
					statuses.push((await run(sideBySide(...both(place, { onError: 'continueErrorOutput' })))).status);
					for (const each of node) statuses.push((await run(withRows([row()], each))).status);
				},
				{ apiKey: key, preSharedKey: key },
			);
		}
		const shown = await at({}, async ({ test }) => [
			await test('amkaApi', { apiKey: key }),
			await test('smsPlatformApi', { preSharedKey: key }),
		]);
		return { statuses, shown };
	});

	test.each(otherKeys)('%s', async (key) => {
		const { statuses, shown } = await done(key);

		expect(statuses).toEqual(['success', 'error', 'error', 'success', 'error', 'error']);
		for (const { message } of shown) expect(message).toMatch(/./);
	});
});

test.each(['amkaApi', 'smsPlatformApi'] as const)('a wrong address, shown by the test of %s', async (type) => {
	await at({}, async ({ sandbox, test }) => {
		for (const baseUrl of ['http://127.0.0.1:9', `${sandbox.url}/wrong`])
			expect(await test(type, { baseUrl })).toEqual({ status: 'Error', message: expect.stringMatching(/./) as string });
	});
});

describe('values that an expression or a rule refuses', () => {
	const bad = (value: string): WorkflowFile[] => [
		sideBySide(
			amka({ ssn: value }, { onError: 'continueErrorOutput' }),
			send({ recipient: value }, { onError: 'continueErrorOutput' }),
		),
		...[
			amka({ birthDate: value }),
			amka({ surname: value, options: { acceptDeceased: '={{ $json.ssn }}' } }),
			send({ options: { replacements: value } }),
			send({ options: { dlrUrl: value } }),
			send({ options: { concurrency: value } }),
		].map((node) => withRows([row()], node)),
	];
	const throwing = ['={{ JSON.parse($json.ssn + "x") }}', '={{ $json[$json.recipient].nope }}'];
	const values = [...throwing, '={{ $json.ssn + "9\\n" }}', '={{ [$json.ssn] }}'];
	const done = ahead(values, async (value) => {
		const statuses: string[] = [];
		for (const workflow of bad(value)) statuses.push((await run(workflow)).status);
		return statuses;
	});

	test.each(values)('%s', async (value) => {
		// n8n makes nothing of an expression that throws, and then the credential says where reports go.
		const url = throwing.includes(value) ? 'success' : 'error';
		expect(await done(value)).toEqual(['success', 'error', 'error', 'error', url, 'error']);
	});
});

describe('a redirect', () => {
	const targets: Array<[name: string, secure: boolean, to: (from: Sandbox) => string]> = [
		['the same host', false, ({ url }) => url],
		['another port', false, () => stranger.url],
		['another name', false, () => stranger.url.replace('127.0.0.1', 'localhost')],
		['plain http', true, () => stranger.url],
	];
	const cases = targets.flatMap((target) => [301, 302, 303, 307, 308].map((status) => [status, ...target] as const));
	const certificate = selfSignedCertificate();
	const done = ahead(
		cases,
		async ([status, _, secure, to]) =>
			await at(
				{ answer: 'redirect', status },
				async ({ sandbox, credentials: { amkaApi, smsPlatformApi }, test }) => {
					sandbox.trouble.redirectTo = to(sandbox);
					const onError = 'continueErrorOutput';
					const execution = await run(
						sideBySide(
							amka({}, { onError, credentials: { amkaApi } }),
							send({}, { onError, credentials: { smsPlatformApi } }),
							send({ operation: 'sendAndWait' }, { onError, credentials: { smsPlatformApi }, name: 'wait' }),
						),
					);
					const shown = [await test('amkaApi'), await test('smsPlatformApi')];
					return { execution, shown, calls: sandbox.traffic.calls.filter(({ direction }) => direction === 'in') };
				},
				{},
				secure ? certificate : undefined,
			),
	);

	test.each(cases)('%d to %s (from https: %s) is an error, and nothing follows it', async (...[status, name]) => {
		const { execution, shown, calls } = await done(cases.find(([one, other]) => one === status && other === name)!);

		for (const node of ['amka', 'smsSend'])
			expect(errorsIn(execution.result.runData[node]).join()).toContain('redirect');
		// Whoever redirects may have passed the message on, so Send and Wait waits for its report.
		expect(execution.status).toBe('waiting');
		expect(shown).toEqual(
			shown.map(() => ({ status: 'Error', message: expect.stringContaining('redirect') as string })),
		);
		expect(stranger.mail).toEqual([]);
		expect(calls).toHaveLength(5);
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
