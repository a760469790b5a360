import type { INodeExecutionData } from 'n8n-workflow';

/** The numbers of a list's rows. All texts about a row use them. */
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
 * Numbers the rows of a list as their spreadsheet does, if every row still has its place in it and no two places are equal.
 * n8n's Extract from File leaves the place on each item, from 0, as a hidden property that does not survive as JSON text.
 * So *Execute workflow* has the places. *Execute step* takes its items from the stored run and does not have them.
 */
export function numberRows(rows: INodeExecutionData[]): RowNumbers {
	const places = rows.map(({ json }) => (Object.keys(json).includes('__rowNum__') ? undefined : json.__rowNum__));
	const numbers = places.flatMap((place) => (typeof place === 'number' && Number.isInteger(place) ? [place + 1] : []));
	const areOfSheet = rows.length > 0 && new Set(numbers).size === rows.length;
	return areOfSheet ? { numbers, areOfSheet } : { numbers: rows.map((_, index) => index + 1), areOfSheet };
}

/**
 * Returns the name of a row in a text for an admin, as in "row 5 (…678)".
 * @param end the last digits of its person's number
 */
export function nameForAdmin(number: number, { areOfSheet }: RowNumbers, end = ''): string {
	return `${areOfSheet ? 'row' : 'item'} ${number}${end === '' ? '' : ` (…${end})`}`;
}

/** Returns a count, as in "2 rows", or "2 items" if the numbers of the spreadsheet are not known. */
export const countForAdmin = (count: number, { areOfSheet }: RowNumbers): string =>
	`${count} ${areOfSheet ? 'row' : 'item'}${count === 1 ? '' : 's'}`;
