import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { selfSignedCertificate } from '../../sandbox/certificate';
import { askAgent } from './agent';
import { call, forward, report, success } from './calls';
import { items, outputs, taskOf, until, type Execution } from './n8n';
import { listen, type Listening } from './server';
import { builtIn, chain, withRows, type PackageNode } from './workflows';
import { defaultEngine, keysStaySecret, useWorld } from './world';

/*
 * Checks the features of n8n that the nodes use. These tests run in every version of n8n that README names. The
 * other test files check the nodes themselves. Except for examples.test.ts, they run only in the newest version.
 */
const world = useWorld(defaultEngine);
const recipient = '6912345678';
/** A time limit: n8n looks only once a minute for waits that have reached their limit. */
const aMinuteAndMore = 120_000;

const versionOf = (type: PackageNode): number => (type === 'smsTrigger' ? 2 : 1);
const typeOf = async (type: PackageNode): Promise<INodeTypeDescription> => {
	const nodeInfos = [{ name: `n8n-nodes-amka-sms.${type}`, version: versionOf(type) }];
	return (await world.n8n.rest<INodeTypeDescription[]>('POST', '/node-types', { nodeInfos }))[0]!;
};

let platform: { id: string; name: string };
/** Returns a node with the credential that contains the texts of two messages. */
const sms = (type: PackageNode, parameters: INodeParameters, changes: Partial<INode> = {}): INode => ({
	...world.node(type, parameters),
	credentials: { smsPlatformApi: platform },
	...changes,
});
const send = (parameters: INodeParameters = {}, changes: Partial<INode> = {}): INode =>
	sms(
		'smsSend',
		{
			serviceId: '102',
			messageId: '1',
			recipient: '={{ $json.recipient }}',
			...parameters,
			...('placeholders' in parameters
				? {}
				: { options: { replacements: '["17"]', ...(parameters.options as object) } }),
		},
		changes,
	);

/** The id of a workflow that waits until its time limit. It starts before all tests, and the last test checks it. */
let endsByTime: string;
beforeAll(async () => {
	const messages =
		'102/1: Η αίτηση {Αριθμός,1} εγκρίθηκε.\n103/1: Ο κωδικός επαλήθευσης της εγγραφής σας είναι {Κωδικός,1}';
	platform = await world.n8n.addCredential('smsPlatformApi', { ...world.smsPlatformApi(), messages });
	Object.assign(world.sandbox.trouble, { report: 'lost' });
	const wait = send({ operation: 'sendAndWait', options: { maxWaitMinutes: 0.02 } });
	endsByTime = await world.n8n.addWorkflow(withRows([{ recipient: '6900000001' }], wait));
	await world.n8n.begin(endsByTime);
	// If the execution fails instead, the last test reports that.
	await until('the execution waits', async () =>
		['waiting', 'error'].includes((await world.n8n.executions(endsByTime))[0]?.status ?? ''),
	);
});

