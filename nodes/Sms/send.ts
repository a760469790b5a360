import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { badParameter, Problem } from '../shared/errors';
import { greekMobile, isScientificNotation, maskNumbers, tidy } from '../shared/greek';
import { hideSecret } from '../shared/hideSecret';
import { requireOperationUrl } from '../shared/operationUrl';
import { readText } from '../shared/readText';
import { readTimeout } from '../shared/readTimeout';
import { describeFailure, request, type Credential, type Failure } from '../shared/request';
import { countSegments, fillPlaceholders, LONGEST_SMS } from './messageText';
import { isReference } from './reportAddress';
import { sendSmsRequest, sendSmsResponse, type Message } from './wire';

export const SEND_PATH = '/sendSMS';

/** One row's parameters, read and checked. */
export interface Row {
	message: Message;
	/** Where delivery reports go, before it is signed. */
	dlrUrl?: string;
	reference?: string;
	/** The user's own key for skipping duplicates. */
	duplicateKey?: string;
	text?: string;
	segments?: number;
	timeout: number;
}

/**
 * Reads and checks the parameters of one row; nothing is sent.
 *
 * @throws Problem that names the parameter and the rule it breaks
 */
export function readRow(context: IExecuteFunctions, itemIndex: number): Row {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const recipient = readRecipient(context, itemIndex, options);
	const reference = readReference(options);
	const text = (value: unknown, parameter: string, maxLength = 200) => readText(value, parameter, maxLength);

	const message: Message = {
		serviceId: text(context.getNodeParameter('serviceId', itemIndex), 'Service ID'),
		messageId: text(context.getNodeParameter('messageId', itemIndex), 'Message ID'),
		recipient,
		replacements:
			context.getNodeParameter('specifyReplacements', itemIndex, 'fields') === 'json'
				? readJsonReplacements(context.getNodeParameter('replacementsJson', itemIndex, '[]'))
				: readFieldReplacements(context.getNodeParameter('replacements', itemIndex, {})),
	};
	if (isGiven(options.smsForwardId)) message.smsForwardId = text(options.smsForwardId, 'SMS Forward ID', 256);

	const row: Row = { message, ...(reference !== undefined && { reference }), timeout: readTimeout(options.timeout) };
	const dlrUrl = context.getNodeParameter('dlrUrl', itemIndex, '');
	if (isGiven(dlrUrl)) row.dlrUrl = readDlrUrl(dlrUrl);
	if (isGiven(options.duplicateKey)) row.duplicateKey = text(options.duplicateKey, 'Duplicate Key', 500);

	if (isGiven(options.messageText)) {
		const filled = fillPlaceholders(readMessageText(options.messageText), message.replacements);
		if ('fault' in filled) {
			throw badParameter(
				'Replacements',
				`do not fit the Message Text: ${filled.fault}`,
				'Add or remove replacements, or correct the Message Text option so that it reads as the operator defined it',
			);
		}
		row.text = filled.text;
		row.segments = countSegments(filled.text);
	}
	return row;
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== '';

/** What a user knows a row by: whom its message is for, and its reference. */
export interface RowName {
	recipient?: string;
	reference?: string;
}

/** The name of a row of which other parameters may break their rules: as much of it as can be read. */
export function readName(context: IExecuteFunctions, itemIndex: number): RowName {
	const readable = <T>(read: () => T): T | undefined => {
		try {
			return read();
		} catch {
			return undefined; // The row has an error already, and that one may be it.
		}
	};
	const options = readable(() => context.getNodeParameter('options', itemIndex, {}) as IDataObject) ?? {};
	const recipient = readable(() => readRecipient(context, itemIndex, options));
	const reference = readable(() => readReference(options));
	return { ...(recipient !== undefined && { recipient }), ...(reference !== undefined && { reference }) };
}

/** The name of a row that was read. */
export function nameOf({ message: { recipient }, reference }: Row): RowName {
	return { recipient, ...(reference !== undefined && { reference }) };
}

/** A row's error with the row's name in its details, where it does not have one. */
export function nameProblem({ message, description, details, httpCode }: Problem, name: RowName): Problem {
	return new Problem(message, description, { ...name, ...details }, httpCode);
}

function readRecipient(context: IExecuteFunctions, itemIndex: number, { normaliseRecipient }: IDataObject): string {
	const recipient = readText(context.getNodeParameter('recipient', itemIndex), 'Recipient', 100);
	if (isScientificNotation(recipient)) {
		throw badParameter(
			'Recipient',
			'is a number that a spreadsheet shortened (such as 6.9E9), so its digits are lost',
			'Format the column as text in the spreadsheet',
		);
	}
	return normaliseRecipient === false ? recipient : (greekMobile(recipient) ?? recipient);
}

function readFieldReplacements(value: unknown): string[] {
	const { values } = (value ?? {}) as { values?: Array<{ value?: unknown }> };
	return (Array.isArray(values) ? values : []).map((entry, i) => toReplacement(entry?.value, i));
}

function readJsonReplacements(value: unknown): string[] {
	let list = value;
	if (typeof value === 'string') {
		try {
			list = JSON.parse(value);
		} catch {
			list = undefined;
		}
	}
	if (!Array.isArray(list)) {
		throw badParameter('Replacements (JSON)', 'must be a JSON list', 'Write for example ["Φυσική", "8"]');
	}
	return list.map(toReplacement);
}

/** An empty replacement is the user's to choose; a missing one is a column that is not there. */
function toReplacement(value: unknown, index: number): string {
	if (typeof value === 'string' && value.length > LONGEST_SMS) {
		throw badParameter(
			`Replacement ${index + 1}`,
			`is longer than ${LONGEST_SMS} characters, and no SMS is`,
			'Check that the expression names the right column',
		);
	}
	if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return String(value);
	if (typeof value === 'number') {
		throw badParameter(
			`Replacement ${index + 1}`,
			Number.isNaN(value) ? 'is not a number (NaN)' : 'is too large a number',
			'Check the calculation in the expression, or write the value as text',
		);
	}
	throw badParameter(
		`Replacement ${index + 1}`,
		value === undefined || value === null ? 'has no value' : 'must be text or a number',
		'Check the expression, and that the column it names exists in the row',
	);
}

function readDlrUrl(value: unknown): string {
	const url = readText(value, 'Delivery Report URL', 2000);
	if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
		throw badParameter(
			'Delivery Report URL',
			'must be an http or https address',
			'Copy it from the SMS Trigger node: Webhook URLs, Production URL, the address that ends in /dlr',
		);
	}
	return url;
}

