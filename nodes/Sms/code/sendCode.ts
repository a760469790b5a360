import { createHash } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../../shared/items';
import { readLanguage, isTool } from '../../shared/node';
import type { Language } from '../../shared/notice';
import { readNumberOption } from '../../shared/parameter';
import { asProblem, Problem } from '../../shared/problem';
import { readPlatform } from '../credential';
import { deriveKeys, weakKeyWarning, type DerivedKeys } from '../keys';
import { readGuards, requireFewRows, requireTrialRecipient, trialHint } from '../outgoing/guards';
import { deliver, isUnknown, type Sending, openPace } from '../outgoing/deliver';
import { concurrency, readRequestOptions } from '../outgoing/parameters';
import { openReportUrls, type ReportUrls } from '../reportUrl';
import { endRun, openAnswers, runMessages, tallyOf, type Answers } from '../outgoing/run';
import { countPlaces, lastPlaces, nextPlaces, type Counter } from './counters';
import { outgoingCode, readRequest, type CodeRequest } from './codeRow';
import { chooseIssue, issueCounters, sentCounter } from './issued';
import { checkNumberLimits, numberCounters } from './limits';
import { inTurn, openNotes, type Notes } from './notes';
import { periodAt } from './oneTimeCode';
import { maxCodesPerHour } from './parameters';
import { countWithShared, giveBackShared, takeShared } from './shared';
import type { Verification } from './verificationId';

/** All that the rows of one run share. */
interface Run {
	sending: Sending;
	answers: Answers<IDataObject>;
	/** How many rows are worked on in parallel. */
	places: number;
	/** Whether an agent asks: its second attempt can't be told from a second request. */
	isAgent: boolean;
	keys: DerivedKeys;
	notes: Notes;
	/** For the workflow; 0: no limit. */
	maxPerHour: number;
	reportUrls: ReportUrls;
	/** What the user has to know of the credential. */
	hints: string[];
	language: Language;
	/** How often the same was asked for in this run. */
	seen: Map<string, number>;
}

/**
 * Sends a one-time code for each row, at most once, whatever n8n's Retry On Fail does around it.
 *
 * @returns one item for each row, in input order; the code is in none of them
 */
export async function sendCodes(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const isAgent = isTool(context);
	const answers = openAnswers<IDataObject>(context, isAgent ? 'execution' : 'run');
	const opened: { run?: Run } = {};
	const recipientOf = (itemIndex: number) => context.getNodeParameter('recipient', itemIndex, '');
	const results = await runMessages(context, answers, 'SMS Code', recipientOf, async () => {
		const run = (opened.run = await open(context, isAgent, answers));
		return { places: run.places, work: async (itemIndex) => await sendCode(context, itemIndex, run) };
	});
	const { run } = opened;
	const warnings = run === undefined ? [] : [...run.reportUrls.warnings(), ...run.hints];
	if (!results.some((result) => result instanceof Problem)) answers.close();
	endRun(
		context,
		results,
		tallyOf(results, () => 'accepted'),
		warnings,
		'Run the node again to go on: whoever got a code gets the same one again.',
	);
	return toItems(context, results, undefined, run?.language ?? 'both')[0] ?? [];
}

/** @throws Problem where something can't be used that all rows need */
async function open(context: IExecuteFunctions, isAgent: boolean, answers: Answers<IDataObject>): Promise<Run> {
	const options = readRequestOptions(context);
	const places = readNumberOption(context, concurrency);
	const maxPerHour = readNumberOption(context, maxCodesPerHour);
	const language = readLanguage(context);
	const credential = { type: 'smsPlatformApi', data: await context.getCredentials('smsPlatformApi') };
	const platform = readPlatform(credential);
	const guards = readGuards(credential.data, context.getTimezone());
	requireFewRows(guards, context.getInputData().length);
	const sending = { context, platform, guards, options, pace: openPace(context, 0) };
	// The editor shows no words of a passed credential test.
	const hints = [trialHint(guards), weakKeyWarning(platform.keys.current)].filter((hint) => hint !== undefined);
	const keys = await deriveKeys(platform.keys.current);
	return {
		sending,
		answers,
		places,
		isAgent,
		keys,
		notes: openNotes(context, keys),
		maxPerHour,
		reportUrls: openReportUrls(context, platform),
		hints,
		language,
		seen: new Map(),
	};
}