describe("n8n's editor", () => {
	test.each(['amka', 'smsSend', 'smsResults', 'smsCode', 'smsTrigger'] as const)(
		'offers the node %s, with its icons',
		async (type) => {
			const { iconUrl, usableAsTool } = await typeOf(type);

			expect(Boolean(usableAsTool)).toBe(type !== 'smsTrigger');
			// One icon for the light theme and one for the dark theme.
			expect(new Set(Object.values(iconUrl as object)).size).toBe(2);
			for (const icon of Object.values(iconUrl as object)) {
				const response = await fetch(`${world.n8n.url}/${icon}`);
				expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('svg')]);
			}
		},
	);

	test.each(['amkaApi', 'smsPlatformApi'] as const)('tests a credential of type %s', async (type) => {
		const key = type === 'amkaApi' ? 'apiKey' : 'preSharedKey';

		expect(await world.n8n.testCredential(type, world[type]())).toMatchObject({ status: 'OK' });
		expect(await world.n8n.testCredential(type, { ...world[type](), [key]: 'wrong' })).toMatchObject({
			status: 'Error',
		});
	});

	/** Sends the requests that the editor makes while a user fills in the form of SMS Send. */
	const formOf = async <T>(path: string, parameter: string, methodName: string | undefined): Promise<T> =>
		await world.n8n.rest<T>('POST', `/dynamic-node-parameters/${path}`, {
			path: `parameters.${parameter}`,
			methodName,
			nodeTypeAndVersion: { name: 'n8n-nodes-amka-sms.smsSend', version: 1 },
			currentNodeParameters: {
				serviceId: { __rl: true, mode: 'list', value: '102' },
				messageId: { __rl: true, mode: 'list', value: '1' },
			},
			credentials: { smsPlatformApi: platform },
		});

	test('offers the messages of the credential, and shows a field for each placeholder', async () => {
		const { properties } = await typeOf('smsSend');
		const list = properties.find(({ name }) => name === 'messageId')?.modes?.find(({ name }) => name === 'list');
		const mapper = properties.find(({ name }) => name === 'placeholders')?.typeOptions?.resourceMapper;
		const { results } = await formOf<{ results: IDataObject[] }>(
			'resource-locator-results',
			'messageId',
			list?.typeOptions?.searchListMethod,
		);
		const { fields } = await formOf<{ fields: IDataObject[] }>(
			'resource-mapper-fields',
			'placeholders',
			mapper?.resourceMapperMethod,
		);

		expect(results).toEqual([expect.objectContaining({ value: '1', name: expect.stringContaining('εγκρίθηκε') })]);
		expect(fields).toEqual([expect.objectContaining({ id: 'Αριθμός', required: true })]);
	});
});

describe('items of the nodes', () => {
	test('are sent with a message id that the user has typed, keep their columns, and leave on the error output after a failure', async () => {
		const execution = await world.n8n.execute(
			withRows(
				[{ recipient, service: 'x' }, { recipient: '2101234567' }],
				send(
					{ messageId: { __rl: true, mode: 'id', value: '1' }, options: { includeInputFields: true } },
					{ onError: 'continueErrorOutput' },
				),
			),
		);

		expect(items(execution)).toEqual([
			expect.objectContaining({ accepted: true, recipient, service: 'x', segments: 1 }),
		]);
		expect(items(execution, 1)).toEqual([
			expect.objectContaining({ details: expect.objectContaining({ outcome: 'rejected' }) }),
		]);
		expect(outputs(execution, 'smsSend')[1]![0]!.pairedItem).toMatchObject({ item: 1 });
		expect(world.sandbox.messages.map(({ text }) => text)).toEqual(['Η αίτηση 17 εγκρίθηκε.']);
	});

	test('are sent with placeholder values that are mapped by name', async () => {
		const placeholders = {
			mappingMode: 'defineBelow',
			value: { Αριθμός: '={{ $json.number }}' },
			matchingColumns: [],
			schema: [],
		};
		await world.n8n.execute(withRows([{ recipient, number: 18 }], send({ placeholders })));

		expect(world.sandbox.messages.map(({ text }) => text)).toEqual(['Η αίτηση 18 εγκρίθηκε.']);
	});

	test('are recorded as sent, so that the next run skips them and a hint reports it', async () => {
		const workflowId = await world.n8n.addWorkflow(withRows([{ recipient }], send()));
		expect(items(await world.n8n.executeSaved(workflowId))).toEqual([expect.objectContaining({ accepted: true })]);
		const second = await world.n8n.executeSaved(workflowId);

		expect(items(second)).toEqual([expect.objectContaining({ accepted: false, skipped: true })]);
		expect(taskOf(second, 'smsSend').hints).toContainEqual(expect.objectContaining({ type: 'warning' }));
		expect(world.sandbox.accepted(recipient)).toBe(1);
	});

	test("are not sent again by n8n's Retry On Fail if they were accepted", async () => {
		Object.assign(world.sandbox.trouble, { answer: 'refuse', times: 1, recipient });
		const node = send({ ifAlreadySent: 'send' }, { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 });
		const execution = await world.n8n.execute(withRows([{ recipient: '6987654321' }, { recipient }], node));

		expect(execution.status).toBe('success');
		expect(['6987654321', recipient].map((to) => world.sandbox.accepted(to))).toEqual([1, 1]);
	});

	test('leave the AMKA node on the output Matched, Not Matched or Error', async () => {
		Object.assign(world.sandbox.trouble, { answer: '500', times: 3 });
		const rows = [
			{ ssn: '07090512307', birthDate: '07/09/2005', surname: 'Δοκιμαΐδου' },
			{ ssn: '21068302674', birthDate: '21/06/1983', surname: 'Δοκιμαστικός' },
			{ ssn: '15039904568', birthDate: '15/03/1999', surname: 'Άλλη' },
		];
		const parameters = Object.fromEntries(
			['ssn', 'birthDate', 'surname'].map((name) => [name, `={{ $json.${name} }}`]),
		);
		const node = world.node('amka', { ...parameters, splitByResult: true, options: { concurrency: 1 } });
		const execution = await world.n8n.execute(withRows(rows, { ...node, onError: 'continueErrorOutput' }));

		expect(items(execution, 0, 'amka')).toEqual([expect.objectContaining({ matched: true, ssn: '21068302674' })]);
		expect(items(execution, 1, 'amka')).toEqual([expect.objectContaining({ matched: false, ssn: '15039904568' })]);
		expect(items(execution, 2, 'amka')).toEqual([expect.objectContaining({ error: expect.anything() })]);
	});

	test('with a one-time code are checked in another execution, where each code is accepted once', async () => {
		const sent = await world.n8n.execute(
			withRows([{ recipient }], sms('smsCode', { operation: 'sendCode', serviceId: '103', messageId: '1', recipient })),
		);
		const { verificationId } = items(sent, 0, 'smsCode')[0]!;
		const code = /\d+/.exec(world.sandbox.messages[0]!.text)![0];
		const wrong = code === '000000' ? '000001' : '000000';
		const check = sms('smsCode', {
			operation: 'checkCode',
			verificationId: '={{ $json.verificationId }}',
			code: '={{ $json.code }}',
		});
		const workflowId = await world.n8n.addWorkflow(
			withRows(
				[
					{ verificationId, code: wrong },
					{ verificationId, code },
				],
				check,
			),
		);
		const [first, second] = [await world.n8n.executeSaved(workflowId), await world.n8n.executeSaved(workflowId)];

		expect(items(first, 0, 'smsCode')).toEqual([expect.objectContaining({ verified: true, recipient })]);
		expect(items(first, 1, 'smsCode')).toEqual([expect.objectContaining({ verified: false, reason: 'wrong' })]);
		expect(items(second, 1, 'smsCode').map(({ reason }) => reason)).toContain('used');
		expect(JSON.stringify(sent.result)).not.toContain(code);
	});
});

