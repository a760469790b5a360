import { toText } from './text';

/*
 * Excel and other spreadsheets store a day as a number: the number of days since the end of 1899. Other files handle more of
 * a spreadsheet's dates and numbers: `dateText.ts` writes dates that are sent, `sheetCell.ts` writes dates of result sheets,
 * `lib/smsPlatform/replacements.ts` (`numberAsText`) writes numbers that are sent, and `lib/smsPlatform/warnings/find.ts` warns
 * of numbers that may be dates.
 */

/** The day of the number 0, in milliseconds since 1970. */
const FIRST_DAY = Date.UTC(1899, 11, 30);

/** The number of 1 March 1900. Excel has a 29 February 1900, which did not exist, so its earlier numbers are off by one day. */
const MARCH_1900 = 61;

/** The numbers of the first and the last day of the years 2000 to 2049. */
export const LIKELY_DAYS = { first: 36_526, last: 54_788 };

/** The longest text that can be a number of days. Longer texts are not read. */
const LONGEST = 100;

/**
 * Returns whether a value can be the number of a day: four or five digits that are not a year, and perhaps decimals for the time.
 */
const isDayCount = (value: unknown): boolean =>
	['number', 'string'].includes(typeof value) &&
	/^(?!(?:19|20)\d\d$)\d{4,5}(?:[.,]\d+)?$/.test(toText(value).slice(0, LONGEST).trim());

/**
 * Returns the day that a spreadsheet shows for a number, as YYYY-MM-DD. The number may still mean something else than a day.
 * Undefined: the value can't be the number of a day.
 */
export function countedDay(value: unknown): string | undefined {
	const count = isDayCount(value) ? Number.parseInt(toText(value), 10) : 0;
	return count < MARCH_1900 ? undefined : new Date(FIRST_DAY + count * 86_400_000).toISOString().slice(0, 10);
}
