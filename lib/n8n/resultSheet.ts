import type { IDataObject } from 'n8n-workflow';

import { shownCell } from '../values/sheetCell';
import { isBlank } from './parameters';

/*
 * Result sheets: the rows of a list with result columns after the list's own, as Compare and Who Got It write them. The
 * result columns of an earlier run are replaced, so that the same file can be used again.
 */

/** The result columns of a sheet. */
export interface Headings {
	/** The names of the columns. The first column has one of `firstCells` in every row. */
	names: Record<'el' | 'en', readonly string[]>;
	/** The values of the first column in both languages. They show that a list is an earlier result sheet. */
	firstCells: ReadonlySet<unknown>;
	/** Added to the name of a result column if the list has a column of that name, as in «Κατάσταση (SMS)». */
	mark: string;
}

interface SheetInput {
	rows: IDataObject[];
	/** The columns of all rows, in their order. */
	columns: Iterable<string>;
	headings: Headings;
	language: 'el' | 'en';
	/** IANA name of the time zone in which dates are shown. */
	timeZone: string;
	/** Returns the cell of a list column if it is shown in another way than `shownCell` does; otherwise undefined. */
	cellOf?: (name: string, row: IDataObject) => string | undefined;
}

/** Prepares a result sheet for a list. Each row that it writes has every column in the same order. */
export function openResultSheet({ rows, columns, headings, language, timeZone, cellOf }: SheetInput) {
	const { own, ours } = splitResultColumns(rows, columns, headings, language);
	return {
		/** The columns of the list, without the result columns of an earlier run. */
		listColumns: own,
		/**
		 * Returns a row of the sheet.
		 * @param results the cells of the result columns
		 * @param missing cells of list columns that the row does not have
		 */
		row(row: IDataObject, results: readonly string[], missing: Record<string, string> = {}): IDataObject {
			const cell = (name: string) =>
				Object.hasOwn(row, name)
					? (cellOf?.(name, row) ?? shownCell(name, row[name] ?? '', timeZone))
					: (missing[name] ?? '');
			return Object.fromEntries([
				...own.map((name) => [name, cell(name)]),
				...ours.map((name, index) => [name, results[index] ?? '']),
			]) as IDataObject;
		},
	};
}

/**
 * Splits the columns of a list into the user's own and the result columns. Own columns exclude those of an earlier sheet, which
 * is recognised if its first column contains only our texts.
 */
export function splitResultColumns(
	rows: IDataObject[],
	columns: Iterable<string>,
	{ names, firstCells, mark }: Headings,
	language: 'el' | 'en',
): { own: string[]; ours: string[] } {
	const own = new Set(columns);
	// A column that is empty in every row can be the user's, so it stays, and so do the columns beside it.
	const isOurs = (name: string) =>
		rows.some((row) => firstCells.has(row[name])) &&
		rows.every((row) => isBlank(row[name]) || firstCells.has(row[name]));
	const marked = (name: string) => `${name} (${mark})`;
	for (const [first, ...others] of Object.values(names)) {
		const earlier = [marked(first!), first!].find(isOurs);
		if (earlier === undefined) continue;
		for (const name of [earlier, ...others.map((name) => (own.has(marked(name)) ? marked(name) : name))])
			own.delete(name);
	}
	const ours = names[language].map((name) => (own.has(name) ? marked(name) : name));
	return { own: [...own], ours };
}
