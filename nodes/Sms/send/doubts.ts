import { noticeOf, type About, type Language } from '../../shared/notice';
import type { Results } from '../../shared/pool';
import { Problem } from '../../shared/problem';
import { countRows, groupBy, nameRow } from '../../shared/summary';
import type { RowResult } from './sendOnce';

/** How many rows are named for example. */
const EXAMPLES = 3;

/** So many messages are remembered at least: of a longer list the first ones are forgotten while the last ones are sent. */
const REMEMBERED = 30_000;

/**
 * What can be right and seldom is, of a list as a whole: one for each placeholder, and its length.
 *
 * @returns for each how many rows, and the first of them, from 1, with their values
 */
export function doubtsOf(results: Results<RowResult>, language: Language) {
	const all = results.flatMap((result, index) =>
		result === undefined || result instanceof Problem || result.kind === 'skipped'
			? []
			: result.doubts.map((doubt) => ({ row: index + 1, doubt })),
	);
	const doubt = (kind: 'looksLikeDate' | 'moreThanRemembered', about: About, rows: number, cells: typeof all) => ({
		kind,
		notice: noticeOf({ reason: kind, about }, language),
		rows,
		examples: cells.map(({ row }) => row),
		values: cells.map((cell) => cell.doubt.value),
	});
	const doubts = [...groupBy(all, (cell) => cell.doubt.field_en).values()].map((cells) =>
		doubt('looksLikeDate', { ...cells[0]!.doubt }, cells.length, cells.slice(0, EXAMPLES)),
	);
	const rows = results.length;
	if (rows > REMEMBERED) doubts.push(doubt('moreThanRemembered', { rows, most: REMEMBERED }, rows, []));
	return doubts;
}

/** The same for the summary of a run. */
export const doubtHints = (results: Results<RowResult>): string[] =>
	doubtsOf(results, 'en').map(({ notice, rows, examples, values }) => {
		const few = examples.map((row, index) => `${nameRow(row - 1)}: ${values[index]}`).join(', ');
		return few === '' ? notice : `${notice} ${countRows(rows)} (${few}${rows > EXAMPLES ? ' …' : ''})`;
	});
