import type { Problem } from './problem';

/** How many item numbers are named for one reason, and how many reasons. */
const FEW = 5;

/**
 * Failed rows grouped by reason, for the person who looks at the run: the reason, how many rows, and a few of them.
 * As in "Recipient is empty: 3 rows (items 0, 4, 7)". n8n counts items from 0.
 *
 * @returns an empty text where no row failed
 */
export function groupByReason(failed: Array<[itemIndex: number, problem: Problem]>): string {
	const reasons = new Map<string, number[]>();
	for (const [itemIndex, { message }] of failed) {
		const items = reasons.get(message);
		if (items === undefined) reasons.set(message, [itemIndex]);
		else items.push(itemIndex);
	}
	const groups = [...reasons].sort(([, one], [, other]) => other.length - one.length);
	const named = groups.slice(0, FEW).map(([reason, items]) => `${reason}: ${countRows(items.length)} (${nameItems(items)})`);
	const more = groups.slice(FEW).reduce((sum, [, items]) => sum + items.length, 0);
	return [...named, ...(more > 0 ? [`other reasons: ${countRows(more)}`] : [])].join('; ');
}

export const countRows = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`;

/** "item 3", "items 3, 5, 9", "items 0, 1, 2, 3, 4 …" */
export function nameItems(items: number[]): string {
	const named = items.slice(0, FEW).join(', ');
	return `${items.length === 1 ? 'item' : 'items'} ${named}${items.length > FEW ? ' …' : ''}`;
}
