import type { INodeExecutionData } from 'n8n-workflow';

/** The numbers of the rows in a list, for texts about a row. */
export interface RowNumbers {
	/** The numbers in the order of the list. */
	numbers: number[];
	/**
	 * Whether the spreadsheet shows the same numbers. Otherwise the numbers count the items of the run from 1. This count
	 * leaves out the headings and the empty lines of the sheet. Then a text for an admin says "item 2", and a text for people
	 * says "entry 2, without the headings".
	 */
	areOfSheet: boolean;
}

/**
 * Numbers the rows in a list. The numbers are those of the spreadsheet, if each row has its place in the spreadsheet and no two
 * places are equal. n8n's node Extract from File writes the place into each item, from 0. It is a hidden property that is lost if
 * the item is stored as JSON. So the places are known with *Execute workflow*. They are not known with *Execute step*, which
 * takes its items from a stored run.
 */
export function numberRows(rows: INodeExecutionData[]): RowNumbers {
	const places = rows.map(({ json }) => (Object.keys(json).includes('__rowNum__') ? undefined : json.__rowNum__));
	const numbers = places.flatMap((place) => (typeof place === 'number' && Number.isInteger(place) ? [place + 1] : []));
	const areOfSheet = rows.length > 0 && new Set(numbers).size === rows.length;
	return areOfSheet ? { numbers, areOfSheet } : { numbers: rows.map((_, index) => index + 1), areOfSheet };
}

/**
 * Returns the name of a row in a text for an admin, such as "row 5 (…678)".
 * @param end the last digits of the person's mobile or AMKA
 */
export function nameForAdmin(number: number, { areOfSheet }: RowNumbers, end = ''): string {
	return `${areOfSheet ? 'row' : 'item'} ${number}${end === '' ? '' : ` (…${end})`}`;
}

/** Returns a count of rows, such as "2 rows", or "2 items" if the numbers of the spreadsheet are not known. */
export const countForAdmin = (count: number, { areOfSheet }: RowNumbers): string =>
	`${count} ${areOfSheet ? 'row' : 'item'}${count === 1 ? '' : 's'}`;
