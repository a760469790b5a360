import type { IDataObject, INode, INodeParameters, OnError } from 'n8n-workflow';
import type { Trouble } from '../../sandbox/trouble';
import { outputs, taskOf, until, type Execution } from './n8n';
import { servers } from './queue';
import { builtIn, chain, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();

const mobile = (index: number): string => String(6_900_000_000 + index);
const rowsUpTo = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ recipient: mobile(index) }));

const sendNode = (options: INodeParameters = {}, changes: Partial<INode> = {}, parameters: INodeParameters = {}): INode => ({
	...world.node('smsSend', {
		operation: 'send',
		serviceId: '101',
		messageId: '2',
		recipient: '={{ $json.recipient }}',
		options,
		...parameters,
	}),
	...changes,
});

const send = async (rows: IDataObject[], ...node: Parameters<typeof sendNode>): Promise<Execution> =>
	await world.n8n.execute(withRows(rows, sendNode(...node)), 60_000);

const items = (execution: Execution, branch = 0): IDataObject[] =>
	outputs(execution, 'smsSend')[branch]?.map(({ json }) => json) ?? [];
const hints = (execution: Execution): string[] =>
	(taskOf(execution, 'smsSend').hints ?? []).map(({ message }) => message);

const trouble = (changes: Partial<Trouble>): void => void Object.assign(world.sandbox.trouble, changes);

/** When each request of a row arrived, in Unix milliseconds, by the platform's clock. */
const arrivals = (recipient: string): number[] =>
	world.sandbox.traffic.calls
		.filter(({ body }) => (body as { recipient?: string } | null)?.recipient === recipient)
		.map(({ at }) => Date.parse(at));
/** How often the platform was asked to send to each row, in the rows' order. */
const requests = (rows: IDataObject[]): number[] => rows.map(({ recipient }) => arrivals(recipient as string).length);
/** How often the platform took a message for each row, whatever it answered. */
const taken = (rows: IDataObject[]): number[] => rows.map(({ recipient }) => world.sandbox.accepted(recipient as string));

describe("with n8n's Retry On Fail, every row that was taken is taken once", () => {
	const rows = rowsUpTo(3);

	interface Way {
		outcome: 'rejected' | 'unknown';
		/** Whether the platform takes the message all the same. */
		takes: boolean;
		trouble: Partial<Trouble>;
		parameters?: (bad: number) => INodeParameters;
	}
	const ways: Record<string, Way> = {
		'an unknown service': {
			outcome: 'rejected',
			takes: false,
			trouble: {},
			parameters: (bad) => ({ serviceId: `={{ $itemIndex === ${bad} ? '999' : '101' }}` }),
		},
		'HTTP 500': { outcome: 'unknown', takes: false, trouble: { answer: '500' } },
		'a cut connection': { outcome: 'unknown', takes: true, trouble: { answer: 'cutAfter' } },
		// Held until the test lets go: no clock but the node's own time-out.
		'no answer in time': { outcome: 'unknown', takes: true, trouble: { holdUntilTaken: 1000 } },
	};
	const settings: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
	const matrix = Object.keys(ways).flatMap((way) =>
		(way === 'a cut connection' ? [0, 1, 2] : [1]).flatMap((bad) =>
			settings.map((onError) => [way, bad, onError] as const),
		),
	);

	test.each(matrix)('%s at row %d, On Error: %s', async (name, bad, onError) => {
		const way = ways[name]!;
		const stops = onError === 'stopWorkflow';
		trouble({ ...way.trouble, recipient: mobile(bad) });
		const execution = await send(
			rows,
			// One at a time where it stops, so that there are rows that were not tried.
			{ timeout: 3, ...(stops && { concurrency: 1 }) },
			{ retryOnFail: true, maxTries: 3, waitBetweenTries: 1, onError },
			way.parameters?.(bad),
		);
		trouble({ holdUntilTaken: 0 });
		await until('the platform is done', () => world.sandbox.inFlight === 0);

		const tried = (index: number): boolean => !stops || index <= bad;
		// When it goes on, n8n runs the node again only where the very first row failed.
		const again = way.outcome === 'rejected' && (stops || bad === 0) ? 3 : 1;
		expect(requests(rows)).toEqual(rows.map((_, index) => (tried(index) ? (index === bad ? again : 1) : 0)));
		expect(taken(rows)).toEqual(rows.map((_, index) => Number(tried(index) && (index !== bad || way.takes))));

		const failed = {
			error: expect.any(String),
			message: expect.any(String),
			details: expect.objectContaining({ outcome: way.outcome, recipient: mobile(bad) }),
		};
		const good = ({ recipient }: IDataObject): IDataObject => ({
			accepted: true,
			serviceId: '101',
			messageId: '2',
			recipient,
		});
		if (stops) {
			expect(execution.status).toBe('error');
			expect(taskOf(execution, 'smsSend').error).toMatchObject({
				context: { itemIndex: bad, details: { outcome: way.outcome } },
				description: expect.stringContaining(
					[
						'0 messages were taken, and items 1 to 2 were not tried',
						'1 message was taken, and item 2 was not tried',
						'2 messages were taken, and every row was tried',
					][bad]!,
				),
			});
			return;
		}
		expect(execution.status).toBe('success');
		const others = rows.filter((_, index) => index !== bad);
		if (onError === 'continueRegularOutput') {
			expect(items(execution)).toEqual(rows.map((row, index) => (index === bad ? failed : good(row))));
			expect(items(execution, 1)).toEqual([]);
		} else {
			expect(items(execution)).toEqual(others.map(good));
			expect(items(execution, 1)).toEqual([{ ...rows[bad], ...failed }]);
		}
	});
});

