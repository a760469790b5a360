import type { IWebhookFunctions } from 'n8n-workflow';
import type { z } from 'zod';

import { decodeStrictly } from '../http/charset';
import { REDACTED } from '../texts/redact';
import { refusedWith, type Refused } from './webhookAnswer';

/** The longest body that is parsed here, in bytes. n8n has already parsed bodies of the content type JSON. */
export const LONGEST_BODY = 200_000;

/** The body of a request. Until the key or the signature is checked, only the field that is needed for the check is read. */
export interface Body {
	data: unknown;
	/** Whether some of its bytes can't be decoded. Undefined if n8n decoded the body, and put � in their place. */
	isBroken?: boolean;
}

/**
 * Reads the fields of a body by their schema, and ignores all others.
 * @returns the fields, or a rejection without their values
 */
export function readFields<T extends object>(
	{ data, isBroken }: Body,
	schema: z.ZodType<T, z.ZodTypeDef, unknown>,
): { fields: T } | Refused {
	const parsed = schema.safeParse(data);
	if (!parsed.success) {
		const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? 'body')))];
		return refusedWith(400, 'INVALID_REQUEST', `Missing or malformed: ${names.join(', ')}`);
	}
	const fields = parsed.data;
	return (isBroken ?? Object.values(fields).join('').includes('\ufffd')) ? UNREADABLE : { fields };
}

const NO_CHARSET = 'The body is not written in UTF-8, nor in the charset that it names';
const UNREADABLE = refusedWith(400, 'INVALID_REQUEST', NO_CHARSET);

/** The properties that n8n adds to a request. `rawBody`: the bytes of the body, once they are read. */
interface RawRequest {
	headers: Record<string, unknown>;
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

/**
 * The form of a request, without any value of its fields. Its names tell an admin how the platform differs from its document.
 */
export interface Received {
	method: string;
	/** The media type and its charset. Undefined if the request names none. */
	contentType?: string;
	/** The names of its fields, in their order. */
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

/** The most names that are listed. */
const MOST_FIELDS = 30;

/** A longer text is no name. */
const LONGEST_FIELD = 40;

/** Returns whether a text can only be a name. Clients that mix up formats send a whole body as a name. */
const isPlainName = (name: string) =>
	name.length <= LONGEST_FIELD && /^[\p{L}\d_. -]+$/u.test(name) && !/\d{5}/.test(name);

/** Reads a body as JSON, regardless of its content type. Otherwise returns n8n's result, which decodes all bytes as UTF-8. */
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
		// The body is not JSON, n8n has already read it as a form, its compression is broken, or the client has disconnected.
	}
	return { data: context.getBodyData() };
}
