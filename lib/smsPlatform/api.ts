import { jsonParse } from 'n8n-workflow';
import { z } from 'zod';

import { clean } from '../greek/letters';

/* The platform's five payloads: no other file knows their fields. Numbers stand for strings, as clients send them. */

const textOrNumber = z.union([z.string(), z.number().refine((value) => Number.isFinite(value))]);
const text = textOrNumber.transform(String);

/** An id: spaces are none, nor is a whole number that JSON rounds. What is too long is refused as it is. */
const id = textOrNumber.transform((value) => {
	const said = Number.isInteger(value) && !Number.isSafeInteger(value) ? '' : String(value);
	return said.length > 256 || clean(said) !== '' ? said : '';
});

/** What a client may fill a field with: not without end, and without NUL, which PostgreSQL stores in no text. */
const isStorable = (value: string, maxLength: number) => value.length <= maxLength && !value.includes('\0');

/** Present and not empty to the eye. */
const filled = (maxLength: number) => text.refine((value) => isStorable(value, maxLength) && clean(value) !== '');

const optional = (maxLength: number, content = text) =>
	content
		.nullish()
		.transform((value) => value ?? '')
		.refine((value) => isStorable(value, maxLength));

const answerField = textOrNumber.nullable();

/** Send SMS response: who leaves `errorCode` or `error` out has not answered with this object. `outcome.ts` says what they mean. */
export const sendSmsResponse = z.object({
	serviceId: z.unknown().optional(),
	errorCode: answerField,
	error: answerField,
});

export type SendSmsResponse = Pick<z.infer<typeof sendSmsResponse>, 'errorCode' | 'error'> & { serviceId?: unknown };

/** What an answer that is none says all the same. */
export const sendSmsWords = z.object({ errorCode: answerField.default(''), error: answerField.default('') });

/** SMS forward request, without its key. */
export const smsForwardRequest = z
	.object({ MSISDN: filled(64), keyword: filled(160), body: optional(40_000), 'sms-forward-id': optional(256, id) })
	.transform((forward) => ({
		msisdn: forward.MSISDN,
		keyword: forward.keyword,
		body: forward.body,
		smsForwardId: forward['sms-forward-id'],
	}));

export type SmsForward = z.infer<typeof smsForwardRequest>;

/** DLR request; spaces around its service are no part of it. `error` comes only with the status ERROR, as a code in text form. */
export const dlrRequest = z.object({
	serviceId: filled(256).transform(clean),
	recipient: filled(256),
	status: filled(64),
	error: optional(256),
});

export type Dlr = z.infer<typeof dlrRequest>;

/** One field of an outside body that is compared before the body's shape is checked; undefined where it is not text. */
export function fieldOf(body: unknown, name: 'pre-shared key' | 'serviceId'): string | undefined {
	if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined;
	const parsed = text.safeParse((body as Record<string, unknown>)[name]);
	return parsed.success ? parsed.data : undefined;
}

/** What one message is made of; the credential adds the institution and its key. */
export interface Message {
	serviceId: string;
	messageId: string;
	recipient: string;
	replacements: string[];
	dlrUrl?: string;
	smsForwardId?: string;
}

/** Send SMS request. Without a delivery report there is no `dlr-url`; `sms-forward-id` only for an answer to a forward. */
export const sendSmsRequest = ({ serviceId, messageId, replacements, recipient, dlrUrl, smsForwardId }: Message) => ({
	serviceId,
	messageId,
	replacements,
	recipient,
	...(dlrUrl !== undefined && { 'dlr-url': dlrUrl }),
	...(smsForwardId !== undefined && { 'sms-forward-id': smsForwardId }),
});

/** A Send SMS request with its institution ("Authentication", 1), an object or JSON. @throws Error for any other */
export function withInstitution(body: unknown, institution: string, preSharedKey: string): object | string {
	const data: unknown = typeof body === 'string' ? jsonParse<unknown>(body, { fallbackValue: null }) : body;
	if (!isPlainObject(data))
		throw new Error(
			'The SMS Platform credential adds its fields to a JSON object, and the body of this request is not one. Choose the body content type JSON',
		);
	const whole = { ...data, institution, 'pre-shared key': preSharedKey };
	return typeof body === 'string' ? JSON.stringify(whole) : whole;
}

/** Not a list, bytes, a form or a stream. */
const isPlainObject = (value: unknown): value is { pipe?: unknown } =>
	Object.prototype.toString.call(value) === '[object Object]' &&
	typeof (value as { pipe?: unknown }).pipe !== 'function';

export type RefusalCode =
	| 'NOT_FOUND'
	| 'FORBIDDEN_ADDRESS'
	| 'INVALID_KEY'
	| 'INVALID_SIGNATURE'
	| 'INVALID_REQUEST'
	| 'UNKNOWN_KEYWORD'
	| 'INTERNAL_ERROR';

/** SMS forward response; the answer to a DLR request has the same shape. `result` is text: 0 success, 1 failure. */
export const SUCCESS = { result: '0', errorCode: '', error: '' };

export const refusal = (errorCode: RefusalCode, error: string) => ({ result: '1', errorCode, error });

/*
 * Statuses. The platform's document names DELIVRD and ERROR. ACCEPTD and ENROUTE are SMPP's (3.4, 5.2.28), and aggregators
 * use the other words. The item has each status as it came.
 */

/** Statuses after which another report follows. */
const INTERMEDIATE = new Set([
	...['PENDING', 'SENT', 'SUBMITTED', 'ACCEPTD', 'ACCEPTED', 'ENROUTE'],
	...['QUEUED', 'SENDING', 'BUFFERED', 'SCHEDULED'],
]);

/** The form in which two statuses are compared: without case and spaces, and the word in full as the documented one. */
export function normalizeStatus(status: string): string {
	const compared = clean(status).toUpperCase();
	return compared === 'DELIVERED' ? 'DELIVRD' : compared;
}

/** Whether the message reached its recipient. */
export const isDelivered = (status: string): boolean => normalizeStatus(status) === 'DELIVRD';

/** Whether no other report follows; an unknown status counts as the last one, so that nobody waits for ever. */
export const isFinal = (status: string): boolean => !INTERMEDIATE.has(normalizeStatus(status));
