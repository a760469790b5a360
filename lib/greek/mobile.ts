import { clean } from './letters';

/** What people write between the digits of a number, for a class of characters. A minus sign is no dash to Unicode. */
export const SEPARATORS = '\\s().\\p{Pd}\\u2212/';

const SEPARATOR = new RegExp(`[${SEPARATORS}]`, 'gu');

/** A number without what is between its digits. */
export const withoutSeparators = (text: string): string => text.replace(SEPARATOR, '');

/**
 * The ten digits of a Greek mobile (ranges 69, 68 and 94), in any spelling: with 30, +30 or 0030 before it, separators,
 * full-width digits, a spreadsheet's apostrophe before it or .0 behind. Undefined for anything else.
 */
export function greekMobile(text: string): string | undefined {
	if (text.length > 100) return undefined;
	const written = clean(text.normalize('NFKC'))
		.replace(/^['’]/, '')
		.replace(/^(\+?\d+)[.,]0+$/, '$1');
	return /^(?:\+30|0030|30)?((?:69|68|94)\d{8})$/.exec(withoutSeparators(written))?.[1];
}

/** A number that a spreadsheet has turned into 6.9E9: its digits are lost. The letter may be Greek. */
export function isScientificNotation(text: string): boolean {
	const compact = text.normalize('NFKC').replace(/\s/gu, '');
	return /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)[eε][+-]?\d+$/iu.test(compact);
}

/** Whether a number is what a spreadsheet makes of 6.91E+09 or 3.06912E+11 in a .csv. As text a mobile may end so. */
export const isRounded = (number: number): boolean => number % 1_000_000 === 0;
