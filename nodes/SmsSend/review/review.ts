import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems, withoutUndefined } from '../../../lib/n8n/items';
import { addWarnings } from '../../../lib/n8n/node';
import type { Language } from '../../../lib/texts/notice';
import { toProblem, detailsOf, Problem, toResult } from '../../../lib/texts/problem';
import { yieldToEventLoop } from '../../../lib/n8n/workerPool';
import { throwIfCancelled } from '../../../lib/http/cancel';
import { numberRows } from '../../../lib/texts/rowNumber';
import { nameProblems } from '../../../lib/smsPlatform/runSummary';
import { trialHint } from '../../../lib/smsPlatform/guards';
import { describeQuietHours, quietEnd } from '../../../lib/smsPlatform/quietHours';
import { openRun, readOutput, type Run } from '../readRun';
import { isPartOut, memoryFull, memoryHint } from '../memoryFull';
import { aboutRow, itemOfResult, messageKeyOf, skipReasonOf, type RowResult } from '../result';
import { readRow, recipientIn, type SendRow } from '../readItem';
import { warningHints } from './warnings';
import { nameRows, reviewPage } from './page';
import { inFull, reviewOf } from './summary';

/** Checks a list; sends and stops nothing. @returns one item for an approval, or one for each row */
export async function review(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const rows = context.getInputData();
	const { language, leftOut, asRows, problem } = readOutput(context, 'review');
	const run = await openRun(context, 'review', problem).catch(toProblem);
	const { recipientColumns, guards, rememberFor }: Partial<Run> = run instanceof Problem ? {} : run;
	const checked = run instanceof Problem ? rows.map(() => run) : await checkAll(context, run);
	const results = nameProblems(context, checked.map(resultOf), (index) =>
		recipientIn(context, index, recipientColumns),
	);
	const list = numberRows(rows);
	let noRoom: Problem | undefined;
	if (!(run instanceof Problem)) {
		const memory = await checkMemory(run, checked);
		noRoom = memory.noRoom;
		const warnings = warningHints(results, list);
		const hints = [...run.reportUrls.warnings(), trialHint(run.guards), ...warnings, memory.hint];
		addWarnings(context, [...hints, await run.messages.close()]);
	}
	const quiet = guards?.quietHours && quietEnd(guards.quietHours, Date.now());
	if (asRows) {
		const items = results.map((result, index) => {
			const item =
				result instanceof Problem ? itemOfFault(result, language) : itemOfResult(result, language, quiet?.at);
			const { messageKey } = checked[index] as { messageKey?: string };
			return { ...item, ...(messageKey !== undefined && { messageKey }), review: true };
		});
		return toItems(context, items, leftOut, language)[0] ?? [];
	}
	const summary = reviewOf(results, list, language, quiet, noRoom);
	const html = reviewPage(summary, language, nameRows(results, rows, list), quiet?.words, rememberFor);
	const quietHours = guards?.quietHours && describeQuietHours(guards.quietHours);
	return [
		{
			json: { ...summary, ...(quietHours && { quietHours }), html } as unknown as IDataObject,
			pairedItem: rows.map((_, item) => ({ item })),
		},
	];
}

/** What would become of an item. */
interface Checked {
	result: RowResult | Problem;
	messageKey: string;
	/** Whether the memory needs room for its message. */
	needsRoom: boolean;
}

const resultOf = (checked: Checked | Problem) => (checked instanceof Problem ? checked : checked.result);

/** Checks what would become of each item. If a message is in the list twice, it would go out once. */
async function checkAll(context: IExecuteFunctions, run: Run): Promise<Array<Checked | Problem>> {
	const { messages, reportUrls } = run;
	const rows: Array<SendRow | Problem> = [];
	for (const itemIndex of context.getInputData().keys()) {
		await yieldToEventLoop(itemIndex);
		throwIfCancelled(context);
		const row = toResult(() => readRow(context, itemIndex, run));
		if (!(row instanceof Problem)) reportUrls.note(row);
		rows.push(row);
	}
	const isAsked = (row: SendRow | Problem): row is SendRow =>
		!(row instanceof Problem) && row.ifAlreadySent !== 'send' && !row.doNotSend;
	const known = await messages.look([...new Set(rows.filter(isAsked).map(({ key }) => key))]).catch(toProblem);
	const seen = new Set<string>();
	const check = async (row: SendRow | Problem): Promise<Checked | Problem> => {
		if (row instanceof Problem) return row;
		const before = !isAsked(row) ? undefined : known instanceof Problem ? known : known.get(row.key)!;
		if (before instanceof Problem) return before;
		const about = await aboutRow(run, row, before?.period);
		const messageKey = await messageKeyOf(run, row);
		const isResent = before?.state === 'unknown' && row.ifAlreadySent === 'resendUnknown';
		const isTwice = isAsked(row) && seen.has(row.key);
		const skipReason = (isResent ? undefined : skipReasonOf({ row, known: before })) ?? (isTwice ? 'twice' : undefined);
		if (skipReason !== undefined)
			return { result: { kind: 'skipped', about, skipReason }, messageKey, needsRoom: false };
		if (isAsked(row)) seen.add(row.key);
		const { warnings, normalRecipient: normal } = row;
		const { serviceId, messageId, replacements } = row.message;
		const content = JSON.stringify([serviceId, messageId, replacements]);
		return {
			result: { kind: 'wouldSend', about, warnings, normal, content, isResent },
			messageKey,
			needsRoom: before?.state === 'new',
		};
	};
	const results: Array<Checked | Problem> = [];
	for (const row of rows) results.push(await check(row).catch(toProblem));
	return results;
}

/** Says whether the memory can hold the messages that would go out, and how full it is. */
async function checkMemory({ messages, zone }: Run, checked: Array<Checked | Problem>) {
	const count = checked.filter((one) => !(one instanceof Problem) && one.needsRoom).length;
	const state = count > 0 ? await messages.roomFor(count).catch(() => undefined) : undefined;
	if (state === undefined) return {};
	const noRoom = state.fits ? undefined : memoryFull(state, zone, isPartOut(checked.map(resultOf)));
	const full = noRoom && `${noRoom.message}. ${noRoom.description}.`;
	return { noRoom, hint: full ?? memoryHint(state) };
}

/** The item of a faulty row, which is no failed one. */
function itemOfFault(problem: Problem, language: Language): IDataObject {
	const { recipient, reference, reason, notice } = detailsOf(problem, language);
	return withoutUndefined({ recipient, accepted: false, problem: inFull(problem), reason, notice, reference });
}
