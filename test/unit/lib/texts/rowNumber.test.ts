import type { IDataObject } from 'n8n-workflow';

import { numberRows } from '../../../../lib/texts/rowNumber';

/** An item of n8n's Extract from File, which leaves the row's place in the sheet on it. */
const fromSheet = (place: unknown) => ({
	json: Object.defineProperty({ a: 1 } as IDataObject, '__rowNum__', { value: place, enumerable: false }),
});

describe('row numbers', () => {
	it('are those of the spreadsheet if each item has one', () => {
		expect(numberRows([1, 2, 5].map(fromSheet))).toEqual({ numbers: [2, 3, 6], areOfSheet: true });
	});

	it.each([
		['no row knows its place', [{ json: {} }, { json: {} }]],
		['one row does not', [fromSheet(4), { json: {} }]],
		['two rows have the same, as of two sheets', [fromSheet(4), fromSheet(4)]],
		['it is no number', [fromSheet('x'), fromSheet(1.5)]],
		['a column has that name', [{ json: { __rowNum__: 7 } }, { json: { __rowNum__: 8 } }]],
	])('start at 1 if %s', (_, rows) => {
		expect(numberRows(rows)).toEqual({ numbers: [1, 2], areOfSheet: false });
	});
});
