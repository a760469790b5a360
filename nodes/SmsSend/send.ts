import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../../lib/n8n/items';
import { openRetryState } from '../../lib/smsPlatform/retryState';
import { endRun } from '../../lib/smsPlatform/endOfRun';
import { Problem, toProblem } from '../../lib/texts/problem';
import { readName } from './readItem';
import { openRun, readOutput } from './openRun';
import { itemOfResult, type ItemResult } from './result';
import { sendList } from './sendChunks';

/**
 * Sends the message of each item at most once, even with Retry On Fail.
 * @returns an output item for each item that was tried, in order
 */
export async function sendAll(context: IExecuteFunctions, operation: 'send' | 'reply'): Promise<INodeExecutionData[]> {
	const { language, omittedColumns, problem } = readOutput(context, operation);
	const retryState = openRetryState<ItemResult>(context);
	const run = problem ?? (await openRun(context, operation).catch(toProblem));
	const { results, isRefused, warnings, names } =
		run instanceof Problem
			? { results: retryState.failAll(run), isRefused: false, warnings: [], names: [] }
			: await sendList(context, run, retryState);
	const settings = run instanceof Problem ? {} : run;
	const ended = endRun(context, {
		results,
		nameOf: (itemIndex) => names[itemIndex] ?? readName(context, itemIndex, settings),
		retryState,
		kindOf,
		language,
		warnings,
		isRefused,
		rememberFor: run instanceof Problem ? undefined : run.advisedFor,
		isReply: operation === 'reply',
	});
	const items = ended.map((result) =>
		result === undefined || result instanceof Problem ? result : itemOfResult(result, language),
	);
	return toItems(context, items, omittedColumns, language)[0] ?? [];
}

/**
 * Returns the kind under which the summary counts a result. The kind `wouldSend` and the skip reason `twice` occur only in a
 * review.
 */
const kindOf = (result: ItemResult) =>
	result.kind === 'skipped' && result.skipReason !== 'twice' ? result.skipReason : 'accepted';
