import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { foldForComparison } from './greek';
import { isNothing } from './parameter';
import { fault } from './problem';

/*
 * The columns of a list by their names. A reader of sheets leaves empty cells out of their rows, so which column a field's
 * is, is decided from all rows of a run; where its cell is empty, the field is empty, and no other column stands in for it.
 */

/** A field that is taken from a list by the names that its column may have. */
export interface NamedField {
	/** What the field is called in a fault, in Greek and English: the name that its column should have. */
	label: { el: string; en: string };
	/** Names of its column. Those of a later group count only where the list has none of the groups before it. */
	names: readonly (readonly string[])[];
}

/** What two names of a column have in common: case, accents, spaces, dots, dashes, `_`, `/` and final sigma make no difference. */
export const columnKey = (name: string): string =>
	foldForComparison(name.slice(0, 1000)).replace(/[\s._\p{Pd}\u2212/]/gu, '');

/** The columns of a list, in the order in which its rows have them first. */
export interface Columns {
	names: string[];
	/** By what their names have in common. */
	byKey: Map<string, string[]>;
}

const columnsOfLists = new WeakMap<object, Columns>();

/** Gathered once for the rows of a run. */
export function columnsOf(context: Pick<IExecuteFunctions, 'getInputData'>): Columns {
	const rows = context.getInputData();
	const known = columnsOfLists.get(rows);
	if (known !== undefined) return known;
	const names = new Set<string>();
	for (const { json } of rows) for (const name of Object.keys(json)) names.add(name);
	const byKey = new Map<string, string[]>();
	for (const name of names) {
		const key = columnKey(name);
		byKey.set(key, [...(byKey.get(key) ?? []), name]);
	}
	const columns = { names: [...names], byKey };
	columnsOfLists.set(rows, columns);
	return columns;
}

/** Whether a parameter was left empty in the form: an expression that evaluates to nothing is another thing. */
export function isLeftEmpty(context: IExecuteFunctions, name: string, itemIndex = 0): boolean {
	return isNothing(context.getNodeParameter(name, itemIndex, '', { rawExpressions: true }));
}

/**
 * The columns that are a field's by their names: the same for every row of a run.
 *
 * @throws Problem where no row has anything, or none has such a column: a fault of the whole list
 */
export function columnsNamed(columns: Columns, { label, names }: NamedField): string[] {
	for (const group of names) {
		const found = [...new Set(group.map(columnKey))].flatMap((key) => columns.byKey.get(key) ?? []);
		if (found.length > 0) return columns.names.filter((name) => found.includes(name));
	}
	throw missingColumn(columns, label);
}

/** The fault of a list that lacks a column; of one without any, that it is empty. */
export function missingColumn(columns: Columns, label: { el: string; en: string }) {
	if (columns.names.length === 0) return fault('emptyList');
	const few = columns.names.slice(0, 10).join(', ');
	return fault('missingColumn', { field_el: label.el, field_en: label.en, columns: few });
}

/**
 * The value of a field in a row: that of its column, undefined where the cell is empty.
 *
 * @param found the columns that are the field's
 * @throws Problem where two of them differ in this row
 */
export function valueIn(row: IDataObject, found: string[], label: { el: string; en: string }): unknown {
	const values = found.map((name) => row[name]).map((value) => (isNothing(value) ? undefined : value));
	const cells = new Set(values.map((value) => String(value ?? '').trim()));
	if (cells.size < 2) return values[0];
	throw fault('twoColumns', { field_el: label.el, field_en: label.en, columns: found.slice(0, 3).join(', ') });
}

/**
 * The columns of a list without those that an earlier sheet of ours has put behind them. In the other language one such
 * heading may be a column of the list's own.
 *
 * @param names of the columns, in their order
 * @param headings of what is put behind them, in the two languages
 * @param language of the sheet that is made
 */
export function ownColumns(
	names: Iterable<string>,
	headings: Record<'el' | 'en', readonly string[]>,
	language: 'el' | 'en',
): string[] {
	const own = new Set(names);
	for (const ours of Object.values(headings)) {
		const found = ours.filter((heading) => own.has(heading));
		if (ours === headings[language] || found.length > 1) for (const heading of found) own.delete(heading);
	}
	return [...own];
}