function readReference(options: IDataObject): string | undefined {
	if (!isGiven(options.reference)) return undefined;
	const reference = readText(options.reference, 'Reference', 256);
	if (!isReference(reference)) {
		throw badParameter('Reference', 'holds control characters', 'Use a reference of letters and digits');
	}
	return reference;
}

/** Line breaks are part of a message, so they are no fault here. */
function readMessageText(value: unknown): string {
	if (typeof value === 'string' && value.length <= 10_000) return value;
	throw badParameter('Message Text', 'must be text of at most 10,000 characters', 'Paste the predefined message');
}

/**
 * Checks a credential before anything is signed or sent with it.
 *
 * @throws Problem where its Base URL is none, or its key is missing
 */
export function checkCredential(credential: Credential): void {
	sendUrl(credential);
	if (tidy(String(credential.data.preSharedKey ?? '')) === '') {
		throw badParameter('Pre-Shared Key', 'is empty', 'Fill it in the credential');
	}
}

/** The address of the send operation for a credential; throws where its Base URL is none. */
function sendUrl({ data }: Credential): string {
	return requireOperationUrl(data.baseUrl, SEND_PATH);
}

/**
 * What became of a message.
 *
 * `rejected`: it was certainly not taken, and may be corrected and sent again. `unknown`: it may or may not have
 * been taken, so nothing sends it again by itself.
 */
export type Sent =
	| { outcome: 'taken' }
	| { outcome: Outcome; failure: Failure; refusal?: undefined }
	| { outcome: 'rejected'; failure?: Failure; refusal: Refusal }
	| { outcome: 'unknown'; failure: Failure; refusal: Refusal };

/** The outcomes of a row whose message was not taken. */
export type Outcome = 'rejected' | 'unknown';

/** The platform's own words. */
interface Refusal {
	errorCode: string;
	error: string;
}

