import type { IDataObject } from 'n8n-workflow';

import { columnsOf, type Columns } from '../../../../lib/n8n/columns';
import { noticeOf } from '../../../../lib/texts/notice';
import { Problem } from '../../../../lib/texts/problem';
import { makeReplacements, type Values } from '../../../../lib/smsPlatform/replacements';

const known = { text: '{Μάθημα,1}: {Βαθμός,2}', placeholders: ['Μάθημα', 'Βαθμός'] };
const predefined = { serviceId: 'grades', messageId: 'result', known, describeKnownMessages: () => '' };

type Given = { list: unknown[] } | { byName: IDataObject } | { row: IDataObject; columns: Columns };

/** Returns values in the time zone of Athens. No value was composed by an expression. */
const of = (given: Given): Values => ({ ...given, timeZone: 'Europe/Athens', isComposed: () => false });

const filled = (given: Given, allowEmpty = false) =>
	makeReplacements(of(given), predefined, { allowEmpty, isList: true });

/** Returns the values of the first row, which are found by its columns. */
const byColumn = (...rows: IDataObject[]): Given => ({
	row: rows[0]!,
	columns: columnsOf({ getInputData: () => rows.map((json) => ({ json })) }),
});

function failure(values: Given, allowEmpty = false): Problem {
	try {
		filled(values, allowEmpty);
	} catch (error) {
		expect(error).toBeInstanceOf(Problem);
		return error as Problem;
	}
	throw new Error('No error');
}

describe('a number as a replacement', () => {
	it.each<[number, string]>([
		[8.5, '8,5'],
		[0.1 + 0.2, '0,3'],
		[0.000001, '0,000001'],
		[1.5e-7, '1,5e-7'],
		[8, '8'],
		[-0, '0'],
		[6900000001, '6900000001'],
		[2 ** 53 - 1, '9007199254740991'],
	])('such as %p is sent as %s', (number, text) => {
		expect(filled({ list: ['x', number] }).replacements).toEqual(['x', text]);
	});

	it.each<[string, Given]>([
		['by placeholder', { byName: { Μάθημα: '8.5', Βαθμός: 8.5 } }],
		['by column', byColumn({ Μάθημα: '8.5', 'ΒΑΘΜΟΣ ': 8.5 })],
	])('gets a decimal comma, but the same number as text is sent unchanged: values %s', (_, values) => {
		expect(filled(values)).toMatchObject({ replacements: ['8.5', '8,5'], text: '8.5: 8,5', segments: 1 });
	});

	it.each([
		[Number.NaN, 'notValue'],
		[Number.POSITIVE_INFINITY, 'notText'],
	])('with the value %p is an error', (number, reason) => {
		expect(failure({ list: ['x', number] }).why).toMatchObject({ reason, about: { field_en: 'Βαθμός' } });
	});

	it.each<[unknown, string | undefined]>([
		[36_526, 'looksLikeDate'],
		[54_788, 'looksLikeDate'],
		[36_525, undefined],
		[54_789, undefined],
		[46_150.5, 'looksLikeDate'],
		[0.375, 'looksLikeDate'],
		[10 / 24, 'looksLikeDate'],
		[46_150.123, undefined],
		[0.85, 'looksLikeDate'],
		[0.29, 'looksLikeDate'],
		[0.7, undefined],
		[0.5, undefined],
		[1, undefined],
		['46150', undefined],
		[8.5, undefined],
		[8.1 + 0.2, undefined],
		[22 / 3, 'longNumber'],
		[1e-7, 'longNumber'],
		['7,3333333333', undefined],
	])(
		'such as %p gets the warning %p (undefined: no warning), because Excel may have stored a date, time, percentage or formula result',
		(value, kind) => {
			const { warnings, replacements } = filled({ list: ['x', value] });
			const warning = { kind, field_el: 'Βαθμός', field_en: 'Βαθμός', value: replacements[1] };
			expect(warnings).toEqual(kind === undefined ? [] : [warning]);
		},
	);
});

