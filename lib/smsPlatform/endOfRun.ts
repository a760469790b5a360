import type { IExecuteFunctions } from 'n8n-workflow';

import * as advice from '../texts/advice';
import { addWarnings } from '../n8n/node';
import type { Language } from '../texts/notice';
import { failuresOf, type Results } from '../n8n/workerPool';
import { nodeError, Problem } from '../texts/problem';
import { numberRows, type RowNumbers } from '../texts/rowNumber';
import { groupByReason, groupsOf } from '../texts/groups';
import { isUnknown } from './deliver';

/** The recipient and reference of an item, for its error. Undefined: the user gave no such value, or it can't be read. */
export interface ItemName {
	recipient?: string;
	/** The user's own reference. */
	reference?: string;
}

/** Adds recipient and reference of an item to its Problem, unless the Problem already has both. */
export function nameProblem(problem: Problem, { recipient, reference }: ItemName): Problem {
	const { details } = problem;
	if (details.recipient !== undefined && details.reference !== undefined) return problem;
	return problem.withDetails({
		...(recipient !== undefined && { recipient }),
		...(reference !== undefined && { reference }),
	});
}

/** Adds recipient and reference of each item to the Problems of a run. */
export const nameProblems = <R>(results: Array<R | Problem>, nameOf: (itemIndex: number) => ItemName) =>
	results.map((result, index) => (result instanceof Problem ? nameProblem(result, nameOf(index)) : result));

/** The outcome of an item that did not fail. */
type Kind = 'accepted' | 'sentBefore' | 'unknown' | 'doNotSend';

/**
 * Counts the outcomes of a run. `unknownNow`: the outcome became unknown in this run. `skippedUnknown`: the item was skipped,
 * because the outcome became unknown in an earlier run. `notTried`: the run was stopped before the item. `down`: the item was
 * rejected because the service is down. It counts under `rejected` too.
 */
function countOutcomes<T>(results: Results<T>, kindOf: (result: T) => Kind) {
	const counts = {
		...{ accepted: 0, rejected: 0, unknownNow: 0, down: 0 },
		...{ sentBefore: 0, skippedUnknown: 0, doNotSend: 0, notTried: 0 },
	};
	for (const result of results) {
		if (result === undefined) counts.notTried++;
		else if (result instanceof Problem) {
			counts[isUnknown(result) ? 'unknownNow' : 'rejected']++;
			if (result.why.reason === 'serviceDown') counts.down++;
		} else {
			const kind = kindOf(result);
			// An item whose outcome became unknown in this run has a Problem. Without a Problem, the outcome became unknown in an
			// earlier run, so the item was skipped.
			counts[kind === 'unknown' ? 'skippedUnknown' : kind]++;
		}
	}
	return counts;
}

type Counts = ReturnType<typeof countOutcomes>;

const skippedOf = ({ sentBefore, skippedUnknown, doNotSend }: Counts) => sentBefore + skippedUnknown + doNotSend;

/** Returns the counts as text, for example "36 accepted, 2 rejected, 1 unknown, 0 skipped, 60 not tried". */
function describeCounts(counts: Counts): string {
	const { accepted, rejected, unknownNow, notTried } = counts;
	const sent = `${accepted} accepted, ${rejected} rejected, ${unknownNow} unknown, ${skippedOf(counts)} skipped`;
	return notTried > 0 ? `${sent}, ${notTried} not tried` : sent;
}

/** The data of a run at its end. */
interface End<T> {
	results: Results<T>;
	/** Returns the recipient and reference of an item. */
	nameOf: (itemIndex: number) => ItemName;
	retryState: { close(): void; isLaterRun: boolean };
	/** Returns the kind under which a result is counted. */
	kindOf: (result: T) => Kind;
	/** The language of the notice in the error's details. */
	language: Language;
	warnings: Array<string | undefined>;
	/** Whether the messages are replies to an incoming message. */
	isReply?: boolean;
	/**
	 * Whether the whole list was refused before anything was sent, because an item has a fault or n8n's list has no room to
	 * remember the messages.
	 */
	isRefused: boolean;
	/**
	 * How long the node remembers messages, for the advice. Undefined: it does not remember them (Send Again), or the run could
	 * not begin.
	 */
	rememberFor: advice.Remembers;
}

