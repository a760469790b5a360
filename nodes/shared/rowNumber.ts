import type { INodeExecutionData } from 'n8n-workflow';

/** The numbers of a list's rows, by which everything that is said of a row names it. */
export interface RowNumbers {
	/** In the order of the list. */
	numbers: number[];
	/** Whether the spreadsheet shows them; otherwise the rows are counted from 1, without headings and empty lines. */
	areOfSheet: boolean;
}

/**
 * Numbers the rows of a list as their spreadsheet does, where every row still knows its place in it and no two have the
 * same: n8n's Extract from File leaves it on each item, from 0, as a hidden property that the JSON text has not.
 */
export function numberRows(rows: INodeExecutionData[]): RowNumbers {
	const places = rows.map(({ json }) => (Object.keys(json).includes('__rowNum__') ? undefined : json.__rowNum__));
	const numbers = places.flatMap((place) => (typeof place === 'number' && Number.isInteger(place) ? [place + 1] : []));
	const areOfSheet = rows.length > 0 && new Set(numbers).size === rows.length;
	return areOfSheet ? { numbers, areOfSheet } : { numbers: rows.map((_, index) => index + 1), areOfSheet };
}
