import type { IDataObject } from 'n8n-workflow';

import { columnField } from '../../../nodes/Amka/compareFields';
import { MOBILE, namesInOrder, ownColumns, valueIn } from '../../../nodes/shared/columns';

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

test('columns of an earlier sheet are ours in the other language where most of them are there', () => {
	const headings = { el: ['Α'], en: ['Result', 'Differs', 'Missing', 'Note'] };
	expect(ownColumns(['x', 'Α', 'Result', 'Note'], headings, 'el')).toEqual(['x', 'Result', 'Note']);
	expect(ownColumns(['x', 'Differs', 'Note', 'Result'], headings, 'el')).toEqual(['x']);
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
