import { runNode, TestWorkflow } from './harness/engine';
import { continuing, LOST, OPERATION, recipients, REFUSED, row, send, TAKEN } from './harness/send';
import { serve, type Reply } from './harness/wire';

describe.each([1, 2, 10])('equal rows of one run, %d at once', (concurrency) => {
	it.each<[string, Reply[], Array<'failed' | 'taken' | 'skipped'>]>([
		['one that is taken late', [{ ...TAKEN, delayMs: 50 }], ['taken', 'skipped', 'skipped']],
		['one that may have been taken', [LOST], ['failed', 'skipped', 'skipped']],
		['one that is refused', [REFUSED], ['failed', 'taken', 'skipped']],
		['two that are refused', [REFUSED, REFUSED], ['failed', 'failed', 'taken']],
		['one that is refused and one that may have been taken', [REFUSED, LOST], ['failed', 'failed', 'skipped']],
	])('are decided by what became of %s before them', async (_, replies, expected) => {
		let came = 0;
		const sent = serve('POST', OPERATION, ({ body }) =>
			body.includes('6912345671') ? (replies[came++] ?? TAKEN) : TAKEN,
		);
		const workflow = new TestWorkflow(send({}, { concurrency }, continuing));
		// Others between them: what was refused is given back to n8n before the next of its kind has its turn.
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

	it('side by side are decided so too', async () => {
		const sent = serve('POST', OPERATION, (_request, index) => (index === 0 ? { ...REFUSED, delayMs: 30 } : TAKEN));
		const run = await runNode(send({}, { concurrency }, continuing), [row(1), row(1), row(1)]);
		expect(run.json[0]).toMatchObject([{ details: { outcome: 'rejected' } }, { accepted: true }, { skipped: true }]);
		expect(sent).toHaveLength(2);
	});
});
