import { outputs } from './n8n';
import { hints, items, mobile, rowsUpTo, sendingIn } from './sending';
import { builtIn, chain } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Many rows, and a platform that can't keep up. */
const world = useWorld();
const { sendNode, send, trouble, arrivals, requests, taken } = sendingIn(world);

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
		expect(output.filter(({ json }, index) => json.accepted !== true || json.recipient !== expected[index])).toEqual(
			[],
		);
		expect(output.filter(({ pairedItem }, index) => (pairedItem as { item: number }).item !== index)).toEqual([]);
		expect(output).toHaveLength(count);
		expect(world.sandbox.messages.map(({ recipient }) => recipient).sort()).toEqual(expected);
		expect(hints(execution)).toEqual([expect.stringContaining(`${count} accepted, 0 rejected, 0 unknown, 0 skipped`)]);
		expect(world.n8n.printed()).toContain(`SMS Send: ${count / 2} of ${count} rows`);
	}, 240_000);
});

keysStaySecret(world);
