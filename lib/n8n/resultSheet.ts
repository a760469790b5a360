import type { IDataObject } from 'n8n-workflow';

import { shownCell } from '../values/sheetCell';
import { isBlank } from './parameters';

/*
 * Makes result sheets: the rows in a list, with result columns after the columns in the list. The operations Compare and Who Got
 * It write such sheets. Result columns of an earlier run are replaced, so that a user can use the same file again.
 */

/** The result columns in a sheet. */
export interface Headings {
	/** The names of the columns in both languages. */
	names: Record<'el' | 'en', readonly string[]>;
	/** All values that the first result column can have, in both languages. They show that a list is an earlier result sheet. */
	firstCells: ReadonlySet<unknown>;
	/** A word that is added to a result column's name if the list has a column of that name, as in «Κατάσταση (SMS)». */
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
	/** Returns the cell of a list column. Undefined: `shownCell` makes the cell. */
	cellOf?: (name: string, row: IDataObject) => string | undefined;
}

/** Prepares the result sheet of a list. Each row in the sheet has all columns in the same order. */
export function openResultSheet({ rows, columns, headings, language, timeZone, cellOf }: SheetInput) {
	const { listColumns, resultColumns } = splitResultColumns(rows, columns, headings, language);
	return {
		/** The columns in the list, without the result columns of an earlier run. */
		listColumns,
		/**
		 * Returns a row in the sheet.
		 * @param results the cells of the result columns
		 * @param missing the cells for list columns that the row does not have
		 */
		row(row: IDataObject, results: readonly string[], missing: Record<string, string> = {}): IDataObject {
			const cell = (name: string) =>
				Object.hasOwn(row, name)
					? (cellOf?.(name, row) ?? shownCell(name, row[name] ?? '', timeZone))
					: (missing[name] ?? '');
			return Object.fromEntries([
				...listColumns.map((name) => [name, cell(name)]),
				...resultColumns.map((name, index) => [name, results[index] ?? '']),
			]) as IDataObject;
		},
	};
}

/**
 * Splits the columns in a list into the user's own columns (`listColumns`) and the result columns to write (`resultColumns`).
 * The result columns of an earlier sheet do not count as the user's own. They are recognised by their first column: at least
 * one of its cells contains a value of `firstCells`, and each other cell is empty or contains such a value too.
 */
export function splitResultColumns(
	rows: IDataObject[],
	columns: Iterable<string>,
	{ names, firstCells, mark }: Headings,
	language: 'el' | 'en',
): { listColumns: string[]; resultColumns: string[] } {
	const listColumns = new Set(columns);
	// A first result column that is empty in every row may be the user's own. So it counts as the user's own, and so do the
	// columns with the names of the other result columns.
	const isOurs = (name: string) =>
		rows.some((row) => firstCells.has(row[name])) &&
		rows.every((row) => isBlank(row[name]) || firstCells.has(row[name]));
	const marked = (name: string) => `${name} (${mark})`;
	for (const [first, ...others] of Object.values(names)) {
		const earlier = [marked(first!), first!].find(isOurs);
		if (earlier === undefined) continue;
		for (const name of [earlier, ...others.map((name) => (listColumns.has(marked(name)) ? marked(name) : name))])
			listColumns.delete(name);
	}
	const resultColumns = names[language].map((name) => (listColumns.has(name) ? marked(name) : name));
	return { listColumns: [...listColumns], resultColumns };
}
