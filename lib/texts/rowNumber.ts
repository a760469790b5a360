import type { INodeExecutionData } from 'n8n-workflow';

/** The numbers of a list's rows, by which everything that is said of a row names it. */
export interface RowNumbers {
	/** In the order of the list. */
	numbers: number[];
	/**
	 * Whether the spreadsheet shows these numbers. Otherwise they count the items of the run from 1, without the headings and
	 * empty lines of a sheet. A text for an admin then says "item 2", and a text for people says "entry 2, without the headings".
	 */
	areOfSheet: boolean;
}

/**
 * Numbers the rows of a list as their spreadsheet does, if every row still knows its place in it and no two have the same.
 * n8n's Extract from File leaves the place on each item, from 0, as a hidden property that does not survive as JSON text.
 * So *Execute workflow* knows it, and *Execute step*, which takes its items from the stored run, does not.
 */
export function numberRows(rows: INodeExecutionData[]): RowNumbers {
	const places = rows.map(({ json }) => (Object.keys(json).includes('__rowNum__') ? undefined : json.__rowNum__));
	const numbers = places.flatMap((place) => (typeof place === 'number' && Number.isInteger(place) ? [place + 1] : []));
	const areOfSheet = rows.length > 0 && new Set(numbers).size === rows.length;
	return areOfSheet ? { numbers, areOfSheet } : { numbers: rows.map((_, index) => index + 1), areOfSheet };
}

/** The name of a row in a text for an admin, as in "row 5 (…678)". @param end the last digits of its person's number */
export function nameForAdmin(number: number, { areOfSheet }: RowNumbers, end = ''): string {
	return `${areOfSheet ? 'row' : 'item'} ${number}${end === '' ? '' : ` (…${end})`}`;
}

/** As in "2 rows", or "2 items" if nobody knows the numbers of the spreadsheet. */
export const countForAdmin = (count: number, { areOfSheet }: RowNumbers): string =>
	`${count} ${areOfSheet ? 'row' : 'item'}${count === 1 ? '' : 's'}`;
