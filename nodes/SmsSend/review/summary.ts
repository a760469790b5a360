import { noticeOf, type Language } from '../../../lib/texts/notice';
import { failuresOf, type Results } from '../../../lib/n8n/workerPool';
import { Problem } from '../../../lib/texts/problem';
import type { Reason } from '../../../lib/texts/reasons';
import type { RowNumbers } from '../../../lib/texts/rowNumber';
import { groupsOf } from '../../../lib/texts/groups';
import type { QuietEnd } from '../../../lib/smsPlatform/quietHours';
import { summarizeWarnings } from '../../../lib/smsPlatform/warnings/summarize';
import { messagesOf, type About, type ItemResult } from '../result';

/** How many messages, and how many rows of a fault, are shown as examples. */
export const SAMPLES = 5;
const EXAMPLES = 3;
/** How many rows of one fault the item names: enough to correct a sheet, but not all of a list of 20,000. */
export const MOST_ROW_NUMBERS = 500;

/** The checked list, with everything that the person who approves it has to see. */
export type Review = ReturnType<typeof reviewOf>;

/**
 * Makes the one item of a review, without its page.
 * @param quiet when the quiet hours end that hold messages back now
 * @param noRoom why the memory can't hold the messages
 */
export function reviewOf(
	results: Results<ItemResult>,
	list: RowNumbers,
	language: Language,
	quiet: QuietEnd | undefined,
	noRoom: Problem | undefined,
) {
	const { numbers } = list;
	const wouldSend: Array<{ row: number; about: About; normal: string }> = [];
	const skipped = { sentBefore: 0, unknown: 0, doNotSend: 0, twice: 0 };
	for (const [index, result] of results.entries()) {
		if (result === undefined || result instanceof Problem) continue;
		if (result.kind === 'wouldSend') wouldSend.push({ row: numbers[index]!, ...result });
		// A message of unknown outcome that goes out again is counted under both.
		if (result.kind === 'wouldSend' && result.isResent) skipped.unknown++;
		if (result.kind === 'skipped') skipped[result.skipReason]++;
	}
	const sizes = wouldSend.flatMap(({ row, about: { segments } }) =>
		segments === undefined ? [] : [{ row, segments }],
	);
	const [longest] = [...sizes].sort((one, other) => other.segments - one.segments);
	const failed = failuresOf(results);
	const groups = groupsOf(failed);
	const { sentBefore: alreadySent, ...others } = skipped;
	const counts = { alreadySent, ...others, faulty: failed.length };
	const fault = wouldSend.length > 0 ? undefined : listFaultOf(groups, results.length, language);
	const listFault =
		noRoom === undefined ? fault : { reason: noRoom.why.reason, notice: noticeOf(noRoom.why, language) };
	return {
		messages: wouldSend.length,
		people: new Set(wouldSend.map(({ normal }) => normal)).size,
		// Counts only messages whose text is known. Left out if no text is known.
		...((sizes.length > 0 || wouldSend.length === 0) && {
			segments: sizes.reduce((sum, { segments }) => sum + segments, 0),
		}),
		...(longest !== undefined && { longest }),
		...counts,
		...((wouldSend.length === 0 || listFault !== undefined) && {
			nothing: nothingOf(counts, listFault, results.length, language),
		}),
		...(listFault !== undefined && { listFault }),
		// The most frequent first, each with some of its rows.
		faults: groups.map(({ problem, rows }) => ({
			reason: problem.why.reason,
			error: inFull(problem),
			notice: noticeOf(problem.why, language),
			rows: rows.length,
			examples: rows.slice(0, EXAMPLES).map((index) => numbers[index]!),
			rowNumbers: rows.slice(0, MOST_ROW_NUMBERS).map((index) => numbers[index]!),
		})),
		doubts: summarizeWarnings(messagesOf(results, numbers), language),
		samples: wouldSend.slice(0, SAMPLES).map(({ row, about: { recipient, text, segments } }) => ({
			row,
			recipient,
			...(text !== undefined && { text, segments }),
		})),
		...(quiet !== undefined && wouldSend.length > 0 && { quietUntil: quiet.at }),
	};
}

/** Reasons that concern the list or the run if all rows have them. */
export const OF_THE_LIST = new Set<Reason>([
	...(['emptyList', 'missingColumn', 'tooManyRows', 'setting', 'unknownMessage', 'wrongCount', 'onTrial'] as const),
]);

/** Returns why nothing can be sent because of the list or the run as a whole. A column that no row has is missing in all rows. */
function listFaultOf(groups: ReturnType<typeof groupsOf>, rows: number, language: Language) {
	const found = groups.find(({ problem: { why }, rows: of }) =>
		of.length === rows ? OF_THE_LIST.has(why.reason) : ['missingColumn', 'emptyList'].includes(why.reason),
	);
	return found && { reason: found.problem.why.reason, notice: noticeOf(found.problem.why, language) };
}

function nothingOf(
	counts: Record<'alreadySent' | 'unknown' | 'doNotSend' | 'twice' | 'faulty', number>,
	listFault: ReturnType<typeof listFaultOf>,
	rows: number,
	language: Language,
) {
	if (listFault !== undefined) return { reason: 'listFault', notice: listFault.notice };
	const textOf = (reason: Reason, todo: Reason | '' = '') => noticeOf({ reason, about: { rows, todo } }, language);
	const { alreadySent, unknown, doNotSend, faulty } = counts;
	const each = rows - counts.twice;
	if (alreadySent === each) return { reason: 'allSent', notice: textOf('allSent') };
	if (unknown === each) return { reason: 'allUnknown', notice: textOf('allUnknown') };
	if (doNotSend === each) return { reason: 'doNotSend', notice: textOf('allNotWanted') };
	if (faulty === each) return { reason: 'allFaulty', notice: textOf('allFaulty') };
	return { reason: 'mixed', notice: textOf('mixed', faulty > 0 ? 'allFaulty' : unknown > 0 ? 'allUnknown' : '') };
}

export const inFull = ({ message, description }: Problem) => [message, description].filter(Boolean).join('. ');
