import { randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { MOBILE, requireValue } from '../../lib/n8n/columns';
import { toItems } from '../../lib/n8n/items';
import { isTool, readLanguage } from '../../lib/n8n/node';
import { wordsOf } from '../../lib/texts/notice';
import { readNumberOption } from '../../lib/n8n/parameters';
import { runRows } from '../../lib/n8n/workerPool';
import { asProblem, ifReadable, Problem, problemOr } from '../../lib/texts/problem';
import { deriveKeys, weakKeyWarning } from '../../lib/smsPlatform/derivedKeys';
import { deliver, isUnknown, openSending } from '../../lib/smsPlatform/deliver';
import { trialHint } from '../../lib/smsPlatform/guards';
import { concurrency } from '../../lib/smsPlatform/properties';
import { openAttempts, type Attempts } from '../../lib/smsPlatform/retryState';
import { endRun } from '../../lib/smsPlatform/runSummary';
import { withRemedy } from '../../lib/smsPlatform/outcome';
import { openReportUrls } from '../../lib/smsPlatform/reportUrl';
import { adviseVisitors, readRequest, type CodeRequest } from './readItem';
import { countsOf } from './codeLimits';
import { maxCodesPerHour } from './properties';
import { sealVerification, type Verification } from './verificationId';

type Run = Awaited<ReturnType<typeof open>>;

/** Sends each row a code, at most once, whatever Retry On Fail does. @returns an item for each row, without its code */
export async function sendCodes(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	// An agent's second attempt can't be told from a second request.
	const attempts = openAttempts<IDataObject>(context, isTool(context) ? 'execution' : 'run');
	const problems: Problem[] = [];
	const language = ifReadable(() => readLanguage(context), problems) ?? 'el';
	const run = problems[0] ?? (await open(context).catch(asProblem));
	const ended = run instanceof Problem ? attempts.failAll(run) : await sendRows(context, run, attempts);
	const results = adviseVisitors(ended);
	const named = endRun(context, {
		...{ results, attempts, language, isFaulty: false },
		typed: (itemIndex) => context.getNodeParameter('recipient', itemIndex, ''),
		kindOf: () => 'accepted',
		warnings: run instanceof Problem ? [] : warningsOf(run),
		rememberFor: 'code',
	});
	return toItems(context, named, undefined, language)[0] ?? [];
}

/** Each row, read and named in the order of the list. A problem is returned: what one row lacks stops no other. */
async function sendRows(context: IExecuteFunctions, run: Run, attempts: Attempts<IDataObject>) {
	const work = async (itemIndex: number) => {
		const request = problemOr(() => readRequest(context, itemIndex, run.sending));
		const name = attempts.nameOf(itemIndex, request instanceof Problem ? undefined : request.key);
		return await attempts.once(name, async () =>
			request instanceof Problem ? request : await sendCode(request, run).catch(asProblem),
		);
	};
	return await runRows<IDataObject>(context, () => ({ places: run.places, work }));
}

/** @throws Problem where something can't be used that all rows need */
async function open(context: IExecuteFunctions) {
	requireValue(context, 'recipient', 'Recipient', MOBILE, false);
	const places = readNumberOption(context, concurrency);
	// For the workflow; 0: no limit.
	const maxPerHour = readNumberOption(context, maxCodesPerHour);
	const sending = await openSending(context, places, 0, 'code');
	const { platform } = sending;
	const keys = await deriveKeys(platform.keys.current);
	const seal = (verification: Verification, purpose: string) =>
		sealVerification(verification, { platform, purpose, keys });
	return {
		...{ places, sending, seal, maxPerHour },
		counts: countsOf(platform),
		workflow: String(context.getWorkflow().id),
		reportUrls: openReportUrls(context, platform),
	};
}

/** What the user has to know of the credential: the editor shows no words of a passed credential test. */
const warningsOf = ({ sending: { guards, platform }, reportUrls }: Run) => [
	...reportUrls.warnings(),
	...[trialHint(guards), weakKeyWarning(platform.keys.current)],
];

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
	const message = {
		...request.message,
		replacements: request.message.replacements.with(place, code),
		dlrUrl: run.reportUrls.sign({ dlrUrl, message: request.message }, randomUUID()),
	};
	const { serviceId, messageId, recipient } = message;
	// Whoever gets it has half of its time to type it.
	const until = end - order.validMinutes * 30_000;
	const result = await deliver(run.sending, { message, keepsQuiet: false, secrets: [code], until });
	if (result instanceof Problem) {
		if (!isUnknown(result)) {
			giveBack();
			throw result.with({ recipient });
		}
		// The person may have it, so a page can ask for it.
		const mayCome = result.advising('codeMayCome');
		const description = withRemedy(wordsOf(mayCome.why, 'en')[1], mayCome.why);
		throw mayCome.but({ description }).with({ recipient, verificationId: run.seal(verification, order.purpose) });
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
