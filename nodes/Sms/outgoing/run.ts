import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Ledger } from '../../shared/ledger';
import { failing, failuresOf, runRows, type Opened, type Results } from '../../shared/pool';
import { nodeError, Problem } from '../../shared/problem';
import { openProgress } from '../../shared/progress';
import { giveWay } from '../../shared/retry';
import { groupByReason, nameRow } from '../../shared/summary';
import { recall, type Entry } from './deliver';
import { readReference } from './read';
import { typedRecipient } from './recipient';
import { inWords, showSummary, tallyOf, type Tally } from './summary';

/**
 * Works on the rows of a run that sends, but for those that an earlier attempt dealt with. A row's problem gets the recipient and the reference that the row names.
 *
 * @param name the node's, for the log
 */
export async function runMessages(
	context: IExecuteFunctions,
	ledger: Ledger<Entry>,
	name: string,
	open: () => Promise<Opened<IDataObject>>,
): Promise<Results<IDataObject>> {
	const progress = openProgress(context, name);
	const results = await runRows(context, async () => {
		// What an earlier attempt of Retry On Fail dealt with stays dealt with, also where nothing can be sent now.
		const { places, work } = await open().catch(failing<IDataObject>);
		return {
			places,
			work: async (itemIndex) => recall(ledger, itemIndex) ?? (await work(itemIndex).finally(progress)),
		};
	});
	for (const [done, [itemIndex, problem]] of failuresOf(results)
		.filter(([, failed]) => !isNamed(failed))
		.entries()) {
		results[itemIndex] = nameProblem(context, itemIndex, problem);
		await giveWay(done);
	}
	return results;
}

const isNamed = ({ details }: Problem) => details.recipient !== undefined && details.reference !== undefined;

/** A row's problem with what a user knows the row by, as much of it as can be read. */
export function nameProblem(context: IExecuteFunctions, itemIndex: number, problem: Problem): Problem {
	const readable = <T>(read: () => T): T | undefined => {
		try {
			return read();
		} catch {
			return undefined; // The row has an error already, and that one may be it.
		}
	};
	const recipient = readable(() => typedRecipient(context.getNodeParameter('recipient', itemIndex, '')));
	const reference = readable(() => readReference(context, itemIndex));
	return problem.with({ ...(recipient !== undefined && { recipient }), ...(reference !== undefined && { reference }) });
}

/**
 * Ends a run: sums it up for the person who looks at it.
 *
 * @param howToGoOn after a run that left rows untried, whatever stopped it
 * @param dryRows those that failed and were only checked
 * @throws the error that stops the run, where a row failed and On Error says so
 */
export function endRun(
	context: IExecuteFunctions,
	ledger: Ledger<Entry>,
	results: Results<IDataObject>,
	warnings: string[],
	howToGoOn: string,
	dryRows: ReadonlySet<number> = new Set(),
): void {
	const failed = failuresOf(results);
	// Rows that earlier attempts of Retry On Fail dealt with count too, also where this one stopped before them.
	const known = results.flatMap((result, itemIndex) => (result === undefined ? (ledger.get(itemIndex) ?? []) : []));
	const tally = tallyOf(results, known, dryRows);
	if (failed.length === 0) ledger.close();
	else if (!context.continueOnFail()) throw stopError(context, failed, tally, howToGoOn);
	showSummary(context, tally, failed, warnings, howToGoOn);
}

/** The error of a run that stopped: the first row's, and how the run stands. */
function stopError(
	context: IExecuteFunctions,
	failed: Array<[number, Problem]>,
	tally: Tally,
	howToGoOn: string,
): Error {
	const [itemIndex, problem] = failed[0]!;
	const { message, description, details, httpCode } = problem;
	const isOutage = httpCode !== undefined && details.errorCode === undefined;
	const which = failed.length > 1 ? groupByReason(failed) : isOutage ? '' : `It was the ${nameRow(itemIndex, problem)}`;
	const summary =
		context.getInputData().length > 1
			? [which, inWords(tally)]
					.filter(Boolean)
					.map((part) => `. ${part}`)
					.join('')
			: '';
	const goesOn = tally.notTried > 0 ? `. ${howToGoOn}` : '';
	return nodeError(
		context.getNode(),
		new Problem(message, description + summary + goesOn, details, httpCode),
		itemIndex,
	);
}
