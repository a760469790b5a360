import { shortenNumbers, type Language } from '../../../lib/texts/notice';
import type { Results } from '../../../lib/n8n/workerPool';
import { Problem } from '../../../lib/texts/problem';
import type { RowNumbers } from '../../../lib/texts/rowNumber';
import { groupBy } from '../../../lib/texts/groups';
import { createWarning, summarizeValueWarnings, toHints } from '../../../lib/smsPlatform/valueWarnings';
import type { ItemResult } from '../result';

/** Finds suspicious values that may still be correct, in placeholders and references. */
export function summarizeWarnings(results: Results<ItemResult>, { numbers }: RowNumbers, language: Language) {
	const sent = results.flatMap((each, index) =>
		each === undefined || each instanceof Problem || each.kind === 'skipped' ? [] : { row: numbers[index]!, ...each },
	);
	const isOut = sent.some(({ kind }) => kind === 'accepted');
	const cells = sent.flatMap(({ row, warnings }) => warnings.map((each) => ({ row, ...each })));
	const warnings = summarizeValueWarnings(cells, isOut, language);
	const named = sent.map(({ row, about }) => ({ row, value: about.reference, recipient: about.recipient }));
	const shared = [...groupBy(named, ({ value }) => value).values()].flatMap((same) =>
		new Set(same.map(({ recipient }) => recipient)).size > 1 ? same : [],
	);
	if (shared.length > 0) warnings.push(createWarning('sameReference', {}, shared, isOut, language));
	// Only rows of a review know their recipients in normal form.
	const reviewed = sent.flatMap((each) => (each.kind === 'wouldSend' ? [each] : []));
	const toOne = [...groupBy(reviewed, ({ normal }) => normal).values()].flatMap((alike) =>
		new Set(alike.map(({ content }) => content)).size > 1 ? alike : [],
	);
	const people = toOne.map(({ row, normal }) => ({ row, value: shortenNumbers(normal) }));
	if (people.length > 0) warnings.push(createWarning('sameRecipient', {}, people, isOut, language));
	return warnings;
}

/** Returns the same warnings as hints, which n8n shows over the output of a run. */
export const warningHints = (results: Results<ItemResult>, list: RowNumbers) =>
	toHints(summarizeWarnings(results, list, 'en'), list);
