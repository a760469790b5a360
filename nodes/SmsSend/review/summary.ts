import { noticeOf, type Language } from '../../../lib/texts/notice';
import { failuresOf, type Results } from '../../../lib/n8n/workerPool';
import { Problem } from '../../../lib/texts/problem';
import type { Reason } from '../../../lib/texts/reasons';
import type { RowNumbers } from '../../../lib/texts/rowNumber';
import { groupsOf } from '../../../lib/texts/groups';
import type { QuietEnd } from '../../../lib/smsPlatform/quietHours';
import { summarizeWarnings } from '../../../lib/smsPlatform/warnings/summarize';
import { messagesOf, type MessageDescription, type ItemResult } from '../result';

/** The largest number of messages that are shown as examples. */
export const SAMPLES = 5;
/** The largest number of rows of a fault that are shown as examples. */
const EXAMPLES = 3;
/**
 * The largest number of row numbers that the review's item has for each fault. They are enough to correct a sheet. A list may
 * have 20,000 rows.
 */
export const MOST_ROW_NUMBERS = 500;

/** The checked list, with all data that the person who approves it has to see. */
export type Review = ReturnType<typeof reviewOf>;

/**
 * Makes the one item of a review, without its page.
 * @param quiet the end of the current quiet hours
 * @param noRoom the Problem if the memory (n8n's list) has no room for the messages
 */
export function reviewOf(
	results: Results<ItemResult>,
	rowNumbers: RowNumbers,
	language: Language,
	quiet: QuietEnd | undefined,
	noRoom: Problem | undefined,
) {
	const { numbers } = rowNumbers;
	const wouldSend: Array<{ row: number; about: MessageDescription; normal: string }> = [];
	const skipped = { sentBefore: 0, unknown: 0, doNotSend: 0, twice: 0 };
	for (const [index, result] of results.entries()) {
		if (result === undefined || result instanceof Problem) continue;
		if (result.kind === 'wouldSend') wouldSend.push({ row: numbers[index]!, ...result });
		// A message of unknown outcome that would be sent again counts under `messages` and under `unknown`.
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
		// `segments` covers only messages whose text is known. It is left out if messages would be sent, but no text is known.
		...((sizes.length > 0 || wouldSend.length === 0) && {
			segments: sizes.reduce((sum, { segments }) => sum + segments, 0),
		}),
		...(longest !== undefined && { longest }),
		...counts,
		...((wouldSend.length === 0 || listFault !== undefined) && {
			nothing: nothingOf(counts, listFault, results.length, language),
		}),
		...(listFault !== undefined && { listFault }),
		// The most frequent fault comes first. Each fault has the numbers of its first rows.
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

/** Reasons that are about the whole list or the run if all rows have them. */
export const OF_THE_LIST = new Set<Reason>([
	...(['emptyList', 'missingColumn', 'tooManyRows', 'setting', 'unknownMessage', 'wrongCount', 'onTrial'] as const),
]);

/**
 * Returns the fault of the whole list or the run, because of which nothing can be sent. Undefined: there is no such fault. A
 * missing column or an empty list is always such a fault, even if some rows have other faults.
 */
function listFaultOf(groups: ReturnType<typeof groupsOf>, rows: number, language: Language) {
	const found = groups.find(({ problem: { why }, rows: faulty }) =>
		faulty.length === rows ? OF_THE_LIST.has(why.reason) : ['missingColumn', 'emptyList'].includes(why.reason),
	);
	return found && { reason: found.problem.why.reason, notice: noticeOf(found.problem.why, language) };
}

/** Returns why nothing would be sent. */
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

/** Returns the texts of a Problem as one text. */
export const inFull = ({ message, description }: Problem) => [message, description].filter(Boolean).join('. ');
