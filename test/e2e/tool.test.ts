import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';
import { askAgent } from './agent';
import { publishCodes } from './codes';
import { mobile, sendingIn } from './sending';
import { builtIn, type PackageNode } from './workflows';
import { keysStaySecret, useWorld } from './world';

/* Checks the nodes as tools of an AI agent or of an MCP server: equal messages of an execution of an agent are sent once. */
const world = useWorld();
const { trouble, requests } = sendingIn(world);

/** Returns the node as n8n offers it to agents. The model gives the values of `$fromAI`. */
const toolOf = (node: PackageNode, parameters: INodeParameters, changes: Partial<INode> = {}): INode => {
	const base = world.node(node, parameters);
	return { ...base, name: 'tool', type: `${base.type}Tool`, ...changes };
};
const grade: INodeParameters = {
	operation: 'send',
	serviceId: '101',
	messageId: '1',
	placeholders: { mappingMode: 'defineBelow', value: { Μάθημα: 'Φυσική', Βαθμός: '8' } },
};
const tools: Array<[string, PackageNode, INodeParameters]> = [
	['SMS Send with Send', 'smsSend', { ...grade, ifAlreadySent: 'send' }],
	['SMS Send with Skip', 'smsSend', grade],
	['Send Code', 'smsCode', { operation: 'sendCode', serviceId: '103', messageId: '1' }],
];
const byModel = "={{ $fromAI('recipient') }}";
/** The number of people so far. Each test has new people, because a phone number gets only a few codes. */
let people = 0;
const newPerson = () => ({ recipient: mobile(++people) });

describe.each([2.2, 3])('called by an AI Agent node of version %d,', (version) => {
	// Up to version 2 an agent calls its tools itself and raises the number of the run at each attempt. So a tool can't
	// distinguish an attempt of Retry On Fail from a second request.
	test.each(tools)(
		'%s with Retry On Fail makes one request if the outcome of the message is unknown',
		async (_, node, parameters) => {
			const person = newPerson();
			trouble({ answer: '500', ...person });
			const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
			await askAgent(world.n8n, toolOf(node, { ...parameters, ...person }, retried), [], version);
			expect(requests([person])).toEqual([1]);
		},
	);

	test.each(tools)('%s sends one message to each number', async (_, node, parameters) => {
		const tool = toolOf(node, { ...parameters, recipient: byModel });
		const [one, two, three] = [newPerson(), newPerson(), newPerson()];
		const rounds = [[one, two], [three], [one]];
		const [{ status }, answers] = await askAgent(world.n8n, tool, [], version, rounds);

		expect(status).toBe('success');
		expect(requests([one, two, three])).toEqual([1, 1, 1]);
		expect(answers).toEqual(rounds.flat().map(({ recipient }) => expect.stringContaining(recipient)));
	});

	test('the limit Max Messages per Run counts the calls of both tools in an execution together, even simultaneous calls', async () => {
		const smsPlatformApi = await world.n8n.addCredential('smsPlatformApi', {
			...world.smsPlatformApi(),
			maxMessagesPerRun: 3,
		});
		const limited = { credentials: { smsPlatformApi } };
		const sms = toolOf('smsSend', { ...grade, recipient: byModel }, limited);
		const code = toolOf('smsCode', { ...tools[2]![2], recipient: byModel }, { ...limited, name: 'code' });
		const persons = Array.from({ length: 12 }, newPerson);
		const calls = persons.map((person, index) => ({ ...person, ...(index % 2 === 1 && { tool: 'code' }) }));
		const rounds = [calls.slice(0, 6), calls.slice(6, 8), calls.slice(8)];
		const [, answers] = await askAgent(world.n8n, sms, [], version, rounds, [code]);

		expect(requests(persons).reduce((sum, count) => sum + count)).toBe(3);
		expect(answers.filter((answer) => /limit of 3 messages was reached/.test(answer))).toHaveLength(9);
	});

	test.each([
		...tools.map(([what, node, parameters]) => [what, node, { ...parameters, recipient: '2101234567' }] as const),
		['AMKA', 'amka', { ssn: '07090512307', birthDate: '09/07/05', surname: 'Δοκιμαΐδου' }] as const,
	])(
		'%s returns an error, a message and details to the model if the value is invalid, and calls no service',
		async (_, node, parameters) => {
			const [{ status }, [answer]] = await askAgent(world.n8n, toolOf(node, parameters), [], version);
			const text = expect.stringMatching(/./) as unknown;

			expect([status, JSON.parse(answer!)]).toEqual([
				'success',
				[{ error: text, message: text, details: expect.anything() }],
			]);
			expect(answer).not.toContain('2101234567');
			expect(world.sandbox.traffic.calls).toEqual([]);
		},
	);

	test('Send Code sends codes to two numbers, each of which is verified only by its own code', async () => {
		const { type } = await publishCodes(world);
		const [, node, parameters] = tools[2]!;
		const [one, two] = [newPerson(), newPerson()];
		const tool = toolOf(node, { ...parameters, recipient: byModel });
		const [, answers] = await askAgent(world.n8n, tool, [], version, [[one], [two]]);
		const [ofOne, ofTwo] = answers.map((answer) => /"verificationId":\s*"([^"]+)"/.exec(answer)![1]!);
		const [first, second] = world.sandbox.messages.map(({ text }) => /(\d+)\D*$/.exec(text)![1]!);

		expect(await type(ofTwo, first)).toMatchObject({ verified: false, reason: 'wrong', ...two });
		expect(await type(ofOne, first)).toEqual({ verified: true, ...one });
		expect(await type(ofTwo, second)).toEqual({ verified: true, ...two });
	});
});

