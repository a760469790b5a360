import type { IExecuteFunctions } from 'n8n-workflow';

import { openLedger } from '../../shared/ledger';
import type { Language } from '../../shared/notice';
import { failing, failuresOf, giveWay, runRows, type Opened, type Results } from '../../shared/pool';
import { warn } from '../../shared/node';
import { ifReadable, nodeError, Problem } from '../../shared/problem';
import { countRows, groupByReason, nameRow } from '../../shared/summary';
import { isUnknown } from './deliver';
import { readReference } from './message';
import { typedRecipient } from './recipient';

/** JSON data. */
type Entry<T> = { result: T } | { unknown: Pick<Problem, 'message' | 'description' | 'details' | 'httpCode' | 'why'> };

/** @param T the result of an accepted row */
export type Answers<T extends object> = ReturnType<typeof openAnswers<T>>;

/**
 * What became of rows, for Retry On Fail and n8n's Retry, which run the whole node again: what was accepted, or may have
 * been, is not sent again. A rejected row is not in it: it may be tried again.
 *
 * @param T the result of an accepted row, as JSON data
 * @param lasts as for the ledger
 */
export function openAnswers<T extends object>(context: IExecuteFunctions, lasts: 'run' | 'execution') {
	const ledger = openLedger<Entry<T>>(context, lasts);
	const placeOf = (itemIndex: number) => `${context.getExecutionId()} ${itemIndex}`;
	const recall = (id: string): T | Problem | undefined => {
		const entry = ledger.get(id);
		if (entry === undefined || 'result' in entry) return entry?.result;
		const { message, description, details, httpCode, why } = entry.unknown;
		return new Problem(message, description, details, httpCode, why);
	};
	return {
		/** By the row's place: within one execution the rows stay the same, whatever an expression evaluates to the next time. */
		ofPlace: (itemIndex: number) => recall(placeOf(itemIndex)),
		/** By what the row sends: in another execution, with a corrected list, places are other rows'. */
		ofContent: recall,
		keep(itemIndex: number, content: string, result: T | Problem) {
			for (const id of [placeOf(itemIndex), content]) {
				if (!(result instanceof Problem)) ledger.set(id, { result });
				else if (isUnknown(result)) ledger.set(id, { unknown: { ...result, message: result.message } });
				else ledger.forget(id);
			}
		},
		/** Forgets the run, once nothing can run it again. */
		close: () => ledger.close(),
	};
}

/**
 * Works on the rows of a run that sends, but for those that an earlier attempt dealt with, also where nothing can be sent
 * now. A row's problem gets the recipient and the reference that the row names.
 *
 * @param recipientIn the recipient that a row names, as it is typed
 */
export async function runMessages<T extends object>(
	context: IExecuteFunctions,
	answers: Pick<Answers<T>, 'ofPlace'>,
	recipientIn: (itemIndex: number) => unknown,
	open: () => Promise<Opened<T>>,
): Promise<Results<T>> {
	const results = await runRows(context, async () => {
		const { places, work } = await open().catch(failing<T>);
		return { places, work: async (itemIndex) => answers.ofPlace(itemIndex) ?? (await work(itemIndex)) };
	});
	for (const [done, [itemIndex, problem]] of failuresOf(results).entries()) {
		results[itemIndex] = nameProblem(context, itemIndex, problem, recipientIn);
		await giveWay(done);
	}
	return results;
}

/** A row's problem with what a user knows the row by, as much of it as can be read. */
export function nameProblem(
	context: IExecuteFunctions,
	itemIndex: number,
	problem: Problem,
	recipientIn: (itemIndex: number) => unknown,
): Problem {
	const { details } = problem;
	if (details.recipient !== undefined && details.reference !== undefined) return problem;
	// What can't be read may be the error that the row has already.
	const recipient = ifReadable(() => typedRecipient(recipientIn(itemIndex)));
	const own = ifReadable(() => readReference(context, itemIndex));
	return problem.with({ ...(recipient !== undefined && { recipient }), ...(own !== undefined && { reference: own }) });
}

