import type { IExecuteFunctions } from 'n8n-workflow';

import { isRounded } from '../../lib/greek/mobile';
import { columnsIfLeftEmpty, MOBILE, readFieldOrColumn } from '../../lib/n8n/columns';
import { getParameter, readChoice, readFlagOption, readText } from '../../lib/n8n/parameters';
import type { Message } from '../../lib/smsPlatform/api';
import type { Platform } from '../../lib/smsPlatform/credential';
import { requireTrialRecipient, type SafetyLimits } from '../../lib/smsPlatform/safetyLimits';
import { readDlrUrl, readPredefined, readReference, readValues } from '../../lib/smsPlatform/message';
import { readRecipient, typedRecipient } from '../../lib/smsPlatform/recipient';
import { makeReplacements } from '../../lib/smsPlatform/replacements';
import type { ItemName } from '../../lib/smsPlatform/endOfRun';
import { shortenNumbers } from '../../lib/texts/notice';
import { Problem, toResult } from '../../lib/texts/problem';
import type { AnsweredForward } from './answeredForward';
import { keyOf, readRepeatKey } from './messageKey';
import * as options from './properties';

/*
 * Reading of an item of SMS Send. `readInput` reads the item's parameters from n8n, once. `checkInput` makes the message from
 * these values. It gets no n8n context, and neither does the code that handles the message afterwards.
 */

/** Settings that all items of a run share when they are read. */
interface ItemSettings {
	platform: Platform;
	safetyLimits: SafetyLimits;
	/** Recipients who get no message, in normal form. */
	doNotSendTo: ReadonlySet<string>;
	/** The incoming message that a reply answers. */
	answered: AnsweredForward | undefined;
	/** The columns of mobiles, if Recipient was left empty. */
	recipientColumns: string[] | undefined;
	isTool: boolean;
	/** Undefined: the node is called as a tool without an execution, for example by MCP Server Trigger. */
	executionId: string | undefined;
}

/** The checked message of an item. */
export type SendItem = ReturnType<typeof checkInput>;

interface ReadResult {
	/** The message, or the Problem that says why the item can't be read. */
	item: SendItem | Problem;
	/** The recipient and the reference. They help people recognise the item. */
	name: ItemName;
}

/** Reads and checks an item. Nothing is sent. */
export function readItem(context: IExecuteFunctions, itemIndex: number, settings: ItemSettings): ReadResult {
	const recipient = toResult(() => readTypedRecipient(context, itemIndex, settings));
	const reference = toResult(() => readReference(context, itemIndex));
	const item = toResult(() => checkInput(readInput(context, itemIndex, settings, { recipient, reference }), settings));
	return { item, name: itemName(recipient, reference) };
}

/**
 * Reads only the recipient and the reference of an item, so that people recognise it. It is used if `readItem` was not called,
 * for example because the run can't begin.
 */
export function readName(
	context: IExecuteFunctions,
	itemIndex: number,
	settings: Partial<Pick<ItemSettings, 'answered' | 'recipientColumns'>> = {},
): ItemName {
	const recipient = toResult(() => readTypedRecipient(context, itemIndex, settings));
	return itemName(
		recipient,
		toResult(() => readReference(context, itemIndex)),
	);
}

/** Makes the name of an item from its recipient and its reference. If one of them is faulty, the other is still shown. */
const itemName = (recipient: unknown, reference: string | Problem | undefined): ItemName => ({
	recipient: recipient instanceof Problem ? undefined : typedRecipient(recipient),
	reference: reference instanceof Problem ? undefined : reference,
});

/** Returns the columns of mobiles if Recipient was left empty in the form. @throws Problem if the list has none */
export const readRecipientColumns = (context: IExecuteFunctions): string[] | undefined =>
	columnsIfLeftEmpty(context, 'recipient', MOBILE);

/**
 * Returns the recipient of an item as it is in the field or in its column. The recipient of a reply is the sender of the incoming
 * message.
 */
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
 * @param names the recipient and the reference, which were read before
 * @throws Problem that names the first parameter that can't be read
 */
function readInput(
	context: IExecuteFunctions,
	itemIndex: number,
	{ platform }: ItemSettings,
	names: { recipient: unknown; reference: string | Problem | undefined },
) {
	// If Already Sent is read first, so that its fault is reported before any other. It prevents duplicates.
	const ifAlreadySent = readIfAlreadySent(context, itemIndex);
	const { recipient, reference } = names;
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
	// The reference was read before, for the name of the item. Its fault is reported only if the other parameters can be read.
	if (reference instanceof Problem) throw reference;
	return { ...input, reference };
}

/**
 * Makes the message of an item from its parameters.
 * @throws Problem if a parameter is wrong, or if the credential's trial (Trial Recipients) does not allow the recipient
 */
function checkInput(input: ReturnType<typeof readInput>, settings: ItemSettings) {
	const { predefined, ifAlreadySent, repeatKey } = input;
	const { platform, answered, isTool, executionId } = settings;
	const recipient = answered === undefined ? readRecipient(input.recipient, platform) : recipientOf(answered, platform);
	const isList = answered === undefined && !isTool;
	const { replacements, ...filled } = makeReplacements(input.values, predefined, {
		allowEmpty: input.allowEmpty,
		isList,
	});
	if (answered === undefined && typeof input.recipient === 'number' && isRounded(input.recipient)) {
		const value = shortenNumbers(String(input.recipient));
		filled.warnings.push({ kind: 'roundMobile', field_el: '', field_en: '', value });
	}
	const { serviceId, messageId } = predefined;
	const { smsForwardId } = answered ?? {};
	const message: Message = { serviceId, messageId, recipient: recipient.sent, replacements, smsForwardId };
	requireTrialRecipient(settings.safetyLimits, recipient.normal);
	const key = keyOf(platform, message, recipient.normal, repeatKey, answered?.identity);
	// With Send Again an AI agent could send a message twice, because this node can't distinguish a retry from a new request. So
	// within one execution each message is sent once. A tool call without an execution (MCP Server Trigger) always sends.
	const isOncePerExecution = ifAlreadySent === 'send' && isTool && Boolean(executionId);
	return {
		message,
		normalRecipient: recipient.normal,
		dlrUrl: input.dlrUrl,
		/** The user's own reference. Undefined: the node makes one. */
		reference: input.reference,
		...filled,
		/** The key of the message. Two messages are the same if their keys are equal. */
		key: isOncePerExecution ? `${key} ${executionId}` : key,
		ifAlreadySent: isOncePerExecution ? ('skip' as const) : ifAlreadySent,
		doNotSend: settings.doNotSendTo.has(recipient.normal),
	};
}

/** Returns the recipient of a reply: the sender of the incoming message. A short code or an unknown number stays unchanged. */
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

/** Returns the key of a message in the memory of sent messages. Undefined: the message is not remembered. */
export const rememberedKey = (item: SendItem): string | undefined =>
	item.ifAlreadySent === 'send' || item.doNotSend ? undefined : item.key;
