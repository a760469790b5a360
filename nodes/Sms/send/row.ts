import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { getParameter } from '../../shared/parameter';
import { badParameter, type Problem } from '../../shared/problem';
import { isNothing, readChoice, readFlag, readOptionalText, readText } from '../../shared/read';
import type { Platform } from '../credential';
import { findMessage } from '../messages';
import { COPY_REPORT_ADDRESS, reportAddressFault } from '../dlrUrl';
import { isSignable } from '../reportAddress';
import type { Message } from '../wire';
import type { AnsweredForward } from './answeredForward';
import { readRecipient, typedRecipient } from '../outgoing/recipient';
import { fill, type Filled, type Values } from '../outgoing/replacements';

/** One row's message, read and checked. */
export interface Row {
	message: Message;
	/** The recipient in the form that every spelling of one number has in common. */
	sameRecipient: string;
	/** Where delivery reports go, before it is signed; undefined where none are asked for. */
	dlrUrl?: string;
	reference?: string;
	/** The user's own key for "the same message". */
	duplicateKey?: string;
	/** For a reply to a message that came without an id: when it came. */
	answersMessageOf?: string;
	text?: string;
	segments?: number;
	ifAlreadySent: 'skip' | 'send';
	dryRun: boolean;
}

/**
 * Reads and checks the parameters of one row; nothing is sent.
 *
 * @param answered the message that the run answers, for a reply
 * @throws Problem that names the parameter and the rule it breaks
 */
export function readRow(context: IExecuteFunctions, itemIndex: number, platform: Platform, answered?: AnsweredForward): Row {
	// What guards comes first: a row for which it can't be read goes no further.
	const { dryRun, ifAlreadySent } = readGuards(context, itemIndex);
	const parameter = (name: string, label: string, fallback?: unknown) => getParameter(context, name, label, itemIndex, fallback);
	const { serviceId, messageId } = readIds(context, itemIndex);
	const recipient =
		answered === undefined
			? readRecipient(parameter('recipient', 'Recipient'), readFlag(parameter('options.normaliseRecipient', 'Normalise Recipient', true), 'Normalise Recipient'), platform.mobileFormat)
			: readRecipient(answered.msisdn, answered.isMobile, platform.mobileFormat);
	const { replacements, text, segments } = readFilled(context, itemIndex, platform, serviceId, messageId);
	const smsForwardId = answered === undefined ? readOptionalText(parameter('options.smsForwardId', 'SMS Forward ID', ''), 'SMS Forward ID', 256) : answered.smsForwardId;

	return {
		message: { serviceId, messageId, recipient: recipient.sent, replacements, ...(smsForwardId !== undefined && { smsForwardId }) },
		sameRecipient: recipient.same,
		dlrUrl: readDlrUrl(context, itemIndex, platform),
		reference: readReference(context, itemIndex),
		duplicateKey: readOptionalText(parameter('options.duplicateKey', 'Duplicate Key', ''), 'Duplicate Key', 500),
		answersMessageOf: smsForwardId === undefined ? answered?.receivedAt : undefined,
		text,
		segments,
		ifAlreadySent,
		dryRun,
	};
}

/** What keeps a message from going out. Where an expression gives nothing, nothing goes out. */
export function readGuards(context: IExecuteFunctions, itemIndex: number): Pick<Row, 'dryRun' | 'ifAlreadySent'> {
	return {
		dryRun: readFlag(getParameter(context, 'options.dryRun', 'Dry Run', itemIndex, false), 'Dry Run'),
		ifAlreadySent: readChoice(getParameter(context, 'ifAlreadySent', 'If Already Sent', itemIndex), 'If Already Sent', ['skip', 'send']),
	};
}

/** Whether an expression decides what keeps a message from going out. */
export function hasGuardsByExpression(context: IExecuteFunctions): boolean {
	return ['options.dryRun', 'ifAlreadySent'].some((name) => {
		const raw: unknown = context.getNodeParameter(name, 0, '', { rawExpressions: true });
		return typeof raw === 'string' && raw.startsWith('=');
	});
}

/** Service and message, chosen from a list or given by their ids. */
export function readIds(context: IExecuteFunctions, itemIndex: number): { serviceId: string; messageId: string } {
	const id = (name: string, parameter: string) =>
		readText(context.getNodeParameter(name, itemIndex, '', { extractValue: true }), parameter, 200);
	return { serviceId: id('serviceId', 'Service'), messageId: id('messageId', 'Message') };
}

