import { randomInt } from 'node:crypto';

import { tidy } from '../../shared/greekLetters';

/** A random code, each as likely as any other. @param length digits, 4 to 10 */
export const newCode = (length: number): string => String(randomInt(10 ** length)).padStart(length, '0');

/** More is not looked through. In UTF-16 units. */
const LONGEST_TYPED = 100;

/** The digits of a code as typed, with zeros that a spreadsheet took from its front; undefined where it can be none. */
export function readTypedCode(typed: unknown, length: number): string | undefined {
	const text =
		typeof typed === 'number' && Number.isSafeInteger(typed) && typed >= 0
			? String(typed).padStart(length, '0')
			: typed;
	if (typeof text !== 'string' || text.length > LONGEST_TYPED) return undefined;
	const written = tidy(text.normalize('NFKC'));
	// What a spreadsheet makes of 012345: 12345.0.
	const number = /^(\d+)[.,]0$/.exec(written)?.[1];
	const digits =
		number !== undefined && number.length <= length
			? number.padStart(length, '0')
			: written.replace(/[\s\p{Pd}\u2212._'’]/gu, '');
	return digits.length === length && /^\d+$/.test(digits) ? digits : undefined;
}
