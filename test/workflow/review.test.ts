import { runNode, TestWorkflow } from './harness/engine';
import { OPERATION, ROW, row, rowsUpTo, send, TAKEN, withCredential } from './harness/send';
import { serve } from './harness/wire';

const TEXT = 'Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}';
const known = withCredential({ messages: `grades/result: ${TEXT}` });
const review = (options = {}, more = {}) => send({ operation: 'review' }, options, { ...known, ...more });

describe('a review', () => {
	it('sends nothing, and puts out one item for the whole list', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const rows = [
			row(1),
			row(2),
			row(1),
			{ ...ROW, mobile: '' },
			{ ...row(4), grade: 8.5 },
			{ ...row(5), grade: null },
			{ ...ROW, mobile: '' },
		];
		const run = await runNode(review({ doNotSendTo: '6912345672' }), rows);
		expect(run.status).toBe('success');
		expect(run.json[0]).toHaveLength(1);
		expect(run.json[0]![0]).toMatchObject({
			messages: 2,
			segments: 2,
			alreadySent: 1,
			unknown: 0,
			doNotSend: 1,
			faulty: 3,
			faults: [
				{ error: expect.stringMatching(/^The mobile number is missing/) as unknown, rows: 2, examples: [4, 7] },
				{ error: expect.stringMatching(/^"Βαθμός" is empty/) as unknown, rows: 1, examples: [6] },
			],
			samples: [
				{ row: 1, recipient: '6912345671', text: 'Ο βαθμός σας στο μάθημα Φυσική είναι 8', segments: 1 },
				{ row: 5, recipient: '6912345674', text: 'Ο βαθμός σας στο μάθημα Φυσική είναι 8,5', segments: 1 },
			],
			html: expect.stringContaining('6912345674') as unknown,
		});
		expect(sent).toEqual([]);
	});

	it('knows what its own node sent, and leaves nothing behind', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const workflow = new TestWorkflow(send({}, {}, known));
		await workflow.run([row(1)]);
		workflow.spec.parameters!.operation = 'review';
		for (let times = 0; times < 2; times++)
			expect((await workflow.run([row(1), row(2)])).json[0]).toMatchObject([{ messages: 1, alreadySent: 1 }]);
		workflow.spec.parameters!.operation = 'send';
		expect((await workflow.run([row(1), row(2)])).json[0]).toMatchObject([{ skipped: true }, { accepted: true }]);
		expect(sent).toHaveLength(2);
	});

	it.each<[string, object, RegExp]>([
		['too many rows', withCredential({ maxMessagesPerRun: 2 }), /has 3 rows/],
		['a guard that can not be read', withCredential({ quietHours: 'at night' }), /Quiet Hours/],
		['no credential', { credentials: { smsPlatformApi: new Error('It does not exist') } }, /does not exist/],
		['an output that there is not', { reviewOutput: '={{ $json.nope }}' }, /^Review Output has no value/],
	])('of a run that can not be: every row has the fault, and it is still one item: %s', async (_, more, fault) => {
		const spec = review({}, more);
		const run = await runNode({ ...spec, parameters: { ...spec.parameters, ...more } as never }, rowsUpTo(3));
		expect(run.status).toBe('success');
		const faults = [{ error: expect.stringMatching(fault) as unknown, rows: 3, examples: [1, 2, 3] }];
		expect(run.json[0]).toMatchObject([{ messages: 0, faulty: 3, faults, html: expect.any(String) as unknown }]);
	});
});

it('a review and the run after it give one message one name', async () => {
	serve('POST', OPERATION, TAKEN);
	const workflow = new TestWorkflow(send({ operation: 'review', reviewOutput: 'rows' }, {}, known));
	const dry = (await workflow.run([row(1)])).json[0]![0]!;
	workflow.spec.parameters!.operation = 'send';
	const sent = (await workflow.run([row(1)])).json[0]![0]!;
	const skipped = (await workflow.run([row(1)])).json[0]![0]!;
	expect(dry.reference).toMatch(/^[\w-]{22}$/);
	expect([sent.reference, skipped.reference]).toEqual([dry.reference, dry.reference]);
	expect(skipped).toMatchObject({ skipped: true, skipReason: 'sentBefore' });
});

it('a review of rows has an item for each, also for a faulty one', async () => {
	const spec = send({ operation: 'review', reviewOutput: 'rows' }, { language: 'el' }, known);
	const run = await runNode(spec, [row(1), { ...ROW, mobile: '2101234567' }]);
	expect(run.status).toBe('success');
	expect(run.json[0]).toEqual([
		expect.objectContaining({ review: true, accepted: false, recipient: '6912345671', segments: 1 }),
		{
			review: true,
			accepted: false,
			recipient: '2101234567',
			problem: '210…567 is a landline, which gets no SMS. Write a mobile number (69…)',
			reason: 'landline',
			notice: 'Το 210…567 είναι σταθερό τηλέφωνο. Γράψτε ένα κινητό (69…).',
		},
	]);
});
