import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../../shared/items';
import { asProblem, Problem } from '../../shared/problem';
import { openAttempts, type Attempts } from '../outgoing/attempts';
import { endRun, nameProblem } from '../outgoing/ending';
import { openRun, readOutput } from './open';
import { itemOfResult, type RowResult } from './result';
import { recipientIn } from './row';
import { sendRows, type Ended } from './run';

/**
 * Sends one message for each row, at most once, whatever n8n's Retry On Fail does around it.
 *
 * @returns one item for each row, in input order
 */
export async function sendAll(context: IExecuteFunctions, operation: 'send' | 'reply'): Promise<INodeExecutionData[]> {
	const { language, leftOut, problem } = readOutput(context, operation);
	const attempts = openAttempts<RowResult>(context);
	const run = await openRun(context, operation, problem).catch(asProblem);
	const { results, isFaulty, warnings } =
		run instanceof Problem ? failAll(context, attempts, run) : await sendRows(context, run, attempts);
	const columns = run instanceof Problem ? undefined : run.recipientColumns;
	const answered = run instanceof Problem ? undefined : run.answered;
	const typed = (itemIndex: number) => answered?.msisdn ?? recipientIn(context, itemIndex, columns);
	const named = results.map((result, itemIndex) =>
		result instanceof Problem ? nameProblem(context, itemIndex, result, typed) : result,
	);
	if (!named.some((result) => result instanceof Problem)) attempts.close();
	const rememberFor = run instanceof Problem || run.mayRepeat ? undefined : run.rememberFor;
	endRun(context, { results: named, kindOf, language, warnings, isFaulty, rememberFor });
	const items = named.map((result) =>
		result === undefined || result instanceof Problem ? result : itemOfResult(result, language),
	);
	return toItems(context, items, leftOut, language)[0] ?? [];
}

const kindOf = (result: RowResult) =>
	result.kind === 'skipped' && result.skipReason !== 'twice' ? result.skipReason : 'accepted';

/** A run that can't begin: what an earlier attempt did stays so, all other rows fail alike. */
function failAll(context: IExecuteFunctions, attempts: Attempts<RowResult>, problem: Problem): Ended {
	const results = context
		.getInputData()
		.map((_, itemIndex) => attempts.find(attempts.nameOf(itemIndex, undefined)) ?? problem);
	return { results, isFaulty: false, warnings: [] };
}
