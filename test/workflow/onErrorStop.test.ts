import { runNode, TestWorkflow } from './harness/engine';
import { continuing, OPERATION, recipients, REFUSED, rowsUpTo, send, TAKEN, withCredential } from './harness/send';
import { serve } from './harness/wire';

/* On Error: Stop, n8n's default: a list goes out whole or not at all, as far as that is in our hands. */

const withFaults = () =>
	rowsUpTo(60).map((row, index) => (index === 4 || index === 50 ? { ...row, mobile: '2101234567' } : row));

it('sends nothing where a row has a fault, and says which, and both ways on', async () => {
	const sent = serve('POST', OPERATION, TAKEN);
	const workflow = new TestWorkflow(send());
	const run = await workflow.run(withFaults());
	expect([run.status, sent]).toEqual(['error', []]);
	expect(run.error?.message).toBe('Nothing was sent: 2 of 60 rows have faults');
	expect(run.error?.description).toMatch(/2 rows \(.*5.*51/);
	expect(run.error?.description).toMatch(/Correct these rows, or set On Error .* to Continue \(using error output\)/);

	// Both ways on, walked.
	await workflow.run(rowsUpTo(60));
	expect(sent).toHaveLength(60);
	const others = await runNode(send({ ifAlreadySent: 'send' }, {}, continuing), withFaults());
	expect(others.json[0]!.filter(({ accepted }) => accepted === true)).toHaveLength(58);
	expect(sent).toHaveLength(118);
});

it('takes what a guard says of a row for no fault of the list', async () => {
	const sent = serve('POST', OPERATION, TAKEN);
	const trial = withCredential({ trialRecipients: '6900000000, 6900000002' });
	const run = await runNode(send({}, {}, trial), rowsUpTo(3));
	expect(recipients(sent).sort()).toEqual(['6900000000', '6900000002']);
	expect(run.error?.description).toMatch(/2 accepted, 1 rejected/);
});

describe('a list of which rows are refused', () => {
	const refusing = () => serve('POST', OPERATION, (_, index) => (index === 1 ? REFUSED : TAKEN));

	it('goes out but for those, fails at its end, and says what running it again does', async () => {
		const sent = refusing();
		const workflow = new TestWorkflow(send({}, { concurrency: 1 }));
		const run = await workflow.run(rowsUpTo(4));
		expect(run.status).toBe('error');
		expect(sent).toHaveLength(4);
		expect(run.error?.description).toMatch(/3 accepted, 1 rejected/);
		expect(run.error?.description).toMatch(/3 messages went out\. A failed run has no output/);
		expect(run.error?.description).toMatch(/Run the node again within 10 hours: it tries only what was refused/);

		const again = await workflow.run(rowsUpTo(4));
		expect(sent).toHaveLength(5);
		expect(again.json[0]!.map(({ accepted, skipped }) => [accepted, skipped])).toEqual([
			[false, true],
			[true, undefined],
			[false, true],
			[false, true],
		]);
	});

	it('with Send says that running it again sends everything again', async () => {
		refusing();
		const run = await runNode(send({ ifAlreadySent: 'send' }, { concurrency: 1 }), rowsUpTo(4));
		expect(run.error?.description).toMatch(/send a list of just these rows/);
		expect(run.error?.description).toMatch(/with If Already Sent on Send the whole list would go out again/);
	});
});

it('reads each row once, gives way meanwhile, and ends at the stop button', async () => {
	const sent = serve('POST', OPERATION, TAKEN);
	let ticks = 0;
	const timer = setInterval(() => ticks++, 1);
	await runNode(send(), rowsUpTo(400));
	clearInterval(timer);
	expect(sent).toHaveLength(400);
	expect(ticks).toBeGreaterThan(8);
});
