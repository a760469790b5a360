import { jsonParse } from 'n8n-workflow';
import { z } from 'zod';

import { clean } from '../greek/letters';

/*
 * The five payloads of the SMS platform's interface: Send SMS request and response, SMS forward request (an incoming message) and
 * response, and DLR request (a delivery report). Their fields are defined only in this file. A number is accepted in place of a
 * string, because some clients send numbers.
 */

const textOrNumber = z.union([z.string(), z.number().refine((value) => Number.isFinite(value))]);
const text = textOrNumber.transform(String);

/**
 * Parses an id. A text of spaces counts as empty, and so does a number that is too large for JSON and was rounded. A text of more
 * than 256 characters stays as it is, and fails the length check later.
 */
const id = textOrNumber.transform((value) => {
	const text = Number.isInteger(value) && !Number.isSafeInteger(value) ? '' : String(value);
	return text.length > 256 || clean(text) !== '' ? text : '';
});

/**
 * Returns whether n8n can store a field. The field must not be too long, and must not contain NUL, because PostgreSQL can't store
 * NUL in a text.
 */
const isStorable = (value: string, maxLength: number) => value.length <= maxLength && !value.includes('\0');

/** Parses a required field with at least one visible character. */
const filled = (maxLength: number) => text.refine((value) => isStorable(value, maxLength) && clean(value) !== '');

/** Parses an optional field. A missing field becomes an empty text. */
const optional = (maxLength: number, content = text) =>
	content
		.nullish()
		.transform((value) => value ?? '')
		.refine((value) => isStorable(value, maxLength));

const answerField = textOrNumber.nullable();

/**
 * The schema of a Send SMS response. The fields `errorCode` and `error` are required. `outcome.ts` decides what their values
 * mean.
 */
export const sendSmsResponse = z.object({
	serviceId: z.unknown().optional(),
	errorCode: answerField,
	error: answerField,
});

export type SendSmsResponse = Pick<z.infer<typeof sendSmsResponse>, 'errorCode' | 'error'> & { serviceId?: unknown };

/** The schema of the error fields of an answer that is no complete Send SMS response. */
export const sendSmsErrorFields = z.object({ errorCode: answerField.default(''), error: answerField.default('') });

/** The schema of an SMS forward request (an incoming message), without its key. */
export const smsForwardRequest = z
	.object({ MSISDN: filled(64), keyword: filled(160), body: optional(40_000), 'sms-forward-id': optional(256, id) })
	.transform((forward) => ({
		msisdn: forward.MSISDN,
		keyword: forward.keyword,
		body: forward.body,
		smsForwardId: forward['sms-forward-id'],
	}));

export type SmsForward = z.infer<typeof smsForwardRequest>;

/**
 * The schema of a DLR request (a delivery report). Spaces around `serviceId` are removed. The platform fills in `error` only with
 * the status ERROR. It is a code in text form.
 */
export const dlrRequest = z.object({
	serviceId: filled(256).transform(clean),
	recipient: filled(256),
	status: filled(64),
	error: optional(256),
});

export type Dlr = z.infer<typeof dlrRequest>;

/**
 * Returns one field of a request's body, so that it can be compared before the whole body is checked. Undefined: the field is
 * missing, or is neither a text nor a number.
 */
export function fieldOf(body: unknown, name: 'pre-shared key' | 'serviceId'): string | undefined {
	if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined;
	const parsed = text.safeParse((body as Record<string, unknown>)[name]);
	return parsed.success ? parsed.data : undefined;
}

/** The fields of one message. The credential adds the institution and its key. */
export interface Message {
	serviceId: string;
	messageId: string;
	recipient: string;
	replacements: string[];
	dlrUrl?: string;
	smsForwardId?: string;
}

/**
 * Returns a Send SMS request. It has a `dlr-url` only if a delivery report is wanted, and an `sms-forward-id` only if it
 * answers a forward.
 */
export const sendSmsRequest = ({ serviceId, messageId, replacements, recipient, dlrUrl, smsForwardId }: Message) => ({
	serviceId,
	messageId,
	replacements,
	recipient,
	...(dlrUrl !== undefined && { 'dlr-url': dlrUrl }),
	...(smsForwardId !== undefined && { 'sms-forward-id': smsForwardId }),
});

/**
 * Adds the institution and its key to a Send SMS request ("Authentication", 1 in the operator's document).
 * @throws Error if the body is neither an object nor the JSON text of one
 */
export function withInstitution(body: unknown, institution: string, preSharedKey: string): object | string {
	const data: unknown = typeof body === 'string' ? jsonParse<unknown>(body, { fallbackValue: null }) : body;
	if (!isPlainObject(data))
		throw new Error(
			"The body of this request is not a JSON object, so the SMS Platform credential can't add its fields. Choose the body content type JSON",
		);
	const whole = { ...data, institution, 'pre-shared key': preSharedKey };
	return typeof body === 'string' ? JSON.stringify(whole) : whole;
}

/** Returns whether a value is an object other than a list, bytes, a form or a stream. */
const isPlainObject = (value: unknown): value is { pipe?: unknown } =>
	Object.prototype.toString.call(value) === '[object Object]' &&
	typeof (value as { pipe?: unknown }).pipe !== 'function';

export type RejectionCode =
	| 'NOT_FOUND'
	| 'FORBIDDEN_ADDRESS'
	| 'INVALID_KEY'
	| 'INVALID_SIGNATURE'
	| 'INVALID_REQUEST'
	| 'UNKNOWN_KEYWORD'
	| 'INTERNAL_ERROR';

/**
 * The SMS forward response for success. The answer to a DLR request has the same fields. `result` is text: 0 for success, 1 for
 * failure.
 */
export const SUCCESS = { result: '0', errorCode: '', error: '' };

/** Returns the SMS forward response for a rejected request. */
export const rejectionBody = (errorCode: RejectionCode, error: string) => ({ result: '1', errorCode, error });

/*
 * Statuses of delivery reports. The platform's document names DELIVRD and ERROR. ACCEPTD and ENROUTE come from SMPP (3.4,
 * 5.2.28). SMS aggregators use the other words. The output item contains each status unchanged.
 */

/** Statuses after which another report follows. */
const INTERMEDIATE = new Set([
	...['PENDING', 'SENT', 'SUBMITTED', 'ACCEPTD', 'ACCEPTED', 'ENROUTE'],
	...['QUEUED', 'SENDING', 'BUFFERED', 'SCHEDULED'],
]);

/**
 * Returns a status in capitals and without spaces around it, so that two statuses can be compared. DELIVERED becomes the
 * documented DELIVRD.
 */
export function normalizeStatus(status: string): string {
	const compared = clean(status).toUpperCase();
	return compared === 'DELIVERED' ? 'DELIVRD' : compared;
}

/** Returns whether the message reached its recipient. */
export const isDelivered = (status: string): boolean => normalizeStatus(status) === 'DELIVRD';

/**
 * Returns whether a status is the last one of its message. An unknown status counts as final, so that no workflow waits for ever.
 */
export const isFinal = (status: string): boolean => !INTERMEDIATE.has(normalizeStatus(status));
