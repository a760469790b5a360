import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../../shared/items';
import { openLedger, type Ledger } from '../../shared/ledger';
import { readFlagOption, readNumberOption } from '../../shared/parameter';
import type { Opened } from '../../shared/pool';
import { asProblem, Problem } from '../../shared/problem';
import { openMessages, type Messages } from '../memory/claims';
import { readPlatform } from '../credential';
import { readDoNotSendTo } from '../outgoing/doNotSendTo';
import { readGuards, tooManyProblem, trialHint } from '../outgoing/guards';
import type { Entry, Sending } from '../outgoing/deliver';
import { concurrency, readRequestOptions } from '../outgoing/options';
import { openPace } from '../outgoing/pace';
import type { QuietEnd } from '../outgoing/quietHours';
import { endRun, runMessages } from '../outgoing/run';
import { openReportUrls, type ReportUrls } from '../reportUrl';
import { findAnsweredForward } from './answeredForward';
import { openAhead, type Read } from './ahead';
import { dryItem, itemOfChecked } from './dryRun';
import { acceptedItem, problemItem } from './sendItem';
import { sendOnce } from './sendOnce';
import { includeInputFields, messagesPerSecond, skipWithinHours } from './options';
import { checkGuards, readRow, type RowsOf } from './readRow';

export type ManyOperation = 'send' | 'reply' | 'review';

/** All that the rows of one run share. */
interface Run extends RowsOf {
	sending: Sending;
	messages: Messages;
	places: number;
	includeInputFields: boolean;
	reportUrls: ReportUrls;
	/** Messages that a dry run found to be sent by a row before. */
	checked: Set<string>;
}

/** Columns of an earlier run's result, which would say what is not true of this one. */
const NOT_PASSED_ON = new Set(['skipped', 'skipReason', 'unknown', 'dryRun', 'problem']);

/**
 * Sends one message for each row, at most once, whatever n8n's Retry On Fail does around it.
 *
 * @returns one item for each row, in input order
 */
export async function sendAll(context: IExecuteFunctions, operation: 'send' | 'reply'): Promise<INodeExecutionData[]> {
	const ledger = openLedger<Entry>(context);
	const { results, warnings, dryRows, run } = await runAll(context, operation, ledger);
	endRun(
		context,
		ledger,
		results,
		warnings,
		'Run the node again to go on: what was sent is skipped, unless If Already Sent is set to Send.',
		dryRows,
	);
	return toItems(context, results, run?.includeInputFields === true ? NOT_PASSED_ON : undefined)[0] ?? [];
}

/**
 * Checks every row and sends nothing, whatever the rows say.
 *
 * @returns what a dry run says of each row, with `problem` where it has one, and the end of quiet hours that have begun
 */
export async function checkAll(
	context: IExecuteFunctions,
): Promise<{ rows: IDataObject[]; quiet: QuietEnd | undefined }> {
	const { results, warnings, run } = await runAll(context, 'review', openLedger<Entry>(context));
	for (const message of warnings) context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	const rows = results.map((result) => (result instanceof Problem ? problemItem(result) : (result ?? {})));
	return { rows, quiet: run?.guards.quietHours?.(Date.now()) };
}

/** The item of a row that failed and is only checked. @throws Problem where it was to be sent */
type Fail = (itemIndex: number, error: unknown) => IDataObject;

async function runAll(context: IExecuteFunctions, operation: ManyOperation, ledger: Ledger<Entry>) {
	let run: Run | undefined;
	const dryRows = new Set<number>();
	const fail: Fail = (itemIndex, error) => itemOfChecked(context, itemIndex, error, operation === 'review', dryRows);
	const results = await runMessages(context, ledger, 'SMS Send', async () => {
		try {
			run = await open(context, operation, ledger);
			return workOf(context, run, fail);
		} catch (error) {
			// Where nothing can be sent, a dry run says so of each of its rows; the others fail.
			return { places: 1, work: async (itemIndex) => fail(itemIndex, error) };
		}
	});
	return { results, warnings: run === undefined ? [] : await close(run), dryRows, run };
}

