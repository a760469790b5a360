import { foldForComparison } from '../../greek/letters';
import type { OtherWhat } from '../../texts/reasons';
import { LIKELY_DAYS } from '../../values/excelDate';
import { looksLikeNonValue } from '../../values/nonValue';

/*
 * Finds values that are sent but are probably wrong, such as a date in place of a grade. `summarize.ts` collects the warnings of
 * a list, and `show.ts` shows them. Their texts are in `lib/texts/reasons`.
 */

/** A value that is probably wrong, although it could be right. */
export interface ValueWarning {
	/**
	 * `looksLikeDate`: a date, a text with a date, or a number that Excel may store for a day, a time of day or a percentage.
	 * `longNumber`: a number with many decimals. `roundMobile`: a mobile that ends in zeros. `noPosition`: a placeholder without
	 * a position. `notValue`: a word that programs write for "no value". `boolean`: true or false.
	 */
	kind: 'looksLikeDate' | 'longNumber' | 'roundMobile' | 'noPosition' | 'notValue' | 'boolean';
	field_el: string;
	field_en: string;
	value: string;
	/** The key of a text (in `lib/texts/reasons`) that replaces the text of `kind`. */
	what?: OtherWhat;
}

/**
 * Returns the kind of warning for the value of a placeholder. Undefined: the value needs no warning.
 * @param text the text that is sent for the value
 * @param isDate whether the node converted the value from a date to the text
 * @param isComposed returns whether an expression composed the value
 */
export function findWarning(
	value: unknown,
	text: string,
	placeholder: string | undefined,
	isDate: boolean,
	isComposed: () => boolean,
): Pick<ValueWarning, 'kind' | 'what'> | undefined {
	if (isDate) return { kind: 'looksLikeDate', what: 'dateWritten' };
	if (typeof value === 'boolean') return { kind: 'boolean' };
	if (typeof value === 'string' && looksLikeNonValue(value, isComposed))
		return { kind: 'notValue', what: 'maybeNotValue' };
	if (typeof value === 'string')
		return DATE_INSIDE.test(value) ? { kind: 'looksLikeDate', what: 'dateInside' } : undefined;
	if (mayBeDateTimeOrPercent(value) || (isTimeOfDay(value) && isTimePlaceholder(placeholder)))
		return { kind: 'looksLikeDate' };
	return isLongNumber(text, value) ? { kind: 'longNumber' } : undefined;
}

/**
 * Matches a date inside a text, as JSON and JavaScript write it. People don't type such dates, so an expression made the text.
 */
const DATE_INSIDE = /\d{4}-\d\d-\d\dT\d\d:\d\d|\d\d:\d\d:\d\d GMT[+-]\d{4}/;

const isTimeOfDay = (value: unknown) => typeof value === 'number' && value > 0 && value < 1;

/** Returns whether a placeholder is for a time according to its name, such as «Ώρα εξέτασης» or `start_time`. */
const isTimePlaceholder = (placeholder = ''): boolean =>
	/(?<![\p{L}\p{N}])(?:ΩPA|TIME)(?![\p{L}\p{N}])/u.test(foldForComparison(placeholder.slice(0, 1000)));

/**
 * Returns whether a number may be a day, a time of day, both, or a percentage, as Excel stores them. Nine o'clock is 0.375, and
 * 85% is 0.85. Only times on a multiple of five minutes count. Between 0 and 1, quarters (0.25) and numbers with one decimal
 * (0.3) count as grades.
 */
function mayBeDateTimeOrPercent(value: unknown): boolean {
	if (typeof value !== 'number') return false;
	const isEvery = (steps: number) => Math.abs(value * steps - Math.round(value * steps)) < 1e-6;
	const isTime = isEvery(24 * 12);
	if (value > 0 && value < 1) return !isEvery(4) && (isTime || (isEvery(100) && !isEvery(10)));
	return isTime && value >= LIKELY_DAYS.first && value < LIKELY_DAYS.last + 1;
}

/** Returns whether a number has more than three decimals, as in 7,3333333333. */
const isLongNumber = (text: string, value: unknown): boolean => typeof value === 'number' && /,\d{4}|e-/.test(text);
