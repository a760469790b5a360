import type { IExecuteFunctions } from 'n8n-workflow';

import { failuresOf, type Results } from '../../shared/pool';
import { nodeError, Problem } from '../../shared/problem';
import { countRows, groupByReason, nameRow } from '../../shared/summary';

/** How a run stands, for the person who looks at it. */
export interface Tally {
	accepted: number;
	rejected: number;
	unknown: number;
	/** Rows that were skipped, by why. */
	sentBefore: number;
	unknownBefore: number;
	doNotSend: number;
	notTried: number;
}

/** What became of a row that did not fail. */
export type Kind = 'accepted' | 'sentBefore' | 'unknown' | 'doNotSend';

export function tallyOf<T>(results: Results<T>, kindOf: (result: T) => Kind): Tally {
	const tally = { accepted: 0, rejected: 0, unknown: 0, sentBefore: 0, unknownBefore: 0, doNotSend: 0, notTried: 0 };
	for (const result of results) {
		if (result === undefined) tally.notTried++;
		else if (result instanceof Problem) tally[result.details.outcome === 'unknown' ? 'unknown' : 'rejected']++;
		else {
			const kind = kindOf(result);
			tally[kind === 'unknown' ? 'unknownBefore' : kind]++;
		}
	}
	return tally;
}

const skippedOf = ({ sentBefore, unknownBefore, doNotSend }: Tally) => sentBefore + unknownBefore + doNotSend;

/** "36 accepted, 2 rejected, 1 unknown, 0 skipped, 60 not tried" */
export function inWords(tally: Tally): string {
	const { accepted, rejected, unknown, notTried } = tally;
	const sent = `${accepted} accepted, ${rejected} rejected, ${unknown} unknown, ${skippedOf(tally)} skipped`;
	return notTried > 0 ? `${sent}, ${notTried} not tried` : sent;
}

/**
 * Ends a run: sums it up over the node's output for the person who looks at it.
 *
 * @param warnings what the user has to know beside it
 * @param howToGoOn after a run that left rows untried, whatever stopped it
 * @throws the error that stops the run, where a row failed and On Error says so
 */
export function endRun(
	context: IExecuteFunctions,
	results: Results<unknown>,
	tally: Tally,
	warnings: string[],
	howToGoOn: string,
): void {
	const failed = failuresOf(results);
	if (failed.length > 0 && !context.continueOnFail()) throw stopError(context, failed, tally, howToGoOn);
	const show = (message: string, type: 'info' | 'warning') =>
		context.addExecutionHints({ message, type, location: 'outputPane' });
	const reasons = groupByReason(failed);
	if (results.length > 1 || skippedOf(tally) > 0) {
		const isWarning = tally.rejected + tally.unknown + tally.notTried > 0;
		show(`${inWords(tally)}${reasons === '' ? '' : `. ${reasons}`}`, isWarning ? 'warning' : 'info');
	}
	const were = (count: number) => `${countRows(count)} ${count === 1 ? 'was' : 'were'} not`;
	if (tally.sentBefore > 0) {
		warnings = [
			`${were(tally.sentBefore)} sent, because the same message went out before. For alerts and reminders that may repeat, set If Already Sent to Send.`,
			...warnings,
		];
	}
	if (tally.unknownBefore > 0) {
		warnings = [
			...warnings,
			`${were(tally.unknownBefore)} sent, because nobody knows whether the same message went out before. Ask the recipients or the operator; to send them all the same, set If Already Sent to Send for these rows.`,
		];
	}
	if (tally.doNotSend > 0)
		warnings = [...warnings, `${were(tally.doNotSend)} sent, because they are in Do Not Send To.`];
	if (tally.notTried > 0) warnings = [...warnings, `${were(tally.notTried)} tried. ${howToGoOn}`];
	for (const warning of warnings) show(warning, 'warning');
}

/** The error of a run that stopped: the first row's, and how the run stands. */
function stopError(
	context: IExecuteFunctions,
	failed: Array<[number, Problem]>,
	tally: Tally,
	howToGoOn: string,
): Error {
	const [itemIndex, problem] = failed[0]!;
	const { message, description, details, httpCode, why } = problem;
	const isOutage = httpCode !== undefined && details.errorCode === undefined;
	const which = failed.length > 1 ? groupByReason(failed) : isOutage ? '' : `It was the ${nameRow(itemIndex, problem)}`;
	const parts = context.getInputData().length > 1 ? [description, which, inWords(tally)] : [description];
	if (tally.notTried > 0) parts.push(howToGoOn);
	const whole = new Problem(message, parts.filter(Boolean).join('. '), details, httpCode, why);
	return nodeError(context.getNode(), whole, itemIndex);
}
