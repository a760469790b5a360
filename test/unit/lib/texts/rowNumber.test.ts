import type { IDataObject } from 'n8n-workflow';

import { numberRows } from '../../../../lib/texts/rowNumber';

/** Returns an item as n8n's Extract from File makes it, with the hidden index of its row in the sheet. */
const fromSheet = (place: unknown) => ({
	json: Object.defineProperty({ a: 1 } as IDataObject, '__rowNum__', { value: place, enumerable: false }),
});

describe('row numbers', () => {
	it('are those of the spreadsheet if each item has the index of its row', () => {
		expect(numberRows([1, 2, 5].map(fromSheet))).toEqual({ numbers: [2, 3, 6], areOfSheet: true });
	});

	it.each([
		['no item has the index of its row', [{ json: {} }, { json: {} }]],
		['one item does not have it', [fromSheet(4), { json: {} }]],
		['two items have the same index, because they are of two sheets', [fromSheet(4), fromSheet(4)]],
		['the index is not a whole number', [fromSheet('x'), fromSheet(1.5)]],
		['the index is a visible column', [{ json: { __rowNum__: 7 } }, { json: { __rowNum__: 8 } }]],
	])('start at 1 if %s', (_, rows) => {
		expect(numberRows(rows)).toEqual({ numbers: [1, 2], areOfSheet: false });
	});
});
