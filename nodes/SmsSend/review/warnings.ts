import { noticeOf, shortenNumbers, type About, type Language } from '../../../lib/texts/notice';
import type { Results } from '../../../lib/n8n/workerPool';
import { Problem } from '../../../lib/texts/problem';
import type { OtherTodo, Reason } from '../../../lib/texts/reasons';
import { countForAdmin, nameForAdmin, type RowNumbers } from '../../../lib/texts/rowNumber';
import { groupBy } from '../../../lib/texts/groups';
import type { ItemResult } from '../result';

const EXAMPLES = 3;

/** Advice if the list was sent already. */
const ONCE_SENT: Partial<Record<Reason, OtherTodo>> = {
	looksLikeDate: 'valueSent',
	longNumber: 'numberSent',
	roundMobile: 'valueSent',
	notValue: 'valueSent',
	boolean: 'valueSent',
};

/** Finds suspicious values that may still be correct, in placeholders and references. */
export function summarizeWarnings(results: Results<ItemResult>, { numbers }: RowNumbers, language: Language) {
	const sent = results.flatMap((each, index) =>
		each === undefined || each instanceof Problem || each.kind === 'skipped' ? [] : { row: numbers[index]!, ...each },
	);
	const isOut = sent.some(({ kind }) => kind === 'accepted');
	const warning = (kind: Reason, about: About, rows: number, cells: Array<{ row: number; value: string }>) => ({
		kind,
		notice: noticeOf({ reason: kind, about: { ...about, todo: isOut ? (ONCE_SENT[kind] ?? '') : '' } }, language),
		rows,
		examples: cells.slice(0, EXAMPLES).map(({ row }) => row),
		values: cells.slice(0, EXAMPLES).map(({ value }) => value),
	});
	const cells = sent.flatMap(({ row, warnings }) => warnings.map((each) => ({ row, ...each })));
	const warnings = [...groupBy(cells, ({ kind, what, field_en }) => `${kind} ${what} ${field_en}`).values()].map(
		(alike) => {
			const [{ kind, what, field_el, field_en, value }] = alike as [(typeof alike)[number]];
			const many = new Set(alike.map((each) => each.value)).size > 1 ? 1 : 0;
			return warning(kind, { what, field_el, field_en, value, number: value, many }, alike.length, alike);
		},
	);
	const named = sent.map(({ row, about }) => ({ row, value: about.reference, recipient: about.recipient }));
	const shared = [...groupBy(named, ({ value }) => value).values()].flatMap((same) =>
		new Set(same.map(({ recipient }) => recipient)).size > 1 ? same : [],
	);
	if (shared.length > 0) warnings.push(warning('sameReference', {}, shared.length, shared));
	// Only rows of a review know their recipients in normal form.
	const reviewed = sent.flatMap((each) => (each.kind === 'wouldSend' ? [each] : []));
	const toOne = [...groupBy(reviewed, ({ normal }) => normal).values()].flatMap((alike) =>
		new Set(alike.map(({ content }) => content)).size > 1 ? alike : [],
	);
	const people = toOne.map(({ row, normal }) => ({ row, value: shortenNumbers(normal) }));
	if (people.length > 0) warnings.push(warning('sameRecipient', {}, people.length, people));
	return warnings;
}

/** The same as hints over the output of a run. */
export const warningHints = (results: Results<ItemResult>, list: RowNumbers) =>
	summarizeWarnings(results, list, 'en').map(({ notice, rows, examples, values }) => {
		const few = examples.map((row, index) => `${nameForAdmin(row, list)}: ${values[index]}`).join(', ');
		return few === '' ? notice : `${notice} ${countForAdmin(rows, list)} (${few}${rows > EXAMPLES ? ' …' : ''})`;
	});