describe('Skip Duplicates', () => {
	const continueOnError = { onError: 'continueRegularOutput' } as const;

	test('a sheet that is run twice: only what was rejected is sent again', async () => {
		const rows = [...rowsUpTo(3), { recipient: 'nobody' }];
		const id = await world.n8n.addWorkflow(withRows(rows, sendNode({ skipDuplicates: true }, continueOnError)));
		trouble({ answer: 'cutBefore', recipient: mobile(1) });
		const first = await world.n8n.executeSaved(id);
		const [asked, took] = [requests(rows), taken(rows)];
		trouble({ answer: 'normal', recipient: '' });
		const second = await world.n8n.executeSaved(id);

		expect(items(first)).toMatchObject([
			{ accepted: true },
			{ details: { outcome: 'unknown' } },
			{ accepted: true },
			{ details: { outcome: 'rejected' } },
		]);
		expect(items(second)).toEqual([
			...rows.slice(0, 3).map((row) => ({ accepted: false, skipped: true, serviceId: '101', messageId: '2', ...row })),
			expect.objectContaining({ details: expect.objectContaining({ outcome: 'rejected' }) }),
		]);
		expect([asked, took]).toEqual([[1, 1, 1, 1], [1, 0, 1, 0]]);
		expect([requests(rows), taken(rows)]).toEqual([[1, 1, 1, 2], [1, 0, 1, 0]]);
		expect(hints(second)).toEqual([expect.stringMatching(/0 taken, 1 rejected, 0 unknown, 3 skipped/)]);
	});

	test('a run in which all were rejected is made up for by the next', async () => {
		const rows = rowsUpTo(25);
		const id = await world.n8n.addWorkflow(withRows(rows, sendNode({ skipDuplicates: true }, continueOnError)));
		trouble({ answer: 'refuse' });
		await world.n8n.executeSaved(id);
		trouble({ answer: 'normal' });
		await world.n8n.executeSaved(id);

		expect(requests(rows)).toEqual(rows.map(() => 2));
		expect(taken(rows)).toEqual(rows.map(() => 1));
	});

	test('the same message twice in a run; another text to the same recipient is another message', async () => {
		const rows = [
			{ recipient: mobile(0), grade: 8 },
			{ recipient: `+30 ${mobile(0)}`, grade: 8 },
			{ recipient: mobile(0), grade: 9 },
		];
		const execution = await send(rows, { skipDuplicates: true }, {}, {
			messageId: '1',
			replacements: { values: [{ value: 'Φυσική' }, { value: '={{ $json.grade }}' }] },
		});

		expect(items(execution)).toMatchObject([{ accepted: true }, { accepted: false, skipped: true }, { accepted: true }]);
		expect(world.sandbox.accepted(mobile(0))).toBe(2);
	});

	test("the user's Duplicate Key decides in place of the message, also across runs", async () => {
		const rows = [
			{ recipient: mobile(0), student: 'a' },
			{ recipient: mobile(1), student: 'a' },
			{ recipient: mobile(0), student: 'b' },
		];
		const id = await world.n8n.addWorkflow(
			withRows(rows, sendNode({ skipDuplicates: true, duplicateKey: '={{ $json.student }}' })),
		);
		const first = await world.n8n.executeSaved(id);
		const second = await world.n8n.executeSaved(id);

		expect(items(first)).toMatchObject([{ accepted: true }, { skipped: true }, { accepted: true }]);
		expect(items(second)).toMatchObject([{ skipped: true }, { skipped: true }, { skipped: true }]);
		expect(world.sandbox.messages.map(({ recipient }) => recipient)).toEqual([mobile(0), mobile(0)]);
	});

	describe('a run that does not come to its end', () => {
		// One recipient for all rows but the first, and another text for each: those can be held while the first goes
		// through, so that n8n has recorded a further block of rows that nobody starts.
		const rows = Array.from({ length: 25 }, (_, index) => ({ recipient: mobile(index === 0 ? 0 : 1), grade: index }));
		const concurrency = 5;
		const addSheet = async (options: INodeParameters, changes: Partial<INode> = {}): Promise<string> =>
			await world.n8n.addWorkflow(
				withRows(
					rows,
					sendNode({ skipDuplicates: true, concurrency, ...options }, changes, {
						messageId: '1',
						replacements: { values: [{ value: 'Φυσική' }, { value: '={{ $json.grade }}' }] },
					}),
				),
			);
		const hold = (): void => trouble({ holdUntilTaken: 1000, recipient: mobile(1) });
		const letGo = async (): Promise<void> => {
			trouble({ holdUntilTaken: 0 });
			await until('the platform is done', () => world.sandbox.inFlight === 0);
		};
		/** How often each row was taken, in the rows' order. */
		const takenByText = (): number[] =>
			rows.map(({ grade }) => world.sandbox.messages.filter(({ text }) => text.endsWith(` ${grade}`)).length);
		/** How many messages n8n has recorded as sent. */
		const recorded = async (workflowId: string): Promise<number> => {
			const [stored] = await world.n8n.query<{ value: string }>(
				'SELECT value FROM processed_data WHERE "workflowId" = ?',
				workflowId,
			);
			return stored ? (JSON.parse(stored.value) as { data: string[] }).data.length : 0;
		};

		test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
			'someone cancels it: the next sends exactly the rest (On Error: %s)',
			async (onError) => {
				const id = await addSheet({}, { onError });
				hold();
				const executionId = await world.n8n.begin(id);
				await until(
					'one is taken and every place waits',
					() => world.sandbox.messages.length === 1 && world.sandbox.inFlight === concurrency,
				);
				await world.n8n.rest('POST', `/executions/${executionId}/stop`);
				await letGo();
				expect(world.sandbox.messages).toHaveLength(1 + concurrency);
				await until('what was not sent is given back', async () => (await recorded(id)) === 1 + concurrency, 10_000);
				await world.n8n.executeSaved(id);

				expect(takenByText()).toEqual(rows.map(() => 1));
			},
		);

		/** What a power failure ends, and an admin starts again. */
		interface Machine {
			kill(): Promise<void>;
			start(): Promise<void>;
		}
		/** The one of n8n's two workers that runs an execution, in queue mode. */
		const workerOf = (executionId: string): Machine => {
			const { workers, url } = world.n8n.queue!;
			const worker = () => workers.find((one) => one.printed().includes(`Worker started execution ${executionId} `))!;
			return {
				kill: async () => await worker().end('SIGKILL'),
				start: async () => await worker().start(url),
			};
		};
		type Failure = [name: string, options: INodeParameters, inFlight: number, machine: (executionId: string) => Machine];

		test.each<Failure>([
			['at full speed', {}, concurrency, () => world.n8n],
			// The places wait for their turn: a row that waits is as unsent as one that nobody started.
			['at a limited speed', { messagesPerSecond: 2 }, 0, () => world.n8n],
			...(servers ? [['with its worker alone', {}, concurrency, workerOf] satisfies Failure] : []),
		])(
			'n8n is killed %s: the next messages nobody twice, and leaves out at most one pool',
			async (_, options, inFlight, machineOf) => {
				const id = await addSheet(options);
				hold();
				const machine = machineOf(await world.n8n.begin(id));
				await until(
					'one is taken, the places are filled, and further rows are recorded',
					async () =>
						world.sandbox.messages.length === 1 &&
						world.sandbox.inFlight >= inFlight &&
						(await recorded(id)) > concurrency,
				);
				await machine.kill();
				await letGo();
				const before = takenByText();
				await machine.start();
				const second = await world.n8n.executeSaved(id, 60_000);

				expect(second.status).toBe('success');
				expect(takenByText().filter((count) => count > 1)).toEqual([]);
				const leftOut = rows.flatMap((_row, index) => (takenByText()[index] === 0 ? [index] : []));
				expect(leftOut.length).toBeLessThanOrEqual(concurrency);
				// They are among the skipped, where an admin can find them.
				expect(items(second).flatMap((item, index) => (item.skipped === true ? [index] : []))).toEqual(
					rows.flatMap((_row, index) => (before[index] === 1 || leftOut.includes(index) ? [index] : [])),
				);
				// n8n notices a dead worker after a minute or so, and doesn't give its run to the other.
				const [first] = await world.n8n.executionsWhenEnded(id, 2, 150_000);
				expect(first!.status).not.toBe('success');
				expect(takenByText().filter((count) => count > 1)).toEqual([]);
			},
			300_000,
		);
	});
});

