import type { IExecuteFunctions } from 'n8n-workflow';

import { columnsNamed, columnsOf, isLeftEmpty, MOBILE, valueIn } from '../../lib/n8n/columns';
import { isRounded } from '../../lib/greek/mobile';
import { shortenNumbers } from '../../lib/texts/notice';
import { getParameter, readChoice, readFlagOption, readText } from '../../lib/n8n/parameters';
import { isTool } from '../../lib/n8n/aiTool';
import type { Platform } from '../../lib/smsPlatform/credential';
import { requireTrialRecipient, type Guards } from '../../lib/smsPlatform/guards';
import { readDlrUrl, readPredefined, readReference, readValues } from '../../lib/smsPlatform/message';
import { readRecipient } from '../../lib/smsPlatform/recipient';
import { fill } from '../../lib/smsPlatform/replacements';
import type { Message } from '../../lib/smsPlatform/api';
import type { AnsweredForward } from './answeredForward';
import { keyOf, readRepeatKey } from './messageKey';
import * as options from './properties';

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
	const typed = answered === undefined ? recipientIn(context, itemIndex, run.recipientColumns) : undefined;
	const recipient = answered === undefined ? readRecipient(typed, platform) : recipientOf(answered, platform);
	const allowEmpty = readFlagOption(context, options.allowEmptyValues, itemIndex);
	const isList = answered === undefined && !isTool(context);
	const { replacements, ...filled } = fill(readValues(context, itemIndex), predefined, allowEmpty, undefined, isList);
	if (typeof typed === 'number' && isRounded(typed))
		filled.warnings.push({ kind: 'roundMobile', field_el: '', field_en: '', value: shortenNumbers(String(typed)) });
	const dlrUrl = readDlrUrl(context, itemIndex, platform);
	const reference = readReference(context, itemIndex);
	const repeatKey = readRepeatKey(context, itemIndex);
	const { serviceId, messageId } = predefined;
	const { smsForwardId } = answered ?? {};
	const message: Message = { serviceId, messageId, recipient: recipient.sent, replacements, smsForwardId };
	requireTrialRecipient(run.guards, recipient.normal);
	const key = keyOf(platform, message, recipient.normal, repeatKey, answered?.identity);
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

/** Whom a row names, as it is typed or in its column. */
export function recipientIn(context: IExecuteFunctions, itemIndex: number, columns: string[] | undefined): unknown {
	if (columns === undefined) return getParameter(context, 'recipient', 'Recipient', itemIndex);
	return valueIn(context.getInputData()[itemIndex]!.json, columns, MOBILE) ?? '';
}

/** A reply goes back to wherever the message came from: a short code or a number that nobody knows how to spell goes as it came. */
function recipientOf({ msisdn, isMobile }: AnsweredForward, platform: Platform) {
	if (isMobile) return readRecipient(msisdn, platform);
	const text = readText(msisdn, 'Recipient', 100);
	return { sent: text, normal: text };
}

export const readIfAlreadySent = (context: IExecuteFunctions, item: number) =>
	readChoice(
		getParameter(context, 'ifAlreadySent', 'If Already Sent', item),
		'If Already Sent',
		options.IF_ALREADY_SENT,
	);
