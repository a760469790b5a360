import { otherTodoEl, otherWhatEl, reasonsEl } from './reasons.el';
import { otherTodoEn, otherWhatEn, reasonsEn } from './reasons.en';

/*
 * The reasons why an item was not sent, checked or verified, or has a warning, in Greek and English. Errors, notices, pages and
 * `docs/reasons.md` are made from these texts.
 */

/** A text in both languages. */
export type InBoth = Record<'el' | 'en', string>;

/** The texts of a reason. `what` says what is wrong, and `todo` says what to do. `many` replaces `what` for several values. */
type ReasonTexts = { what: InBoth; many?: InBoth; todo: InBoth };

/** The keys of the reasons. A workflow can branch by them. */
export type Reason = keyof typeof reasonsEn;

/**
 * The keys of texts that replace `what`. The texts for several values are excluded. They are found by the ending of their key.
 */
export type OtherWhat = Exclude<keyof typeof otherWhatEn, `${string}Many`>;

/** The keys of texts that replace `todo`. The key of another reason can be used too. */
export type OtherTodo = keyof typeof otherTodoEn;

/** Joins the texts of both languages by their keys. */
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

/** The keys of the advice for some HTTP statuses. */
export const TODO_OF_STATUS: Partial<Record<number, OtherTodo>> = {
	...{ 401: 'key', 403: 'key', 404: 'address', 405: 'address', 429: 'busy', 503: 'busy' },
};