/**
 * Ends a run: adds hints about it above the node's output, and deletes the state for retries if nothing failed.
 * @returns the results, with recipient and reference in their Problems
 * @throws the error of the run if an item failed and On Error is Stop
 */
export function endRun<T>(context: IExecuteFunctions, end: End<T>): Results<T> {
	const { kindOf, language, warnings, rememberFor } = end;
	const results = nameProblems(end.results, end.nameOf);
	const counts = countOutcomes(results, kindOf);
	const failed = failuresOf(results);
	if (failed.length === 0) end.retryState.close();
	const rowNumbers = numberRows(context.getInputData());
	if (failed.length > 0 && !context.continueOnFail())
		throw nodeError(
			context.getNode(),
			stopped({ ...end, results }, failed, counts, rowNumbers),
			rowNumbers.numbers[failed[0]![0]],
			language,
		);
	if (results.length > 1 || skippedOf(counts) > 0) {
		const which = groupByReason(failed, rowNumbers);
		const message = [describeCounts(counts), which].filter(Boolean).join('. ');
		const type = counts.rejected + counts.unknownNow + counts.notTried > 0 ? 'warning' : 'info';
		context.addExecutionHints({ message, type, location: 'outputPane' });
	}
	const hintIfAny = (count: number, hint: (count: number, rememberFor: advice.Remembers) => string) =>
		count === 0 ? [] : [hint(count, rememberFor)];
	addWarnings(context, [
		...hintIfAny(counts.sentBefore, end.isReply ? advice.answeredBefore : advice.skippedBefore),
		...warnings,
		...hintIfAny(counts.skippedUnknown, advice.skippedUnknown),
		...hintIfAny(results.length > 1 ? counts.unknownNow : 0, advice.unknownNow),
		...hintIfAny(counts.doNotSend, advice.doNotSend),
		...hintIfAny(counts.down, advice.serviceDown),
		...hintIfAny(counts.notTried, advice.notTried),
	]);
	return results;
}

/**
 * Makes the error of a run from the Problem of a failed item. If the run has several items, the error also has counts, and advice
 * on how to go on.
 */
function stopped<T>(end: End<T>, failed: Array<[number, Problem]>, counts: Counts, rowNumbers: RowNumbers): Problem {
	const { results, isRefused, rememberFor } = end;
	const [, first] = failed[0]!;
	const rows = results.length;
	if (rows === 1) return first;
	// If all items have the same fault, it is a fault of the list, and the error of the fault already says so.
	const isSharedByAll = failed.length === rows && groupsOf(failed).length === 1;
	if (isRefused && !isSharedByAll) {
		const faults = failed.filter(([, problem]) => !isUnknown(problem));
		// An earlier attempt of the node, or an earlier batch of Loop Over Items, may have sent some messages.
		const mayBeSent = counts.accepted + counts.unknownNow > 0 || end.retryState.isLaterRun;
		const sent = { faulty: faults.length, rows, which: groupByReason(faults, rowNumbers), mayBeSent };
		const { message, description } = advice.stoppedByFaults(sent);
		const unknown = counts.unknownNow === 0 ? '' : ` ${advice.unknownNow(counts.unknownNow, rememberFor)}`;
		return faults[0]![1].copyWith({ message, description: description + unknown });
	}
	// For messages of unknown outcome, the text of `advice.unknownNow` says what to do.
	const todo = isUnknown(first) ? '' : first.description;
	const which = groupByReason(failed, rowNumbers, todo);
	const parts = [todo, which, describeCounts(counts)];
	// During quiet hours, the first Problem says when the other rows may be sent. In an outage, `advice.serviceDown` says it.
	const toRepeat = first.why.reason === 'quietHours' || counts.down > 0 ? 0 : counts.rejected;
	if (!isSharedByAll) parts.push(advice.stoppedAtEnd(counts.accepted, toRepeat, rememberFor));
	if (counts.unknownNow > 0) parts.push(advice.unknownNow(counts.unknownNow, rememberFor));
	if (counts.down > 0) parts.push(advice.serviceDown(counts.down, rememberFor));
	return first.copyWith({ description: inSentences(parts) });
}

const inSentences = (parts: string[]) =>
	parts
		.filter(Boolean)
		.map((part) => part.replace(/\.?$/, '.'))
		.join(' ')
		.replace(/\.$/, '');
