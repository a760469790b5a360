import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems, withoutUndefined } from '../../../shared/items';
import { warn } from '../../../shared/node';
import type { Language } from '../../../shared/notice';
import { asProblem, detailsOf, Problem, problemOr } from '../../../shared/problem';
import { giveWay } from '../../../shared/pool';
import { throwIfCancelled } from '../../../shared/cancel';
import { numberRows } from '../../../shared/rowNumber';
import { NOT_ASKED } from '../../memory/periods';
import { nameProblems } from '../../outgoing/ending';
import { trialHint } from '../../outgoing/guards';
import { describeQuietHours, quietEnd } from '../../outgoing/quietHours';
import { openRun, readOutput, type Run } from '../openRun';
import { aboutRow, itemOfResult, skipReasonOf, type RowResult } from '../result';
import { readRow, recipientIn, type SendRow } from '../row';
import { doubtHints } from './doubts';
import { nameRows, reviewPage } from './page';
import { inFull, reviewOf } from './summary';

/** Checks a list; sends and stops nothing. @returns one item for an approval, or one for each row */
export async function review(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const rows = context.getInputData();
	const { language, leftOut, asRows, problem } = readOutput(context, 'review');
	const run = await openRun(context, 'review', problem).catch(asProblem);
	const { recipientColumns, guards, rememberFor }: Partial<Run> = run instanceof Problem ? {} : run;
	const checked = run instanceof Problem ? rows.map(() => run) : await checkAll(context, run);
	const results = nameProblems(context, checked, (index) => recipientIn(context, index, recipientColumns));
	const list = numberRows(rows);
	if (!(run instanceof Problem)) {
		const doubts = doubtHints(results, list, rememberFor);
		warn(context, [...run.reportUrls.warnings(), trialHint(run.guards), ...doubts, await run.messages.close()]);
	}
	const quiet = guards?.quietHours && quietEnd(guards.quietHours, Date.now());
	if (asRows) {
		const items = results.map((result) => ({
			...(result instanceof Problem ? itemOfFault(result, language) : itemOfResult(result, language, quiet?.at)),
			review: true,
		}));
		return toItems(context, items, leftOut, language)[0] ?? [];
	}
	const summary = reviewOf(results, list, language, quiet, rememberFor);
	const html = reviewPage(summary, language, nameRows(results, rows, list), quiet?.words, rememberFor);
	const quietHours = guards?.quietHours && describeQuietHours(guards.quietHours);
	return [
		{
			json: { ...summary, ...(quietHours && { quietHours }), html } as unknown as IDataObject,
			pairedItem: rows.map((_, item) => ({ item })),
		},
	];
}

/** What would become of each row. With Skip the same message twice in the list goes out once. */
async function checkAll(context: IExecuteFunctions, run: Run): Promise<Array<RowResult | Problem>> {
	const { messages, reportUrls } = run;
	const rows: Array<SendRow | Problem> = [];
	for (const itemIndex of context.getInputData().keys()) {
		await giveWay(itemIndex);
		throwIfCancelled(context);
		const row = problemOr(() => readRow(context, itemIndex, run));
		if (!(row instanceof Problem)) reportUrls.note(row);
		rows.push(row);
	}
	const isAsked = (row: SendRow | Problem): row is SendRow =>
		!(row instanceof Problem) && row.ifAlreadySent === 'skip' && !row.doNotSend;
	const known = await messages.look([...new Set(rows.filter(isAsked).map(({ key }) => key))]).catch(asProblem);
	const seen = new Set<string>();
	const check = async (row: SendRow | Problem): Promise<RowResult | Problem> => {
		if (row instanceof Problem) return row;
		const before = !isAsked(row) ? NOT_ASKED : known instanceof Problem ? known : known.get(row.key)!;
		if (before instanceof Problem) return before;
		const about = await aboutRow(run, row, before);
		const isTwice = isAsked(row) && seen.has(row.key);
		const skipReason = skipReasonOf(row, before) ?? (isTwice ? 'twice' : undefined);
		if (skipReason !== undefined) return { kind: 'skipped', about, skipReason };
		if (isAsked(row)) seen.add(row.key);
		return { kind: 'wouldSend', about, doubts: row.doubts, normal: row.normalRecipient };
	};
	const results: Array<RowResult | Problem> = [];
	for (const row of rows) results.push(await check(row).catch(asProblem));
	return results;
}

/** The item of a faulty row, which is no failed one. */
function itemOfFault(problem: Problem, language: Language): IDataObject {
	const { recipient, reference, reason, notice } = detailsOf(problem, language);
	return withoutUndefined({ recipient, accepted: false, problem: inFull(problem), reason, notice, reference });
}
