import { jsonParse } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import type { z } from 'zod';

import { tagAsInternal } from './boundRequest';
import { decodeBody } from './charset';
import { withTimeout } from './timeout';
import { transportFailure, type Failure } from './transportFailure';
import { redactSecretsInData } from '../texts/redact';
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
 * Sends one request with a credential. Redirects are not followed. If the answer contains the key, the key is removed, unless it
 * is very short. The credential is a parameter, so that n8n does not have to read it from the database and decrypt it for each
 * request.
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
			// n8n passes `data` on to `authenticate` of the credential, which calls `boundToCredential`. That function recognises
			// `data` as that of a request of this package, and puts the signal `end` into the request. The signal can't be in
			// the options above, because n8n overwrites their `abortSignal` with the signal of the execution (seen in 2.41).
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
 * Reads the first megabyte of a body. If the body is longer, the end of the loop closes the connection. The time-out of the
 * request closes it too.
 */
export async function readStart(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body) {
		chunks.push(chunk);
		length += chunk.length;
		if (length >= LONGEST_ANSWER) break;
	}
	return Buffer.concat(chunks).subarray(0, LONGEST_ANSWER);
}

/**
 * Returns the keys of a credential, which are removed from answers and output items. An answer can repeat a request with its key.
 */
export function secretsOf({ apiKey, preSharedKey, previousPreSharedKey, forwardKey }: IDataObject): string[] {
	const keys = [apiKey, preSharedKey, previousPreSharedKey, forwardKey].map(cleanKey);
	// `redactSecretsInData` does not search for a very short key. With the whole header of the AMKA service, it finds such a key
	// too.
	return keys[0] === '' ? keys : [...keys, `Token ${keys[0]}`];
}

/**
 * Returns a function that reads a credential at its first call and returns the same result, or throws the same error, afterwards.
 * Every read costs a database query and a decryption. If the returned function throws, the item that called it fails.
 * @param understand converts the credential; it throws if the credential can't be used
 */
export function credentialOnce<T>(context: IExecuteFunctions, type: string, understand: (credential: Credential) => T) {
	let reading: Promise<T> | undefined;
	return async () => await (reading ??= context.getCredentials(type).then((data) => understand({ type, data })));
}
