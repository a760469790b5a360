import type { IExecuteFunctions } from 'n8n-workflow';

import { getParameter, readChoice, readFlagOption, readTextOption } from '../../shared/parameter';
import { asProblem, Problem } from '../../shared/problem';
import { giveWay, throwIfCancelled } from '../../shared/retry';
import { nameRow } from '../../shared/summary';
import { isTool } from '../../shared/tool';
import type { Platform } from '../credential';
import { trialProblem, type Guards } from '../outgoing/guards';
import type { Row } from '../outgoing/deliver';
import { readDlrUrl, readFilled, readPredefined, readReference } from '../outgoing/read';
import { readRecipient } from '../outgoing/recipient';
import { keyOf } from '../outgoing/reference';
import type { AnsweredForward } from './answeredForward';
import * as options from './options';

/** One row of SMS Send, read and checked. */
export interface SendRow extends Row {
	/** By which it is the same message as another one. */
	key: string;
	ifAlreadySent: 'skip' | 'send';
	dryRun: boolean;
	/** Whether its recipient is one of those who get nothing. */
	doNotSend: boolean;
}

/** What the rows of one run have in common before they are read. */
export interface RowsOf {
	platform: Platform;
	guards: Guards;
	/** Recipients who get nothing, in normal form. */
	doNotSendTo: ReadonlySet<string>;
	/** The message that the run answers, for a reply. */
	answered: AnsweredForward | undefined;
	/** Whether nothing is sent, whatever the rows say: a review. */
	isReview: boolean;
}

/**
 * Reads and checks the parameters of one row; nothing is sent.
 *
 * @throws Problem that names the parameter and the rule it breaks, or says that the credential is on trial
 */
export function readRow(context: IExecuteFunctions, itemIndex: number, run: RowsOf): SendRow {
	const { platform, answered } = run;
	// What guards comes first: a row for which it can't be read goes no further.
	const dryRun = run.isReview || readDryRun(context, itemIndex);
	const ifAlreadySent = readIfAlreadySent(context, itemIndex);
	const predefined = readPredefined(context, itemIndex, platform);
	const recipient =
		answered === undefined
			? readRecipient(
					getParameter(context, 'recipient', 'Recipient', itemIndex),
					readFlagOption(context, options.normaliseRecipient, itemIndex),
					platform.mobileFormat,
				)
			: readRecipient(answered.msisdn, answered.isMobile, platform.mobileFormat);
	const { replacements, text, segments } = readFilled(context, itemIndex, predefined);
	const dlrUrl = readDlrUrl(context, itemIndex, platform);
	const reference = readReference(context, itemIndex);
	const smsForwardId =
		answered === undefined ? readTextOption(context, options.smsForwardId, itemIndex, 256) : answered.smsForwardId;
	const duplicateKey = readTextOption(context, options.duplicateKey, itemIndex, 500);
	const { serviceId, messageId } = predefined;
	const message = {
		serviceId,
		messageId,
		recipient: recipient.sent,
		replacements,
		...(smsForwardId !== undefined && { smsForwardId }),
	};
	const row = { message, sameRecipient: recipient.same, dlrUrl, reference, text, segments };
	const onTrial = trialProblem(run.guards, recipient.same);
	if (onTrial !== undefined) throw onTrial;
	const key = keyOf(
		{ ...row, duplicateKey, answersMessageOf: smsForwardId === undefined ? answered?.receivedAt : undefined },
		platform,
	);
	// An agent's second attempt can't be told from a second request: so the same message goes out once in an execution.
	const isOfExecution = ifAlreadySent === 'send' && isTool(context);
	return {
		...row,
		key: isOfExecution ? `${key} ${context.getExecutionId()}` : key,
		ifAlreadySent: isOfExecution ? 'skip' : ifAlreadySent,
		dryRun,
		doNotSend: run.doNotSendTo.has(recipient.same),
	};
}

/** Whether a row is checked and not sent. @throws Problem also where its expression evaluates to empty: then nothing goes out */
export const readDryRun = (context: IExecuteFunctions, itemIndex: number): boolean =>
	readFlagOption(context, options.dryRun, itemIndex);

const readIfAlreadySent = (context: IExecuteFunctions, itemIndex: number) =>
	readChoice(getParameter(context, 'ifAlreadySent', 'If Already Sent', itemIndex), 'If Already Sent', ['skip', 'send']);

/**
 * Where a run stops at an error, what keeps messages from going out is read for every row before the first one leaves: a
 * column that is missing in one row is perhaps missing in the others too.
 *
 * @throws Problem that names the first row for which it can't be read
 */
export async function checkGuards(context: IExecuteFunctions): Promise<void> {
	if (!hasGuardsByExpression(context)) return;
	for (const itemIndex of context.getInputData().keys()) {
		await giveWay(itemIndex);
		throwIfCancelled(context);
		const fault = guardFault(context, itemIndex);
		if (fault === undefined) continue;
		const { message, description, details } = fault;
		throw new Problem(`${message} (${nameRow(itemIndex)})`, `${description}. Nothing was sent`, details);
	}
}

function guardFault(context: IExecuteFunctions, itemIndex: number): Problem | undefined {
	try {
		readDryRun(context, itemIndex);
		readIfAlreadySent(context, itemIndex);
		return undefined;
	} catch (error) {
		return asProblem(error);
	}
}

function hasGuardsByExpression(context: IExecuteFunctions): boolean {
	return ['options.dryRun', 'ifAlreadySent'].some((path) => {
		const raw: unknown = context.getNodeParameter(path, 0, '', { rawExpressions: true });
		return typeof raw === 'string' && raw.startsWith('=');
	});
}
