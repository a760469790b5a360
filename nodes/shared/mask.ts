import { BETWEEN_DIGITS, BETWEEN_PARTS, greekMobile } from './mobile';

const LONG_NUMBER = new RegExp(`\\p{Nd}(?:${BETWEEN_DIGITS}\\p{Nd}){6,}`, 'giu');

/**
 * Hides every long number in a text (an AMKA, a mobile number, a tax number), for messages and logs. Seven digits
 * or more count as long, with or without separators between them, in a URL too; two digits at the end stay.
 */
export function maskNumbers(text: string): string {
	return text.replace(LONG_NUMBER, (number) => `•••${number.slice(-2)}`);
}

const numbersAfter = (before: string) => new RegExp(`(?:${before})?\\p{Nd}(?:${BETWEEN_PARTS}\\p{Nd}){6,}`, 'giu');

/**
 * A text is read in two ways, because %21 may be a character that a URL escapes, whose digits belong to no number, or the
 * beginning of a number behind a %. `part`: a part of a number with a plus before it, or such a character.
 */
const READINGS = [
	{ numbers: numbersAfter('\\+|%[\\da-f]{2}'), part: /%(?!2B)[\da-f]{2}|(\+|%2B)?(\p{Nd}+)/giu },
	{ numbers: numbersAfter('\\+'), part: /(\+)?(\p{Nd}+)/giu },
];

/** E.164: a number has at most 15 digits with its country code; 00 may come before it. */
const LONGEST_ABROAD = 17;

/**
 * Hides what can be a person's number in a text from outside: a mobile number, one of a country abroad with its prefix, or
 * an AMKA with its eleven digits, whatever numbers are beside it. Those stay: a service or an error may have one as long.
 */
export function hidePeoplesNumbers(text: string): string {
	return READINGS.reduce((read, { numbers, part }) => read.replace(numbers, (run) => hideInRun(run, part)), text);
}

function hideInRun(run: string, part: RegExp): string {
	const parts = [...run.matchAll(part)].flatMap(({ 0: written, 1: plus, 2: digits, index }) =>
		digits === undefined
			? []
			: [{ from: index, to: index + written.length, plus: plus !== undefined, digits: digits.normalize('NFKC') }],
	);
	let hidden = '';
	let done = 0;
	for (let first = 0; first < parts.length; first++) {
		const last = lastOfNumber(parts, first);
		if (last === undefined) continue;
		hidden += `${run.slice(done, parts[first]!.from)}•••${parts[last]!.digits.slice(-2)}`;
		done = parts[last]!.to;
		first = last;
	}
	return hidden + run.slice(done);
}

/** The last part of the person's number that begins with the part `first`, the longest that it can be; undefined where none does. */
function lastOfNumber(parts: Array<{ plus: boolean; digits: string }>, first: number): number | undefined {
	const { plus, digits: begin } = parts[first]!;
	const isAbroad = plus || begin.startsWith('00');
	let found: number | undefined;
	let digits = '';
	for (let last = first; last < parts.length && digits.length <= LONGEST_ABROAD; last++) {
		digits += parts[last]!.digits;
		const isNumber =
			greekMobile(digits) !== undefined ||
			digits.length === 11 ||
			(isAbroad && digits.length >= 7 && digits.length <= LONGEST_ABROAD);
		if (isNumber) found = last;
	}
	return found;
}

/**
 * Takes a person's own number out of a text, however its digits are separated. Other numbers stay: a code of the
 * platform may be as long.
 *
 * @param number a recipient or an AMKA; what has fewer than seven digits is not a number and is left alone
 */
export function hideNumber(text: string, number: string): string {
	// As the service may write it: with or without its prefix or country code, in the digits that were typed or plain ones.
	const digits = [...(greekMobile(number) ?? number.replace(/^\s*00/u, ''))].filter((character) =>
		/\p{Nd}/u.test(character),
	);
	if (digits.length < 7) return text;
	const anyOf = (digit: string) => `[${digit}${digit.normalize('NFKC')}${'０１２３４５６７８９'[Number(digit)] ?? ''}]`;
	const spelling = digits.map(anyOf).join(BETWEEN_PARTS);
	return text.replace(new RegExp(spelling, 'giu'), `•••${digits.slice(-2).join('')}`);
}
