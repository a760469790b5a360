import type { IDataObject } from 'n8n-workflow';

import { runNode, TestWorkflow } from './harness/engine';
import { continuing, hintsOf, platform, ROW, row, rowsUpTo, send, withCredential } from './harness/send';

const TEXT = 'Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}';
const known = withCredential({ messages: `grades/result: ${TEXT}` });
const review = (options = {}, more = {}) => send({ operation: 'review' }, options, { ...known, ...more });

describe('a review', () => {
	it('sends no message, and returns one item for the whole list', async () => {
		const sent = platform();
		const missing = { ...ROW, mobile: '' };
		const rows = [row(1), row(2), row(1), missing, { ...row(4), grade: 8.5 }, { ...row(5), grade: null }, missing];
		const run = await runNode(review({ doNotSendTo: '6912345672' }), rows);
		expect(run.status).toBe('success');
		const error = (words: RegExp) => expect.stringMatching(words) as unknown;
		const text = 'Ο βαθμός σας στο μάθημα Φυσική είναι 8';
		const item = {
			...{ messages: 2, segments: 2, alreadySent: 0, twice: 1, unknown: 0, doNotSend: 1, faulty: 3 },
			faults: [
				{ error: error(/^The mobile number is missing/), rows: 2, examples: [4, 7], rowNumbers: [4, 7] },
				{ error: error(/^"Βαθμός" has no value/), rows: 1, examples: [6], rowNumbers: [6] },
			],
			samples: [
				{ row: 1, recipient: '6912345671', text, segments: 1 },
				{ row: 5, recipient: '6912345674', text: `${text},5`, segments: 1 },
			],
			html: expect.stringContaining('6912345674') as unknown,
		};
		expect(run.json).toMatchObject([[item]]);
		expect(sent).toEqual([]);
	});

	it('counts the messages that the node sent before, and does not change what the node sends later', async () => {
		const sent = platform();
		const workflow = new TestWorkflow(send({}, {}, known));
		await workflow.run([row(1)]);
		workflow.spec.parameters!.operation = 'review';
		for (let times = 0; times < 2; times++)
			expect((await workflow.run([row(1), row(2)])).json[0]).toMatchObject([{ messages: 1, alreadySent: 1 }]);
		workflow.spec.parameters!.operation = 'send';
		expect((await workflow.run([row(1), row(2)])).json[0]).toMatchObject([{ skipped: true }, { accepted: true }]);
		expect(sent).toHaveLength(2);
	});

	it.each(['2026-01-10T12:00:00Z', '2026-01-10T22:00:00Z'])(
		'states the quiet hours of the credential at any time (%s)',
		async (now) => {
			jest.spyOn(Date, 'now').mockReturnValue(Date.parse(now));
			const quietHours = { from: '22:00', until: '08:30', zone: 'Europe/Athens' };
			const run = await runNode(review({}, withCredential({ quietHours: '22:00-8:30 Europe/Athens' })), [row(1)]);
			expect(run.json[0]).toMatchObject([{ messages: 1, quietHours }]);
			const none = await runNode(review({}, withCredential({ quietHours: '' })), [row(1)]);
			expect(none.json[0]![0]).not.toHaveProperty('quietHours');
		},
	);

	it.each<[string, object, RegExp]>([
		['too many rows', withCredential({ maxMessagesPerRun: 2 }), /has 3 rows/],
		['invalid Quiet Hours', withCredential({ quietHours: 'at night' }), /Quiet Hours/],
		['a missing credential', { credentials: { smsPlatformApi: new Error('It does not exist') } }, /does not exist/],
		['an unknown Review Output', { reviewOutput: '={{ $json.nope }}' }, /^Review Output has no value/],
	])('of a list that cannot be sent is still one item, and each row has the fault: %s', async (_, more, fault) => {
		const spec = review({}, more);
		const run = await runNode({ ...spec, parameters: { ...spec.parameters, ...more } as never }, rowsUpTo(3));
		expect(run.status).toBe('success');
		const faults = [{ error: expect.stringMatching(fault) as unknown, rows: 3, examples: [1, 2, 3] }];
		expect(run.json[0]).toMatchObject([{ messages: 0, faulty: 3, faults, html: expect.any(String) as unknown }]);
	});
});

