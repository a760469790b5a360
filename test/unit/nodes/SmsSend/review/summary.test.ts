import { fault, type Problem } from '../../../../../lib/texts/problem';
import { reviewOf } from '../../../../../nodes/SmsSend/review/summary';
import type { ItemResult } from '../../../../../nodes/SmsSend/result';
import { numbered, review, skipped, wouldSend } from './rows';

const quiet = { at: '2026-01-11T08:00:00+02:00', text: '08:00 (Europe/Athens)' };

describe('the item of a review', () => {
	const rows = [
		fault('emptyRecipient'),
		...[2, 3, 4, 5, 6, 7].map((row) => wouldSend(row)),
		...(['sentBefore', 'sentBefore', 'unknown', 'doNotSend', 'twice'] as const).map((reason) => skipped(reason)),
		...['7', '8', '9', '10'].map((value) => fault('notMobile', { value })),
	];

	it('counts the rows by outcome, and shows the first messages', () => {
		const item = reviewOf(rows, numbered(rows.length, false), 'en', quiet, undefined);
		expect(item).toMatchObject({
			...{ messages: 6, people: 6, segments: 8, longest: { row: 7, segments: 3 } },
			...{ alreadySent: 2, unknown: 1, doNotSend: 1, twice: 1, faulty: 5, doubts: [] },
			quietUntil: '2026-01-11T08:00:00+02:00',
			faults: [
				{ reason: 'notMobile', rows: 4, examples: [13, 14, 15], notice: expect.stringMatching(/^"7, 8, 9 …" are not/) },
				{ reason: 'emptyRecipient', rows: 1, examples: [1] },
			],
		});
		expect(item.samples.map(({ row }) => row)).toEqual([2, 3, 4, 5, 6]);
		expect(item).not.toHaveProperty('listFault');
		expect(item).not.toHaveProperty('nothing');
	});

	it('has the numbers of all rows with a fault, up to 500', () => {
		const list = Array.from({ length: 1201 }, (_, index) =>
			index % 2 === 0 ? fault('notMobile', { value: String(index) }) : wouldSend(index),
		);
		const [of] = review(list, 'en', true).faults;
		expect(of).toMatchObject({ rows: 601, examples: [3, 5, 7] });
		expect(of!.rowNumbers).toEqual(Array.from({ length: 500 }, (_, index) => 3 + 2 * index));
		expect(review(rows).faults.map(({ rowNumbers }) => rowNumbers)).toEqual([[13, 14, 15, 16], [1]]);
	});

	it('has the row numbers of the spreadsheet if they are known', () => {
		expect(review(rows, 'en', true)).toMatchObject({
			longest: { row: 9 },
			faults: [{ examples: [15, 16, 17] }, { examples: [3] }],
			samples: [{ row: 4 }, { row: 5 }, { row: 6 }, { row: 7 }, { row: 8 }],
		});
	});
});

describe('the item of a review in which nothing would be sent', () => {
	const listFault = fault('missingColumn', { field: 'Κινητό', columns: 'Όνομα' });
	const landline = fault('landline', { value: '2101234567' });
	it.each<[reason: string, notice: RegExp, rows: Array<ItemResult | Problem>]>([
		['allSent', /already been sent \(2\)\. There is nothing to do/, [skipped('sentBefore'), skipped('sentBefore')]],
		['allSent', /There is nothing to do/, [skipped('sentBefore'), skipped('twice')]],
		['allUnknown', /Ask the recipients.*list of just these people\.$/, [skipped('unknown')]],
		['doNotSend', /None of the people/, [skipped('doNotSend')]],
		['allFaulty', /upload only the corrected rows\.$/, [landline, fault('emptyRecipient')]],
		['mixed', /not the same for all rows.*upload only the corrected rows\.$/, [skipped('sentBefore'), landline]],
		['mixed', /not the same for all rows.*list of just these people\.$/, [skipped('sentBefore'), skipped('unknown')]],
		['mixed', /not the same for all rows.*nothing to do\.$/, [skipped('sentBefore'), skipped('doNotSend')]],
		['listFault', /no column "Κινητό"/, [landline, listFault]],
		['listFault', /The file contains no data/, [fault('emptyList'), fault('emptyList')]],
		['listFault', /in trial mode/, [fault('onTrial'), fault('onTrial')]],
	])(
		'has the reason %s, a notice that matches %s, and no end of quiet hours; an item of a review in which a message would be sent has no reason',
		(reason, notice, rows) => {
			const item = review(rows);
			expect(item).toMatchObject({
				messages: 0,
				nothing: { reason, notice: expect.stringMatching(notice) as unknown },
			});
			expect('listFault' in item).toBe(reason === 'listFault');
			// If nothing would be sent, the end of quiet hours does not matter.
			expect(reviewOf(rows, numbered(rows.length, false), 'en', quiet, undefined)).not.toHaveProperty('quietUntil');
			const other = review([...rows, wouldSend(1)]);
			expect('nothing' in other || 'listFault' in other).toBe(false);
		},
	);
});
