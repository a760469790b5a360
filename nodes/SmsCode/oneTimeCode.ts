import { randomInt } from 'node:crypto';

import { clean, withoutPunctuation } from '../../lib/greek/letters';

/** Returns a random code. All codes are equally likely. @param length number of digits, 4 to 10 */
export const newCode = (length: number): string => String(randomInt(10 ** length)).padStart(length, '0');

/** The longest text that can contain a code, in UTF-16 units. It is longer than an SMS of ten parts. */
const LONGEST_TYPED = 2000;

/** Matches characters that people and phones put between the digits of a code. Keycap emoji contain marks. */
const SEPARATORS = /[\s\p{M}\p{Pd}\u2212.,_'’]/gu;

/** Matches a number that stands alone: it is not part of a word (`it21234`), a date, a time or a number with decimals. */
const NUMBER = /(?<![\p{L}\p{N}]|\d[.,:/\p{Pd}])\d+(?![\p{L}\p{N}]|[.,:/\p{Pd}]\d)/gu;

/**
 * Returns the digits of a code as a person typed it, or of a whole SMS with exactly one number of the code's length. Zeros that
 * a spreadsheet took from its front are filled in. Undefined if the text can't be a code.
 */
export function readTypedCode(typed: unknown, length: number): string | undefined {
	const text =
		typeof typed === 'number' && Number.isSafeInteger(typed) && typed >= 0
			? String(typed).padStart(length, '0')
			: typed;
	if (typeof text !== 'string' || text.length > LONGEST_TYPED) return undefined;
	const written = clean(text.normalize('NFKC'));
	// A spreadsheet turns 012345 into 12345.0.
	const number = /^(\d+)[.,]0$/.exec(written)?.[1];
	if (number !== undefined && number.length <= length) return number.padStart(length, '0');
	const digits = withoutPunctuation(written.replace(SEPARATORS, ''));
	if (digits.length === length && /^\d+$/.test(digits)) return digits;
	// The same number twice counts once, because the line that lets a browser fill in a code repeats it.
	const [only, ...others] = new Set((written.match(NUMBER) ?? []).filter((each) => each.length === length));
	return others.length === 0 ? only : undefined;
}
