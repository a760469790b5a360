import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems, withoutUndefined } from '../../../lib/n8n/items';
import { addWarnings } from '../../../lib/n8n/node';
import type { Language } from '../../../lib/texts/notice';
import { toProblem, detailsOf, Problem } from '../../../lib/texts/problem';
import { yieldToEventLoop } from '../../../lib/n8n/workerPool';
import { throwIfCancelled } from '../../../lib/http/cancel';
import { numberRows } from '../../../lib/texts/rowNumber';
import { nameProblems, type ItemName } from '../../../lib/smsPlatform/endOfRun';
import { trialHint } from '../../../lib/smsPlatform/safetyLimits';
import { describeQuietHours, quietEnd } from '../../../lib/smsPlatform/quietHours';
import { openRun, readOutput, type Run } from '../openRun';
import { isPartOut, memoryFull, memoryHint } from '../memoryFull';
import { warningHints } from '../../../lib/smsPlatform/warnings/show';
import { describeMessage, itemOfResult, messageKeyOf, messagesOf, skipReasonOf, type ItemResult } from '../result';
import { readItem, readName, rememberedKey, type SendItem } from '../readItem';
import { nameRows, reviewPage } from './page';
import { inFull, reviewOf } from './summary';

/** Checks a list and sends nothing. @returns one item for an approval, or one item for each row in the list */
export async function review(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const rows = context.getInputData();
	const { language, omittedColumns, asRows, problem } = readOutput(context, 'review');
	const run = problem ?? (await openRun(context, 'review').catch(toProblem));
	const { safetyLimits, advisedFor }: Partial<Run> = run instanceof Problem ? {} : run;
	const names: ItemName[] = [];
	const checked = run instanceof Problem ? rows.map(() => run) : await checkAll(context, run, names);
	const results = nameProblems(checked.map(resultOf), (index) => names[index] ?? readName(context, index));
	const rowNumbers = numberRows(rows);
	let noRoom: Problem | undefined;
	if (!(run instanceof Problem)) {
		const memory = await checkMemory(run, checked);
		noRoom = memory.noRoom;
		const warnings = warningHints(messagesOf(results, rowNumbers.numbers), rowNumbers);
		const hints = [...run.reportUrls.warnings(), trialHint(run.safetyLimits), ...warnings, memory.hint];
		const closeWarning = await run.messages.close();
		addWarnings(context, [...hints, closeWarning]);
	}
	const quiet = safetyLimits?.quietHours && quietEnd(safetyLimits.quietHours, Date.now());
	if (asRows) {
		const items = results.map((result, index) => {
			const item =
				result instanceof Problem ? itemOfFault(result, language) : itemOfResult(result, language, quiet?.at);
			const { messageKey } = checked[index] as { messageKey?: string };
			return { ...item, ...(messageKey !== undefined && { messageKey }), review: true };
		});
		return toItems(context, items, omittedColumns, language)[0] ?? [];
	}
	const summary = reviewOf(results, rowNumbers, language, quiet, noRoom);
	const html = reviewPage(summary, language, nameRows(results, rows, rowNumbers), quiet?.text, advisedFor);
	const quietHours = safetyLimits?.quietHours && describeQuietHours(safetyLimits.quietHours);
	return [
		{
			json: { ...summary, ...(quietHours && { quietHours }), html } as unknown as IDataObject,
			pairedItem: rows.map((_, item) => ({ item })),
		},
	];
}

/** The findings about an item that has no fault. */
interface Checked {
	result: ItemResult;
	/** Identifies the message for a counter outside of n8n. */
	messageKey: string;
	/** Whether the memory (n8n's list) needs room for the message. */
	needsRoom: boolean;
}

const resultOf = (checked: Checked | Problem) => (checked instanceof Problem ? checked : checked.result);

/**
 * Checks whether each item would be sent. If a message is in the list twice, only the first item would be sent, except with Send
 * Again.
 * @param names receives the recipient and reference of each item, so that people recognise it
 */
async function checkAll(context: IExecuteFunctions, run: Run, names: ItemName[]): Promise<Array<Checked | Problem>> {
	const { messages, reportUrls } = run;
	const items: Array<SendItem | Problem> = [];
	for (let itemIndex = 0; itemIndex < run.itemCount; itemIndex++) {
		await yieldToEventLoop(itemIndex);
		throwIfCancelled(context);
		const { item, name } = readItem(context, itemIndex, run);
		if (!(item instanceof Problem)) reportUrls.note(item);
		items.push(item);
		names.push(name);
	}
	const keys = items.flatMap((item) => (item instanceof Problem ? [] : (rememberedKey(item) ?? [])));
	const known = await messages.find([...new Set(keys)]).catch(toProblem);
	const seen = new Set<string>();
	const check = async (item: SendItem | Problem): Promise<Checked | Problem> => {
		if (item instanceof Problem) return item;
		const key = rememberedKey(item);
		const before = key === undefined ? undefined : known instanceof Problem ? known : known.get(key)!;
		if (before instanceof Problem) return before;
		const about = await describeMessage(run, item, before?.period);
		const messageKey = await messageKeyOf(run, item);
		const isResent = before?.state === 'unknown' && item.ifAlreadySent === 'resendUnknown';
		const isTwice = key !== undefined && seen.has(key);
		const skipReason =
			(isResent ? undefined : skipReasonOf({ item, known: before })) ?? (isTwice ? 'twice' : undefined);
		if (skipReason !== undefined)
			return { result: { kind: 'skipped', about, skipReason }, messageKey, needsRoom: false };
		if (key !== undefined) seen.add(key);
		const { warnings, normalRecipient: normal } = item;
		const { serviceId, messageId, replacements } = item.message;
		const content = JSON.stringify([serviceId, messageId, replacements]);
		return {
			result: { kind: 'wouldSend', about, warnings, normal, content, isResent },
			messageKey,
			needsRoom: before?.state === 'new',
		};
	};
	const results: Array<Checked | Problem> = [];
	for (const item of items) results.push(await check(item).catch(toProblem));
	return results;
}

/** Checks whether the memory (n8n's list) has room for the messages that would be sent, and how full it is. */
async function checkMemory({ messages, zone }: Run, checked: Array<Checked | Problem>) {
	const count = checked.filter((one) => !(one instanceof Problem) && one.needsRoom).length;
	const state = count > 0 ? await messages.roomFor(count).catch(() => undefined) : undefined;
	if (state === undefined) return {};
	const noRoom = state.fits ? undefined : memoryFull(state, zone, isPartOut(checked.map(resultOf)));
	const full = noRoom && `${noRoom.message}. ${noRoom.description}.`;
	return { noRoom, hint: full ?? memoryHint(state) };
}

/** Makes the output item of a faulty item. It has no field `error`, so n8n does not route it to the error branch. */
function itemOfFault(problem: Problem, language: Language): IDataObject {
	const { recipient, reference, reason, notice } = detailsOf(problem, language);
	return withoutUndefined({ recipient, accepted: false, problem: inFull(problem), reason, notice, reference });
}
