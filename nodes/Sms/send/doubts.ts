import { noticeOf, type Language } from '../../shared/notice';
import type { Results } from '../../shared/pool';
import { Problem } from '../../shared/problem';
import { countRows, nameRow } from '../../shared/summary';
import type { Doubt } from '../outgoing/replacements';
import type { RowResult } from './rowResult';

/** What can be right and seldom is, of a list as a whole. */
export interface ListDoubt {
	kind: 'looksLikeDate' | 'moreThanRemembered';
	notice: string;
	/** How many rows, and the first of them, from 1, with their values. */
	rows: number;
	examples: number[];
	values: string[];
}

/** How many rows are named for example. */
const EXAMPLES = 3;

/** So many messages are remembered at least: of a longer list the first ones are forgotten while the last ones are sent. */
const REMEMBERED = 30_000;

/** The doubts of a list, one for each placeholder. */
export function doubtsOf(results: Results<RowResult>, language: Language): ListDoubt[] {
	const found = new Map<string, Array<{ row: number; value: string }>>();
	for (const [row, { field, value }] of allDoubts(results)) {
		found.set(field, [...(found.get(field) ?? []), { row: row + 1, value }]);
	}
	const dates = [...found].map(([field, cells]): ListDoubt => {
		const notice = noticeOf({ reason: 'looksLikeDate', about: { field, value: cells[0]!.value } }, language);
		const few = cells.slice(0, EXAMPLES);
		const [examples, values] = [few.map(({ row: each }) => each), few.map(({ value }) => value)];
		return { kind: 'looksLikeDate', notice, rows: cells.length, examples, values };
	});
	if (results.length <= REMEMBERED) return dates;
	const about = { rows: results.length, most: REMEMBERED };
	const notice = noticeOf({ reason: 'moreThanRemembered', about }, language);
	return [...dates, { kind: 'moreThanRemembered', notice, rows: results.length, examples: [], values: [] }];
}

function* allDoubts(results: Results<RowResult>): Generator<[row: number, doubt: Doubt]> {
	for (const [row, result] of results.entries()) {
		if (result === undefined || result instanceof Problem || result.kind === 'skipped') continue;
		for (const doubt of result.doubts) yield [row, doubt];
	}
}

/** For the summary of a run that sent; undefined where there are none. */
export function doubtsHint(results: Results<RowResult>): string | undefined {
	const cells = [...allDoubts(results)];
	if (cells.length === 0) return undefined;
	const few = cells.slice(0, EXAMPLES).map(([row, { field, value }]) => `${field} in the ${nameRow(row)}: ${value}`);
	return `${countRows(new Set(cells.map(([row]) => row)).size)} with a number by which Excel counts days (${few.join('; ')}${cells.length > EXAMPLES ? '; …' : ''}). Excel may have made a date of what was typed there.`;
}

/** The same for a list that is longer than what is remembered. */
export function forgottenHint(rows: number): string | undefined {
	return rows <= REMEMBERED
		? undefined
		: `The list has ${rows} rows, and ${REMEMBERED} messages are remembered for certain: run again, the node may send the first ones a second time. Send such a list in parts of ${REMEMBERED} rows.`;
}
