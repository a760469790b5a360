import { jsonParse } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, ICredentialTestFunctions, IDataObject } from 'n8n-workflow';
import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import type { INodeCredentialTestResult } from 'n8n-workflow';
import type { z } from 'zod';

import { tagAsInternal } from './boundRequest';
import { decodeBody } from './charset';
import { withTimeout } from './timeout';
import { describeFailure, transportFailure, type Failure } from './transportErrors';
import { redactSecretsInData } from '../texts/redact';
import { toProblem, Problem } from '../texts/problem';
import { cleanKey } from '../values/text';

/** The longest answer that is read, in bytes. Answers of both services are shorter, and a longer one would fill n8n's memory. */
const LONGEST_ANSWER = 1_000_000;

/** `status`: HTTP. `unreadable`: some of the answer's bytes could not be read as text. */
export type Answer<T> = { ok: true; value: T; status: number; unreadable: boolean } | { ok: false; failure: Failure };

export type Credential = { type: string; data: ICredentialDataDecryptedObject };

/**
 * Sends one request with a credential and returns the parsed body of the answer, or the failure. Never throws. Redirects are
 * not followed. If the answer repeats the request, the key is removed. The caller passes the credential, which saves n8n a
 * database read and a decryption for each request.
 * @param accepts whether an HTTP status is a success. @param options `timeout` in milliseconds
 */
export async function request<T>(
	context: IExecuteFunctions,
	credential: Credential,
	options: IHttpRequestOptions & { timeout: number },
	schema: z.ZodType<T, z.ZodTypeDef, unknown>,
	accepts: (status: number) => boolean,
): Promise<Answer<T>> {
	return await withTimeout(context, options.timeout, async (end) => {
		return await exchange(context, credential, options, schema, accepts, end);
	});
}

/** Does what `request` says. @param end the signal that ends the request */
async function exchange<T>(
	context: IExecuteFunctions,
	{ type, data }: Credential,
	options: IHttpRequestOptions,
	schema: z.ZodType<T, z.ZodTypeDef, unknown>,
	accepts: (status: number) => boolean,
	end: AbortSignal,
): Promise<Answer<T>> {
	let response: IN8nHttpFullResponse;
	try {
		response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			type,
			{
				...options,
				headers: { Accept: 'application/json', ...options.headers },
				// The bytes are read below, because n8n would read the whole answer, and always as UTF-8.
				encoding: 'stream',
				json: false,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			},
			{ credentialsDecrypted: { id: '', name: type, type, data: tagAsInternal(data, end) } },
		)) as IN8nHttpFullResponse;
	} catch (error) {
		return { ok: false, failure: transportFailure(error) };
	}

	const { statusCode: status, headers } = response;
	let bytes: Uint8Array = new Uint8Array();
	try {
		bytes = await readStart(response.body as unknown as AsyncIterable<Uint8Array>);
	} catch (error) {
		// The request was sent. A status that rejects it counts even if its body is lost.
		if (accepts(status)) return { ok: false, failure: { kind: 'lost', code: transportFailure(error).code } };
	}
	const { text, unreadable } = decodeBody(bytes, headers['content-type']);
	const body: unknown = redactSecretsInData(jsonParse<unknown>(text, { fallbackValue: text }), secretsOf(data));
	if (!accepts(status)) {
		// A text, because Node keeps only one value if the header comes several times.
		const retryAfter = headers['retry-after'] as string | undefined;
		return { ok: false, failure: { kind: 'status', status, body, retryAfter } };
	}
	const parsed = schema.safeParse(body);
	if (!parsed.success) return { ok: false, failure: { kind: 'body', status, body } };
	return { ok: true, value: parsed.data, status, unreadable };
}

/** Reads the first megabyte of a body. Leaving the loop closes the connection. The timeout of the request ends it too. */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body) {
		chunks.push(chunk);
		length += chunk.length;
		if (length >= LONGEST_ANSWER) break;
	}
	return Buffer.concat(chunks).subarray(0, LONGEST_ANSWER);
}

/** Returns the texts in which requests contain a credential's keys, and in which an answer can repeat them. */
export function secretsOf({ apiKey, preSharedKey, previousPreSharedKey, forwardKey }: IDataObject): string[] {
	const keys = [apiKey, preSharedKey, previousPreSharedKey, forwardKey].map(cleanKey);
	// A very short key is not searched for by itself. The whole header of the AMKA service is, so that such a key is found too.
	return keys[0] === '' ? keys : [...keys, `Token ${keys[0]}`];
}

/**
 * Reads a credential at its first use and returns the same one afterwards, because every read is a database query and a
 * decryption. Items handle its errors. @param understand throws if the credential can't be used
 */
export function credentialOnce<T>(context: IExecuteFunctions, type: string, understand: (credential: Credential) => T) {
	let reading: Promise<T> | undefined;
	return async () => await (reading ??= context.getCredentials(type).then((data) => understand({ type, data })));
}

/** Returns the result of a credential test. @param check returns its message; if it throws, the test fails */
export async function testResult(check: () => Promise<string>): Promise<INodeCredentialTestResult> {
	const result = await check().catch(toProblem);
	if (!(result instanceof Problem)) return { status: 'OK', message: result };
	return { status: 'Error', message: `${result.message}. ${result.description}.` };
}

/** The time limit of a credential test, in milliseconds. */
const PROBE_TIME = 15_000;

/** Sends one request of a credential test. n8n adds no key to it. @throws Problem if no answer comes */
export async function probe(
	service: string,
	helpers: ICredentialTestFunctions['helpers'],
	options: { method: 'GET' | 'POST'; uri: string; headers?: Record<string, string>; body?: object },
	allowUnauthorizedCerts: boolean,
): Promise<{ status: number; body: unknown }> {
	try {
		const { statusCode, headers, body } = (await helpers.request({
			...options,
			json: true,
			useStream: true,
			timeout: PROBE_TIME,
			rejectUnauthorized: !allowUnauthorizedCerts,
			followRedirect: false,
			followAllRedirects: false,
			simple: false,
			resolveWithFullResponse: true,
		})) as IN8nHttpFullResponse & { body: AsyncIterable<Uint8Array> & { destroy(error: Error): void } };
		// The HTTP client's own timeout counts only until the body begins.
		const late = Object.assign(new Error(), { code: 'ECONNABORTED' });
		AbortSignal.timeout(PROBE_TIME).addEventListener('abort', () => body.destroy(late));
		const { text } = decodeBody(await readStart(body), headers['content-type']);
		return { status: statusCode, body: text === '' ? undefined : jsonParse<unknown>(text, { fallbackValue: text }) };
	} catch (error) {
		throw failed(service, transportFailure(error));
	}
}

/** Describes a failed request of a credential test, as a failed run would. */
export function failed(service: string, failure: Failure): Problem {
	const { message, whatToDo } = describeFailure(service, failure, true);
	return new Problem(message, whatToDo);
}
