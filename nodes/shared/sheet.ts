/**
 * The columns of a list without those that an earlier sheet of ours has put behind them. In the other language one such
 * heading may be a column of the list's own.
 *
 * @param names of the columns, in their order
 * @param headings of what is put behind them, in the two languages
 * @param language of the sheet that is made
 */
export function ownColumns(
	names: Iterable<string>,
	headings: Record<'el' | 'en', readonly string[]>,
	language: 'el' | 'en',
): string[] {
	const own = new Set(names);
	for (const ours of Object.values(headings)) {
		const found = ours.filter((heading) => own.has(heading));
		if (ours === headings[language] || found.length > 1) for (const heading of found) own.delete(heading);
	}
	return [...own];
}
