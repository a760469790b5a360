import type { IDataObject } from 'n8n-workflow';

import { Problem } from '../../../../lib/texts/problem';
import {
	readSafetyLimits,
	requireFewRows,
	requireTrialRecipient,
	trialHint,
} from '../../../../lib/smsPlatform/safetyLimits';
import { quietProblem } from '../../../../lib/smsPlatform/quietHours';

const read = (data: IDataObject) => readSafetyLimits(data, 'Europe/Athens');
const NIGHT = Date.parse('2026-01-10T23:00:00+02:00');

describe('a credential without safety limits', () => {
	it.each<[string, IDataObject]>([
		['allows every recipient, list and hour if it does not have the fields', {}],
		[
			'allows every recipient, list and hour if the fields are empty',
			{ trialRecipients: '', maxMessagesPerRun: 0, quietHours: '' },
		],
	])('%s', (_, data) => {
		const safetyLimits = read(data);
		requireTrialRecipient(safetyLimits, '6900000001');
		requireFewRows(safetyLimits, 1_000_000);
		expect([trialHint(safetyLimits), quietProblem(safetyLimits.quietHours, NIGHT, 'day')]).toEqual([
			undefined,
			undefined,
		]);
	});
});

describe('trial recipients', () => {
	it('are compared in normal form, and are separated by commas or line breaks', () => {
		const safetyLimits = read({
			trialRecipients: "+30 690 000 0001, 0030-6900000002\r\n\n, '6900000003\n+44 7700 900123,ab.smith ",
			userNames: true,
		});
		for (const same of ['6900000001', '6900000002', '6900000003', '+447700900123', 'ab.smith'])
			requireTrialRecipient(safetyLimits, same);
		for (const same of ['6900000004', 'ab', '']) {
			expect(thrown(() => requireTrialRecipient(safetyLimits, same))).toMatchObject({
				message: expect.stringContaining('in trial mode'),
				description: expect.stringContaining('Trial Recipients'),
				details: { outcome: 'rejected' },
			});
		}
		expect(trialHint(safetyLimits)).toMatch(/in trial mode.* only to its 5 trial recipients/);
	});

	it('may be stored as a number if there is only one', () => {
		requireTrialRecipient(read({ trialRecipients: 6900000001 }), '6900000001');
	});

	it.each<[unknown, RegExp]>([
		['6900000001, 2101234567', /^Trial Recipients.*number 2.*landline/],
		['6900000001 6900000002', /^Trial Recipients.*number 1.*two numbers[^]*Put a comma between the numbers$/],
		[', ,\n', /contains no recipient/],
		[true, /must be a list/],
		[{}, /must be a list/],
	])('with the value %j are an error', (trialRecipients, text) => {
		const problem = failure({ trialRecipients } as IDataObject);
		const words = `${problem.message}. ${problem.description}`;
		expect(words).toMatch(text);
		expect(words).not.toMatch(/\d{7}/);
		expect(problem.details.outcome).toBe('rejected');
	});
});

describe('Max Messages per Run in the credential', () => {
	it('refuses a list with more rows', () => {
		const safetyLimits = read({ maxMessagesPerRun: 100 });
		requireFewRows(safetyLimits, 100);
		const problem = thrown(() => requireFewRows(safetyLimits, 101));
		expect(problem.message).toMatch(/list has 101 rows, but only 100 are allowed/);
		expect(problem.details).toEqual({ outcome: 'rejected' });
	});

	it('may be a number in text', () => {
		expect(() => requireFewRows(read({ maxMessagesPerRun: ' 1 ' }), 2)).toThrow(/has 2 rows/);
	});

	it.each([-1, 1.5, 'many', Number.NaN, Number.POSITIVE_INFINITY, true, [5]])(
		'with the value %p is an error',
		(maxMessagesPerRun) => {
			expect(failure({ maxMessagesPerRun } as IDataObject)).toMatchObject({
				message: expect.stringMatching(/^Max Messages per Run in the credential must be a whole number/),
				details: { outcome: 'rejected' },
			});
		},
	);
});

const failure = (data: IDataObject) => thrown(() => read(data));

function thrown(work: () => unknown): Problem {
	try {
		work();
	} catch (error) {
		expect(error).toBeInstanceOf(Problem);
		return error as Problem;
	}
	throw new Error('No error');
}
