import type { IDataObject } from 'n8n-workflow';

import { Problem } from '../../../nodes/shared/problem';
import { numberAsText } from '../../../nodes/Sms/outgoing/decimalComma';
import { originIn, type Origin } from '../../../nodes/Sms/outgoing/missingValue';
import { fill, type Values } from '../../../nodes/Sms/outgoing/replacements';

const TEXT = '{Μάθημα,1}: {Βαθμός,2}';

/** Rows of a list, and what stands in the node's fields. */
const origin = (rows: IDataObject[], typed: Record<string | number, unknown> = {}): Origin =>
	originIn(
		rows.map((json) => ({ json })),
		(place) => typed[place],
	);

const filled = (values: Values, allowEmpty = false, withComma = true) =>
	fill(values, { text: TEXT, whatThereIs: () => '' }, allowEmpty, withComma);

function failure(values: Values, allowEmpty = false): Problem {
	try {
		filled(values, allowEmpty);
	} catch (error) {
		expect(error).toBeInstanceOf(Problem);
		return error as Problem;
	}
	throw new Error('No error');
}

describe('a number', () => {
	it.each<[number, string, string]>([
		[8.5, '8,5', '8.5'],
		[-0.5, '-0,5', '-0.5'],
		[0.1 + 0.2, '0,3', '0.3'],
		[8.399999999999999, '8,4', '8.4'],
		[1234.5, '1234,5', '1234.5'],
		[0.000001, '0,000001', '0.000001'],
		[1.5e-7, '1,5e-7', '1.5e-7'],
		[123456789.25, '123456789,25', '123456789.25'],
		[8, '8', '8'],
		[-0, '0', '0'],
		[6900000001, '6900000001', '6900000001'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991', '9007199254740991'],
		[1e21, '1e+21', '1e+21'],
		[1.5e21, '1.5e+21', '1.5e+21'],
	])('%p goes out as %s with a decimal comma, and as %s without', (number, withComma, without) => {
		expect(numberAsText(number, true)).toBe(withComma);
		expect(numberAsText(number, false)).toBe(without);
	});

	it.each<[string, Values]>([
		['in their order', { list: ['8.5', 8.5] }],
		['by placeholder', { byName: { Μάθημα: '8.5', Βαθμός: 8.5 } }],
		['by column', { columns: { Μάθημα: '8.5', βαθμος: 8.5 } }],
	])('is no text, which goes out as it is: values %s', (_, values) => {
		expect(filled(values)).toMatchObject({ replacements: ['8.5', '8,5'], text: '8.5: 8,5' });
		expect(filled(values, false, false).replacements).toEqual(['8.5', '8.5']);
	});

	it.each([
		[Number.NaN, /^Βαθμός is not a number/],
		[Number.POSITIVE_INFINITY, /^Βαθμός is too large/],
	])('that is %p is an error', (number, text) => {
		expect(failure({ list: ['x', number] }).message).toMatch(text);
	});
});

describe('a value that is missing', () => {
	const named = (Βαθμός: unknown, from?: Origin): Values => ({
		byName: { Μάθημα: 'Φυσική', Βαθμός } as IDataObject,
		...(from !== undefined && { origin: from }),
	});
	const byExpression = (expression: string, rows: IDataObject[]) =>
		origin(rows, { Μάθημα: 'Φυσική', Βαθμός: expression });
	const GRADE = '={{ $json.grade }}';

	it.each<[string, Values]>([
		['an empty text', named('', byExpression(GRADE, [{ grade: '' }]))],
		['spaces', named(' \u200b', byExpression(GRADE, [{ grade: ' ' }]))],
		['null', named(null, byExpression(GRADE, [{ grade: null }]))],
		['a column that only other rows have', named(undefined, byExpression(GRADE, [{}, { grade: 8 }]))],
		['the same in brackets', named(undefined, byExpression('= {{ $json["Βαθμός ΑΜ"] }}', [{}, { 'Βαθμός ΑΜ': 8 }]))],
		['the same by $input', named(undefined, byExpression("={{ $input.item.json['grade'] }}", [{}, { grade: 8 }]))],
		[
			'a column of its name that only other rows have',
			{ columns: { Μάθημα: 'Φυσική' }, origin: origin([{ Μάθημα: 'Φυσική' }, { βαθμος: 8 }]) },
		],
		['an empty column of its name', { columns: { Μάθημα: 'Φυσική', ΒΑΘΜΟΣ: '' } }],
		['an entry of a list', { list: ['Φυσική', undefined], origin: origin([{}, { grade: 8 }], { 1: GRADE }) }],
		['an entry of a list from JSON', { list: ['Φυσική', null] }],
	])('because its cell is empty is named so, and allowed where empty values are: %s', (_, values) => {
		const problem = failure(values);
		expect(problem).toMatchObject({
			message: 'Βαθμός is empty in this row',
			description: expect.stringMatching(/^The cell is empty: .*Allow Empty Values$/),
			details: { outcome: 'rejected' },
		});
		expect(filled(values, true).replacements[1]!.trim().replace('\u200b', '')).toBe('');
	});

	it.each<[string, Values, RegExp, RegExp]>([
		[
			'no row has the column',
			named(undefined, byExpression(GRADE, [{ Βαθμός: 8 }, { 6900000001: 1 }])),
			/^Βαθμός has no value: no row has a column grade$/,
			/^If the list has that column, its cell is empty.*columns: Βαθμός, •••01/,
		],
		[
			'no row has a column of its name',
			{ columns: { Μάθημα: 'Φυσική' }, origin: origin([{ Μάθημα: 'Φυσική' }]) },
			/^Βαθμός has no column$/,
			/^If the list has that column, its cell is empty.*columns: Μάθημα/,
		],
		['the rows are not known', { columns: { Μάθημα: 'Φυσική' } }, /^Βαθμός has no column$/, /columns: Μάθημα/],
		[
			'the node has no field for it',
			{ byName: { Μάθημα: 'Φυσική' }, origin: origin([{}], { Μάθημα: 'Φυσική' }) },
			/^Βαθμός has no value$/,
			/Open the node/,
		],
		[
			'an expression does more than name a column',
			named(undefined, byExpression('={{ $json.grade.toFixed() }}', [{ grade: 8 }])),
			/^Βαθμός has no value in this row$/,
			/^The cell is empty, or there is no column/,
		],
		['nothing more is known', named(undefined), /^Βαθμός has no value in this row$/, /^The cell is empty, or/],
	])('because %s is an error, also where values may be empty', (_, values, message, description) => {
		for (const allowEmpty of [false, true]) {
			const problem = failure(values, allowEmpty);
			expect(problem.message).toMatch(message);
			expect(problem.description).toMatch(description);
		}
	});

	it('because nobody filled in its field is named so', () => {
		const values = named(null, origin([{}], { Μάθημα: 'Φυσική', Βαθμός: null }));
		expect(failure(values)).toMatchObject({
			message: 'Βαθμός is empty',
			description: expect.stringContaining('Fill in its field in the node'),
		});
		expect(filled(values, true).replacements).toEqual(['Φυσική', '']);
	});

	it('costs one look at the list, however many rows lack it', () => {
		let looks = 0;
		const rows = Array.from({ length: 1000 }, () => ({
			get json() {
				looks++;
				return { Μάθημα: 'Φυσική' };
			},
		}));
		const from = originIn(rows, () => GRADE);
		for (let row = 0; row < 1000; row++) expect(failure(named(undefined, from)).message).toMatch(/no row has/);
		expect(looks).toBe(1000);
	});
});