describe('requests to a service', () => {
	let service: Listening;
	beforeAll(async () => {
		// n8n's request helper must return unchanged bytes, also of an error response, because the service has its own charset.
		const greek = (text: string) =>
			Buffer.from(Array.from(text, (char) => (char > '\u036f' ? char.charCodeAt(0) - 0x2d0 : char.charCodeAt(0))));
		service = await listen((incoming, response) => {
			response.setHeader('content-type', 'application/json; charset=iso-8859-7');
			response.statusCode = incoming.url!.startsWith('/refusing') ? 400 : 200;
			response.end(
				greek(
					JSON.stringify({
						serviceId: '102',
						errorCode: 'E-1',
						error: 'Άγνωστο μήνυμα',
						match: 'true',
						name_gr: 'Μαρία',
					}),
				),
			);
		});
	});
	afterAll(async () => await service.close());

	test.each([
		['a response', ''],
		['an error response', '/refusing'],
	])('decode %s in the charset ISO-8859-7', async (_, path) => {
		const credential = await world.n8n.addCredential('smsPlatformApi', {
			...world.smsPlatformApi(),
			baseUrl: service.url + path,
		});
		const node = send({}, { credentials: { smsPlatformApi: credential }, onError: 'continueRegularOutput' });
		const execution = await world.n8n.execute(withRows([{ recipient }], node));

		expect(JSON.stringify(items(execution))).toContain('Άγνωστο μήνυμα');
	});

	test('accept an untrusted certificate only if the credential allows it', async () => {
		const secure = await world.anotherSandbox(selfSignedCertificate());
		const typed = { ...world.smsPlatformApi(), baseUrl: secure.url };
		for (const allowUnauthorizedCerts of [false, true]) {
			const credential = await world.n8n.addCredential('smsPlatformApi', { ...typed, allowUnauthorizedCerts });
			const node = send({ ifAlreadySent: 'send' }, { credentials: { smsPlatformApi: credential } });
			const { status } = await world.n8n.execute(withRows([{ recipient }], node));
			expect(status).toBe(allowUnauthorizedCerts ? 'success' : 'error');
		}
		expect(secure.messages).toHaveLength(1);
	});
});

