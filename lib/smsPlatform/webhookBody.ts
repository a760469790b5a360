import type { IWebhookFunctions } from 'n8n-workflow';
import type { z } from 'zod';

import { decodeStrictly } from '../http/charset';
import { REDACTED } from '../texts/redact';
import { makeRejection, type Rejection } from './webhookResult';

/** The longest body that `readBody` parses, in bytes. A longer body is returned as n8n parsed it. */
export const LONGEST_BODY = 200_000;

/** The body of a request. Before the key or the signature is checked, only the field that the check needs is read. */
export interface Body {
	data: unknown;
	/** Whether some of its bytes can't be decoded. Undefined: n8n decoded the body, and put � in place of such bytes. */
	isBroken?: boolean;
}

/**
 * Reads the fields of a body by a schema, and ignores all others.
 * @returns the fields, or a rejection that contains none of their values
 */
export function readFields<T extends object>(
	{ data, isBroken }: Body,
	schema: z.ZodType<T, z.ZodTypeDef, unknown>,
): { kind: 'read'; fields: T } | Rejection {
	const parsed = schema.safeParse(data);
	if (!parsed.success) {
		const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? 'body')))];
		return makeRejection(400, 'INVALID_REQUEST', `Missing or malformed: ${names.join(', ')}`);
	}
	const fields = parsed.data;
	return (isBroken ?? Object.values(fields).join('').includes('\ufffd')) ? UNREADABLE : { kind: 'read', fields };
}

const NO_CHARSET = 'The body is neither in UTF-8 nor in the charset that the request names';
const UNREADABLE = makeRejection(400, 'INVALID_REQUEST', NO_CHARSET);

/** A request with the properties that n8n adds to it. */
interface RawRequest {
	headers: Record<string, unknown>;
	/** The bytes of the body. Undefined until they are read. */
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

/**
 * A description of a request, without any value of its fields. An admin can compare it with the platform's document.
 */
export interface Received {
	method: string;
	/** The media type and its charset. Undefined if the request has no content type that can be read. */
	contentType?: string;
	/** The names of the first fields, in their order. A name that may be a value is redacted. */
	fields: string[];
}

/** Describes a request by its method, its content type and the names of its fields. */
export function describeRequest(context: IWebhookFunctions, { data }: Body): Received {
	const { method, headers } = context.getRequestObject();
	const [contentType] = MEDIA_TYPE.exec(headers['content-type']?.slice(0, 500) ?? '') ?? [];
	const names = typeof data === 'object' && data !== null ? Object.keys(data) : [];
	const fields = names.slice(0, MOST_FIELDS).map((name) => (isPlainName(name) ? name : REDACTED));
	return { method, ...(contentType !== undefined && { contentType }), fields };
}

/** Matches a media type with its charset, and no other parameter (RFC 9110, 8.3.1). */
const MEDIA_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:\s*;\s*charset\s*=\s*"?[\w.:-]{1,40}"?)?/i;

/** The largest number of field names in a description. */
const MOST_FIELDS = 30;

/** The longest field name that is shown. */
const LONGEST_FIELD = 40;

/**
 * Returns whether a text can be shown as the name of a field. A text that is long, or has other characters or five digits in a
 * row, may be a value: with a wrong content type, n8n takes a whole body for the name of a field.
 */
const isPlainName = (name: string) =>
	name.length <= LONGEST_FIELD && /^[\p{L}\d_. -]+$/u.test(name) && !/\d{5}/.test(name);

/**
 * Reads a body as JSON, regardless of its content type. If it is too long or not JSON, returns the body as n8n parsed it. n8n
 * decodes all bytes as UTF-8.
 */
export async function readBody(context: IWebhookFunctions): Promise<Body> {
	const request = context.getRequestObject() as RawRequest;
	try {
		await request.readRawBody?.();
		const { rawBody } = request;
		if (rawBody !== undefined && rawBody.length <= LONGEST_BODY) {
			const text = decodeStrictly(rawBody, request.headers['content-type']);
			return { data: JSON.parse(text ?? rawBody.toString('utf8')), isBroken: text === undefined };
		}
	} catch {
		// The error has one of four causes: the body is not JSON, n8n has already read the body as a form, its compression is
		// broken, or the client has disconnected. In all cases the body is returned as n8n parsed it.
	}
	return { data: context.getBodyData() };
}
