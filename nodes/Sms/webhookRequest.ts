import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { ZodError } from 'zod';

import { decodeStrictly } from '../shared/charset';
import { refusal, type RefusalCode } from './wire';

/* How a request of the platform is read and answered, whichever node it is for. */

/** A request that starts nothing, and what its client is told. */
export interface Refused {
	/** HTTP status. */
	status: number;
	code: RefusalCode;
	/** In words, with nothing in them that the client sent. */
	reason: string;
	/** What the admin has to know and the client does not, for the log. */
	cause?: string;
}

export const INTERNAL_ERROR: Refused = {
	status: 500,
	code: 'INTERNAL_ERROR',
	reason: 'The message could not be processed; please send it again later',
};

/** For a request that repeats one whose outcome is not known yet: success would be a promise that may not hold. */
export const IN_PROGRESS: Refused = {
	status: 500,
	code: 'INTERNAL_ERROR',
	reason: 'An earlier request with the same message is still in progress; please send it again later',
};

/** The refusal of a body that breaks its schema: it names the fields and repeats none of their values. */
export function malformed(error: ZodError): Refused {
	const fields = [...new Set(error.issues.map((issue) => String(issue.path[0] ?? 'body')))];
	return { status: 400, code: 'INVALID_REQUEST', reason: `Missing or malformed: ${fields.join(', ')}` };
}

/** Answers a request that starts nothing, in the platform's own format. */
export function refuse(context: IWebhookFunctions, { status, code, reason }: Refused): IWebhookResponseData {
	return answer(context, status, refusal(code, reason));
}

/** Answers immediately, before n8n records anything: for refusals and repeats, never for what starts an execution. */
export function answer(context: IWebhookFunctions, status: number, body: object): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

/** Longest body that is parsed here, in bytes; n8n has parsed what came as JSON before. */
const LONGEST_BODY = 200_000;

/** What a client sent. */
export interface Body {
	data: unknown;
	/** Some of its bytes could not be read as text; a � is in their place in the data, which nothing may be made of. */
	unreadable: boolean;
}

/** The refusal of a body that could not be read as text. */
export const UNREADABLE: Refused = {
	status: 400,
	code: 'INVALID_REQUEST',
	reason: 'The body is not written in UTF-8, nor in the charset that it names',
};

/**
 * The body of a request. n8n parses it by its content type; how the platform names that is not documented, and a body
 * without one, or under any other name, is JSON all the same. n8n reads bytes that are no UTF-8 as UTF-8.
 *
 * @returns what n8n made of the body where nothing else can be read: parts of a form that n8n has consumed, a broken
 * compression, a client who went away
 */
export async function readBody(context: IWebhookFunctions): Promise<Body> {
	const request = context.getRequestObject() as RawRequest;
	const parsed: unknown = context.getBodyData();
	try {
		await request.readRawBody?.();
	} catch {
		return asRead(parsed);
	}
	const { rawBody } = request;
	if (rawBody === undefined) return asRead(parsed);
	const text = decodeStrictly(rawBody, request.headers['content-type']);
	if (rawBody.length > LONGEST_BODY) return text === undefined ? { data: parsed, unreadable: true } : asRead(parsed);
	try {
		return { data: JSON.parse(text ?? rawBody.toString('utf8')), unreadable: text === undefined };
	} catch {
		return asRead(parsed);
	}
}

/** Data that n8n has read itself, from a form or a query: there too it puts a � where it can't. */
export const asRead = (data: unknown): Body => ({ data, unreadable: (JSON.stringify(data) ?? '').includes('\ufffd') });

/** What n8n adds to a request: the bytes of the body once they are read. */
interface RawRequest {
	headers: Record<string, unknown>;
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}
