import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { openLedger } from '../../shared/ledger';
import { asProblem, Problem } from '../../shared/problem';
import { readPlatform } from '../credential';
import { reportAddressWarnings } from '../dlrUrl';
import { isUnknown, liveOf, reportAddressMaker, type Entry, type Outgoing, type SendRun } from '../send/message';
import { openPace } from '../outgoing/pace';
import { isProduction } from '../send/rows';
import { endRun, runMessages, toItems } from '../send/runMessages';
import { readRequestOptions } from '../send/runOptions';
import { chooseIssue, sentNote } from './issued';
import { takePlaces } from './limits';
import { withMemory } from './memory';
import { codeKeysOf, codeOf, endOf, periodAt, type CodeKeys } from './oneTimeCode';
import { readCodeRunOptions, readRequest, type CodeRequest, type CodeRunOptions } from './request';
import { sealVerification, type Verification } from './verificationId';

/** All that the rows of one run share. */
interface OpenRun extends CodeRunOptions {
	run: SendRun;
	keys: CodeKeys;
	/** Addresses for delivery reports that rows named. */
	dlrUrls: Set<string>;
}

/**
 * Sends a one-time code for each row, at most once, whatever n8n's Retry On Fail does around it.
 *
 * @returns one item for each row, in input order; the code is in none of them
 */
export async function sendCodes(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const ledger = openLedger<Entry>(context);
	// What can't be used fails every row: n8n passes rows on as successes where a node throws as a whole.
	const opened = await open(context, { context, ledger, pace: openPace(context, 0) }).catch(asProblem);
	const result = await runMessages(context, ledger, 'SMS Code', opened instanceof Problem ? 1 : opened.concurrency, async (itemIndex) => {
		if (opened instanceof Problem) throw opened;
		return await sendCode(context, itemIndex, opened);
	});
	const warnings = opened instanceof Problem ? [] : warningsOf(context, opened);
	endRun(context, ledger, result, warnings, 'Run the node again to go on: whoever got a code gets the same one again.');
	return toItems(context, result);
}

async function open(context: IExecuteFunctions, begun: Omit<SendRun, 'platform' | 'options'>): Promise<OpenRun> {
	const options = readRequestOptions(context);
	const codeOptions = readCodeRunOptions(context);
	const platform = readPlatform({ type: 'smsPlatformApi', data: await context.getCredentials('smsPlatformApi') });
	return { ...codeOptions, run: { ...begun, platform, options }, keys: codeKeysOf(platform.keys.current), dlrUrls: new Set() };
}

const warningsOf = (context: IExecuteFunctions, { run, dlrUrls }: OpenRun): string[] =>
	[...dlrUrls].flatMap((address) => reportAddressWarnings(address, run.platform.sendUrl, isProduction(context)));

/** One row's code: read the row, choose its code, count it, send it, and give its place back where it was not taken. */
async function sendCode(context: IExecuteFunctions, itemIndex: number, opened: OpenRun): Promise<IDataObject> {
	const { run, keys, dlrUrls, maxCodesPerHour } = opened;
	let notes: string[] = [];
	const prepare = async () => {
		const request = readRequest(context, itemIndex, run.platform);
		if (request.dlrUrl !== undefined) dlrUrls.add(request.dlrUrl);
		const issued = await issue(context, request, keys, maxCodesPerHour);
		notes = issued.notes;
		return outgoing(request, issued.verification, keys, run);
	};
	const sent = await liveOf(run, itemIndex, prepare).catch(asProblem);
	if (!(sent instanceof Problem)) return sent;
	if (!isUnknown(sent)) await giveBack(context, keys, notes);
	throw sent;
}

/**
 * Chooses the code of a number and counts it, before it is sent: a crash leaves one counted too many, never too few.
 *
 * @returns the notes that count it
 * @throws Problem where a limit is reached, or the tries of the period are spent
 */
async function issue(context: IExecuteFunctions, request: CodeRequest, keys: CodeKeys, maxCodesPerHour: number): Promise<{ verification: Verification; notes: string[] }> {
	const { mobile, purpose, validMinutes, codeLength, maxAttempts } = request;
	return await withMemory(context, keys, async (memory) => {
		const now = Date.now() / 1000;
		const period = { mobile, purpose, validMinutes, index: periodAt(now, validMinutes) };
		const chosen = await chooseIssue(memory, period, maxAttempts);
		const notes = await takePlaces(memory, mobile, maxCodesPerHour, now);
		notes.push(...(await memory.note([sentNote(period, chosen.issue)])));
		return { verification: { ...period, codeLength, maxAttempts, ...chosen }, notes };
	});
}

function outgoing(request: CodeRequest, verification: Verification, keys: CodeKeys, run: SendRun): Outgoing {
	const code = codeOf(verification, verification.issue, verification.codeLength, keys);
	const row = request.toRow(code);
	const { serviceId, messageId, recipient } = row.message;
	const item: IDataObject = {
		accepted: true,
		verificationId: sealVerification(verification, keys),
		recipient,
		expiresAt: new Date(endOf(verification) * 1000).toISOString(),
		serviceId,
		messageId,
	};
	return { row, makeAddress: reportAddressMaker(row, run.platform), toItem: () => item, secrets: [code], until: latestStart(verification) };
}

/** A code that waited for the platform must have half of its minutes left. In Unix milliseconds. */
const latestStart = (verification: Verification) => (endOf(verification) - verification.validMinutes * 30) * 1000;

/** A code that was certainly not sent does not count. */
async function giveBack(context: IExecuteFunctions, keys: CodeKeys, notes: string[]): Promise<void> {
	if (notes.length === 0) return;
	try {
		await withMemory(context, keys, async (memory) => await memory.forget(notes));
	} catch {
		// The row has an error already, which says more than this one.
		context.logger.warn('SMS Code: a code that was not sent counts as sent, because n8n\'s store failed');
	}
}