describe('a platform that is too busy', () => {
	const rows = rowsUpTo(15);

	test('429 for a second: every message is taken once, without a failed row', async () => {
		trouble({ answer: '429', forMs: 1000 });
		const execution = await send(rows);

		expect(items(execution)).toMatchObject(rows.map(({ recipient }) => ({ accepted: true, recipient })));
		expect(taken(rows)).toEqual(rows.map(() => 1));
		expect(Math.max(...requests(rows))).toBeGreaterThan(1);
		expect(Math.max(...requests(rows))).toBeLessThanOrEqual(3);
	});

	test.each(['429', '503'] as const)('%s with Retry-After: the next try comes no earlier', async (answer) => {
		trouble({ answer, forMs: 1000, retryAfter: '2' });
		const execution = await send(rows);

		expect(items(execution)).toMatchObject(rows.map(({ recipient }) => ({ accepted: true, recipient })));
		expect(taken(rows)).toEqual(rows.map(() => 1));
		const again = rows.map(({ recipient }) => arrivals(recipient as string)).filter(({ length }) => length > 1);
		expect(again.length).toBeGreaterThan(0);
		for (const [first, second, ...more] of again) {
			expect(second! - first!).toBeGreaterThanOrEqual(2000);
			expect(more).toEqual([]);
		}
	});

	test('as many retries as the user says, and the row is rejected', async () => {
		trouble({ answer: '429', retryAfter: '0' });
		const execution = await send(rowsUpTo(1), { retries: 1 }, { onError: 'continueErrorOutput' });

		expect(items(execution, 1)).toMatchObject([{ details: { outcome: 'rejected', recipient: mobile(0) } }]);
		expect(requests(rowsUpTo(1))).toEqual([2]);
	});
});

