import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { openLedger, type Ledger } from '../../shared/ledger';
import { asProblem, Problem } from '../../shared/problem';
import { readPlatform } from '../credential';
import { openAlreadySent } from './alreadySent';
import { findAnsweredForward, type AnsweredForward } from './answeredForward';
import { liveOf, reportAddressMaker, takenItem, type Entry, type SendRun } from './message';
import { openPace } from '../outgoing/pace';
import { hasGuardsByExpression, readGuards } from './row';
import { openRows, type Rows } from './rows';
import { endRun, runMessages, toItems } from './runMessages';
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
	const result = await runMessages(context, ledger, 'SMS Send', opened instanceof Problem ? 1 : opened.options.concurrency, async (itemIndex) => {
		if (opened instanceof Problem) throw opened;
		try {
			return await liveOf(opened.run, itemIndex, () => {
				const row = opened.rows.at(itemIndex);
				return { row, makeAddress: reportAddressMaker(row, opened.run.platform), toItem: takenItem };
			});
		} catch (error) {
			// A reply has no Recipient that its error could be named by.
			const problem = opened.answered === undefined ? asProblem(error) : asProblem(error).with({ recipient: opened.answered.msisdn });
			throw problem;
		} finally {
			opened.rows.drop(itemIndex);
		}
	});

	const warnings: string[] = [];
	if (!(opened instanceof Problem)) {
		warnings.push(...opened.rows.warnings());
		const fault = await opened.run.alreadySent.close();
		if (fault !== undefined) warnings.push(fault);
	}
	endRun(context, ledger, result, warnings, 'Run the node again to go on: what was sent is skipped, unless If Already Sent is set to Send.');
	return toItems(context, result, !(opened instanceof Problem) && opened.options.includeInputFields);
}

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
