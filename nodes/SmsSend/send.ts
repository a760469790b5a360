import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../../lib/n8n/items';
import { toProblem, Problem } from '../../lib/texts/problem';
import { openRetryState } from '../../lib/smsPlatform/retryState';
import { endRun } from '../../lib/smsPlatform/runSummary';
import { openRun, readOutput, type Run } from './readRun';
import { itemOfResult, type RowResult } from './result';
import { recipientIn } from './readItem';
import { sendRows } from './sendChunks';

/** Sends each row's message, at most once, whatever Retry On Fail does. @returns an item for each row, in order */
export async function sendAll(context: IExecuteFunctions, operation: 'send' | 'reply'): Promise<INodeExecutionData[]> {
	const { language, leftOut, problem } = readOutput(context, operation);
	const retryState = openRetryState<RowResult>(context);
	const run = await openRun(context, operation, problem).catch(toProblem);
	const { results, isFaulty, warnings } =
		run instanceof Problem
			? { results: retryState.failAll(run), isFaulty: false, warnings: [] }
			: await sendRows(context, run, retryState);
	const { answered, recipientColumns, rememberFor }: Partial<Run> = run instanceof Problem ? {} : run;
	const typed = (itemIndex: number) => answered?.msisdn ?? recipientIn(context, itemIndex, recipientColumns);
	const end = {
		results,
		typed,
		retryState,
		kindOf,
		language,
		warnings,
		isFaulty,
		rememberFor,
		isReply: operation === 'reply',
	};
	const items = endRun(context, end).map((result) =>
		result === undefined || result instanceof Problem ? result : itemOfResult(result, language),
	);
	return toItems(context, items, leftOut, language)[0] ?? [];
}

const kindOf = (result: RowResult) =>
	result.kind === 'skipped' && result.skipReason !== 'twice' ? result.skipReason : 'accepted';
