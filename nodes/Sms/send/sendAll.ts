import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { openLedger, type Ledger } from '../../shared/ledger';
import { runRows } from '../../shared/pool';
import { asProblem, errorItem, nodeError, Problem } from '../../shared/problem';
import { groupByReason } from '../../shared/summary';
import { readPlatform } from '../credential';
import { openAlreadySent } from './alreadySent';
import { findAnsweredForward, type AnsweredForward } from './answeredForward';
import { liveOf, reportAddressMaker, takenItem, type Entry, type SendRun } from './message';
import { openPace } from './pace';
import { HOW_TO_GO_ON, inWords, openProgress, showSummary, tallyOf, type Tally } from './report';
import { hasGuardsByExpression, nameProblem, readGuards } from './row';
import { openRows, type Rows } from './rows';
import { readRunOptions, type RunOptions } from './runOptions';

/** All that the rows of one run share. */
interface OpenRun {
	options: RunOptions;
	/** For a reply. */
	answered?: AnsweredForward;
	rows: Rows;
	run: SendRun & { alreadySent: NonNullable<SendRun['alreadySent']> };
}

/**
 * Sends one message for each row, at most once, whatever n8n's Retry On Fail does around it.
 *
 * @param isReply whether the messages answer the one that started the execution
 * @returns one item for each row, in input order
 */
export async function sendAll(context: IExecuteFunctions, isReply: boolean): Promise<INodeExecutionData[]> {
	const ledger = openLedger<Entry>(context);
	// What can't be used fails every row: n8n passes rows on as successes where a node throws as a whole.
	const opened = await open(context, isReply, ledger).catch(asProblem);
	const progress = openProgress(context, 'SMS Send');

	const result = await runRows(context, opened instanceof Problem ? 1 : opened.options.concurrency, async (itemIndex) => {
		const isKnown = ledger.get(itemIndex) !== undefined;
		try {
			if (opened instanceof Problem) throw opened;
			return await liveOf(opened.run, itemIndex, () => {
				const row = opened.rows.at(itemIndex);
				return { row, makeAddress: reportAddressMaker(row, opened.run.platform), toItem: takenItem };
			});
		} catch (error) {
			const answered = opened instanceof Problem ? undefined : opened.answered;
			const problem = nameProblem(context, itemIndex, asProblem(error), answered);
			// What an earlier try left unknown does not keep the rows after it from being sent.
			if (isKnown) return problem;
			throw problem;
		} finally {
			if (!(opened instanceof Problem)) opened.rows.drop(itemIndex);
			progress();
		}
	});

	const notTried = result.notTried.filter((itemIndex) => ledger.get(itemIndex) === undefined);
	const warnings: string[] = [];
	if (!(opened instanceof Problem)) {
		warnings.push(...opened.rows.warnings());
		for (const itemIndex of notTried) await opened.run.alreadySent.settle(itemIndex, 'free');
		const fault = await opened.run.alreadySent.close();
		if (fault !== undefined) warnings.push(fault);
	}
	const failed = [...result.failed, ...result.done.filter((entry): entry is [number, Problem] => entry[1] instanceof Problem)].sort(byIndex);
	const done = result.done.filter((entry): entry is [number, IDataObject] => !(entry[1] instanceof Problem));
	const tally = tallyOf(done.map(([, item]) => item), failed, notTried.length);
	if (failed.length === 0) ledger.close();
	else if (!context.continueOnFail()) throw stopError(context, failed, { ...tally, ...countKnown(ledger) });
	showSummary(context, tally, failed, warnings);

	const withInput = !(opened instanceof Problem) && opened.options.includeInputFields;
	return toItems(context, done, failed, withInput);
}

const byIndex = ([one]: [number, unknown], [other]: [number, unknown]) => one - other;

