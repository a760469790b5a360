/* Sorts in a way that does not depend on the order of the items. If two facts are equal in order, their content decides. */

export const compareText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

export const earliest = (times: number[]): number | undefined => times.sort((one, other) => one - other)[0];

/**
 * Returns the facts in sorted order. If `by` returns 0 for two facts, their content decides, and not the index of their items.
 */
export function sortFacts<T extends { index: number }>(facts: T[], by: (one: T, other: T) => number): T[] {
	if (facts.length < 2) return facts;
	const withContent = facts.map((fact): [T, string] => [fact, JSON.stringify({ ...fact, index: 0 })]);
	withContent.sort(([one, content], [other, otherContent]) => by(one, other) || compareText(content, otherContent));
	return withContent.map(([fact]) => fact);
}
