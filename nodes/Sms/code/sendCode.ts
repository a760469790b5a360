import { createHash, randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../../shared/items';
import { readLanguage, isTool } from '../../shared/node';
import type { Language } from '../../shared/notice';
import { readNumberOption } from '../../shared/parameter';
import { drawAll, type Results } from '../../shared/pool';
import { asProblem, fault, Problem, problemOr } from '../../shared/problem';
import { deriveKeys, weakKeyWarning } from '../keys';
import { requireTrialRecipient, trialHint } from '../outgoing/guards';
import { deliver, isUnknown, openSending } from '../outgoing/deliver';
import { concurrency } from '../outgoing/parameters';
import { openReportUrls } from '../reportUrl';
import { openAttempts, type Attempts } from '../outgoing/attempts';
import { endRun, nameProblem } from '../outgoing/ending';
import { readRequest, type CodeRequest } from './codeRow';
import { checkNumberLimits, countWithShared, giveBackShared, numberCounters, presentOf, takeShared } from './limits';
import { attempts, givePlacesBack, inTurn, openNotes, sent, takePlaces, used, type Counter } from './notes';
import { before, codeOf, endOf, periodAt } from './oneTimeCode';
import { maxCodesPerHour } from './parameters';
import { sealVerification, type Verification } from './verificationId';

/** All that the rows of one run share. */
type Run = Awaited<ReturnType<typeof open>>;

/**
 * Sends a one-time code for each row, at most once, whatever n8n's Retry On Fail does around it.
 *
 * @returns one item for each row, in input order; the code is in none of them
 */
export async function sendCodes(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	// An agent's second attempt can't be told from a second request.
	const attempts = openAttempts<IDataObject>(context, isTool(context) ? 'execution' : 'run');
	const opened: { language: Language; run?: Run } = { language: 'el' };
	const results: Results<IDataObject> = context.getInputData().map(() => undefined);
	const isStopped = () => context.getExecutionCancelSignal()?.aborted === true;
	try {
		opened.language = readLanguage(context);
		const places = readNumberOption(context, concurrency);
		const run = (opened.run = await open(context, places));
		const rows = readRows(context, run, attempts, isStopped);
		await drawAll(rows, Math.min(places, results.length), isStopped, async ({ itemIndex, name, request }) => {
			const earlier = attempts.find(name);
			const result = earlier ?? (request instanceof Problem ? request : await sendCode(request, run).catch(asProblem));
			if (earlier === undefined) attempts.keep(name, result);
			results[itemIndex] = result;
		});
	} catch (error) {
		results.fill(asProblem(error));
	}
	const typed = (itemIndex: number) => context.getNodeParameter('recipient', itemIndex, '');
	const named = results.map((result, itemIndex) =>
		result instanceof Problem ? nameProblem(context, itemIndex, result, typed) : result,
	);
	if (!named.some((result) => result instanceof Problem)) attempts.close();
	endRun(context, {
		results: named,
		kindOf: () => 'accepted',
		language: opened.language,
		warnings: opened.run === undefined ? [] : warningsOf(opened.run),
		isFaulty: false,
		rememberFor: 'code',
	});
	return toItems(context, named, undefined, opened.language)[0] ?? [];
}

/** Rows in their order, each named before anything is recalled. */
async function* readRows(
	context: IExecuteFunctions,
	{ sending }: Run,
	attempts: Attempts<IDataObject>,
	isStopped: () => boolean,
) {
	for (const itemIndex of context.getInputData().keys()) {
		if (isStopped()) return;
		const request = problemOr(() => {
			const read = readRequest(context, itemIndex, sending.platform);
			requireTrialRecipient(sending.guards, read.mobile);
			return read;
		});
		const name = attempts.nameOf(itemIndex, request instanceof Problem ? undefined : contentOf(request));
		yield { itemIndex, name, request };
	}
}

/** By what a row is known: what it is for, and what it sends. */
const contentOf = ({ mobile, purpose, message }: CodeRequest) =>
	createHash('sha256')
		.update(JSON.stringify([mobile, purpose, message]))
		.digest('base64url');

/** @throws Problem where something can't be used that all rows need */
async function open(context: IExecuteFunctions, places: number) {
	// For the workflow; 0: no limit.
	const maxPerHour = readNumberOption(context, maxCodesPerHour);
	const sending = await openSending(context, places, 0);
	const keys = await deriveKeys(sending.platform.keys.current);
	const notes = openNotes(context, keys);
	const reportUrls = openReportUrls(context, sending.platform);
	return { sending, keys, notes, maxPerHour, reportUrls };
}

/** What the user has to know of the credential: the editor shows no words of a passed credential test. */
function warningsOf({ sending: { guards, platform }, reportUrls }: Run): string[] {
	const hints = [trialHint(guards), weakKeyWarning(platform.keys.current)].filter((hint) => hint !== undefined);
	return [...reportUrls.warnings(), ...hints];
}

/** Chooses a code, counts it, sends it, and gives its places back where it was not sent. @returns the row's item */
async function sendCode(request: CodeRequest, run: Run): Promise<IDataObject> {
	const { sending, keys, reportUrls } = run;
	const { mobile, validMinutes, codeLength, place, dlrUrl } = request;
	const { verification, counters } = await chooseCode(request, run);
	const code = codeOf(verification, verification.issue, codeLength, keys);
	const reportUrl = reportUrls.sign({ dlrUrl, message: request.message }, randomUUID());
	const message = {
		...request.message,
		replacements: request.message.replacements.map((value, index) => (index === place ? code : value)),
		...(reportUrl !== undefined && { dlrUrl: reportUrl }),
	};
	const { serviceId, messageId, recipient } = message;
	const end = endOf(verification);
	// A code has at least its whole time left when its last request leaves.
	const until = (end - validMinutes * 60) * 1000;
	const result = await deliver(sending, { message, keepsQuiet: false, secrets: [code], until });
	if (result instanceof Problem) {
		if (!isUnknown(result)) await giveBack(run, mobile, counters);
		throw result.with({ recipient });
	}
	return {
		accepted: true,
		verificationId: sealVerification(verification, keys),
		recipient,
		expiresAt: new Date(end * 1000).toISOString(),
		serviceId,
		messageId,
		...(result.warning !== undefined && { warning: result.warning }),
	};
}

/**
 * Chooses the code of a number and counts it, before it is sent: a crash leaves one counted too many, never too few. It is
 * the period's code, the same however often it is asked for, or the next one where that was used. The last one of the
 * period before stays valid beside it.
 *
 * @returns the counters that count it
 * @throws Problem where a limit is reached, or the attempts of the period are spent: a new code would be new attempts
 */
async function chooseCode(
	{ mobile, purpose, validMinutes, codeLength, maxAttempts }: CodeRequest,
	{ notes, maxPerHour }: Run,
): Promise<{ verification: Verification; counters: Counter[] }> {
	return await inTurn(notes, mobile, async () => {
		const now = Date.now() / 1000;
		const period = { mobile, purpose, validMinutes, index: periodAt(now, validMinutes) };
		const earlier = before(period);
		const ofNumber = numberCounters(mobile, now);
		const counters = [used(period), sent(earlier), attempts(period, maxAttempts), attempts(earlier, maxAttempts)];
		const counts = await countWithShared(notes, [...counters, ...ofNumber], now);
		const [issue, earlierSent, tried, earlierTried] = counts.splice(0, 4) as [number, number, number, number];
		if (tried === maxAttempts) {
			const wait = validMinutes === 1 ? 'a minute' : `${validMinutes} minutes`;
			throw fault('tooManyAttempts', {}, `No code was sent. The next one can be sent in ${wait} at most`);
		}
		checkNumberLimits(counts);
		const further = [sent(period).noteOf(issue), ...takeShared(notes, maxPerHour)];
		await takePlaces(notes, presentOf(ofNumber), presentOf(counts), further);
		const earlierIssue = earlierSent > 0 && earlierTried < maxAttempts ? earlierSent - 1 : undefined;
		const verification = { ...period, codeLength, maxAttempts, issue, earlierIssue, list: notes.tag };
		return { verification, counters: presentOf(ofNumber) };
	});
}

/** Gives the places of a code back that was certainly not sent, so that it does not count. It does not throw. */
async function giveBack({ sending, notes, maxPerHour }: Run, mobile: string, counters: Counter[]): Promise<void> {
	const ofHour = () => (maxPerHour > 0 ? giveBackShared(notes) : []);
	await inTurn(notes, mobile, async () => await givePlacesBack(notes, counters, ofHour)).catch(() => {
		// The row has an error already, which says more than this one.
		sending.context.logger.warn(
			"SMS Code: a code that was not sent counts as sent, because n8n's list could not be written",
		);
	});
}
