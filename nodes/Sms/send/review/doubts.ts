import { noticeOf, type About, type Language } from '../../../shared/notice';
import type { Results } from '../../../shared/pool';
import { Problem } from '../../../shared/problem';
import type { Reason } from '../../../shared/reasons';
import { countForAdmin, nameForAdmin, type RowNumbers } from '../../../shared/rowNumber';
import { groupBy } from '../../../shared/groups';
import { REMEMBERED } from '../../memory/list';
import type { RememberFor } from '../../memory/periods';
import type { RowResult } from '../result';

const EXAMPLES = 3;

/** What to do where the list has gone out already. */
const ONCE_SENT: Partial<Record<Reason, string>> = {
	looksLikeDate: 'valueSent',
	longNumber: 'numberSent',
	roundMobile: 'valueSent',
	moreThanRemembered: 'notAgain',
};

/**
 * What can be right and seldom is: in placeholders, references, the list's length. @param rememberFor undefined:
 * nothing
 */
export function doubtsOf(
	results: Results<RowResult>,
	{ numbers }: RowNumbers,
	language: Language,
	rememberFor: RememberFor | undefined,
) {
	const sent = results.flatMap((each, index) =>
		each === undefined || each instanceof Problem || each.kind === 'skipped' ? [] : { row: numbers[index]!, ...each },
	);
	const isOut = sent.some(({ kind }) => kind === 'accepted');
	const doubt = (kind: Reason, about: About, rows: number, cells: Array<{ row: number; value: string }>) => ({
		kind,
		notice: noticeOf({ reason: kind, about: { ...about, todo: isOut ? (ONCE_SENT[kind] ?? '') : '' } }, language),
		rows,
		examples: cells.slice(0, EXAMPLES).map(({ row }) => row),
		values: cells.slice(0, EXAMPLES).map(({ value }) => value),
	});
	const cells = sent.flatMap(({ row, doubts }) => doubts.map((each) => ({ row, ...each })));
	const doubts = [...groupBy(cells, ({ kind, field_en }) => `${kind} ${field_en}`).values()].map((alike) =>
		doubt(alike[0]!.kind, { ...alike[0]!, number: alike[0]!.value }, alike.length, alike),
	);
	const named = sent.map(({ row, about }) => ({ row, value: about.reference, recipient: about.recipient }));
	const shared = [...groupBy(named, ({ value }) => value).values()].flatMap((same) =>
		new Set(same.map(({ recipient }) => recipient)).size > 1 ? same : [],
	);
	if (shared.length > 0) doubts.push(doubt('sameReference', {}, shared.length, shared));
	const most = rememberFor === undefined ? Infinity : REMEMBERED[rememberFor];
	const rows = results.length;
	if (rows > most) doubts.push(doubt('moreThanRemembered', { rows, most }, rows, []));
	return doubts;
}

/** The same for the summary of a run. */
export const doubtHints = (results: Results<RowResult>, list: RowNumbers, rememberFor: RememberFor | undefined) =>
	doubtsOf(results, list, 'en', rememberFor).map(({ notice, rows, examples, values }) => {
		const few = examples.map((row, index) => `${nameForAdmin(row, list)}: ${values[index]}`).join(', ');
		return few === '' ? notice : `${notice} ${countForAdmin(rows, list)} (${few}${rows > EXAMPLES ? ' …' : ''})`;
	});
