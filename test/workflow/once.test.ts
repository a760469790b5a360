import { ExecuteContext } from 'n8n-core';
import type { OnError } from 'n8n-workflow';

import { runNode, TestWorkflow } from './harness/engine';
import {
	accepted,
	continuing,
	counts,
	hintsOf,
	indexOf,
	LOST,
	platform,
	recipients,
	REFUSED,
	retrying,
	ROW,
	row,
	rowsUpTo,
	send,
	TAKEN,
	withoutWaits,
} from './harness/send';
import type { Reply } from './harness/httpServer';

/*
 * Tests that an accepted message is not sent again, for each position of a failing row and each setting of On Error and Retry On
 * Fail. The tests count the requests at the platform.
 */

const rows = rowsUpTo(3);

const everywhere = [0, 1, 2];

describe.each<[string, Reply, 'rejected' | 'unknown', positions: number[]]>([
	['the platform rejects', REFUSED, 'rejected', everywhere],
	['cannot be sent because the connection is refused', { cut: 'ECONNREFUSED' }, 'rejected', everywhere],
	['gets HTTP 500', { status: 500 }, 'unknown', everywhere],
	['loses its connection', LOST, 'unknown', everywhere],
	// Each of these tests takes a second, so only the first position is tested. n8n looks at the first item to detect a failure.
	['gets no answer in time', { delayMs: 60_000 }, 'unknown', [0]],
])('with three tries of the node, an item that %s', (_, reply, outcome, positions) => {
	const details = { outcome };
	withoutWaits();
	/**
	 * How often the failing item is sent in one try of the node. Without a connection the node sends it three times.
	 */
	const ownTries = outcome === 'rejected' && 'cut' in reply ? 3 : 1;
	const tries = outcome === 'unknown' ? 1 : 3 * ownTries;
	const tally = `2 accepted, ${outcome === 'rejected' ? '1 rejected, 0' : '0 rejected, 1'} unknown, 0 skipped`;

	describe.each(positions)('at index %d', (bad) => {
		const others = rows.filter((_row, index) => index !== bad);
		const text = expect.any(String) as unknown;
		const failed = {
			...{ error: text, message: text },
			details: expect.objectContaining({ ...details, recipient: rows[bad]!.mobile }) as unknown,
		};
		const start = async (onError: OnError, ifAlreadySent = 'skip') => {
			const sent = platform((each) => (indexOf(each) === bad ? reply : TAKEN));
			const run = await runNode(send({ ifAlreadySent }, { timeout: 1 }, { onError, ...retrying }), rows);
			// If the workflow continues, n8n looks only at the first item to decide whether the node failed.
			const ofBad = onError === 'stopWorkflow' || bad === 0 ? tries : ownTries;
			expect(counts(sent, 3)).toEqual([0, 1, 2].map((index) => (index === bad ? ofBad : 1)));
			expect(run.status).toBe(onError === 'stopWorkflow' ? 'error' : 'success');
			return run;
		};

		it.each(['skip', 'send'])(
			'stops the run after the other items, which are not sent again (If Already Sent: %s)',
			async (again) => {
				const run = await start('stopWorkflow', again);
				expect(run.outputs).toEqual([]);
				expect(run.error).toMatchObject({ context: { details: { ...details, row: bad + 1 } } });
				expect(run.error?.description).toContain(tally);
			},
		);

		it('leaves at the regular output, at its position', async () => {
			const run = await start('continueRegularOutput');
			expect(run.json).toEqual([rows.map(({ mobile }, index) => (index === bad ? failed : accepted(mobile)))]);
			expect(run.origins).toEqual([rows]);
			expect(hintsOf(run).join()).toContain(tally);
		});

		it('leaves at the error output, linked to its input item', async () => {
			const run = await start('continueErrorOutput');
			const taken = others.map(({ mobile: recipient }) => accepted(recipient));
			expect(run.json).toEqual([taken, [{ ...rows[bad], ...failed }]]);
			expect(run.origins).toEqual([others, [rows[bad]]]);
		});
	});
});

