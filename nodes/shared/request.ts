import {
	NodeSslError,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';
import type { z } from 'zod';

import { hideInData } from './hideSecret';

/** Why there is no parsed answer. */
export type Failure =
	/** The request never left. `passing`: no connection or no such host, which another try may get past. */
	| { kind: 'notSent'; code: string; passing: boolean }
	/** The request left, or may have left, and no answer came back. */
	| { kind: 'lost'; code: string }
	/** An answer with another HTTP status than the caller accepts. */
	| { kind: 'status'; status: number; body: unknown; retryAfter: string | undefined }
	/** An answer that is not the documented object. */
	| { kind: 'body'; status: number };

export type Answer<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export interface Credential {
	type: string;
	data: ICredentialDataDecryptedObject;
}

/**
 * Sends one request with a credential and returns its parsed body, or why there is none; it does not throw.
 * Redirects are not followed: a key must not travel to another address than the credential's. An answer that repeats
 * the request comes back without the key.
 *
 * The credential was read before and is handed on, which spares n8n a database read and a decryption per request.
 *
 * @param accepts whether an HTTP status is a success
 * @param options `timeout` in milliseconds
 */
export async function request<T>(
	context: IExecuteFunctions,
	credential: Credential,
	options: IHttpRequestOptions & { timeout: number },
	schema: z.ZodType<T, z.ZodTypeDef, unknown>,
	accepts: (status: number) => boolean,
): Promise<Answer<T>> {
	let response: IN8nHttpFullResponse;
	try {
		response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			credential.type,
			{
				...options,
				json: true,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			},
			{
				credentialsDecrypted: {
					id: '',
					name: credential.type,
					type: credential.type,
					data: credential.data,
				},
			},
		)) as IN8nHttpFullResponse;
	} catch (error) {
		return { ok: false, failure: transportFailure(error) };
	}

	const { statusCode: status, headers } = response;
	const body: unknown = hideInData(response.body, secretsOf(credential));
	if (!accepts(status)) {
		const retryAfter = headers['retry-after'];
		return {
			ok: false,
			failure: {
				kind: 'status',
				status,
				body,
				retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
			},
		};
	}
	const parsed = schema.safeParse(body);
	return parsed.success
		? { ok: true, value: parsed.data }
		: { ok: false, failure: { kind: 'body', status } };
}

/** The texts in which a credential's key travels, and in which an answer may repeat it. */
function secretsOf({ data }: Credential): string[] {
	const { apiKey, preSharedKey } = data;
	return [`Token ${String(apiKey ?? '')}`, apiKey, preSharedKey].filter(
		(secret): secret is string => typeof secret === 'string' && secret !== 'Token ',
	);
}

/** What a request that threw says about itself: whether it can have reached the service, and the code why. */
export function transportFailure(error: unknown): Failure {
	const code = transportCode(error);
	if (NO_CONNECTION.has(code)) return { kind: 'notSent', code, passing: true };
	if (code === BLOCKED || isCertificateError(code)) return { kind: 'notSent', code, passing: false };
	return { kind: 'lost', code };
}

/**
 * The code of the innermost error that has one, such as ECONNREFUSED: n8n wraps the HTTP client's error. Up to 2.20
 * at least it drops that error, and keeps its code as `httpCode`.
 */
function transportCode(error: unknown): string {
	let code = 'UNKNOWN';
	for (let level = error, depth = 0; level instanceof Error && depth < 5; depth++) {
		const { code: own, httpCode } = level as { code?: unknown; httpCode?: unknown };
		const found = own ?? httpCode;
		if (typeof found === 'string' && !/^\d+$/.test(found)) {
			const { syscall } = level as { syscall?: unknown };
			code = found === 'ETIMEDOUT' && syscall === 'connect' ? 'CONNECT_TIMEOUT' : found;
		}
		if (level.constructor.name.startsWith('SsrfBlocked')) return BLOCKED;
		if (level instanceof NodeSslError) return UNTRUSTED;
		level = level.cause;
	}
	return code;
}

const NO_CONNECTION = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'CONNECT_TIMEOUT',
]);

/** Ours: n8n's protection against requests to internal addresses (SSRF) stopped the request. */
const BLOCKED = 'BLOCKED_BY_N8N';

/** Ours: up to 2.20 at least, n8n's helper for credential tests says that a certificate was refused, and drops the code why. */
const UNTRUSTED = 'CERTIFICATE_NOT_TRUSTED';

/** OpenSSL's verification codes and Node's own: the TLS handshake failed, so nothing was sent inside it. */
export function isCertificateError(code: string): boolean {
	return /CERT|^UNABLE_TO_|^ERR_TLS_|^ERR_SSL_|^EPROTO$|^HOSTNAME_MISMATCH$/.test(code);
}

/**
 * What went wrong, in words, for both services.
 *
 * @param service how the user knows the service, such as "SMS platform"
 */
export function describeFailure(service: string, failure: Failure): { message: string; whatToDo: string } {
	switch (failure.kind) {
		case 'notSent':
			if (isCertificateError(failure.code)) {
				return {
					message: `The ${service}'s certificate is not trusted (${failure.code})`,
					whatToDo:
						'Install the certificate authority on the n8n server, or switch on "Ignore SSL Issues (Insecure)" in the credential',
				};
			}
			if (failure.code === BLOCKED) {
				return {
					message: `n8n's outbound protection blocks the ${service}'s address`,
					whatToDo: 'Ask the administrator of n8n to allow the host of the credential\'s Base URL',
				};
			}
			return {
				message: `The ${service} can't be reached (${failure.code})`,
				whatToDo: 'Check the Base URL of the credential, and that the n8n server may connect to that host and port',
			};
		case 'lost':
			return {
				message:
					failure.code === 'ECONNABORTED' || failure.code === 'ETIMEDOUT'
						? `The ${service} did not answer in time`
						: `The connection to the ${service} broke before its answer (${failure.code})`,
				whatToDo: 'Raise the Timeout option, or try again when the service answers',
			};
		case 'body':
			return {
				message: `The ${service} answered HTTP ${failure.status} with something other than the documented object`,
				whatToDo: 'Check the Base URL of the credential: another server, or a proxy before the service, may have answered',
			};
		case 'status':
			if (failure.status === 401 || failure.status === 403) {
				return {
					message: `The ${service} rejected the key (HTTP ${failure.status})`,
					whatToDo: 'Check the key in the credential, and that it is approved for this service',
				};
			}
			if (failure.status === 404) {
				return {
					message: `The ${service} has no such address (HTTP 404)`,
					whatToDo: 'Check the Base URL of the credential: it comes without the path of the operation',
				};
			}
			if (failure.status >= 300 && failure.status < 400) {
				return {
					message: `The ${service} redirects to another address (HTTP ${failure.status})`,
					whatToDo: 'Put the final address into the Base URL of the credential: a key is never sent on to another host',
				};
			}
			if (failure.status === 429) {
				return {
					message: `The ${service} receives too many requests (HTTP 429)`,
					whatToDo: 'Lower Concurrency, or try again later',
				};
			}
			return {
				message: `The ${service} answered HTTP ${failure.status}`,
				whatToDo: 'Try again later; if it stays, ask the operator of the service',
			};
	}
}
