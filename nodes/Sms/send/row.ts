import type { IExecuteFunctions } from 'n8n-workflow';

import { columnsNamed, columnsOf, isLeftEmpty, MOBILE, valueIn } from '../../shared/columns';
import { tidy } from '../../shared/greek';
import { hashOf } from '../../shared/hide';
import { getParameter, readChoice, readFlagOption, readText, readTextOption } from '../../shared/parameter';
import { badParameter } from '../../shared/problem';
import { isTool } from '../../shared/node';
import type { Platform } from '../credential';
import { requireTrialRecipient, type Guards } from '../outgoing/guards';
import { readDlrUrl, readPredefined, readReference, readValues } from '../outgoing/message';
import { readRecipient } from '../outgoing/recipient';
import { fill } from '../outgoing/replacements';
import type { Message } from '../wire';
import type { AnsweredForward } from './answeredForward';
import * as options from './parameters';

export const LONGEST_KEY = 500;

export type SendRow = ReturnType<typeof readRow>;

/** What the rows of one run have in common before they are read. */
interface RowsOf {
	platform: Platform;
	guards: Guards;
	/** Recipients who get nothing, in normal form. */
	doNotSendTo: ReadonlySet<string>;
	answered: AnsweredForward | undefined;
	recipientColumns: string[] | undefined;
}

/** The columns of mobiles, where Recipient is left empty in the form. @throws Problem where the list has none */
export const readRecipientColumns = (context: IExecuteFunctions): string[] | undefined =>
	isLeftEmpty(context, 'recipient') ? columnsNamed(columnsOf(context), MOBILE) : undefined;

/** Reads and checks a row; nothing is sent. @throws Problem that says what is wrong, or that others are on trial */
export function readRow(context: IExecuteFunctions, itemIndex: number, run: RowsOf) {
	const { platform, answered } = run;
	// What guards comes first: a row for which it can't be read goes no further.
	const ifAlreadySent = readIfAlreadySent(context, itemIndex);
	const predefined = readPredefined(context, itemIndex, platform);
	const recipient =
		answered === undefined
			? readRecipient(recipientIn(context, itemIndex, run.recipientColumns), platform)
			: recipientOf(answered, platform);
	const allowEmpty = readFlagOption(context, options.allowEmptyValues, itemIndex);
	const { replacements, ...filled } = fill(readValues(context, itemIndex), predefined, allowEmpty);
	const dlrUrl = readDlrUrl(context, itemIndex, platform);
	const reference = readReference(context, itemIndex);
	const duplicateKey = readDuplicateKey(context, itemIndex);
	const { serviceId, messageId } = predefined;
	const forward = answered?.smsForwardId === undefined ? {} : { smsForwardId: answered.smsForwardId };
	const message: Message = { serviceId, messageId, recipient: recipient.sent, replacements, ...forward };
	requireTrialRecipient(run.guards, recipient.normal);
	const key = keyOf(platform, message, recipient.normal, duplicateKey, answered?.receivedAt);
	// An agent's second attempt can't be told from a second request: so the same message goes out once in an execution.
	const execution: string | undefined = context.getExecutionId();
	// Where there is no execution (MCP Server Trigger), each call is one of its own.
	const isOfExecution = ifAlreadySent === 'send' && isTool(context) && Boolean(execution);
	return {
		message,
		normalRecipient: recipient.normal,
		dlrUrl,
		/** The user's own name for the message; undefined where the node makes one. */
		reference,
		...filled,
		key: isOfExecution ? `${key} ${execution}` : key,
		ifAlreadySent: isOfExecution ? 'skip' : ifAlreadySent,
		doNotSend: run.doNotSendTo.has(recipient.normal),
	};
}

/**
 * The key of a message, by which two are the same in any run: a hash, so that n8n's list contains no one's number. The
 * pre-shared key is no part of it: after a change of key nobody gets a message twice.
 * @param duplicateKey in place of the replacements alone: one that several people share keeps nobody from theirs
 * @param receivedAt of the message that a reply answers: it counts where that has no id
 */
function keyOf(
	platform: Platform,
	{ serviceId, messageId, replacements, smsForwardId }: Message,
	normalRecipient: string,
	duplicateKey: string | undefined,
	receivedAt: string | undefined,
): string {
	const values =
		duplicateKey === undefined
			? replacements.map((value) => tidy(value).normalize('NFC'))
			: { duplicateKey: duplicateKey.normalize('NFC') };
	const what = [serviceId, messageId, normalRecipient, values];
	const answers = smsForwardId === undefined ? [null, receivedAt ?? null] : [smsForwardId, null];
	return hashOf([platform.sendUrl, platform.institution, what, ...answers]);
}

/** Whom a row names, as it is typed or in its column. */
export function recipientIn(context: IExecuteFunctions, itemIndex: number, columns: string[] | undefined): unknown {
	if (columns === undefined) return getParameter(context, 'recipient', 'Recipient', itemIndex);
	return valueIn(context.getInputData()[itemIndex]!.json, columns, MOBILE);
}

/** A reply goes back to wherever the message came from: a short code or a number that nobody knows how to spell goes as it came. */
function recipientOf({ msisdn, isMobile }: AnsweredForward, platform: Platform) {
	if (isMobile) return readRecipient(msisdn, platform);
	const text = readText(msisdn, 'Recipient', 100);
	return { sent: text, normal: text };
}

export const readIfAlreadySent = (context: IExecuteFunctions, item: number) =>
	readChoice(getParameter(context, 'ifAlreadySent', 'If Already Sent', item), 'If Already Sent', ['skip', 'send']);

/** The user's own key. @throws Problem where its expression evaluates to empty: then a column is missing, and the key with it */
function readDuplicateKey(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const { name, displayName } = options.duplicateKey;
	const own = readTextOption(context, options.duplicateKey, itemIndex, LONGEST_KEY);
	if (own !== undefined || isLeftEmpty(context, `options.${name}`, itemIndex)) return own;
	const whatToDo = 'Correct the expression, or remove the option: without it the values of the message count';
	throw badParameter(displayName, 'has an expression that evaluates to empty', whatToDo);
}
