import type { IDataObject } from 'n8n-workflow';

import { columnField } from '../../../../nodes/Amka/compareFields';
import { splitResultColumns, columnKey, MOBILE, namesInOrder, valueIn } from '../../../../lib/n8n/columns';

const rows = (...texts: string[]) => texts.map((text) => Object.fromEntries([...text].map((name) => [name, 1])));

describe('the columns of a list are in its order', () => {
	it.each<[string[], string]>([
		[['ABCD'], 'ABCD'],
		[['ABD', 'ABCD'], 'ABCD'],
		[['BC', 'ABC'], 'ABC'],
		[['ABC', 'ACD', 'ABD'], 'ABCD'],
		[['AD', 'ABE', 'ABCDE'], 'ABCDE'],
		[['', 'AB', 'AXB'], 'AXB'],
		[['AB', 'BA'], 'AB'],
		[[], ''],
	])('of the rows %j: %s', (texts, order) => {
		expect(namesInOrder(rows(...texts)).join('')).toBe(order);
	});
});

describe("columns of an earlier sheet are replaced; others are the list's own, and stay", () => {
	const headings = {
		names: { el: ['Α', 'Β'], en: ['Result', 'Note'] },
		words: new Set(['ναι', 'όχι', 'yes']),
		mark: 'SMS',
	};
	it.each<[object, string[], string[]]>([
		[{ x: 1, Α: 'ναι', Β: 'old' }, ['x'], ['Α', 'Β']],
		[{ Β: 'own', x: 1, Α: '' }, ['Β', 'x', 'Α'], ['Α (SMS)', 'Β (SMS)']],
		[{ Α: 'ναι ή όχι', x: 1, Β: 2 }, ['Α', 'x', 'Β'], ['Α (SMS)', 'Β (SMS)']],
		[{ Α: 'own', x: 1, 'Α (SMS)': 'όχι', Β: 'old' }, ['Α', 'x'], ['Α (SMS)', 'Β']],
		[{ Β: 'own', x: 1, Α: 'όχι', 'Β (SMS)': 'old' }, ['Β', 'x'], ['Α', 'Β (SMS)']],
		[{ x: 1, Result: 'yes', Note: 'old' }, ['x'], ['Α', 'Β']],
		[{ x: 1, Result: 'B', Note: 'own' }, ['x', 'Result', 'Note'], ['Α', 'Β']],
		[{ x: 1, Note: 'own' }, ['x', 'Note'], ['Α', 'Β']],
		[{}, [], ['Α', 'Β']],
	])('%j: own %j, ours %j', (row, own, ours) => {
		const rows = [{ ...row }, {}];
		expect(splitResultColumns(rows, namesInOrder(rows), headings, 'el')).toEqual({ own, ours });
	});
});

test('two columns with one mobile are no two values', () => {
	const value = (row: IDataObject) => valueIn(row, ['Κινητό', 'Mobile'], MOBILE);
	expect(value({ Κινητό: '6912345678', Mobile: '+30 691 234 5678' })).toBe('6912345678');
	expect(() => value({ Κινητό: '6912345678', Mobile: '6912345679' })).toThrow('Two columns fit');
});

test('what SMS Send takes for a phone is one that AMKA compares', () => {
	expect(MOBILE.names.flat().filter((name) => columnField(name) !== 'phone')).toEqual([]);
	expect(columnField('Αρ. τηλεφώνου')).toBe('phone');
});
test.each([
	[
		'Κινητό',
		[
			'Κινητό *',
			'«Κινητό»',
			'Κινητό:',
			'Κινητό (69...)',
			'"ΚΙΝΗΤΟ"',
			'’κινητο‘',
			'“Κινητό”',
			'Κινητό (69…) *',
			'«Κινητό (69...)»',
			'Κινητό (κύριο) (69...): ',
			'Κινητό（υποχρεωτικό）:',
		],
	],
	['Όνομα πατρός', ['ονομα_πατροσ', 'Όνομα-πατρός (με κεφαλαία)']],
	['label (2)', ['Label (2)', 'label ( 2 ) *']],
	['Επώνυμο (λατινικά)', ['Επώνυμο, λατινικά', 'ΕΠΩΝΥΜΟ (ΛΑΤΙΝΙΚΑ)', 'Επώνυμο (λατινικά) *']],
	['Surname (EN)', ['surname en']],
])('%s is called so too: %j', (name, others) => {
	for (const other of others) expect([other, columnKey(other)]).toEqual([other, columnKey(name)]);
});

test.each([
	['label', 'label (2)'],
	['Επώνυμο', 'Επώνυμο (λατινικά)'],
	['Επώνυμο', 'Επώνυμο (με λατινικούς χαρακτήρες)'],
	['Surname', 'Surname (EN)'],
	['', '(69...)'],
	['Κινητό', 'Κινητό (69...) μητέρας'],
])('%s and %s are two', (one, other) => {
	expect(columnKey(one)).not.toBe(columnKey(other));
});

test('a heading with a remark, a quotation or a number is what it is without', () => {
	for (const [column, field] of Object.entries({
		...{ 'Κινητό (69...)': 'phone', 'Τηλέφωνο 2': 'phone', 'Τηλέφωνο (2)': 'phone', '«Όνομα»': 'givenName' },
		...{ 'Α.Φ.Μ. *': 'taxId', 'Επώνυμο (Λατινικά)': 'surnameLatin', 'Father’s Name': 'fatherName' },
	}))
		expect([column, columnField(column)]).toEqual([column, field]);
});
