import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../../../shared/items';
import { warn } from '../../../shared/node';
import type { Language } from '../../../shared/notice';
import { giveWay } from '../../../shared/pool';
import { asProblem, detailsOf, Problem } from '../../../shared/problem';
import { throwIfCancelled } from '../../../shared/retry';
import type { Before } from '../../memory/asking';
import { quietEnd } from '../../outgoing/quietHours';
import { nameProblem } from '../../outgoing/run';
import { inFull, reviewOf, reviewPage } from './page';
import { readRow, recipientIn, type SendRow } from '../row';
import { closeRun, openRun, readOutput, type Run } from '../sendAll';
import { decide, itemOfResult, type RowResult, type Told } from '../sendOnce';

/**
 * Checks a whole list and sends nothing. It never stops the workflow.
 *
 * @returns one item for an approval, or one for each row
 */
export async function review(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const rows = context.getInputData();
	const { language, leftOut, asRows, problem } = readOutput(context, 'review');
	const opened = await openRun(context, 'review', problem).catch(asProblem);
	const run = opened instanceof Problem ? undefined : opened;
	const checked = opened instanceof Problem ? rows.map(() => opened) : await checkAll(context, opened);
	const results = checked.map((result, itemIndex) =>
		result instanceof Problem
			? nameProblem(context, itemIndex, result, () => recipientIn(context, itemIndex, run?.recipientColumns))
			: result,
	);
	if (run !== undefined) warn(context, await closeRun(run, results));
	const quiet = run?.guards.quietHours && quietEnd(run.guards.quietHours, Date.now());
	if (asRows) {
		const items = results.map((result) => ({
			...(result instanceof Problem ? itemOfFault(result, language) : itemOfResult(result, language, quiet?.at)),
			review: true,
		}));
		return toItems(context, items, leftOut, language)[0] ?? [];
	}
	const summary = reviewOf(results, language, quiet);
	const firstCells = rows.map(({ json }) => String(Object.values(json)[0] ?? ''));
	const html = reviewPage(summary, language, { firstCells, quietUntil: quiet?.words });
	return [{ json: { ...summary, html } as unknown as IDataObject, pairedItem: rows.map((_, item) => ({ item })) }];
}

/** What would become of each row. With Skip the same message twice in the list goes out once. */
async function checkAll(context: IExecuteFunctions, run: Run): Promise<Array<RowResult | Problem>> {
	const { platform, messages, reportUrls } = run;
	const rows: Array<SendRow | Problem> = [];
	for (const itemIndex of context.getInputData().keys()) {
		await giveWay(itemIndex);
		throwIfCancelled(context);
		try {
			const row = readRow(context, itemIndex, run);
			reportUrls.note(row);
			rows.push(row);
		} catch (error) {
			rows.push(asProblem(error));
		}
	}
	const asked = rows.flatMap((row) =>
		row instanceof Problem || row.ifAlreadySent === 'send' || row.doNotSend ? [] : [row.key],
	);
	const found = await messages.look(asked).catch(asProblem);
	const known = found instanceof Problem ? undefined : new Map(asked.map((key, index) => [key, found[index]!]));
	/** A memory that sends nothing: what is settled in it would be sent. */
	const memory = {
		period: messages.period,
		async begin(key: string): Promise<Before> {
			if (known === undefined) throw found as Problem;
			return known.get(key)!;
		},
		async settle(key: string) {
			known!.set(key, { ...known!.get(key)!, state: 'sent' });
		},
	};
	const results: Array<RowResult | Problem> = [];
	for (const row of rows) {
		if (row instanceof Problem) results.push(row);
		else {
			const { doubts, sameRecipient: same } = row;
			const wouldSend = async (told: Told): Promise<RowResult> => ({ kind: 'wouldSend', told, doubts, same });
			results.push(await decide(platform, memory, row, wouldSend).catch(asProblem));
		}
	}
	return results;
}

/** The item of a faulty row, which is no failed one. */
function itemOfFault(problem: Problem, language: Language): IDataObject {
	const { recipient, reference, reason, notice } = detailsOf(problem, language);
	return {
		...(recipient !== undefined && { recipient }),
		accepted: false,
		problem: inFull(problem),
		reason,
		notice,
		...(reference !== undefined && { reference }),
	};
}
