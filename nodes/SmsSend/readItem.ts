import type { IExecuteFunctions } from 'n8n-workflow';

import { isRounded } from '../../lib/greek/mobile';
import { columnsIfLeftEmpty, MOBILE, readFieldOrColumn } from '../../lib/n8n/columns';
import { getParameter, readChoice, readFlagOption, readText } from '../../lib/n8n/parameters';
import type { Message } from '../../lib/smsPlatform/api';
import type { Platform } from '../../lib/smsPlatform/credential';
import { requireTrialRecipient, type Guards } from '../../lib/smsPlatform/guards';
import { readDlrUrl, readPredefined, readReference, readValues } from '../../lib/smsPlatform/message';
import { readRecipient, typedRecipient } from '../../lib/smsPlatform/recipient';
import { fill } from '../../lib/smsPlatform/replacements';
import type { ItemName } from '../../lib/smsPlatform/runSummary';
import { shortenNumbers } from '../../lib/texts/notice';
import { Problem, toResult } from '../../lib/texts/problem';
import type { AnsweredForward } from './answeredForward';
import { keyOf, readRepeatKey } from './messageKey';
import * as options from './properties';

/*
 * Reading an item of SMS Send. `readInput` reads its parameters from n8n, once. `checkInput` makes the message from them and
 * sees no n8n context, like everything after it.
 */

/** Settings that all items of a run share when they are read. */
interface ItemSettings {
	platform: Platform;
	guards: Guards;
	/** Recipients who get nothing, in normal form. */
	doNotSendTo: ReadonlySet<string>;
	/** The incoming message that a reply answers. */
	answered: AnsweredForward | undefined;
	/** The columns of mobiles, if Recipient was left empty. */
	recipientColumns: string[] | undefined;
	isTool: boolean;
	/** Undefined: the call of a tool without an execution, as from MCP Server Trigger. */
	executionId: string | undefined;
}

/** A message that an item asks for, read and checked. */
export type SendItem = ReturnType<typeof checkInput>;

/** An item after reading: its message, or the problem if it can't be read, and how people recognise it. */
interface ReadResult {
	item: SendItem | Problem;
	name: ItemName;
}

/** Reads and checks an item. Nothing is sent. */
export function readItem(context: IExecuteFunctions, itemIndex: number, settings: ItemSettings): ReadResult {
	const recipient = toResult(() => readTypedRecipient(context, itemIndex, settings));
	const reference = toResult(() => readReference(context, itemIndex));
	const item = toResult(() => checkInput(readInput(context, itemIndex, settings, { recipient, reference }), settings));
	return { item, name: nameOf(recipient, reference) };
}

/** Reads only how people recognise an item, for a run that can't begin. */
export function readName(
	context: IExecuteFunctions,
	itemIndex: number,
	settings: Partial<Pick<ItemSettings, 'answered' | 'recipientColumns'>> = {},
): ItemName {
	const recipient = toResult(() => readTypedRecipient(context, itemIndex, settings));
	return nameOf(
		recipient,
		toResult(() => readReference(context, itemIndex)),
	);
}

/** People recognise an item by its recipient and its reference. If one of them is faulty, the other is still shown. */
const nameOf = (recipient: unknown, reference: string | Problem | undefined): ItemName => ({
	recipient: recipient instanceof Problem ? undefined : typedRecipient(recipient),
	reference: reference instanceof Problem ? undefined : reference,
});

/** Returns the columns of mobiles if Recipient was left empty in the form. @throws Problem if the list has none */
export const readRecipientColumns = (context: IExecuteFunctions): string[] | undefined =>
	columnsIfLeftEmpty(context, 'recipient', MOBILE);

/** Returns the unchanged recipient of an item, from the field or from its column. A reply goes to the sender. */
const readTypedRecipient = (
	context: IExecuteFunctions,
	itemIndex: number,
	{ answered, recipientColumns }: Partial<Pick<ItemSettings, 'answered' | 'recipientColumns'>>,
): unknown =>
	answered === undefined
		? readFieldOrColumn(context, itemIndex, { name: 'recipient', label: 'Recipient' }, MOBILE, recipientColumns)
		: answered.msisdn;

