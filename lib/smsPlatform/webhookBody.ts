import type { IWebhookFunctions } from 'n8n-workflow';
import type { z } from 'zod';

import { decodeStrictly } from '../http/charset';
import { refusedWith, type Refused } from './webhookAnswer';

/** Longest body that is parsed here, in bytes; n8n has parsed what came as JSON before. */
export const LONGEST_BODY = 200_000;

/** What a client sent. Of whoever lacks the key or the signature no more is read than the field that they are told by. */
export interface Body {
	data: unknown;
	/** Whether some of its bytes are no text; undefined where n8n has read it, which puts a � in their place. */
	isBroken?: boolean;
}

/** A body's fields by their schema; nothing else is looked at. @returns otherwise the refusal, without their values */
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

/** What n8n adds to a request: the bytes of the body once they are read. */
interface RawRequest {
	headers: Record<string, unknown>;
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

/** A body: JSON, whatever its content type; otherwise what n8n made of it, which takes any bytes for UTF-8. */
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
		// No JSON, a form that n8n has consumed, a broken compression, a client who went away.
	}
	return { data: context.getBodyData() };
}
