import { randomInt } from 'node:crypto';

import { clean, withoutPunctuation } from '../../lib/greek/letters';

/** Returns a random code. All codes are equally likely. @param length the number of digits, 4 to 10 */
export const newCode = (length: number): string => String(randomInt(10 ** length)).padStart(length, '0');

/** The longest text that is searched for a code, in UTF-16 units. An SMS of ten parts is shorter. */
const LONGEST_TYPED = 2000;

/** Matches characters that people and phones put between the digits of a code. Marks (\p{M}) are parts of keycap emoji. */
const SEPARATORS = /[\s\p{M}\p{Pd}\u2212.,_'’]/gu;

/** Matches a number that is not part of a word (`it21234`), a date, a time or a number with decimals. */
const NUMBER = /(?<![\p{L}\p{N}]|\d[.,:/\p{Pd}])\d+(?![\p{L}\p{N}]|[.,:/\p{Pd}]\d)/gu;

/**
 * Returns the digits of a code that a person typed. The person may also have typed or copied the whole SMS: then it must
 * contain exactly one number of the code's length. If a spreadsheet turned the code into a number, the zeros that it removed
 * from the front are added again. Undefined: the text can't be a code.
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
	// If the same number is there twice, it counts once. An SMS may repeat the code in a line that lets a browser fill it in.
	const [only, ...others] = new Set((written.match(NUMBER) ?? []).filter((each) => each.length === length));
	return others.length === 0 ? only : undefined;
}
