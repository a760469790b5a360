import { createHash, randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../../shared/items';
import { isTool, readLanguage } from '../../shared/node';
import type { Language } from '../../shared/notice';
import { readNumberOption } from '../../shared/parameter';
import { asProblem, Problem } from '../../shared/problem';
import { deriveKeys, weakKeyWarning } from '../keys';
import { deliver, isUnknown, openSending } from '../outgoing/deliver';
import { requireTrialRecipient, trialHint } from '../outgoing/guards';
import { concurrency } from '../outgoing/parameters';
import { endRun, openAnswers, runMessages, type Answers } from '../outgoing/run';
import { openReportUrls } from '../reportUrl';
import { readRequest, type CodeRequest } from './codeRow';
import { countsOf } from './counts';
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
	const answers = openAnswers<IDataObject>(context, isTool(context) ? 'execution' : 'run');
	const opened: { language: Language; run?: Run } = { language: 'el' };
	const recipientOf = (itemIndex: number) => context.getNodeParameter('recipient', itemIndex, '');
	// A row is counted before its answer is recalled: so here only where no row can be read.
	const unread = { ofPlace: (itemIndex: number) => (opened.run ? undefined : answers.ofPlace(itemIndex)) };
	const results = await runMessages(context, unread, recipientOf, async () => {
		opened.language = readLanguage(context);
		const places = readNumberOption(context, concurrency);
		const run = (opened.run = await open(context, answers));
		return { places, work: async (itemIndex) => await sendOnce(context, itemIndex, run) };
	});
	if (!results.some((result) => result instanceof Problem)) answers.close();
	endRun(
		context,
		results,
		() => 'accepted',
		opened.language,
		opened.run === undefined ? [] : warningsOf(opened.run),
		'Run the node again to go on: whoever got a code gets the same one again.',
	);
	return toItems(context, results, undefined, opened.language)[0] ?? [];
}

/** @throws Problem where something can't be used that all rows need */
async function open(context: IExecuteFunctions, answers: Answers<IDataObject>) {
	// For the workflow; 0: no limit.
	const maxPerHour = readNumberOption(context, maxCodesPerHour);
	const sending = await openSending(context, 0);
	const { platform } = sending;
	const keys = await deriveKeys(platform.keys.current);
	const seal = (verification: Verification, purpose: string) =>
		sealVerification(verification, { platform, purpose, keys });
	/** How often the same was asked for in this run. */
	const seen = new Map<string, number>();
	return {
		...{ sending, seal, answers, seen, maxPerHour },
		counts: countsOf(platform),
		workflow: String(context.getWorkflow().id),
		reportUrls: openReportUrls(context, platform),
	};
}

/** What the user has to know of the credential: the editor shows no words of a passed credential test. */
function warningsOf({ sending: { guards, platform }, reportUrls }: Run): string[] {
	const hints = [trialHint(guards), weakKeyWarning(platform.keys.current)].filter((hint) => hint !== undefined);
	return [...reportUrls.warnings(), ...hints];
}

/** One row's code, unless an earlier attempt of the node dealt with it. */
async function sendOnce(context: IExecuteFunctions, itemIndex: number, run: Run): Promise<IDataObject | Problem> {
	const { sending, answers, seen } = run;
	// A tool's rows are all the first of their execution: there a request is known by what it sends alone.
	const ofPlace = isTool(context) ? undefined : answers.ofPlace(itemIndex);
	let request: CodeRequest;
	try {
		request = readRequest(context, itemIndex, sending.platform);
	} catch (error) {
		if (ofPlace !== undefined) return ofPlace;
		throw asProblem(error);
	}
	// For an agent the same message goes out once in an execution; in a list who stands there twice gets it twice.
	const { order, message } = request;
	const id = createHash('sha256')
		.update(JSON.stringify([order.mobile, order.purpose, message]))
		.digest('base64url');
	const count = seen.get(id) ?? 0;
	seen.set(id, count + 1);
	const content = isTool(context) ? id : `${id} ${count}`;
	const known = ofPlace ?? answers.ofContent(content);
	if (known !== undefined) return known;

	requireTrialRecipient(sending.guards, order.mobile);
	const result = await sendCode(request, run).catch(asProblem);
	answers.keep(itemIndex, content, result);
	if (result instanceof Problem) throw result;
	return result;
}

/** Counts a code, sends it, and takes the count back where it was certainly not sent. @returns the row's item */
async function sendCode(request: CodeRequest, run: Run): Promise<IDataObject> {
	const { order, place, dlrUrl } = request;
	const taken = run.counts.take(order, run.workflow, run.maxPerHour, Date.now());
	if ('refused' in taken) {
		// With the id of the code that the person has, so that a page can go on asking for it.
		const { refused, current } = taken;
		throw current === undefined ? refused : refused.with({ verificationId: run.seal(current, order.purpose) });
	}
	const { verification, giveBack } = taken;
	const { code, end } = verification;
	const reportUrl = run.reportUrls.sign({ dlrUrl, message: request.message }, randomUUID());
	const message = {
		...request.message,
		replacements: request.message.replacements.map((value, index) => (index === place ? code : value)),
		...(reportUrl !== undefined && { dlrUrl: reportUrl }),
	};
	const { serviceId, messageId, recipient } = message;
	// Whoever gets it has half of its time to type it.
	const until = end - order.validMinutes * 30_000;
	const result = await deliver(run.sending, { message, keepsQuiet: false, secrets: [code], until });
	if (result instanceof Problem) {
		if (!isUnknown(result)) giveBack();
		throw result.with({ recipient });
	}
	return {
		accepted: true,
		verificationId: run.seal(verification, order.purpose),
		recipient,
		expiresAt: new Date(end).toISOString(),
		serviceId,
		messageId,
		...(result.warning !== undefined && { warning: result.warning }),
	};
}
