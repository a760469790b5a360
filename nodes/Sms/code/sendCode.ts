import { createHash, randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../../shared/items';
import { openLedger, type Ledger } from '../../shared/ledger';
import { readNumberOption } from '../../shared/parameter';
import { asProblem, Problem } from '../../shared/problem';
import { isTool } from '../../shared/tool';
import { readPlatform } from '../credential';
import { weakKeyWarning } from '../weakKey';
import { deriveKeys, type DerivedKeys } from '../keys';
import { readGuards, tooManyProblem, trialHint, trialProblem } from '../outgoing/guards';
import { deliver, isUnknown, recall, type Entry, type Sending } from '../outgoing/deliver';
import { concurrency, readRequestOptions } from '../outgoing/options';
import { openPace } from '../outgoing/pace';
import { openReportUrls, type ReportUrls } from '../outgoing/reportUrl';
import { endRun, runMessages } from '../outgoing/run';
import { countPlaces, giveBackPlaces, nextPlaces, type Counter } from './counters';
import { chooseIssue, sentCounter } from './issued';
import { checkLimits } from './limits';
import { withNotes } from './notes';
import { codeOf, endOf, periodAt } from './oneTimeCode';
import { maxCodesPerHour } from './options';
import { checkMemory } from './remembered';
import { readRequest, type CodeRequest } from './readCodeRow';
import { sealVerification, type Verification } from './verificationId';

/** All that the rows of one run share. */
interface Run {
	sending: Sending;
	keys: DerivedKeys;
	/** For the workflow; 0: no limit. */
	maxPerHour: number;
	reportUrls: ReportUrls;
}

/**
 * Sends a one-time code for each row, at most once, whatever n8n's Retry On Fail does around it.
 *
 * @returns one item for each row, in input order; the code is in none of them
 */
export async function sendCodes(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const ledger = openLedger<Entry>(context, isTool(context) ? 'execution' : 'run');
	let run: Run | undefined;
	const results = await runMessages(context, ledger, 'SMS Code', async () => {
		const opened = (run = await open(context, ledger));
		return { places: readNumberOption(context, concurrency), work: async (itemIndex) => await sendCode(context, itemIndex, opened) };
	});
	endRun(context, ledger, results, run === undefined ? [] : warningsOf(run), 'Run the node again to go on: whoever got a code gets the same one again.');
	return toItems(context, results, undefined)[0] ?? [];
}

/** @throws Problem where something can't be used that all rows need */
async function open(context: IExecuteFunctions, ledger: Ledger<Entry>): Promise<Run> {
	const maxPerHour = readNumberOption(context, maxCodesPerHour);
	const credential = { type: 'smsPlatformApi', data: await context.getCredentials('smsPlatformApi') };
	const platform = readPlatform(credential);
	const guards = readGuards(credential.data, context.getTimezone());
	const tooMany = tooManyProblem(guards, context.getInputData().length);
	if (tooMany !== undefined) throw tooMany;
	const sending = { context, platform, guards, options: readRequestOptions(context), ledger, pace: openPace(context, 0) };
	return { sending, keys: await deriveKeys(platform.keys.current), maxPerHour, reportUrls: openReportUrls(context, platform) };
}

function warningsOf({ sending: { platform, guards }, reportUrls }: Run): string[] {
	// The editor shows no words of a passed credential test.
	const hints = [trialHint(guards), weakKeyWarning(platform.keys.current)].filter((hint) => hint !== undefined);
	return [...reportUrls.warnings(), ...hints];
}

/** One row's code: read the row, choose its code, count it, send it, and give its places back where it was not sent. */
async function sendCode(context: IExecuteFunctions, itemIndex: number, run: Run): Promise<IDataObject | Problem> {
	const { sending, keys } = run;
	const { ledger, platform, guards } = sending;
	const request = readRequest(context, itemIndex, platform);
	const onTrial = trialProblem(guards, request.mobile);
	if (onTrial !== undefined) throw onTrial;
	// An agent's second attempt can't be told from a second request: so the same message goes out once in an execution.
	const id = isTool(context) ? idOf(request) : itemIndex;
	const known = recall(ledger, id);
	if (known !== undefined) return known;
	if (isTool(context)) ledger.set(id, { unknown: IN_PROGRESS });

	let counters: Counter[] = [];
	try {
		const issued = await issue(context, request, keys, run.maxPerHour);
		counters = issued.counters;
		const result = await deliver(sending, outgoing(request, id, issued.verification, run));
		if (!(result instanceof Problem)) return result;
		if (!isUnknown(result)) await giveBack(context, keys, counters);
		throw result;
	} catch (error) {
		if (!isUnknown(error)) ledger.forget(id);
		throw asProblem(error);
	}
}

const IN_PROGRESS = {
	message: 'The same code is being sent by another request of this execution',
	description: 'Wait for what becomes of it',
	details: { outcome: 'unknown' },
};

/** What two requests of an agent have in common that ask for the same message. */
function idOf({ mobile, purpose, toRow, codeLength }: CodeRequest): string {
	const { message } = toRow('0'.repeat(codeLength));
	return createHash('sha256').update(JSON.stringify([mobile, purpose, message])).digest('base64url');
}

/**
 * Chooses the code of a number and counts it, before it is sent: a crash leaves one counted too many, never too few.
 *
 * @returns the counters that count it
 * @throws Problem where a limit is reached, or the attempts of the period are spent
 */
async function issue(context: IExecuteFunctions, request: CodeRequest, keys: DerivedKeys, maxPerHour: number): Promise<{ verification: Verification; counters: Counter[] }> {
	const { mobile, purpose, validMinutes, codeLength, maxAttempts } = request;
	return await withNotes(context, keys, async (notes) => {
		const now = Date.now() / 1000;
		const period = { mobile, purpose, validMinutes, index: periodAt(now, validMinutes) };
		await checkMemory(notes, now);
		const chosen = await chooseIssue(notes, period, maxAttempts);
		const limits = await checkLimits(notes, mobile, maxPerHour, now);
		const sent = sentCounter(period, chosen.issue);
		const counters = [...limits.counters, sent];
		await notes.put(nextPlaces(notes, counters, [...limits.counts, ...(await countPlaces(notes, [sent]))]));
		return { verification: { ...period, codeLength, maxAttempts, ...chosen }, counters };
	});
}

function outgoing(request: CodeRequest, id: string | number, verification: Verification, { reportUrls, keys }: Run) {
	const code = codeOf(verification, verification.issue, verification.codeLength, keys);
	const row = request.toRow(code);
	const reportUrl = reportUrls.sign(row, randomUUID());
	const message = { ...row.message, ...(reportUrl !== undefined && { dlrUrl: reportUrl }) };
	const { serviceId, messageId, recipient } = message;
	const item: IDataObject = {
		accepted: true,
		verificationId: sealVerification(verification, keys),
		recipient,
		expiresAt: new Date(endOf(verification) * 1000).toISOString(),
		serviceId,
		messageId,
	};
	return {
		id,
		message,
		name: { recipient },
		toItem: (warning: string | undefined) => ({ ...item, ...(warning !== undefined && { warning }) }),
		keepsQuiet: false,
		secrets: [code],
		until: latestStart(verification),
	};
}

/** A code has at least its whole time left when its last request leaves. In Unix milliseconds. */
const latestStart = (verification: Verification) => (endOf(verification) - verification.validMinutes * 60) * 1000;

/** A code that was certainly not sent does not count. */
async function giveBack(context: IExecuteFunctions, keys: DerivedKeys, counters: Counter[]): Promise<void> {
	try {
		await withNotes(context, keys, async (notes) => await giveBackPlaces(notes, counters));
	} catch {
		// The row has an error already, which says more than this one.
		context.logger.warn('SMS Code: a code that was not sent counts as sent, because n8n\'s list could not be written');
	}
}