it('the row numbers of a spreadsheet appear in a review, on its page, and in the error items of a run', async () => {
	platform();
	/** Returns items as n8n's Extract from File makes them from a sheet whose third row is empty. */
	const sheet = () =>
		[row(1), { ...row(2), mobile: '2101234567' }].map((json, index) =>
			Object.defineProperty(json, '__rowNum__', { value: 1 + 2 * index, enumerable: false }),
		);
	const [[item]] = (await runNode(review({ language: 'en' }), sheet())).json as [[IDataObject]];
	expect(item).toMatchObject({ samples: [{ row: 2 }], faults: [{ examples: [4] }] });
	expect(item.html).toContain('Row 4 (2101234567)');
	const run = await runNode(send({}, {}, { ...known, ...continuing }), sheet());
	expect(run.json[0]![1]).toMatchObject({ details: { row: 4 } });
	expect(hintsOf(run)[0]).toContain('1 row (row 4');
	const counted = await runNode(send({}, {}, { ...known, ...continuing }), [row(1), { ...row(2), mobile: '' }]);
	expect(counted.json[0]![1]).toMatchObject({ details: { row: 2 } });
});

it('a review in which nothing would be sent states the reason first, in the item and on the page', async () => {
	platform();
	const workflow = new TestWorkflow(send({}, {}, known));
	await workflow.run([row(1)]);
	workflow.spec.parameters!.operation = 'review';
	const nothing = { reason: 'allSent', notice: expect.stringContaining('Δεν χρειάζεται να κάνετε κάτι.') as unknown };
	const html = expect.stringMatching(/^<h2>Δεν θα σταλεί τίποτα/) as unknown;
	expect((await workflow.run([row(1), row(1)])).json[0]).toMatchObject([{ alreadySent: 2, nothing, html }]);
	expect((await workflow.run([row(1), row(2)])).json[0]![0]).not.toHaveProperty('nothing');
});

it('a review skips the second of two equal rows', async () => {
	const run = await runNode(review({}, { parameters: { ...review().parameters, reviewOutput: 'rows' } }), [
		row(1),
		row(1),
	]);
	expect(run.json[0]).toMatchObject([{ review: true }, { skipped: true, skipReason: 'twice', review: true }]);
});

it('two equal rows both count in a review and in the run if If Already Sent is Send Again for the first row', async () => {
	const ifAlreadySent = '={{ $json.how }}';
	const list = ['send', 'skip'].map((how) => ({ ...row(1), how }));
	const reviewed = await runNode(send({ operation: 'review', reviewOutput: 'summary', ifAlreadySent }), list);
	expect(reviewed.json[0]).toMatchObject([{ messages: 2, twice: 0 }]);
	const sent = platform();
	await runNode(send({ ifAlreadySent }), list);
	expect(sent).toHaveLength(2);
});

it('a review and the following run give a message the same reference', async () => {
	platform();
	const workflow = new TestWorkflow(send({ operation: 'review', reviewOutput: 'rows' }, {}, known));
	const dry = (await workflow.run([row(1)])).json[0]![0]!;
	workflow.spec.parameters!.operation = 'send';
	const sent = (await workflow.run([row(1)])).json[0]![0]!;
	const skipped = (await workflow.run([row(1)])).json[0]![0]!;
	expect(dry.reference).toMatch(/^[\w-]{22}$/);
	expect([sent.reference, skipped.reference]).toEqual([dry.reference, dry.reference]);
	expect(skipped).toMatchObject({ skipped: true, skipReason: 'sentBefore' });
});

it('a review with Review Output set to rows returns an item for each row, even for a faulty row', async () => {
	const spec = send({ operation: 'review', reviewOutput: 'rows' }, { language: 'el' }, known);
	const run = await runNode(spec, [row(1), { ...ROW, mobile: '2101234567' }]);
	const reviewed = { review: true, accepted: false };
	const faulty = {
		...{ ...reviewed, recipient: '2101234567', reason: 'landline' },
		problem: '210…567 is a landline, which cannot receive SMS. Write a mobile number (69…)',
		notice: 'Το 210…567 είναι σταθερό τηλέφωνο. Γράψτε ένα κινητό (69…).',
	};
	expect(run.status).toBe('success');
	expect(run.json[0]).toEqual([expect.objectContaining({ ...reviewed, recipient: '6912345671', segments: 1 }), faulty]);
});

it('a review reports an object in the mobile column as a fault', async () => {
	const spec = send({ operation: 'review', reviewOutput: 'rows', recipient: '' }, {}, known);
	const run = await runNode(spec, [{ Κινητό: { toString: 1 } as never, course: 'Φυσική', grade: 8 }]);
	expect(run.json[0]).toMatchObject([
		{ reason: 'notText', notice: expect.stringMatching(/^Η τιμή στο «κινητό»/) as unknown },
	]);
});
