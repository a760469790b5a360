import { noticeOf, type Language } from '../../shared/notice';
import type { Results } from '../../shared/pool';
import { Problem } from '../../shared/problem';
import { countRows, nameRow } from '../../shared/summary';
import type { RowResult } from './sendOnce';

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
	const byField = new Map<string, Array<{ row: number; value: string }>>();
	for (const [index, result] of results.entries()) {
		if (result === undefined || result instanceof Problem || result.kind === 'skipped') continue;
		for (const { field, value } of result.doubts) {
			const cells = byField.get(field) ?? [];
			byField.set(field, cells);
			cells.push({ row: index + 1, value });
		}
	}
	const doubts = [...byField].map(([field, cells]): ListDoubt => {
		const few = cells.slice(0, EXAMPLES);
		const notice = noticeOf({ reason: 'looksLikeDate', about: { field, value: few[0]!.value } }, language);
		const [examples, values] = [few.map(({ row }) => row), few.map(({ value }) => value)];
		return { kind: 'looksLikeDate', notice, rows: cells.length, examples, values };
	});
	const rows = results.length;
	if (rows <= REMEMBERED) return doubts;
	const notice = noticeOf({ reason: 'moreThanRemembered', about: { rows, most: REMEMBERED } }, language);
	return [...doubts, { kind: 'moreThanRemembered', notice, rows, examples: [], values: [] }];
}

/** The same for the summary of a run. */
export const doubtHints = (results: Results<RowResult>): string[] =>
	doubtsOf(results, 'en').map(({ notice, rows, examples, values }) => {
		const few = examples.map((row, index) => `${nameRow(row - 1)}: ${values[index]}`).join(', ');
		return few === '' ? notice : `${notice} ${countRows(rows)} (${few}${rows > EXAMPLES ? ' …' : ''})`;
	});