/**
 * Reads the parameters of an item.
 * @param read parameters that were read before
 * @throws Problem that names the first parameter that can't be read
 */
function readInput(
	context: IExecuteFunctions,
	itemIndex: number,
	{ platform }: ItemSettings,
	read: { recipient: unknown; reference: string | Problem | undefined },
) {
	// The parameter that guards against duplicates comes first.
	const ifAlreadySent = readIfAlreadySent(context, itemIndex);
	const { recipient, reference } = read;
	if (recipient instanceof Problem) throw recipient;
	const input = {
		ifAlreadySent,
		recipient,
		predefined: readPredefined(context, itemIndex, platform),
		allowEmpty: readFlagOption(context, options.allowEmptyValues, itemIndex),
		values: readValues(context, itemIndex),
		dlrUrl: readDlrUrl(context, itemIndex, platform),
		repeatKey: readRepeatKey(context, itemIndex),
	};
	if (reference instanceof Problem) throw reference;
	return { ...input, reference };
}

/** Makes the message that an item asks for. @throws Problem that says what is wrong, or that the recipient is not on trial */
function checkInput(input: ReturnType<typeof readInput>, settings: ItemSettings) {
	const { predefined, ifAlreadySent, repeatKey } = input;
	const { platform, answered, isTool, executionId } = settings;
	const recipient = answered === undefined ? readRecipient(input.recipient, platform) : recipientOf(answered, platform);
	const isList = answered === undefined && !isTool;
	const { replacements, ...filled } = fill(input.values, predefined, input.allowEmpty, undefined, isList);
	if (answered === undefined && typeof input.recipient === 'number' && isRounded(input.recipient)) {
		const value = shortenNumbers(String(input.recipient));
		filled.warnings.push({ kind: 'roundMobile', field_el: '', field_en: '', value });
	}
	const { serviceId, messageId } = predefined;
	const { smsForwardId } = answered ?? {};
	const message: Message = { serviceId, messageId, recipient: recipient.sent, replacements, smsForwardId };
	requireTrialRecipient(settings.guards, recipient.normal);
	const key = keyOf(platform, message, recipient.normal, repeatKey, answered?.identity);
	// A second attempt of an AI agent looks like a second request. So the same message goes out only once in an execution. A
	// call without an execution is always a new request.
	const isOncePerExecution = ifAlreadySent === 'send' && isTool && Boolean(executionId);
	return {
		message,
		normalRecipient: recipient.normal,
		dlrUrl: input.dlrUrl,
		/** The user's own name for the message. Undefined: the node makes one. */
		reference: input.reference,
		...filled,
		/** Two messages are the same if their keys are. */
		key: isOncePerExecution ? `${key} ${executionId}` : key,
		ifAlreadySent: isOncePerExecution ? ('skip' as const) : ifAlreadySent,
		doNotSend: settings.doNotSendTo.has(recipient.normal),
	};
}

/** Returns the sender of the message as the recipient of a reply. A short code or an unrecognised number stays unchanged. */
function recipientOf({ msisdn, isMobile }: AnsweredForward, platform: Platform) {
	if (isMobile) return readRecipient(msisdn, platform);
	const text = readText(msisdn, 'Recipient', 100);
	return { sent: text, normal: text };
}

export const readIfAlreadySent = (context: IExecuteFunctions, itemIndex: number) =>
	readChoice(
		getParameter(context, 'ifAlreadySent', 'If Already Sent', itemIndex),
		'If Already Sent',
		options.IF_ALREADY_SENT,
	);

/** Returns the key of an item in the memory. Undefined: it is not remembered. */
export const rememberedKey = (item: SendItem): string | undefined =>
	item.ifAlreadySent === 'send' || item.doNotSend ? undefined : item.key;
