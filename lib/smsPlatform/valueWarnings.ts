import { groupBy } from '../texts/groups';
import { noticeOf, type About, type Language } from '../texts/notice';
import type { OtherTodo, Reason } from '../texts/reasons';
import { countForAdmin, nameForAdmin, type RowNumbers } from '../texts/rowNumber';
import type { ValueWarning } from './replacements';

const EXAMPLES = 3;

/** What to do if the messages were already sent. */
const ONCE_SENT: Partial<Record<Reason, OtherTodo>> = {
	looksLikeDate: 'valueSent',
	longNumber: 'numberSent',
	roundMobile: 'valueSent',
	notValue: 'valueSent',
	boolean: 'valueSent',
};

export type Warning = ReturnType<typeof createWarning>;

/** Makes one warning. @param cells the values, with their rows @param isOut whether messages were sent */
export function createWarning(
	kind: Reason,
	about: About,
	cells: Array<{ row: number; value: string }>,
	isOut: boolean,
	language: Language,
) {
	const todo = isOut ? (ONCE_SENT[kind] ?? '') : '';
	return {
		kind,
		notice: noticeOf({ reason: kind, about: { ...about, todo } }, language),
		rows: cells.length,
		examples: cells.slice(0, EXAMPLES).map(({ row }) => row),
		values: cells.slice(0, EXAMPLES).map(({ value }) => value),
	};
}

/** Makes the warnings about values, one for each kind and placeholder. @param isOut whether messages were sent */
export function summarizeValueWarnings(
	cells: Array<ValueWarning & { row: number }>,
	isOut: boolean,
	language: Language,
): Warning[] {
	return [...groupBy(cells, ({ kind, what, field_en }) => `${kind} ${what} ${field_en}`).values()].map((alike) => {
		const [{ kind, what, field_el, field_en, value }] = alike as [(typeof alike)[number]];
		const many = new Set(alike.map((each) => each.value)).size > 1 ? 1 : 0;
		return createWarning(kind, { what, field_el, field_en, value, number: value, many }, alike, isOut, language);
	});
}

/** Returns warnings as hints over the output of a node. */
export const toHints = (warnings: Warning[], list: RowNumbers): string[] =>
	warnings.map(({ notice, rows, examples, values }) => {
		const few = examples.map((row, index) => `${nameForAdmin(row, list)}: ${values[index]}`).join(', ');
		return few === '' ? notice : `${notice} ${countForAdmin(rows, list)} (${few}${rows > EXAMPLES ? ' …' : ''})`;
	});