/** One row's code: read the row, choose its code, count it, send it, and give its places back where it was not sent. */
async function sendCode(context: IExecuteFunctions, itemIndex: number, run: Run): Promise<IDataObject | Problem> {
	const { sending, keys, isAgent, answers } = run;
	const { platform, guards } = sending;
	const request = readRequest(context, itemIndex, platform);
	requireTrialRecipient(guards, request.mobile);
	// For an agent the same message goes out once in an execution; in a list who stands there twice gets it twice.
	const id = idOf(request);
	const count = run.seen.get(id) ?? 0;
	run.seen.set(id, count + 1);
	const content = isAgent ? id : `${id} ${count}`;
	const known = answers.ofContent(content);
	if (known !== undefined) return known;
	if (isAgent) answers.keep(itemIndex, content, IN_PROGRESS);

	try {
		const issued = await issue(request, run);
		const { outgoing, item } = outgoingCode(request, issued.verification, keys, run.reportUrls);
		const result = await deliver(sending, outgoing);
		if (result instanceof Problem) {
			if (!isUnknown(result)) await giveBack(context, run, request.mobile, issued.counters);
			throw result.with({ recipient: outgoing.message.recipient });
		}
		const sent = { ...item, ...(result.warning !== undefined && { warning: result.warning }) };
		answers.keep(itemIndex, content, sent);
		return sent;
	} catch (error) {
		const problem = asProblem(error);
		answers.keep(itemIndex, content, problem);
		throw problem;
	}
}

const IN_PROGRESS = new Problem(
	'It is not known whether the code was sent: another request of this execution is sending the same one',
	'Wait for what becomes of it',
	{ outcome: 'unknown' },
	undefined,
	{ reason: 'unknown' },
);

/** What two requests of an agent have in common that ask for the same message. */
function idOf({ mobile, purpose, toRow, codeLength }: CodeRequest): string {
	const { message } = toRow('0'.repeat(codeLength));
	return createHash('sha256')
		.update(JSON.stringify([mobile, purpose, message]))
		.digest('base64url');
}

/** Whoever asks for codes of one number, or checks one, does so in turn. */
export const turnOf = ({ of }: Notes, mobile: string) => `${of} ${mobile}`;

/**
 * Chooses the code of a number and counts it, before it is sent: a crash leaves one counted too many, never too few.
 *
 * @returns the counters that count it
 * @throws Problem where a limit is reached, or the attempts of the period are spent
 */
async function issue(
	{ mobile, purpose, validMinutes, codeLength, maxAttempts }: CodeRequest,
	{ notes, maxPerHour }: Run,
): Promise<{ verification: Verification; counters: Counter[] }> {
	return await inTurn(turnOf(notes, mobile), async () => {
		const now = Date.now() / 1000;
		const period = { mobile, purpose, validMinutes, index: periodAt(now, validMinutes) };
		const ofIssue = issueCounters(period, maxAttempts);
		const ofLimits = numberCounters(mobile, now);
		const first = sentCounter(period, 0);
		const counts = await countWithShared(notes, [first, ...ofIssue, ...ofLimits.flat()], now);
		const rest = counts.slice(1 + ofIssue.length);
		const limits = ofLimits.map((counters) => rest.splice(0, counters.length));
		const chosen = chooseIssue(period, maxAttempts, counts.slice(1, 1 + ofIssue.length));
		checkNumberLimits(limits);
		const sent = chosen.issue === 0 ? first : sentCounter(period, chosen.issue);
		const timesSent = chosen.issue === 0 ? counts[0]! : (await countPlaces(notes, [sent]))[0]!;
		const counters = [...ofLimits.map(([present]) => present!), sent];
		const places = [...limits.map(([present]) => present!), timesSent];
		const shared = takeShared(notes, maxPerHour);
		await notes.put([...nextPlaces(notes, counters, places), ...shared]);
		return { verification: { ...period, codeLength, maxAttempts, ...chosen }, counters };
	});
}

/** Gives the places of a code back that was certainly not sent, so that it does not count. It does not throw. */
async function giveBack(
	context: IExecuteFunctions,
	{ notes, maxPerHour }: Run,
	mobile: string,
	counters: Counter[],
): Promise<void> {
	try {
		await inTurn(
			turnOf(notes, mobile),
			async () =>
				await notes.remove([...lastPlaces(notes, counters), ...(maxPerHour > 0 ? giveBackShared(notes) : [])]),
		);
	} catch {
		// The row has an error already, which says more than this one.
		context.logger.warn("SMS Code: a code that was not sent counts as sent, because n8n's list could not be written");
	}
}