/** @throws Problem where something can't be used that all rows need */
async function open(context: IExecuteFunctions, isReply: boolean, ledger: Ledger<Entry>): Promise<OpenRun> {
	const options = readRunOptions(context);
	const platform = readPlatform({ type: 'smsPlatformApi', data: await context.getCredentials('smsPlatformApi') });
	const answered = isReply ? findAnsweredForward(context) : undefined;
	const rows = openRows(context, platform, answered);
	if (!context.continueOnFail()) checkGuards(context);
	const alreadySent = openAlreadySent(context, options.concurrency, options.skipWithinHours, (itemIndex) =>
		ledger.get(itemIndex) === undefined ? rows.claimOf(itemIndex) : undefined,
	);
	return { options, answered, rows, run: { context, platform, options, ledger, alreadySent, pace: openPace(context, options.messagesPerSecond) } };
}

/**
 * Where the run stops at an error, what keeps messages from going out is read for every row before the first one
 * leaves: a column that is missing in one row is perhaps missing in the others too.
 */
function checkGuards(context: IExecuteFunctions): void {
	if (!hasGuardsByExpression(context)) return;
	for (const itemIndex of context.getInputData().keys()) {
		const fault = guardFault(context, itemIndex);
		if (fault === undefined) continue;
		throw new Problem(`${fault.message} (item ${itemIndex})`, `${fault.description}. Nothing was sent`, fault.details);
	}
}

function guardFault(context: IExecuteFunctions, itemIndex: number): Problem | undefined {
	try {
		readGuards(context, itemIndex);
		return undefined;
	} catch (error) {
		return asProblem(error);
	}
}

/** Rows that earlier tries of Retry On Fail dealt with count too, also where this try stopped before them. */
function countKnown(ledger: Ledger<Entry>): Pick<Tally, 'taken' | 'unknown'> {
	const entries = ledger.entries().map(([, entry]) => entry);
	const taken = entries.filter((entry) => 'taken' in entry).length;
	return { taken, unknown: entries.length - taken };
}

/** The error of a run that stopped: the first row's, and how the run stands. */
function stopError(context: IExecuteFunctions, failed: Array<[number, Problem]>, tally: Tally): Error {
	const [itemIndex, problem] = failed[0]!;
	const { message, description, details, httpCode } = problem;
	const isOutage = httpCode !== undefined && details.errorCode === undefined;
	const which = failed.length > 1 ? groupByReason(failed) : isOutage ? '' : `It was item ${itemIndex}`;
	const summary = context.getInputData().length > 1 ? [which, inWords(tally)].filter(Boolean).map((part) => `. ${part}`).join('') : '';
	const goesOn = tally.notTried > 0 ? `. ${HOW_TO_GO_ON}` : '';
	return nodeError(context.getNode(), new Problem(message, description + summary + goesOn, details, httpCode), itemIndex);
}

/** A column `error` would send the item to the wrong branch; the others, of an earlier run's result, would say what is not true of this one. */
const NOT_PASSED_ON = new Set(['error', 'skipped', 'unknown', 'dryRun']);

function toItems(context: IExecuteFunctions, done: Array<[number, IDataObject]>, failed: Array<[number, Problem]>, withInput: boolean): INodeExecutionData[] {
	const { onError } = context.getNode();
	const inputs = context.getInputData();
	const columnsOf = (itemIndex: number): IDataObject =>
		Object.fromEntries(Object.entries(inputs[itemIndex]!.json).filter(([column]) => !NOT_PASSED_ON.has(column)));
	const items = [
		...done.map(([itemIndex, json]): [number, INodeExecutionData] => [
			itemIndex,
			{ json: withInput ? { ...columnsOf(itemIndex), ...json } : json, pairedItem: { item: itemIndex } },
		]),
		...failed.map(([itemIndex, problem]): [number, INodeExecutionData] => [
			itemIndex,
			errorItem(withInput ? problem.with({ input: columnsOf(itemIndex) }) : problem, itemIndex, onError),
		]),
	];
	return items.sort(byIndex).map(([, item]) => item);
}
