import { createHmac } from 'node:crypto';

import type { Request, Settings } from './trigger';

/*
 * What SMS Trigger has to answer, written from the published interface and not from the code: event switched on,
 * address, key or signature, shape, keyword. Duplicates have a property of their own.
 */

export type Verdict =
	| { status: number; errorCode: string }
	| { starts: 'smsForward' | 'deliveryReport'; reference?: string; matchedKeyword?: string };

/** What a field says as text; undefined where it says nothing. */
const asText = (body: unknown, name: string): string | undefined => {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
	const own = Object.getOwnPropertyDescriptor(body, name)?.value as unknown;
	if (typeof own === 'string') return own;
	return typeof own === 'number' && Number.isFinite(own) ? `${own}` : undefined;
};
const isAbsent = (body: unknown, name: string) => {
	const own = Object.getOwnPropertyDescriptor(body as object, name)?.value as unknown;
	return own === undefined || own === null;
};

const isFilled = (body: unknown, name: string, longest: number) => {
	const text = asText(body, name);
	return text !== undefined && /[^\s\p{Cf}]/u.test(text) && text.length <= longest && !text.includes('\0');
};
const isOptional = (body: unknown, name: string, longest: number) =>
	isAbsent(body, name) || ((asText(body, name)?.length ?? Infinity) <= longest && !asText(body, name)!.includes('\0'));

/** The body that the caller meant, however it was sent. */
export function meant({ method, query, how, body }: Request): unknown {
	if (method === 'GET') return query;
	if (how === 'unreadable') return undefined;
	if (how === 'json') return body;
	const text = String(body);
	if (Buffer.byteLength(text) > 200_000) return undefined;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

const greekToLatin = new Map(
	['ΑA', 'ΒB', 'ΕE', 'ΖZ', 'ΗH', 'ΙI', 'ΚK', 'ΜM', 'ΝN', 'ΟO', 'ΡP', 'ΤT', 'ΥY', 'ΧX'].map((pair) => [
		pair[0]!,
		pair[1]!,
	]),
);

/** By what two keywords are one: letters without case, accents and alphabet. */
function sameKeyword(one: string, other: string): boolean {
	const [a, b] = [one, other].map((keyword) =>
		[...keyword.normalize('NFKD')]
			.filter((character) => !/\p{M}|\p{Cf}/u.test(character))
			.map((character) => [...character.toUpperCase()].map((letter) => greekToLatin.get(letter) ?? letter).join(''))
			.join('')
			.split(/\s+/)
			.filter(Boolean)
			.join(' '),
	);
	return a === b;
}

/** @param addressAllowed whether the generator put this caller on its allowlist */
export function verdict(settings: Settings, request: Request, addressAllowed: boolean, now: number): Verdict {
	if (!settings.events.includes(request.event)) return { status: 404, errorCode: 'NOT_FOUND' };
	if (!addressAllowed) return { status: 403, errorCode: 'FORBIDDEN_ADDRESS' };
	const body = meant(request);
	return request.event === 'smsForward' ? ofForward(settings, body) : ofReport(settings, body, request.query, now);
}

const malformed: Verdict = { status: 400, errorCode: 'INVALID_REQUEST' };

function ofForward({ preSharedKey, keywords }: Settings, body: unknown): Verdict {
	const key = asText(body, 'pre-shared key');
	if (!key) return { status: 401, errorCode: 'INVALID_KEY' };
	if (preSharedKey instanceof Error) return { status: 500, errorCode: 'INTERNAL_ERROR' };
	if (key !== preSharedKey) return { status: 401, errorCode: 'INVALID_KEY' };
	const wellFormed =
		isFilled(body, 'MSISDN', 64) &&
		isFilled(body, 'keyword', 160) &&
		isOptional(body, 'body', 40_000) &&
		isOptional(body, 'sms-forward-id', 256);
	if (!wellFormed) return malformed;
	const wanted = keywords.split(',').filter((keyword) => !sameKeyword(keyword, ''));
	const matched = wanted.find((keyword) => sameKeyword(keyword, asText(body, 'keyword')!));
	if (wanted.length > 0 && matched === undefined) return { status: 200, errorCode: 'UNKNOWN_KEYWORD' };
	return { starts: 'smsForward', ...(matched !== undefined && { matchedKeyword: matched.trim() }) };
}

function ofReport(settings: Settings, body: unknown, query: unknown, now: number): Verdict {
	const refused: Verdict = { status: 401, errorCode: 'INVALID_SIGNATURE' };
	const { ref, mid, exp, sig } = query as Record<string, unknown>;
	const unsigned = ref === undefined && mid === undefined && exp === undefined && sig === undefined;
	if (unsigned && !settings.acceptUnsignedReports) return refused;
	if (!unsigned) {
		const named = asText(body, 'serviceId');
		// What is longer than any service is not tidied.
		const serviceId = named === undefined || named.length > 1000 ? named : named.replace(/\p{Cf}/gu, '').trim();
		if (
			typeof ref !== 'string' ||
			typeof mid !== 'string' ||
			typeof exp !== 'string' ||
			typeof sig !== 'string' ||
			serviceId === undefined
		)
			return refused;
		if (!/^[0-9]{1,12}$/.test(exp) || Number(exp) < now) return refused;
		if (
			[ref, mid].some((part) => part === '' || part.length > 256 || /\p{Cc}|\p{Cs}/u.test(part)) ||
			serviceId.length > 256 ||
			serviceId.includes('\n')
		)
			return refused;
		if (settings.preSharedKey instanceof Error) return { status: 500, errorCode: 'INTERNAL_ERROR' };
		if (settings.preSharedKey === '' || sig !== signature(settings.preSharedKey, serviceId, ref, mid, exp))
			return refused;
	}
	const wellFormed =
		isFilled(body, 'serviceId', 256) &&
		isFilled(body, 'recipient', 256) &&
		isFilled(body, 'status', 64) &&
		isOptional(body, 'error', 256);
	if (!wellFormed) return malformed;
	// Whatever starts the workflow is looked through for the keys, so they have to be known.
	if (settings.preSharedKey instanceof Error) return { status: 500, errorCode: 'INTERNAL_ERROR' };
	return { starts: 'deliveryReport', ...(!unsigned && { reference: ref as string }) };
}

/** "How report addresses are signed" in SECURITY.md. */
export const signature = (key: string, serviceId: string, ref: string, mid: string, exp: string): string =>
	createHmac('sha256', key).update(`dlr.v1\n${serviceId}\n${ref}\n${mid}\n${exp}`).digest('base64url');
