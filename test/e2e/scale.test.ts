import { items, outputs } from './n8n';
import { hints, rowsUpTo, sendingIn } from './sending';
import { builtIn, chain } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Sends many rows, also to a platform that is too slow for them. */
const world = useWorld();
const { sendNode, send, trouble, requests, taken } = sendingIn(world);

test('if the platform answers with 429 for a second, every message is still accepted once, and no row fails', async () => {
	const rows = rowsUpTo(15);
	trouble({ answer: '429', forMs: 1000 });
	const execution = await send(rows);

	expect(items(execution)).toMatchObject(rows.map(({ recipient }) => ({ accepted: true, recipient })));
	expect(taken(rows)).toEqual(rows.map(() => 1));
	expect(Math.max(...requests(rows))).toBeGreaterThan(1);
	expect(Math.max(...requests(rows))).toBeLessThanOrEqual(3);
});

test('a run with 10,000 rows sends each row once, and outputs the items in their order, with a summary', async () => {
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
	expect(hints(execution)).toEqual([expect.stringContaining(`${count} accepted, 0 rejected, 0 unknown, 0 skipped`)]);
}, 240_000);

keysStaySecret(world);
