import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { foldForComparison } from '../../shared/greek';
import { hidePeoplesNumbers } from '../../shared/hide';
import { badParameter, type Problem } from '../../shared/problem';

/**
 * Where the values of a row come from. By this an empty cell, which many a spreadsheet leaves out of its row, is told
 * apart from a column that is in no row, and from a field of the node that nobody filled in.
 */
export interface Origin {
	/**
	 * Why a value is missing that a field of the node was to give.
	 *
	 * @param value undefined, null or an empty text: what the field gave
	 * @param place the placeholder's id, or in a list of values the index
	 */
	missing(name: string, value: unknown, place: string | number): Missing;
	/** Whether a column that fits a placeholder is in any row of the list, so that where it is not in this one its cell is empty. */
	hasColumn(id: string): boolean;
}

/** The origin of values that were given by placeholder, or in their order; looked at only where a value is missing. */
export function originOf(context: IExecuteFunctions, itemIndex: number): Origin {
	const raw = (name: string) =>
		(context.getNodeParameter(name, itemIndex, {}, { rawExpressions: true }) ?? {}) as IDataObject;
	return originIn(context.getInputData(), (place) => {
		if (typeof place === 'string') return (raw('placeholders').value as IDataObject | null | undefined)?.[place];
		return (raw('replacements').values as Array<{ value?: unknown }> | undefined)?.[place]?.value;
	});
}

/**
 * @param rows all rows of the run
 * @param typed what the node has for a value, an expression as it is
 */
export function originIn(rows: readonly INodeExecutionData[], typed: (place: string | number) => unknown): Origin {
	return {
		missing: (name, value, place) => missingValue(name, value, typeof place === 'string', typed(place), rows),
		hasColumn: (id) => columnsOf(rows).folded.has(nameOf(id)),
	};
}

/** Of values in a list that came as a whole. */
export const UNKNOWN_ORIGIN: Origin = {
	missing: (name, value) => (value === undefined ? noValue(name) : emptyCell(name)),
	hasColumn: () => false,
};

/** What two names of a column have in common: case, accents, spaces, _ and - make no difference. */
export const nameOf = (column: string) => foldForComparison(column.slice(0, 1000)).replace(/[\s_-]/gu, '');

/** The columns that a list has in any row, gathered once for a list. */
const columnsOfLists = new WeakMap<readonly INodeExecutionData[], { exact: Set<string>; folded: Set<string> }>();

function columnsOf(rows: readonly INodeExecutionData[]) {
	const known = columnsOfLists.get(rows);
	if (known !== undefined) return known;
	const exact = new Set(rows.flatMap(({ json }) => Object.keys(json)));
	const columns = { exact, folded: new Set([...exact].map(nameOf)) };
	columnsOfLists.set(rows, columns);
	return columns;
}

/** A value that is missing. */
export interface Missing {
	/** Says why, as far as anybody can know, and what to do. */
	problem: Problem;
	/** Whether it may be meant to be empty; a name that fits nothing is a mistake. */
	mayBeEmpty: boolean;
}

const MAY_BE_EMPTY = 'If it may be empty, switch on the option Allow Empty Values';

/** A column whose cells are all empty is in no row of many a spreadsheet. */
export const IF_IT_IS_THERE = 'If the list has that column, its cell is empty: fill it in';

/** A cell with nothing in it. */
export const emptyCell = (name: string): Missing => ({
	problem: badParameter(
		name,
		'is empty in this row',
		`The cell is empty: fill it in, or leave the row out. ${MAY_BE_EMPTY}`,
	),
	mayBeEmpty: true,
});

const mistake = (name: string, rule: string, whatToDo: string): Missing => ({
	problem: badParameter(name, rule, whatToDo),
	mayBeEmpty: false,
});

const noValue = (name: string) =>
	mistake(
		name,
		'has no value in this row',
		'The cell is empty, or there is no column of the name that the expression asks for',
	);

function missingValue(
	name: string,
	value: unknown,
	isPlaceholder: boolean,
	typed: unknown,
	rows: readonly INodeExecutionData[],
): Missing {
	if (typed === undefined && isPlaceholder) {
		return mistake(
			name,
			'has no value',
			'The text of the message has this placeholder, and the node has no field for it. Open the node, so that it shows the fields of the text, and fill it in',
		);
	}
	if (!(typeof typed === 'string' && typed.startsWith('='))) {
		return {
			problem: badParameter(name, 'is empty', `Fill in its field in the node. ${MAY_BE_EMPTY}`),
			mayBeEmpty: true,
		};
	}
	if (value !== undefined) return emptyCell(name);
	const column = columnAskedFor(typed);
	if (column === undefined) return noValue(name);
	if (columnsOf(rows).exact.has(column)) return emptyCell(name);
	return mistake(
		name,
		`has no value: no row has a column ${hidePeoplesNumbers(column.slice(0, 100))}`,
		`${IF_IT_IS_THERE}. Otherwise correct its name, in the expression or in the list. ${columnNames(columnsOf(rows).exact)}`,
	);
}

/** The column that an expression names, where it does nothing else: `={{ $json.grade }}`, `={{ $json["ΑΜ"] }}`. */
function columnAskedFor(expression: unknown): string | undefined {
	if (typeof expression !== 'string' || expression.length > 1000) return undefined;
	const [, plain, , quoted] =
		/^=\s*\{\{\s*(?:\$json|\$input\.item\.json)(?:\.([\p{L}_$][\p{L}\p{M}\p{N}_$]*)|\[\s*(["'])([^"'\\]+)\2\s*\])\s*\}\}\s*$/u.exec(
			expression,
		) ?? [];
	return plain ?? quoted;
}

/** Columns, for an error. A sheet without a header line has its first row's values there. */
export function columnNames(columns: Iterable<string>): string {
	const names = hidePeoplesNumbers([...columns].slice(0, 10).join(', ').slice(0, 1000)).slice(0, 300);
	return `Its columns: ${names || 'none'}`;
}