/** @throws Problem where something can't be used that all rows need */
async function open(context: IExecuteFunctions, operation: ManyOperation, ledger: Ledger<Entry>): Promise<Run> {
	const request = readRequestOptions(context);
	const places = readNumberOption(context, concurrency);
	const windowHours = readNumberOption(context, skipWithinHours);
	const perSecond = operation === 'review' ? 0 : readNumberOption(context, messagesPerSecond);
	const withColumns = operation !== 'review' && readFlagOption(context, includeInputFields);
	const credential = { type: 'smsPlatformApi', data: await context.getCredentials('smsPlatformApi') };
	const platform = readPlatform(credential);
	const guards = readGuards(credential.data, context.getTimezone());
	const tooMany = tooManyProblem(guards, context.getInputData().length);
	if (tooMany !== undefined) throw tooMany;
	const answered = operation === 'reply' ? findAnsweredForward(context) : undefined;
	if (!context.continueOnFail() && operation !== 'review') await checkGuards(context);
	return {
		platform,
		guards,
		answered,
		isReview: operation === 'review',
		doNotSendTo: operation === 'reply' ? new Set() : readDoNotSendTo(context),
		sending: { context, platform, guards, options: request, ledger, pace: openPace(context, perSecond) },
		messages: openMessages(context, places, windowHours),
		places,
		includeInputFields: withColumns,
		reportUrls: openReportUrls(context, platform),
		checked: new Set(),
	};
}

function workOf(context: IExecuteFunctions, run: Run, fail: Fail): Opened<IDataObject> {
	const { sending, messages, places, answered } = run;
	const isKnown = (itemIndex: number) => sending.ledger.get(itemIndex) !== undefined;
	const ahead = openAhead(
		context.getInputData().length,
		(itemIndex) => (isKnown(itemIndex) ? undefined : readRow(context, itemIndex, run)),
		messages,
	);

	const send = async (itemIndex: number, { row }: Read) =>
		await sendOnce(sending, messages, itemIndex, row, {
			reportUrl: (named) => run.reportUrls.sign(named, named.reference),
			toItem: acceptedItem,
			keepsQuiet: answered === undefined,
			leaves: ahead.refill,
		});
	const work = async (itemIndex: number) => {
		const found = await ahead.take(itemIndex);
		run.reportUrls.note(found.row);
		const result = found.row.dryRun ? await check(run, found) : await send(itemIndex, found);
		if (result instanceof Problem) throw result;
		return result;
	};
	return {
		places,
		async work(itemIndex) {
			try {
				return await work(itemIndex);
			} catch (error) {
				// A reply has no Recipient that its error could be named by.
				const problem = answered === undefined ? error : asProblem(error).with({ recipient: answered.msisdn });
				return fail(itemIndex, problem);
			}
		},
	};
}

/** A row of a dry run; a message that a row before it would send is sent before. */
async function check(run: Run, { row, before }: Read): Promise<IDataObject> {
	const known = before ?? { state: 'new', period: run.messages.period() };
	const isSecond = row.ifAlreadySent === 'skip' && !row.doNotSend && known.state === 'new' && run.checked.has(row.key);
	if (!row.doNotSend) run.checked.add(row.key);
	return await dryItem(run.sending, row, isSecond ? { ...known, state: 'sent' } : known, run.answered === undefined);
}

/** Ends the memory's part of a run. @returns what the user has to know of the run as a whole */
async function close({ messages, guards, reportUrls }: Run): Promise<string[]> {
	const fault = await messages.close();
	const trial = trialHint(guards);
	return [...reportUrls.warnings(), ...(trial === undefined ? [] : [trial]), ...(fault === undefined ? [] : [fault])];
}