describe('SMS Send as a tool', () => {
	test('sends a message for an AI agent, and returns the outcome to the agent', async () => {
		const tool = send({ recipient }, { name: 'tool', type: 'n8n-nodes-amka-sms.smsSendTool' });
		const [execution, answers] = await askAgent(world.n8n, tool);

		expect(execution.status).toBe('success');
		expect(answers).toEqual([expect.stringContaining('accepted')]);
		expect(world.sandbox.accepted(recipient)).toBe(1);
	});

	test.each([2.2, 3])('returns a rejection with advice to an AI Agent node of version %d', async (version) => {
		const tool = send({ recipient: '2101234567' }, { name: 'tool', type: 'n8n-nodes-amka-sms.smsSendTool' });
		const [execution, answers] = await askAgent(world.n8n, tool, [], version);

		expect([execution.status, answers]).toEqual(['success', [expect.stringMatching(/landline.*mobile number/)]]);
	});
});

describe('SMS Trigger', () => {
	/** Publishes a trigger with the nodes after its outputs. @returns the workflow's id, and the URL before `/forward` */
	const publish = async (parameters: INodeParameters, ...following: INode[]): Promise<[string, string]> => {
		const trigger = sms('smsTrigger', parameters, { webhookId: randomUUID() });
		const workflow = chain('calls', trigger, ...following);
		const connections = workflow.connections[trigger.name];
		if (connections?.main) {
			// The nodes follow both outputs.
			connections.main.push(connections.main[0]!);
			// Respond to Webhook works only after one of n8n's own webhook nodes. A disabled webhook node is enough.
			workflow.nodes.push({
				...builtIn('n8n-nodes-base.webhook', 'Beside', 2.1, { path: randomUUID() }),
				disabled: true,
			});
			workflow.connections.Beside = connections;
		}
		const id = await world.n8n.addWorkflow(workflow);
		await world.n8n.publish(id);
		return [id, `${world.n8n.url}/webhook/${trigger.webhookId}`];
	};
	test('records and answers an incoming SMS, and starts no execution for a repeated call, a wrong key or a malformed body', async () => {
		const [id, url] = await publish({});
		const body = forward(world);

		expect(await call(`${url}/forward`, body)).toEqual([200, success]);
		expect(await world.n8n.executions(id)).toHaveLength(1);
		const [execution] = await world.n8n.executionsWhenEnded(id, 1);
		expect(items(execution!, 0, 'smsTrigger')).toEqual([
			expect.objectContaining({ event: 'smsForward', mobile: recipient }),
		]);
		expect(await call(`${url}/forward`, body)).toEqual([200, success]);
		expect(await call(`${url}/forward`, forward(world, { 'pre-shared key': 'wrong' }))).toEqual([
			401,
			expect.objectContaining({ result: '1' }),
		]);
		expect((await call(`${url}/forward`, '{"MSISDN":'))[0]).toBe(422);
		expect(await world.n8n.executionsWhenEnded(id, 1)).toHaveLength(1);
	});

	test('starts the workflow with a delivery report at its second output', async () => {
		const [id, url] = await publish({});
		await world.n8n.execute(
			withRows([{ recipient }], send({ options: { dlrUrl: `${url}/dlr`, reference: 'αίτηση 17' } })),
		);
		const [execution] = await world.n8n.executionsWhenEnded(id, 1);

		expect(items(execution!, 0, 'smsTrigger')).toEqual([]);
		expect(items(execution!, 1, 'smsTrigger')).toEqual([
			expect.objectContaining({ event: 'deliveryReport', delivered: true, reference: 'αίτηση 17' }),
		]);
	});

	test('has an output for each keyword, and a Reply after other nodes finds the incoming SMS', async () => {
		const only = builtIn('n8n-nodes-base.set', 'only', 3.4, { assignments: { assignments: [] } });
		const reply = send({ operation: 'reply' });
		const keywords = { events: ['smsForward'], keywordOutputs: true, keywords: 'ΒΑ,ΣΙΤΙΣΗ' };
		const [id, url] = await publish(keywords, only, reply);

		expect(await call(`${url}/forward`, forward(world, { keyword: 'σίτιση', 'sms-forward-id': 'f-1' }))).toEqual([
			200,
			success,
		]);
		const [execution] = await world.n8n.executionsWhenEnded(id, 1);
		expect(items(execution!, 1, 'smsTrigger')).toEqual([expect.objectContaining({ matchedKeyword: 'ΣΙΤΙΣΗ' })]);
		expect(items(execution!)).toEqual([expect.objectContaining({ accepted: true, recipient })]);
		expect(world.sandbox.messages.map(({ smsForwardId }) => smsForwardId)).toEqual(['f-1']);
	});

	test.each(['lastNode', 'responseNode'])(
		'answers with a response of the workflow, if Respond is %s',
		async (respond) => {
			const answer =
				respond === 'lastNode'
					? builtIn('n8n-nodes-base.set', 'answer', 3.4, { mode: 'raw', jsonOutput: '{ "result": "7" }' })
					: builtIn('n8n-nodes-base.respondToWebhook', 'answer', 1.1, {
							respondWith: 'json',
							responseBody: '{ "result": "7" }',
							options: {},
						});
			const [id, url] = await publish({ respond }, answer);

			expect(await call(`${url}/forward`, forward(world))).toEqual([200, { result: '7' }]);
			await world.n8n.executionsWhenEnded(id, 1);
		},
	);

	test('accepts only PUT if HTTP Method is PUT', async () => {
		const [, url] = await publish({ options: { httpMethod: 'PUT' } });

		expect((await call(`${url}/forward`, forward(world)))[0]).toBe(404);
		expect(await call(`${url}/forward`, forward(world), { method: 'PUT' })).toEqual([200, success]);
	});

	test('accepts calls at the same URL after a restart of n8n, and a delivery report then ends a wait', async () => {
		Object.assign(world.sandbox.trouble, { report: 'lost' });
		const [id, url] = await publish({});
		const body = forward(world);
		expect(await call(`${url}/forward`, body)).toEqual([200, success]);
		const waitingId = await world.n8n.addWorkflow(withRows([{ recipient }], send({ operation: 'sendAndWait' })));
		await world.n8n.begin(waitingId);
		const withStatus = async (status: string): Promise<Execution> =>
			await until(`the execution is ${status}`, async () =>
				(await world.n8n.executions(waitingId)).find((each) => each.status === status),
			);
		await withStatus('waiting');
		await world.n8n.restart();

		expect(await call(`${url}/forward`, body)).toEqual([200, success]);
		// A process of n8n recognises only calls that it has received itself since its start, so the same call starts a second run.
		await world.n8n.executionsWhenEnded(id, 2);
		const { dlrUrl } = world.sandbox.messages[0]!;
		// The URL ends with n8n's own signature.
		expect((await call(dlrUrl.slice(0, -4) + '0000', report()))[0]).toBe(401);
		await withStatus('waiting');
		expect((await call(dlrUrl, report()))[0]).toBe(200);
		expect(items(await withStatus('success'))).toEqual([
			expect.objectContaining({ delivered: true, status: 'DELIVRD', recipient }),
		]);
	}, 120_000);
});

test(
	'Send and Wait ends at its time limit',
	async () => {
		const execution = await until(
			'the wait that began before all tests ends',
			async () => (await world.n8n.executions(endsByTime)).find(({ status }) => ['success', 'error'].includes(status)),
			aMinuteAndMore,
		);

		expect(execution.result.error?.message).toBeUndefined();
		expect(items(execution)).toEqual([expect.objectContaining({ delivered: false, status: 'TIMEOUT' })]);
	},
	aMinuteAndMore + 10_000,
);

keysStaySecret(world);