describe('many rows', () => {
	test('a slow answer holds up one place: all others go past it, and the output keeps the order', async () => {
		const rows = rowsUpTo(12);
		// With a barrier anywhere between the rows this would wait for itself.
		trouble({ recipient: mobile(0), holdUntilTaken: rows.length - 1 });
		const execution = await send(rows, { concurrency: 2 });

		expect(items(execution)).toMatchObject(rows.map(({ recipient }) => ({ accepted: true, recipient })));
		expect(world.sandbox.messages.map(({ recipient }) => recipient)).toEqual([
			...rows.slice(1).map(({ recipient }) => recipient),
			mobile(0),
		]);
		expect(world.sandbox.mostInFlight).toBe(2);
	});

	test.each([
		['as many as Concurrency says', { concurrency: 4 }, 4],
		['ten where nothing is set', {}, 10],
	])('in flight are at most %s', async (_, options, most) => {
		trouble({ delayMs: 100 });
		const rows = rowsUpTo(40);
		await send(rows, options);

		expect(taken(rows)).toEqual(rows.map(() => 1));
		expect(world.sandbox.mostInFlight).toBe(most);
	});

	test('Messages per Second spaces them, however many places there are', async () => {
		const rows = rowsUpTo(25);
		await send(rows, { messagesPerSecond: 10 });
		const times = rows.flatMap(({ recipient }) => arrivals(recipient as string)).sort((a, b) => a - b);

		expect(times).toHaveLength(rows.length);
		// By the platform's clock: 2.4 seconds, if a busy machine doesn't delay the first.
		expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(1500);
	});

	test('a run of 10,000 rows: each is taken once, in order on the output, with progress and a sum', async () => {
		const count = 10_000;
		const execution = await world.n8n.execute(
			chain(
				'many',
				builtIn('n8n-nodes-base.manualTrigger', 'Start', 1, {}),
				builtIn('n8n-nodes-base.set', 'Sheet', 3.4, {
					mode: 'raw',
					jsonOutput: `={{ { rows: Array.from({ length: ${count} }, (_, i) => ({ recipient: String(6900000000 + i) })) } }}`,
					options: {},
				}),
				builtIn('n8n-nodes-base.splitOut', 'Rows', 1, { fieldToSplitOut: 'rows', options: {} }),
				sendNode({ concurrency: 50 }),
			),
			180_000,
		);

		expect(execution.status).toBe('success');
		const expected = rowsUpTo(count).map(({ recipient }) => recipient);
		const output = outputs(execution, 'smsSend')[0]!;
		expect(output.filter(({ json }, index) => json.accepted !== true || json.recipient !== expected[index])).toEqual([]);
		expect(output.filter(({ pairedItem }, index) => (pairedItem as { item: number }).item !== index)).toEqual([]);
		expect(output).toHaveLength(count);
		expect(world.sandbox.messages.map(({ recipient }) => recipient).sort()).toEqual(expected);
		expect(hints(execution)).toEqual([expect.stringContaining(`${count} taken, 0 rejected, 0 unknown, 0 skipped`)]);
		expect(world.n8n.printed()).toContain(`SMS Send: ${count / 2} of ${count} rows`);
	}, 240_000);
});