it('an accepted item stays accepted if a later try of the node cannot read the credential', async () => {
	const sent = platform((each) => (indexOf(each) === 0 ? REFUSED : TAKEN));
	const workflow = new TestWorkflow(send({}, {}, { onError: 'continueRegularOutput', ...retrying }));
	const { getCredentials } = ExecuteContext.prototype;
	let tries = 0;
	jest.spyOn(ExecuteContext.prototype, 'getCredentials').mockImplementation(async function (
		this: ExecuteContext,
		...args
	) {
		if (++tries > 1) throw new Error('The database is gone');
		return (await getCredentials.apply(this, args)) as never;
	});
	const run = await workflow.run(rows);
	jest.restoreAllMocks();
	expect(tries).toBe(3);
	expect(run.json[0]).toMatchObject([{ details: { outcome: 'rejected' } }, { accepted: true }, { accepted: true }]);
	expect(counts(sent, 3)).toEqual([1, 1, 1]);
});

it('of two equal items with If Already Sent set to Send Again, only the rejected item is sent in the next try', async () => {
	const sent = platform((_, index) => (index === 1 ? REFUSED : TAKEN));
	const node = send({ ifAlreadySent: 'send' }, { concurrency: 1 }, { onError: 'stopWorkflow', ...retrying });
	expect((await runNode(node, [rows[0]!, rows[0]!])).status).toBe('success');
	expect(counts(sent, 1)).toEqual([3]);
});

it.each(['skip', 'send'])(
	"n8n's Retry of a failed execution sends only unsent items, even if an item was inserted before them (If Already Sent: %s)",
	async (ifAlreadySent) => {
		const [first, ...list] = rowsUpTo(4);
		const sent = platform((each, index) => (indexOf(each) === 2 && index < 3 ? REFUSED : TAKEN));
		const workflow = new TestWorkflow(send({ ifAlreadySent }));
		const stopped = await workflow.run(list);
		expect(stopped.error).toMatchObject({ context: { details: { row: 2 } } });
		const again = await workflow.retry(stopped, [first!, ...list]);
		expect(again.status).toBe('success');
		expect(again.json).toEqual([[first!, ...list].map(({ mobile }) => accepted(mobile))]);
		expect(again.origins).toEqual([[first, ...list]]);
		expect(counts(sent, 4)).toEqual([1, 1, 2, 1]);
	},
);

describe('a run whose first item fails, with more items than its concurrency', () => {
	const many = rowsUpTo(30);

	/** Simulates a platform that answers the first row only after twelve requests: the first `times` times with this reply. */
	const failingLate = (reply: Reply, times = Infinity) => {
		let came = 0;
		let failed = 0;
		let release: () => void;
		const enough = new Promise<void>((resolve) => {
			release = resolve;
		});
		return platform(async (each) => {
			if (++came === 12) release();
			if (indexOf(each) !== 0) return TAKEN;
			await enough;
			return failed++ < times ? reply : TAKEN;
		});
	};

	it('sends each other item once if the outcome of the first item is unknown, with Retry On Fail and in the next run', async () => {
		const sent = failingLate(LOST);
		const run = await runNode(send({}, { concurrency: 5 }, { onError: 'stopWorkflow', ...retrying }), many);
		expect(counts(sent, many.length)).toEqual(many.map(() => 1));
		expect(run.error?.description).toMatch(/29 accepted, 0 rejected, 1 unknown, 0 skipped\./);

		sent.length = 0;
		const workflow = new TestWorkflow(send({}, { concurrency: 5 }));
		await workflow.run(many);
		const second = await workflow.run(many);
		expect(second.status).toBe('success');
		expect(second.json[0]?.[0]).toMatchObject({ accepted: false, skipped: true, unknown: true });
		expect(counts(sent, many.length)).toEqual(many.map(() => 1));
	});

	it('sends only the first item again if it was rejected, and then succeeds', async () => {
		const sent = failingLate(REFUSED, 1);
		const run = await runNode(send({}, { concurrency: 5 }, { onError: 'stopWorkflow', ...retrying }), many);
		expect(run.status).toBe('success');
		expect(counts(sent, many.length)).toEqual(many.map((_row, index) => (index === 0 ? 2 : 1)));
	});
});

