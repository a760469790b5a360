import { createHash } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../../shared/items';
import { readNumberOption } from '../../shared/parameter';
import { asProblem, Problem } from '../../shared/problem';
import { isTool } from '../../shared/tool';
import { readPlatform } from '../credential';
import { deriveKeys, weakKeyWarning, type DerivedKeys } from '../keys';
import { readGuards, requireFewRows, requireTrialRecipient, trialHint } from '../outgoing/guards';
import { deliver, isUnknown, type Sending } from '../outgoing/deliver';
import { concurrency, readRequestOptions } from '../outgoing/options';
import { openPace } from '../outgoing/pace';
import { openReportUrls, type ReportUrls } from '../reportUrl';
import { openAnswers, runMessages, type Answers } from '../outgoing/run';
import { endRun, tallyOf } from '../outgoing/runSummary';
import { countPlaces, giveBack, nextPlaces, type Counter } from './counters';
import { chooseIssue, sentCounter } from './issued';
import { checkLimits } from './limits';
import { withNotes } from './notes';
import { periodAt } from './oneTimeCode';
import { maxCodesPerHour } from './options';
import { outgoingCode } from './outgoingCode';
import { checkMemory } from './remembered';
import { readRequest, type CodeRequest } from './readCodeRow';
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
	/** For the workflow; 0: no limit. */
	maxPerHour: number;
	reportUrls: ReportUrls;
	/** What the user has to know of the credential. */
	hints: string[];
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
	return toItems(context, results, undefined, 'both')[0] ?? [];
}

/** @throws Problem where something can't be used that all rows need */
async function open(context: IExecuteFunctions, isAgent: boolean, answers: Answers<IDataObject>): Promise<Run> {
	const options = readRequestOptions(context);
	const places = readNumberOption(context, concurrency);
	const maxPerHour = readNumberOption(context, maxCodesPerHour);
	const credential = { type: 'smsPlatformApi', data: await context.getCredentials('smsPlatformApi') };
	const platform = readPlatform(credential);
	const guards = readGuards(credential.data, context.getTimezone());
	requireFewRows(guards, context.getInputData().length);
	const sending = { context, platform, guards, options, pace: openPace(context, 0) };
	// The editor shows no words of a passed credential test.
	const hints = [trialHint(guards), weakKeyWarning(platform.keys.current)].filter((hint) => hint !== undefined);
	return {
		sending,
		answers,
		places,
		isAgent,
		keys: await deriveKeys(platform.keys.current),
		maxPerHour,
		reportUrls: openReportUrls(context, platform),
		hints,
	};
}

/** One row's code: read the row, choose its code, count it, send it, and give its places back where it was not sent. */
async function sendCode(context: IExecuteFunctions, itemIndex: number, run: Run): Promise<IDataObject | Problem> {
	const { sending, keys, isAgent, answers } = run;
	const { platform, guards } = sending;
	const request = readRequest(context, itemIndex, platform);
	requireTrialRecipient(guards, request.mobile);
	// For an agent the same message goes out once in an execution.
	const content = isAgent ? idOf(request) : `${idOf(request)} ${itemIndex}`;
	const known = answers.ofContent(content);
	if (known !== undefined) return known;
	if (isAgent) answers.keep(itemIndex, content, IN_PROGRESS);

	try {
		const issued = await issue(context, request, keys, run.maxPerHour);
		const { outgoing, item } = outgoingCode(request, issued.verification, keys, run.reportUrls);
		const result = await deliver(sending, outgoing);
		if (result instanceof Problem) {
			if (!isUnknown(result)) await giveBack(context, keys, issued.counters);
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

/**
 * Chooses the code of a number and counts it, before it is sent: a crash leaves one counted too many, never too few.
 *
 * @returns the counters that count it
 * @throws Problem where a limit is reached, or the attempts of the period are spent
 */
async function issue(
	context: IExecuteFunctions,
	request: CodeRequest,
	keys: DerivedKeys,
	maxPerHour: number,
): Promise<{ verification: Verification; counters: Counter[] }> {
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
