import type { IDataObject } from 'n8n-workflow';

import { columnField } from '../../../../nodes/Amka/comparedFields';
import { columnKey, MOBILE, namesInOrder, valueIn } from '../../../../lib/n8n/columns';

const rows = (...texts: string[]) => texts.map((text) => Object.fromEntries([...text].map((name) => [name, 1])));

describe('namesInOrder', () => {
	it.each<[string[], string]>([
		[['ABCD'], 'ABCD'],
		[['ABD', 'ABCD'], 'ABCD'],
		[['BC', 'ABC'], 'ABC'],
		[['ABC', 'ACD', 'ABD'], 'ABCD'],
		[['AD', 'ABE', 'ABCDE'], 'ABCDE'],
		[['', 'AB', 'AXB'], 'AXB'],
		[['AB', 'BA'], 'AB'],
		[[], ''],
	])('merges the columns of the items %j into %s', (texts, order) => {
		expect(namesInOrder(rows(...texts)).join('')).toBe(order);
	});
});

test('two phone columns of a row are accepted if they have the same number, and are an error otherwise', () => {
	const value = (row: IDataObject) => valueIn(row, ['Κινητό', 'Mobile'], MOBILE);
	expect(value({ Κινητό: '6912345678', Mobile: '+30 691 234 5678' })).toBe('6912345678');
	expect(() => value({ Κινητό: '6912345678', Mobile: '6912345679' })).toThrow('Two columns match');
});

test('AMKA recognises every column heading that SMS Send reads as a phone', () => {
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
])('the column %s is recognised in each of the spellings %j', (name, others) => {
	for (const other of others) expect([other, columnKey(other)]).toEqual([other, columnKey(name)]);
});

test.each([
	['label', 'label (2)'],
	['Επώνυμο', 'Επώνυμο (λατινικά)'],
	['Επώνυμο', 'Επώνυμο (με λατινικούς χαρακτήρες)'],
	['Surname', 'Surname (EN)'],
	['', '(69...)'],
	['Κινητό', 'Κινητό (69...) μητέρας'],
])('the headings "%s" and "%s" are different columns', (one, other) => {
	expect(columnKey(one)).not.toBe(columnKey(other));
});

test('AMKA recognises a column heading that has quotation marks, a remark in brackets, or a number', () => {
	for (const [column, field] of Object.entries({
		...{ 'Κινητό (69...)': 'phone', 'Τηλέφωνο 2': 'phone', 'Τηλέφωνο (2)': 'phone', '«Όνομα»': 'givenName' },
		...{ 'Α.Φ.Μ. *': 'taxId', 'Επώνυμο (Λατινικά)': 'surnameLatin', 'Father’s Name': 'fatherName' },
	}))
		expect([column, columnField(column)]).toEqual([column, field]);
});
