import type { Problem } from './problem';

/** How many rows are named for one reason, and how many reasons. */
const FEW = 5;

/**
 * Failed rows grouped by reason, for the person who looks at the run: the reason, how many rows, and a few of them.
 * As in "Recipient is empty: 2 rows (1st row, 5th row)".
 *
 * @returns an empty text where no row failed
 */
export function groupByReason(failed: Array<[itemIndex: number, problem: Problem]>): string {
	const reasons = new Map<string, Array<[number, Problem]>>();
	for (const entry of failed) {
		const [, { message }] = entry;
		const rows = reasons.get(message);
		if (rows === undefined) reasons.set(message, [entry]);
		else rows.push(entry);
	}
	const groups = [...reasons].sort(([, one], [, other]) => other.length - one.length);
	const named = groups
		.slice(0, FEW)
		.map(([reason, rows]) => `${reason}: ${countRows(rows.length)} (${nameRows(rows)})`);
	const more = groups.slice(FEW).reduce((sum, [, rows]) => sum + rows.length, 0);
	return [...named, ...(more > 0 ? [`other reasons: ${countRows(more)}`] : [])].join('; ');
}

export const countRows = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`;

/**
 * What a row is known by: its place, counted from 1 as people count, and the end of its number. A sheet's first row of
 * data is the 1st. As in "3rd row (…678)".
 */
export function nameRow(itemIndex: number, problem?: Problem): string {
	const number = [problem?.details.recipient, problem?.details.ssn].find(
		(text): text is string => typeof text === 'string' && /\d{7}/.test(text),
	);
	return `${ordinal(itemIndex + 1)} row${number === undefined ? '' : ` (…${number.slice(-3)})`}`;
}

/** "3rd row (…678)", "3rd row (…678), 5th row (…912)", "1st row, 2nd row, 3rd row, 4th row, 5th row …" */
function nameRows(rows: Array<[itemIndex: number, problem: Problem]>): string {
	return (
		rows
			.slice(0, FEW)
			.map(([itemIndex, problem]) => nameRow(itemIndex, problem))
			.join(', ') + (rows.length > FEW ? ' …' : '')
	);
}

function ordinal(number: number): string {
	const isTeen = number % 100 >= 11 && number % 100 <= 13;
	return `${number}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`;
}