describe('the value of a replacement', () => {
	it('is sent in composed Unicode form (NFC), for any spelling', () => {
		const spellings = ['ή', 'ή'.normalize('NFD'), 'η\u200b\ufeff\u0301'];
		for (const value of spellings) expect(filled({ list: [value, '1'] }).replacements[0]).toBe('ή');
		expect(filled({ list: ['👩\u200d🎓 \u200bα', '1'] }).replacements[0]).toBe('👩\u200d🎓 \u200bα');
	});

	it.each<[string, Given, boolean]>([
		['an empty text', { byName: { Μάθημα: 'Φυσική', Βαθμός: '' } }, true],
		['null', { byName: { Μάθημα: 'Φυσική', Βαθμός: null } }, true],
		['an empty cell that only other rows fill', byColumn({ Μάθημα: 'Φυσική' }, { βαθμος: 8 }), true],
		['an empty column of its name', byColumn({ Μάθημα: 'Φυσική', ΒΑΘΜΟΣ: '' }), true],
		['an entry of a list', { list: ['Φυσική', null] }, true],
		['an expression that gives nothing', { byName: { Μάθημα: 'Φυσική', Βαθμός: undefined } }, false],
		['an expression that gives nothing, in a list', { list: ['Φυσική', undefined] }, false],
	])('is an error that names its placeholder if it is empty: %s', (_, values, mayBeEmpty) => {
		const { why } = failure(values);
		expect(why.reason).toBe('emptyValue');
		expect(noticeOf(why, 'el')).toMatch(/^Το «Βαθμός» δεν έχει τιμή\. Συμπληρώστε το/);
		if (!mayBeEmpty) expect(failure(values, true).why.reason).toBe('emptyValue');
		else expect(filled(values, true).replacements[1]!.replace(/[\s\u200b]/g, '')).toBe('');
	});

	it('comes from the column whose heading is the name of the placeholder, not from a column with an additional remark in brackets', () => {
		const row = { Μάθημα: 'Φυσική', 'Βαθμός (με βάρος)': 7, βαθμος: 8 };
		expect(filled(byColumn(row)).replacements).toEqual(['Φυσική', '8']);
	});

	it.each<[string, Given, string, RegExp]>([
		[
			'no column has its name',
			byColumn({ Μάθημα: 'Φυσική', ΑΜ: 7 }),
			'missingColumn',
			/no column "Βαθμός".*Μάθημα, ΑΜ/,
		],
		['the list has no data', byColumn({}), 'emptyList', /contains no data/],
		[
			'two columns have its name and differ',
			byColumn({ Μάθημα: 'x', βαθμος: 7, ΒΑΘΜΟΣ: 8 }),
			'twoColumns',
			/βαθμος, ΒΑΘΜΟΣ/,
		],
		[
			'the list has too few values',
			{ list: ['x'] },
			'wrongCount',
			/number of values is 1, but the message needs 2\. The placeholders of the message are Μάθημα, Βαθμός\. Correct the list/,
		],
		['it is a list', { byName: { Μάθημα: 'x', Βαθμός: ['y'] } as IDataObject }, 'notText', /Βαθμός/],
		['it is a number that has lost digits', { list: ['x', 2 ** 53] }, 'digitsLost', /lost digits/],
		['it has a control character', { list: ['x', 'a\u0000'] }, 'notText', /Βαθμός/],
		['it is longer than any SMS', { list: ['x', 'a'.repeat(40_001)] }, 'tooLong', /Βαθμός/],
	])('is an error if %s', (_, values, reason, text) => {
		const { why, message, description } = failure(values);
		expect(why.reason).toBe(reason);
		expect(`${message}. ${description}`).toMatch(text);
	});

	it('can be found by name only if the text of the message is known; values in order need no text', () => {
		const unknown = { ...predefined, known: undefined };
		expect(makeReplacements(of({ list: ['x', 8] }), unknown, { allowEmpty: false, isList: true })).toEqual({
			replacements: ['x', '8'],
			warnings: [],
		});
		expect(() => makeReplacements(of({ byName: {} }), unknown, { allowEmpty: false, isList: true })).toThrow(
			/text of the message is not known/,
		);
	});
});
