import { NodeSslError } from 'n8n-workflow';

/** The reason why there is no parsed answer. */
export type Failure =
	/**
	 * The request was not sent. `passing`: another attempt may succeed, because no connection was made or the host was not found.
	 */
	| { kind: 'notSent'; code: string; passing: boolean }
	/** The request was sent, or may have been sent, and no answer arrived. */
	| { kind: 'lost'; code: string }
	/** The answer has an HTTP status that the request does not accept. */
	| { kind: 'status'; status: number; body: unknown; retryAfter?: string }
	/** The body of the answer is not the documented object. */
	| { kind: 'body'; status: number; body: unknown };

/**
 * Turns the error of a request into a failure. It shows whether the request may have reached the service, and the error's code.
 */
export function transportFailure(error: unknown): Failure & { code: string } {
	const { code, isConnecting, isUnmade } = readError(error);
	if (code === BLOCKED || code === NO_TLS || isCertificateError(code)) return { kind: 'notSent', code, passing: false };
	if (NO_CONNECTION.has(code) || (isConnecting && NO_WAY.has(code)) || isUnmade)
		return { kind: 'notSent', code, passing: true };
	return { kind: 'lost', code };
}

/**
 * Reads the code of the innermost error that has one, such as ECONNREFUSED. n8n wraps the HTTP client's error. In 2.20 and
 * before, n8n drops that error and keeps its code as `httpCode`.
 * @returns `isConnecting`: the error itself says that it occurred while connecting (`syscall`); `isUnmade`: the socket shows that
 * the connection was never complete
 */
function readError(error: unknown): { code: string; isConnecting: boolean; isUnmade: boolean } {
	let found = { code: 'UNKNOWN', isConnecting: false, isUnmade: false };
	for (let level = error, depth = 0; level instanceof Error && depth < 5; depth++) {
		const { code: own, httpCode } = level as { code?: unknown; httpCode?: unknown };
		const code = own ?? httpCode;
		if (typeof code === 'string' && !/^\d+$/.test(code))
			found = { code, isConnecting: isConnectError(level), isUnmade: found.isUnmade };
		if (isConnectionIncomplete(level, found.code)) found.isUnmade = true;
		if (level.constructor.name.startsWith('SsrfBlocked')) return { ...found, code: BLOCKED };
		if (level instanceof NodeSslError) return { ...found, code: UNTRUSTED };
		level = level.cause;
	}
	return found;
}

/** Returns whether an error occurred while connecting. If a host has several addresses, all of them must have failed this way. */
function isConnectError(error: unknown): boolean {
	const { syscall, errors } = error as { syscall?: unknown; errors?: unknown };
	return syscall === 'connect' || (Array.isArray(errors) && errors.length > 0 && errors.every(isConnectError));
}

/**
 * Returns whether a request ended before its connection was complete: no host accepted it, or the TLS handshake was not complete.
 * The HTTP client's error contains the request, and the request contains the socket. Older versions of n8n drop both.
 */
function isConnectionIncomplete(error: unknown, code: string): boolean {
	const { request } = error as { request?: { socket?: Connection; _currentRequest?: { socket?: Connection } } };
	const socket = request?.socket ?? request?._currentRequest?.socket;
	// A socket with its own `connect` belongs to a proxy or a monitoring tool, and its state is not that of the connection. A
	// socket with a remote address is connected.
	if (socket === undefined || Object.hasOwn(socket, 'connect') || socket.remoteAddress !== undefined) return false;
	const { connecting, secureConnecting, writableLength = 0 } = socket;
	if (connecting === true || secureConnecting === true) return true;
	// After a time-out, an unencrypted socket no longer shows that it was connecting. But its buffer still contains the request.
	return secureConnecting === undefined && writableLength > 0 && TIME_OVER.has(code);
}

/** The properties of a socket that are read here. */
interface Connection {
	connecting?: boolean;
	/** Undefined if the connection is not encrypted. */
	secureConnecting?: boolean;
	writableLength?: number;
	remoteAddress?: string;
}

/** Codes for a host that was not found or a port that did not accept the connection. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Codes that mean the same as those of `NO_CONNECTION` if they occur while connecting. An established connection can also break
 * with these codes, after the service has read the request.
 */
const NO_WAY = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET']);

/** Codes of time-outs: that of the HTTP client, that of the operating system, and that of this package for the whole answer. */
export const TIME_OVER = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED']);

/** A code of this package. n8n's protection against requests to internal addresses (SSRF) stopped the request. */
export const BLOCKED = 'BLOCKED_BY_N8N';

/**
 * A code of this package. In n8n 2.20 and before, the helper for credential tests only reports that a certificate was rejected,
 * and drops the code with the reason.
 */
const UNTRUSTED = 'CERTIFICATE_NOT_TRUSTED';

/**
 * Returns whether the client rejected the certificate during the handshake, so that nothing was sent. ERR_SSL_ codes are
 * excluded, because they may occur after the request.
 */
export function isCertificateError(code: string): boolean {
	return /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$/.test(code) && !code.startsWith('ERR_SSL_');
}

/** The code if the TLS handshake failed for another reason: the server does not use TLS, or the two sides share no version. */
export const NO_TLS = 'EPROTO';