describe('what an admin is told at the end', () => {
	test('a sum of what became of the rows', async () => {
		trouble({ answer: 'cutAfter', recipient: mobile(1) });
		const execution = await send(
			[...rowsUpTo(3), { recipient: mobile(0) }, { recipient: 'nobody' }],
			{ skipDuplicates: true },
			{ onError: 'continueErrorOutput' },
		);

		expect(taskOf(execution, 'smsSend').hints).toEqual([
			expect.objectContaining({
				message: expect.stringContaining('2 taken, 1 rejected, 1 unknown, 1 skipped'),
				type: 'warning',
			}),
		]);
	});

	describe('a Delivery Report URL that no report will come to is a warning, and the message goes out', () => {
		const withReportTo = (dlrUrl: string): INode => sendNode({}, {}, { dlrUrl });
		beforeEach(() => trouble({ report: 'lost' }));

		test.each([
			['plain http', 'http://n8n.example.gr/webhook/abc/dlr', /plain http/],
			['localhost', 'https://localhost:5678/webhook/abc/dlr', /localhost.*WEBHOOK_URL/],
			['the loopback address', 'https://127.0.0.1:5678/webhook/abc/dlr', /127\.0\.0\.1.*WEBHOOK_URL/],
			['a private address', 'https://192.168.1.20/webhook/abc/dlr', /192\.168\.1\.20.*WEBHOOK_URL/],
			['a private address of IPv6', 'https://[fd00::20]/webhook/abc/dlr', /fd00::20.*WEBHOOK_URL/],
			['a name without a domain', 'https://n8n/webhook/abc/dlr', /n8n.*WEBHOOK_URL/],
		])('%s', async (_, dlrUrl, warning) => {
			const execution = await world.n8n.execute(withRows(rowsUpTo(2), withReportTo(dlrUrl)));

			expect(taskOf(execution, 'smsSend').hints).toEqual([
				expect.objectContaining({ message: expect.stringContaining('2 taken') }),
				expect.objectContaining({ message: expect.stringMatching(warning), type: 'warning' }),
			]);
			expect(taken(rowsUpTo(2))).toEqual([1, 1]);
		});

		test.each([
			['a public address', 'https://n8n.example.gr/webhook/abc/dlr'],
			['a test address while somebody tries the workflow', 'https://n8n.example.gr/webhook-test/abc/dlr'],
		])('not so %s', async (_, dlrUrl) => {
			const execution = await world.n8n.execute(withRows(rowsUpTo(1), withReportTo(dlrUrl)));

			expect(hints(execution)).toEqual([]);
			expect(taken(rowsUpTo(1))).toEqual([1]);
		});

		test('a test address in an active workflow', async () => {
			const path = `scale-${Date.now()}`;
			const webhook = builtIn('n8n-nodes-base.webhook', 'Webhook', 2, { path, httpMethod: 'POST', options: {} });
			const id = await world.n8n.addWorkflow(
				chain(
					'active',
					{ ...webhook, webhookId: path },
					sendNode({}, {}, {
						dlrUrl: 'https://n8n.example.gr/webhook-test/abc/dlr',
						recipient: '={{ $json.body.recipient }}',
					}),
				),
			);
			await world.n8n.publish(id);
			await fetch(`${world.n8n.url}/webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(rowsUpTo(1)[0]),
			});
			const [execution] = await world.n8n.executionsWhenEnded(id, 1);

			expect(hints(execution!)).toEqual([expect.stringMatching(/test address/)]);
			expect(taken(rowsUpTo(1))).toEqual([1]);
		});
	});
});

keysStaySecret(world);
