import {
	NodeSslError,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';
import type { z } from 'zod';

import { authorization, keyAsSent } from './authorization';
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
function secretsOf({ data: { apiKey, preSharedKey } }: Credential): string[] {
	return [authorization(apiKey), keyAsSent(apiKey), String(preSharedKey ?? '')];
}

/** What a request that threw says about itself: whether it can have reached the service, and the code why. */
export function transportFailure(error: unknown): Failure {
	const { code, isConnecting } = readError(error);
	if (NO_CONNECTION.has(code) || (isConnecting && NO_WAY.has(code))) return { kind: 'notSent', code, passing: true };
	if (code === BLOCKED || code === NO_TLS || isCertificateError(code)) return { kind: 'notSent', code, passing: false };
	return { kind: 'lost', code };
}

/**
 * The code of the innermost error that has one, such as ECONNREFUSED, and whether it came while connecting: n8n wraps
 * the HTTP client's error. Up to 2.20 at least it drops that error, and keeps its code as `httpCode`.
 */
function readError(error: unknown): { code: string; isConnecting: boolean } {
	let found = { code: 'UNKNOWN', isConnecting: false };
	for (let level = error, depth = 0; level instanceof Error && depth < 5; depth++) {
		const { code: own, httpCode } = level as { code?: unknown; httpCode?: unknown };
		const code = own ?? httpCode;
		if (typeof code === 'string' && !/^\d+$/.test(code)) found = { code, isConnecting: isOfConnecting(level) };
		if (level.constructor.name.startsWith('SsrfBlocked')) return { ...found, code: BLOCKED };
		if (level instanceof NodeSslError) return { ...found, code: UNTRUSTED };
		level = level.cause;
	}
	return found;
}

/** Whether an error came while connecting; where a host has several addresses, while connecting to each. */
function isOfConnecting(error: unknown): boolean {
	const { syscall, errors } = error as { syscall?: unknown; errors?: unknown };
	return syscall === 'connect' || (Array.isArray(errors) && errors.length > 0 && errors.every(isOfConnecting));
}

/** Codes of a host or port that did not take the connection. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** The same while connecting; a connection that stands can break with these too, after the request was read. */
const NO_WAY = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** The client's own limit, which counts silence, the operating system's, and the deadline for the whole answer. */
const TIME_OVER = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED']);

/** Ours: n8n's protection against requests to internal addresses (SSRF) stopped the request. */
const BLOCKED = 'BLOCKED_BY_N8N';

/** Ours: up to 2.20 at least, n8n's helper for credential tests says that a certificate was refused, and drops the code why. */
const UNTRUSTED = 'CERTIFICATE_NOT_TRUSTED';

/**
 * OpenSSL's verification codes and Node's own: the certificate was refused in the handshake, so nothing was sent. Codes
 * that begin with ERR_SSL_ come after it, when the request may have been read.
 */
function isCertificateError(code: string): boolean {
	return /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$/.test(code) && !code.startsWith('ERR_SSL_');
}

/** The TLS handshake failed for another reason: the other side speaks no TLS, or no version that both know. */
const NO_TLS = 'EPROTO';

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
			if (failure.code === NO_TLS) {
				return {
					message: `No encrypted connection to the ${service} could be made (${failure.code})`,
					whatToDo: 'Check whether the Base URL of the credential begins with http or https as it should, and its port',
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
			if (failure.code.startsWith('HPE_')) {
				return {
					message: `The ${service} answered in something other than HTTP (${failure.code})`,
					whatToDo: 'Check host and port in the Base URL of the credential',
				};
			}
			return {
				message: TIME_OVER.has(failure.code)
					? `The ${service} did not answer in time`
					: `The connection to the ${service} broke before its answer (${failure.code})`,
				whatToDo:
					'Try again when the service answers, or raise the Timeout option of the node. If it never answers, check the Base URL, and the firewall between',
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
			if (failure.status === 404 || failure.status === 405) {
				return {
					message: `The ${service} has no such address (HTTP ${failure.status})`,
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
					whatToDo: 'Lower Concurrency in the node, or try again later',
				};
			}
			return {
				message: `The ${service} answered HTTP ${failure.status}`,
				whatToDo: 'Try again later; if it stays, ask the operator of the service',
			};
	}
}