it('a run pauses briefly only if another run may be sending the same message at this moment', async () => {
	platform((each) => (indexOf(each) === 0 ? LOST : TAKEN));
	const workflow = new TestWorkflow(send({}, { concurrency: 2 }, continuing));
	const [unknown, ...others] = rowsUpTo(4);
	await workflow.run([unknown!]);
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	const timers = jest.spyOn(global, 'setTimeout');
	const waits = () => timers.mock.calls.map(([, milliseconds]) => milliseconds).filter((each) => each === 200);
	await workflow.run(others.slice(1));
	expect(waits()).toEqual([]);
	const run = await workflow.run([unknown!, others[0]!]);
	expect(run.json[0]).toMatchObject([{ skipReason: 'unknown' }, { accepted: true }]);
	expect(waits()).toEqual([200]);
	jest.restoreAllMocks();
});

describe.each([1, 2, 10])('equal items of a run with a concurrency of %d', (concurrency) => {
	withoutWaits();

	it.each<[string, Reply[], Array<'failed' | 'taken' | 'skipped'>]>([
		['one message that is accepted late', [{ ...TAKEN, delayMs: 50 }], ['taken', 'skipped', 'skipped']],
		['one message of unknown outcome', [LOST], ['failed', 'skipped', 'skipped']],
		['one rejected message', [REFUSED], ['failed', 'taken', 'skipped']],
		['two rejected messages', [REFUSED, REFUSED], ['failed', 'failed', 'taken']],
		['one rejected message and one of unknown outcome', [REFUSED, LOST], ['failed', 'failed', 'skipped']],
	])('are skipped unless all earlier equal items were rejected: first %s', async (_, replies, expected) => {
		let came = 0;
		const sent = platform(({ body }) => (body.includes('6912345671') ? (replies[came++] ?? TAKEN) : TAKEN));
		const workflow = new TestWorkflow(send({}, { concurrency }, continuing));
		// Other rows are between the equal rows, so that the claim of a rejected message is released before the next equal row.
		const rows = [row(1), row(2), row(3), row(1), row(4), row(5), row(1)];
		const run = await workflow.run(rows);
		const became = run.json[0]!.map(({ accepted, skipped }) => (skipped ? 'skipped' : accepted ? 'taken' : 'failed'));
		expect([became[0], became[3], became[6]]).toEqual(expected);
		expect([became[1], became[2], became[4], became[5]]).toEqual(['taken', 'taken', 'taken', 'taken']);
		const times = expected.filter((each) => each !== 'skipped').length;
		expect(recipients(sent).filter((each) => each === '6912345671')).toHaveLength(times);

		const again = await workflow.run(rows);
		expect(again.json[0]!.filter(({ skipped }) => skipped)).toHaveLength(rows.length);
	});

	it('wait for each other if they are next to each other: after a rejection the second is sent and the third skipped', async () => {
		const sent = platform((_request, index) => (index === 0 ? { ...REFUSED, delayMs: 30 } : TAKEN));
		const run = await runNode(send({}, { concurrency }, continuing), [row(1), row(1), row(1)]);
		expect(run.json[0]).toMatchObject([{ details: { outcome: 'rejected' } }, { accepted: true }, { skipped: true }]);
		expect(sent).toHaveLength(2);
	});
});

describe('an automatic retry of SMS Send', () => {
	withoutWaits();

	it.each<[string, Reply]>([
		['a refused connection', { cut: 'ECONNREFUSED' }],
		['HTTP 503 with Retry-After', { status: 503, headers: { 'retry-after': '0' } }],
	])('happens twice after %s', async (_, reply) => {
		const sent = platform((_request, index) => (index < 2 ? reply : TAKEN));
		const run = await runNode(send(), [ROW]);
		expect(run.json[0]).toMatchObject([{ accepted: true }]);
		expect(sent).toHaveLength(3);
	});
});
