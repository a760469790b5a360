import { otherTodoEl, otherWhatEl, reasonsEl } from './reasons.el';
import { otherTodoEn, otherWhatEn, reasonsEn } from './reasons.en';

/*
 * The reasons why an item was not sent, checked or verified, in Greek and English. Errors, notices, pages and
 * `docs/reasons.md` are made from these texts.
 */

/** One text in both languages. */
export type InBoth = Record<'el' | 'en', string>;

/** The texts of a reason. `many` replaces `what` if several values are named. */
type ReasonTexts = { what: InBoth; many?: InBoth; todo: InBoth };

/** The reasons that a workflow can branch on. */
export type Reason = keyof typeof reasonsEn;

/** The keys of other texts for a fault, except the texts for several values, which are found by their ending. */
export type OtherWhat = Exclude<keyof typeof otherWhatEn, `${string}Many`>;

/** The keys of other advice. A fault can also give the advice of another reason. */
export type OtherTodo = keyof typeof otherTodoEn;

/** Joins two lists of texts with the same keys, one for each language. */
function inBoth<K extends string>(el: Record<K, string>, en: Record<K, string>): Record<K, InBoth> {
	const keys = Object.keys(en) as K[];
	return Object.fromEntries(keys.map((key) => [key, { el: el[key], en: en[key] }])) as Record<K, InBoth>;
}

/** All reasons with their texts. */
export const REASONS = Object.fromEntries(
	Object.entries(reasonsEn).map(([reason, texts]) => [
		reason,
		inBoth<keyof ReasonTexts>(
			reasonsEl[reason as Reason] as Record<keyof ReasonTexts, string>,
			texts as Record<keyof ReasonTexts, string>,
		),
	]),
) as Record<Reason, ReasonTexts>;

export const OTHER_WHAT = inBoth(otherWhatEl, otherWhatEn);
export const OTHER_TODO = inBoth(otherTodoEl, otherTodoEn);

/** What to do if a service answers with one of these statuses. */
export const TODO_OF_STATUS: Partial<Record<number, OtherTodo>> = {
	...{ 401: 'key', 403: 'key', 404: 'address', 405: 'address', 429: 'busy', 503: 'busy' },
};