/** Opens a session of an MCP client. @returns a function that calls a tool in that session */
async function openMcp(url: string) {
	let session: string | null = null;
	let id = 0;
	const post = async (method: string, params: object, isRequest = true): Promise<string> => {
		const response = await fetch(url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...(session && { 'mcp-session-id': session }),
			},
			body: JSON.stringify({ jsonrpc: '2.0', method, params, ...(isRequest && { id: ++id }) }),
		});
		session ??= response.headers.get('mcp-session-id');
		return await response.text();
	};
	await post('initialize', {
		protocolVersion: '2025-03-26',
		capabilities: {},
		clientInfo: { name: 'test', version: '1' },
	});
	await post('notifications/initialized', {}, false);
	return async (name: string, args: object) => await post('tools/call', { name, arguments: args });
}

/** Offers tools to MCP clients. @returns a function that opens a session */
async function publishMcp(mcpTools: INode[]) {
	const path = randomUUID();
	const trigger: INode = { ...builtIn('@n8n/n8n-nodes-langchain.mcpTrigger', 'MCP', 2, { path }), webhookId: path };
	const id = await world.n8n.addWorkflow({
		name: 'mcp',
		nodes: [trigger, ...mcpTools],
		connections: Object.fromEntries(
			mcpTools.map(({ name }) => [name, { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] }]),
		),
		settings: { executionOrder: 'v1' },
	});
	await world.n8n.publish(id);
	return async () => await openMcp(`${world.n8n.url}/mcp/${path}`);
}

test('each call through MCP Server Trigger sends its message again, because such a call belongs to no execution, unless the node records sent messages', async () => {
	const mcpTools = tools.map(([, node, parameters], index) =>
		toolOf(node, { ...parameters, recipient: byModel }, { name: `tool${index}` }),
	);
	const open = await publishMcp(mcpTools);
	const [one, two] = [newPerson(), newPerson()];
	const sent: number[][] = [];
	for (const { name } of mcpTools) {
		world.sandbox.reset();
		for (let session = 0; session < 2; session++) {
			const call = await open();
			for (const person of [one, two, one]) expect(await call(name, person)).toContain(person.recipient);
		}
		sent.push(requests([one, two]));
	}

	// Only the second tool, SMS Send with If Already Sent: Skip, records its messages in n8n's list of sent messages.
	expect(sent).toEqual([
		[4, 2],
		[1, 1],
		[4, 2],
	]);
}, 120_000);

test("an MCP client gets an error with the node's advice if the outcome of its message is unknown", async () => {
	const person = newPerson();
	trouble({ answer: 'cutAfter', ...person });
	const open = await publishMcp([toolOf('smsSend', { ...grade, ...person })]);
	const answer = await (await open())('tool', {});

	expect(answer).toContain('"isError":true');
	expect(answer).toMatch(/It is not known whether the message was sent.*Ask the recipient/);
	expect(answer).not.toMatch(/retry/i);
});

keysStaySecret(world);
