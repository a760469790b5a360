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

/**
 * The longest answer that is read, in bytes. The answers of both services are shorter. A very long answer would fill n8n's
 * memory.
 */
const LONGEST_ANSWER = 1_000_000;

/** The result of a request. `status`: the HTTP status. `unreadable`: some bytes of the answer could not be read as text. */
export type Answer<T> = { ok: true; value: T; status: number; unreadable: boolean } | { ok: false; failure: Failure };

export type Credential = { type: string; data: ICredentialDataDecryptedObject };

/**
 * Sends one request with a credential. Redirects are not followed. If the answer contains the key, the key is removed. The
 * credential is a parameter, so that n8n does not have to read it from the database and decrypt it for each request.
 * @param options the request; its `timeout` is in milliseconds
 * @param schema the schema of the body
 * @param accepts returns whether an HTTP status means success
 * @returns the parsed body of the answer, or the failure. It never throws
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

/** Sends the request for `request`. @param end the signal that ends the request */
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
				// The bytes are read below, because n8n would read an answer of any length, and always as UTF-8.
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
		// The body is lost. If the status is a success, the answer is lost too. Another status counts even without its body.
		if (accepts(status)) return { ok: false, failure: { kind: 'lost', code: transportFailure(error).code } };
	}
	const { text, unreadable } = decodeBody(bytes, headers['content-type']);
	const body: unknown = redactSecretsInData(jsonParse<unknown>(text, { fallbackValue: text }), secretsOf(data));
	if (!accepts(status)) {
		// The header is a text and no list, because Node keeps only one value if the header comes several times.
		const retryAfter = headers['retry-after'] as string | undefined;
		return { ok: false, failure: { kind: 'status', status, body, retryAfter } };
	}
	const parsed = schema.safeParse(body);
	if (!parsed.success) return { ok: false, failure: { kind: 'body', status, body } };
	return { ok: true, value: parsed.data, status, unreadable };
}

/**
 * Reads the first megabyte of a body. When the loop ends, the connection is closed. The time-out of the request closes it too.
 */
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

/** Returns the keys of a credential in the forms in which requests contain them, because an answer can repeat a request. */
export function secretsOf({ apiKey, preSharedKey, previousPreSharedKey, forwardKey }: IDataObject): string[] {
	const keys = [apiKey, preSharedKey, previousPreSharedKey, forwardKey].map(cleanKey);
	// `redactSecrets` does not search for a very short key. With the whole header of the AMKA service, it finds such a key too.
	return keys[0] === '' ? keys : [...keys, `Token ${keys[0]}`];
}

/**
 * Returns a function that reads a credential at its first call and returns the same result afterwards. Every read costs a
 * database query and a decryption. If the function throws, the item that called it fails.
 * @param understand converts the credential; it throws if the credential can't be used
 */
export function credentialOnce<T>(context: IExecuteFunctions, type: string, understand: (credential: Credential) => T) {
	let reading: Promise<T> | undefined;
	return async () => await (reading ??= context.getCredentials(type).then((data) => understand({ type, data })));
}

/** Returns the result of a credential test. @param check returns the message of a test that succeeds, and otherwise throws */
export async function testResult(check: () => Promise<string>): Promise<INodeCredentialTestResult> {
	const result = await check().catch(toProblem);
	if (!(result instanceof Problem)) return { status: 'OK', message: result };
	return { status: 'Error', message: `${result.message}. ${result.description}.` };
}

/** The time-out of the request of a credential test, in milliseconds. */
const PROBE_TIME = 15_000;

/** Sends the request of a credential test. n8n adds no key to it. @throws Problem if no answer arrives */
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
		// The HTTP client's own time-out covers only the time until the body begins.
		const late = Object.assign(new Error(), { code: 'ECONNABORTED' });
		AbortSignal.timeout(PROBE_TIME).addEventListener('abort', () => body.destroy(late));
		const { text } = decodeBody(await readStart(body), headers['content-type']);
		return { status: statusCode, body: text === '' ? undefined : jsonParse<unknown>(text, { fallbackValue: text }) };
	} catch (error) {
		throw failed(service, transportFailure(error));
	}
}

/** Makes the Problem of a failed request of a credential test. Its text is the same as that of a failed run. */
export function failed(service: string, failure: Failure): Problem {
	const { message, whatToDo } = describeFailure(service, failure, true);
	return new Problem(message, whatToDo);
}