/** `lost`: nobody knows whether it was sent; `unknown`: skipped, because that was so before. */
const NO_ROWS = { accepted: 0, rejected: 0, lost: 0, sentBefore: 0, unknown: 0, doNotSend: 0, notTried: 0 };
type Tally = typeof NO_ROWS;

/** How a run stands, for the person who looks at it. */
function tallyOf<T>(results: Results<T>, kindOf: (result: T) => keyof Tally): Tally {
	const tally = { ...NO_ROWS };
	for (const result of results) {
		if (result === undefined) tally.notTried++;
		else if (result instanceof Problem) tally[isUnknown(result) ? 'lost' : 'rejected']++;
		else tally[kindOf(result)]++;
	}
	return tally;
}

const skippedOf = ({ sentBefore, unknown, doNotSend }: Tally) => sentBefore + unknown + doNotSend;

/** "36 accepted, 2 rejected, 1 unknown, 0 skipped, 60 not tried" */
function inWords(tally: Tally): string {
	const { accepted, rejected, lost, notTried } = tally;
	const sent = `${accepted} accepted, ${rejected} rejected, ${lost} unknown, ${skippedOf(tally)} skipped`;
	return notTried > 0 ? `${sent}, ${notTried} not tried` : sent;
}

/**
 * Ends a run: sums it up over the node's output for the person who looks at it.
 *
 * @param kindOf what became of a row that did not fail
 * @param language of the notice in the error's details
 * @param warnings what the user has to know beside it
 * @param howToGoOn after a run that left rows untried, whatever stopped it
 * @throws the error that stops the run, where a row failed and On Error says so
 */
export function endRun<T>(
	context: IExecuteFunctions,
	results: Results<T>,
	kindOf: (result: T) => keyof Tally,
	language: Language,
	warnings: string[],
	howToGoOn: string,
): void {
	const tally = tallyOf(results, kindOf);
	const failed = failuresOf(results);
	if (failed.length > 0 && !context.continueOnFail()) {
		throw nodeError(context.getNode(), stopped(context, failed, tally, howToGoOn), failed[0]![0], language);
	}
	if (results.length > 1 || skippedOf(tally) > 0) {
		const message = [inWords(tally), groupByReason(failed)].filter(Boolean).join('. ');
		const type = tally.rejected + tally.lost + tally.notTried > 0 ? 'warning' : 'info';
		context.addExecutionHints({ message, type, location: 'outputPane' });
	}
	const wereNot = (count: number, what: string) =>
		count === 0 ? [] : [`${countRows(count)} ${count === 1 ? 'was' : 'were'} not ${what}`];
	warn(context, [
		...wereNot(
			tally.sentBefore,
			'sent, because the same message went out before. For alerts and reminders that may repeat, set If Already Sent to Send.',
		),
		...warnings,
		...wereNot(
			tally.unknown,
			'sent, because nobody knows whether the same message went out before. Ask the recipients or the operator; to send them all the same, set If Already Sent to Send for these rows.',
		),
		...wereNot(tally.doNotSend, 'sent, because they are in Do Not Send To.'),
		...wereNot(tally.notTried, `tried. ${howToGoOn}`),
	]);
}

/** Why a run stopped: the first row's problem, and how the run stands. */
function stopped(
	context: IExecuteFunctions,
	failed: Array<[number, Problem]>,
	tally: Tally,
	howToGoOn: string,
): Problem {
	const [itemIndex, problem] = failed[0]!;
	const { message, description, details, httpCode, why } = problem;
	const isOutage = httpCode !== undefined && details.errorCode === undefined;
	const which = failed.length > 1 ? groupByReason(failed) : isOutage ? '' : `It was the ${nameRow(itemIndex, problem)}`;
	const parts = context.getInputData().length > 1 ? [description, which, inWords(tally)] : [description];
	if (tally.notTried > 0) parts.push(howToGoOn);
	return new Problem(message, parts.filter(Boolean).join('. '), details, httpCode, why);
}
