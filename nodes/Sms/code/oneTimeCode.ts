import { createHmac, timingSafeEqual } from 'node:crypto';

import { tidy } from '../../shared/greek';
import type { DerivedKeys } from '../keys';

/*
 * One-time codes without a store: a code is derived with the pre-shared key from what it is for, so whoever has the key
 * can derive it again, and nobody else can. Pure; the memory of attempts and of used codes is elsewhere.
 */

/**
 * Time is cut into periods as long as a code is valid at least. In one period a number has one code, and another one
 * only where that was used. Purpose and length of the period belong to it: what differs in either has nothing in common.
 */
export interface Period {
	/** Ten digits. */
	mobile: string;
	/** What the code is for, in the user's words; may be empty. Without control characters. */
	purpose: string;
	/** Length of the period, in minutes. */
	validMinutes: number;
	/** Which period since 1970. */
	index: number;
}

/** The period in which a moment lies, as its index. @param now Unix seconds */
export const periodAt = (now: number, validMinutes: number): number => Math.floor(now / (validMinutes * 60));

export const before = (period: Period): Period => ({ ...period, index: period.index - 1 });

/**
 * When the codes of a period end: one period later, so that a code that went out in the last second of its own is still
 * valid as long as it has to be, and none twice as long. In Unix seconds.
 */
export const endOf = ({ index, validMinutes }: Pick<Period, 'index' | 'validMinutes'>): number =>
	(index + 2) * validMinutes * 60;

/**
 * The code of a period: HMAC with SHA-256 over what it is for, each part on its line, read as one whole number, of which
 * the last digits count. With 256 bits to begin with, no code is likelier than another by more than one in 10^66.
 *
 * @param issue counts from 0: each code that was used makes room for the next
 * @param length digits, 4 to 10
 */
export function codeOf(
	{ mobile, purpose, validMinutes, index }: Period,
	issue: number,
	length: number,
	keys: Pick<DerivedKeys, 'code'>,
): string {
	const digest = createHmac('sha256', keys.code)
		.update(['code.v1', mobile, purpose, validMinutes, index, issue, length].join('\n'))
		.digest('hex');
	return String(BigInt(`0x${digest}`) % 10n ** BigInt(length)).padStart(length, '0');
}

/** More is not looked through. In UTF-16 units. */
const LONGEST_TYPED = 100;

/**
 * The digits of a code as a person typed it: spaces, dashes, dots and invisible characters are dropped, full-width
 * digits are digits, and a number gets its leading zeros back, which a form or a spreadsheet took from it.
 *
 * @returns undefined where it can't be a code of this length
 */
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

/** Compares two codes of one length, in a time that says nothing of where they differ. */
export function sameCode(typed: string, right: string): boolean {
	return typed.length === right.length && timingSafeEqual(Buffer.from(typed), Buffer.from(right));
}
