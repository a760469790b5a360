import { noticeOf, type About, type Language } from '../../../shared/notice';
import type { Results } from '../../../shared/pool';
import { Problem } from '../../../shared/problem';
import { countRows, groupBy, nameRow } from '../../../shared/summary';
import type { RowResult } from '../result';

/** How many rows are named for example. */
const EXAMPLES = 3;

/** So many messages are remembered at least: of a longer list the first ones are forgotten while the last ones are sent. */
export const REMEMBERED = 30_000;

/**
 * What can be right and seldom is, of a list as a whole: one for each placeholder, one reference for several people, and
 * its length.
 *
 * @returns for each how many rows, and the first of them, from 1, with their values
 */
export function doubtsOf(results: Results<RowResult>, language: Language) {
	const sent = results.flatMap((each, index) =>
		each === undefined || each instanceof Problem || each.kind === 'skipped' ? [] : { row: index + 1, ...each },
	);
	type Kind = 'looksLikeDate' | 'sameReference' | 'moreThanRemembered';
	const doubt = (kind: Kind, about: About, rows: number, cells: Array<{ row: number; value: string }>) => ({
		kind,
		notice: noticeOf({ reason: kind, about }, language),
		rows,
		examples: cells.slice(0, EXAMPLES).map(({ row }) => row),
		values: cells.slice(0, EXAMPLES).map(({ value }) => value),
	});
	const cells = sent.flatMap(({ row, doubts }) => doubts.map((each) => ({ row, ...each })));
	const doubts = [...groupBy(cells, ({ field_en }) => field_en).values()].map((dates) =>
		doubt('looksLikeDate', { ...dates[0]! }, dates.length, dates),
	);
	const named = sent.map(({ row, about }) => ({ row, value: about.reference, recipient: about.recipient }));
	const shared = [...groupBy(named, ({ value }) => value).values()].flatMap((same) =>
		new Set(same.map(({ recipient }) => recipient)).size > 1 ? same : [],
	);
	if (shared.length > 0) doubts.push(doubt('sameReference', {}, shared.length, shared));
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