/** Sends one message, once. */
export async function sendMessage(
	context: IExecuteFunctions,
	credential: Credential,
	message: Message,
	timeout: number,
): Promise<Sent> {
	const answer = await request(
		context,
		credential,
		{
			method: 'POST',
			url: sendUrl(credential),
			headers: { 'Content-Type': 'application/json' },
			body: sendSmsRequest(message),
			timeout,
		},
		sendSmsResponse,
		(status) => status >= 200 && status < 300,
	);
	if (answer.ok) {
		if (isEmpty(answer.value)) return { outcome: 'taken' };
		return { outcome: 'rejected', refusal: readable(answer.value, message, credential) };
	}

	const { failure } = answer;
	if (failure.kind === 'notSent') return { outcome: 'rejected', failure };
	if (failure.kind !== 'status') return { outcome: 'unknown', failure };
	const outcome = isRefusalStatus(failure) ? 'rejected' : 'unknown';
	const parsed = sendSmsResponse.safeParse(failure.body);
	// Other servers' error pages have a field `error` too; the platform's own refusal has a code.
	if (!parsed.success || parsed.data.errorCode === '') return { outcome, failure };
	return { outcome, failure, refusal: readable(parsed.data, message, credential) };
}

const isEmpty = ({ errorCode, error }: Refusal) => errorCode === '' && error === '';

/** The platform's words as they may be shown. They may repeat the request, and so the recipient in any spelling. */
function readable({ errorCode, error }: Refusal, { recipient }: Message, { data }: Credential): Refusal {
	const hideKey = hideSecret(String(data.preSharedKey));
	const isNumber = (recipient.match(/\p{Nd}/gu) ?? []).length >= 7;
	const hideRecipient = isNumber ? hideSecret(recipient) : (text: string) => text;
	// A text longer than any description is not even looked through, and a cut could leave half a key.
	const shown = (text: string, longest: number) =>
		text.length > 20_000 ? `a text of ${text.length} characters` : hideRecipient(maskNumbers(hideKey(text))).slice(0, longest);
	return { errorCode: shown(errorCode, 100), error: shown(error, 300) };
}

/**
 * A 3xx or 4xx refuses a request before it is worked on; 408 says that time ran out somewhere on the way. Of the
 * 5xx only 503 with Retry-After says that the platform was too busy to take the message.
 */
function isRefusalStatus(failure: Failure & { kind: 'status' }): boolean {
	const { status } = failure;
	return (status >= 300 && status < 500 && status !== 408) || isOverload(failure);
}

/** Whether the platform names itself too busy: 429, and 503 with Retry-After. */
export function isOverload(failure: Failure): failure is Failure & { kind: 'status' } {
	return (
		failure.kind === 'status' &&
		(failure.status === 429 || (failure.status === 503 && failure.retryAfter !== undefined))
	);
}

/** The error of a row whose message was not taken. */
export function sendProblem(sent: Exclude<Sent, { outcome: 'taken' }>, row: Row): Problem {
	const details: IDataObject = { outcome: sent.outcome, ...nameOf(row) };
	if (sent.refusal !== undefined) details.errorCode = sent.refusal.errorCode;
	const httpCode = sent.failure !== undefined && 'status' in sent.failure ? String(sent.failure.status) : '';

	if (sent.outcome === 'rejected' && sent.refusal !== undefined) {
		const { errorCode, error } = sent.refusal;
		const { serviceId, messageId } = row.message;
		return new Problem(
			`The SMS platform refused the message (${[errorCode, error].filter(Boolean).join(': ')})`,
			`Correct what the platform names (Service ID ${serviceId}, Message ID ${messageId}) and send the row again: it was not taken`,
			details,
			httpCode,
		);
	}
	const { message, whatToDo } = describeFailure('SMS platform', sent.failure);
	return new Problem(
		message,
		sent.outcome === 'unknown'
			? 'The message may or may not have been sent. Ask the operator or the recipient before you send it again'
			: whatToDo,
		details,
		httpCode,
	);
}

/** What a row's item says of its message, beside whether it was taken. */
export function toOutput({ message, reference, text, segments }: Row): IDataObject {
	return {
		serviceId: message.serviceId,
		messageId: message.messageId,
		recipient: message.recipient,
		...(message.dlrUrl !== undefined && { reference, dlrUrl: message.dlrUrl }),
		...(text !== undefined && { text, segments }),
	};
}