/** The values of a row's message, and its text: the option's, or else the credential's. */
export function readFilled(context: IExecuteFunctions, itemIndex: number, platform: Platform, serviceId: string, messageId: string): Filled {
	const allowEmpty = readFlag(getParameter(context, 'options.allowEmptyValues', 'Allow Empty Values', itemIndex, false), 'Allow Empty Values');
	return fill(readValues(context, itemIndex), readMessageText(context, itemIndex, platform, serviceId, messageId), allowEmpty);
}

/** The text of a row's message: the option Message Text, or else the credential's. Line breaks are part of it. */
export function readMessageText(context: IExecuteFunctions, itemIndex: number, platform: Platform, serviceId: string, messageId: string): string | undefined {
	const option = getParameter(context, 'options.messageText', 'Message Text', itemIndex, '');
	if (isNothing(option)) return findMessage(platform.messages, serviceId, messageId)?.text;
	if (typeof option === 'string' && option.length <= 10_000) return option;
	throw badParameter('Message Text', 'must be text of at most 10,000 characters', 'Paste the predefined message');
}

/** Where the values of a row come from. */
export function readValues(context: IExecuteFunctions, itemIndex: number): Values {
	const way = readChoice(getParameter(context, 'specifyReplacements', 'Specify Replacements', itemIndex, 'placeholders'), 'Specify Replacements', ['placeholders', 'fields', 'json']);
	if (way === 'json') return { list: readJsonList(getParameter(context, 'replacementsJson', 'Replacements (JSON)', itemIndex, '[]')) };
	if (way === 'fields') {
		const { values } = (getParameter(context, 'replacements', 'Replacements', itemIndex, {}) ?? {}) as { values?: Array<{ value?: unknown }> };
		return { list: (Array.isArray(values) ? values : []).map((entry) => entry?.value) };
	}
	// Not `placeholders.value`: that makes n8n check the schema that was stored, and the text decides.
	const { mappingMode, value } = (getParameter(context, 'placeholders', 'Placeholders', itemIndex, {}) ?? {}) as { mappingMode?: string; value?: IDataObject | null };
	return mappingMode === 'autoMapInputData' ? { columns: context.getInputData()[itemIndex]!.json } : { byName: value ?? {} };
}

function readJsonList(value: unknown): unknown[] {
	let list = value;
	if (typeof value === 'string') {
		try {
			list = JSON.parse(value);
		} catch {
			list = undefined;
		}
	}
	if (!Array.isArray(list)) throw badParameter('Replacements (JSON)', 'must be a JSON list', 'Write for example ["Φυσική", "8"]');
	return list;
}

/**
 * The node's own Delivery Report URL, or else the credential's.
 *
 * @param path where it stands in the node
 */
export function readDlrUrl(context: IExecuteFunctions, itemIndex: number, platform: Platform, path = 'dlrUrl'): string | undefined {
	if (readFlag(getParameter(context, 'options.noReport', 'No Delivery Report', itemIndex, false), 'No Delivery Report')) return undefined;
	const url = readOptionalText(getParameter(context, path, 'Delivery Report URL', itemIndex, ''), 'Delivery Report URL', 2000) ?? platform.dlrUrl;
	const fault = url === undefined ? undefined : reportAddressFault(url);
	if (fault !== undefined) throw badParameter('Delivery Report URL', fault, COPY_REPORT_ADDRESS);
	return url;
}

function readReference(context: IExecuteFunctions, itemIndex: number): string | undefined {
	const reference = readOptionalText(getParameter(context, 'options.reference', 'Reference', itemIndex, ''), 'Reference', 256);
	if (reference !== undefined && !isSignable(reference)) {
		throw badParameter('Reference', 'holds control characters', 'Use a reference of letters and digits');
	}
	return reference;
}

/** A row's error with what a user knows the row by, as much of it as can be read. */
export function nameProblem(context: IExecuteFunctions, itemIndex: number, problem: Problem): Problem {
	const readable = <T>(read: () => T): T | undefined => {
		try {
			return read();
		} catch {
			return undefined; // The row has an error already, and that one may be it.
		}
	};
	const recipient = readable(() => typedRecipient(context.getNodeParameter('recipient', itemIndex, '')));
	const reference = readable(() => readReference(context, itemIndex));
	return problem.with({ ...(recipient !== undefined && { recipient }), ...(reference !== undefined && { reference }) });
}
