import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { ZodError } from 'zod';

import { refusal, type RefusalCode } from './wire';

/* How a call of the platform is read and answered, whichever node it is for. */

/** A call that starts nothing, and what its caller is told. */
export interface Refused {
	/** HTTP status. */
	status: number;
	code: RefusalCode;
	/** In words, with nothing in them that the caller sent. */
	reason: string;
	/** What the admin has to know and the caller does not, for the log. */
	cause?: string;
}

export const INTERNAL_ERROR: Refused = {
	status: 500,
	code: 'INTERNAL_ERROR',
	reason: 'The message could not be processed; please send it again later',
};

/** For a call that repeats one whose outcome is not known yet: success would be a promise that may not hold. */
export const UNDER_WAY: Refused = {
	status: 500,
	code: 'INTERNAL_ERROR',
	reason: 'An earlier call with the same message is still being processed; please send it again later',
};

/** The refusal of a body that breaks its schema: it names the fields and repeats none of their values. */
export function malformed(error: ZodError): Refused {
	const fields = [...new Set(error.issues.map((issue) => String(issue.path[0] ?? 'body')))];
	return { status: 400, code: 'INVALID_REQUEST', reason: `Missing or malformed: ${fields.join(', ')}` };
}

/** Answers a call that starts nothing, in the platform's own format. */
export function refuse(context: IWebhookFunctions, { status, code, reason }: Refused): IWebhookResponseData {
	return answer(context, status, refusal(code, reason));
}

/** Answers at once, before n8n records anything: for refusals and repeats, never for what starts an execution. */
export function answer(context: IWebhookFunctions, status: number, body: object): IWebhookResponseData {
	context.getResponseObject().status(status).json(body);
	return { noWebhookResponse: true };
}

/** Longest body that is parsed here, in bytes; n8n has parsed what came as JSON before. */
const LONGEST_BODY = 200_000;

/**
 * The body of a call. n8n parses it by its content type; how the platform names that is not documented, and a body
 * without one, or under any other name than n8n's own for JSON, is JSON all the same.
 *
 * @returns what n8n made of the body where nothing else can be read: parts of a form that n8n has consumed, a broken
 * compression, a caller who went away
 */
export async function readBody(context: IWebhookFunctions): Promise<unknown> {
	const request = context.getRequestObject() as RawRequest;
	const parsed: unknown = context.getBodyData();
	if (request.contentType === 'application/json') return parsed;
	try {
		await request.readRawBody?.();
		const { rawBody } = request;
		if (rawBody === undefined || rawBody.length > LONGEST_BODY) return parsed;
		return JSON.parse(rawBody.toString('utf8'));
	} catch {
		return parsed;
	}
}

/** What n8n adds to a request: how it read the content type, and the bytes of the body once they are read. */
interface RawRequest {
	/** The type alone, in lower case; undefined where the caller named none. */
	contentType?: string;
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}
