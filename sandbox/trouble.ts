import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendEcho, type echoPlaces, type Encoding } from './echo';

/** How the next requests are answered, where `normal` is what the documents describe. */
export const answers = [
	'normal',
	/** The service's own refusal: 403 from the registry, an `errorCode` from the platform. Nothing is taken. */
	'refuse',
	'429',
	'500',
	'503',
	/** The connection breaks before anything was taken. */
	'cutBefore',
	/** The request is taken, and the connection breaks before the answer: the caller can't know. */
	'cutAfter',
	/** 200 with a body that is not the documented object. The request is taken. */
	'html',
	'array',
	'missingFields',
	/** The whole request, key included, as careless servers do; `status` (400), `echoIn` and `echoAs` say how. */
	'echo',
	/** An address under `redirectTo`, with `status` (307). */
	'redirect',
] as const;

/** What happens to the delivery report of a message that was taken. */
export const reports = [
	'normal',
	'lost',
	'twice',
	/** It is sent before the send itself is answered. */
	'early',
	/** SUBMITTED and SENT come first, as separate reports. */
	'intermediate',
] as const;

/** The switches. They hold for every request until they are changed, or for `times` requests. */
export interface Trouble {
	answer: (typeof answers)[number];
	/** For how many requests `answer` holds; after that it is `normal` again. null: until changed. */
	times: number | null;
	/** How long `answer` holds from the first request on, in milliseconds; after that it is `normal` again. null: until changed. */
	forMs: number | null;
	/** `answer`, `delayMs` and `holdUntilTaken` hold for messages to this recipient only; empty: for every request. */
	recipient: string;
	/** Waited before any answer, in milliseconds. */
	delayMs: number;
	/** A request waits until so many messages were taken: what goes past a slow one, without a clock. 0: it doesn't. */
	holdUntilTaken: number;
	/** The Retry-After header of a 429 or a 503, in seconds or as a date; empty: none. */
	retryAfter: string;
	/** The HTTP status of `echo` and `redirect`. null: what is usual. */
	status: number | null;
	echoIn: (typeof echoPlaces)[number];
	echoAs: Encoding;
	/** Where `redirect` points to, without the path. */
	redirectTo: string;
	report: (typeof reports)[number];
	/** Between the answer and its report, in milliseconds. */
	reportDelayMs: number;
	/** Empty: DELIVRD. Otherwise the report says ERROR, with this code. */
	reportError: string;
}

export const noTrouble: Readonly<Trouble> = {
	answer: 'normal',
	times: null,
	forMs: null,
	recipient: '',
	delayMs: 0,
	holdUntilTaken: 0,
	retryAfter: '',
	status: null,
	echoIn: 'object',
	echoAs: 'plain',
	redirectTo: '',
	report: 'normal',
	reportDelayMs: 20,
	reportError: '',
};

/** When the `forMs` that has begun ends, in Unix milliseconds. */
const ends = new WeakMap<Trouble, number>();

/** Switches as at the start. */
export function endTrouble(trouble: Trouble, start: Trouble): void {
	Object.assign(trouble, start);
	ends.delete(trouble);
}

/**
 * Takes the answer that is due for one request, and counts it.
 * @returns a value of `answers`
 */
export function nextAnswer(trouble: Trouble): Trouble['answer'] {
	const { answer } = trouble;
	if (answer === 'normal') return answer;
	if (trouble.forMs !== null) {
		const end = ends.get(trouble) ?? Date.now() + trouble.forMs;
		ends.set(trouble, end);
		if (Date.now() >= end) {
			Object.assign(trouble, { answer: 'normal', forMs: null });
			ends.delete(trouble);
			return 'normal';
		}
	}
	if (trouble.times !== null && --trouble.times <= 0) Object.assign(trouble, { answer: 'normal', times: null });
	return answer;
}

/** Breaks the connection without an answer. */
export function cut(request: FastifyRequest, reply: FastifyReply): FastifyReply {
	reply.hijack();
	request.raw.socket.destroy();
	return reply;
}

/**
 * Gives the answers that are the same for both services and leave the request untaken.
 * @returns true when the request has been answered
 */
export function answerWithTrouble(
	answer: Trouble['answer'],
	trouble: Trouble,
	request: FastifyRequest,
	reply: FastifyReply,
): boolean {
	const retryAfter = trouble.retryAfter ? { 'retry-after': trouble.retryAfter } : {};
	switch (answer) {
		case '429':
			void reply.code(429).headers(retryAfter).send({ error: 'Too many requests' });
			return true;
		case '500':
			void reply.code(500).send({ error: 'Internal error' });
			return true;
		case '503':
			void reply.code(503).headers(retryAfter).send({ error: 'Service unavailable' });
			return true;
		case 'cutBefore':
			cut(request, reply);
			return true;
		case 'echo':
			void sendEcho(trouble.status ?? 400, trouble.echoIn, trouble.echoAs, request, reply);
			return true;
		case 'redirect':
			void reply.code(trouble.status ?? 307).header('location', `${trouble.redirectTo}${request.url}`).send();
			return true;
		default:
			return false;
	}
}

/**
 * Gives the answers that come after the request was taken.
 * @param proper the documented answer, of which `missingFields` leaves out everything
 */
export function sendAnswer(
	answer: Trouble['answer'],
	proper: object,
	request: FastifyRequest,
	reply: FastifyReply,
): FastifyReply {
	switch (answer) {
		case 'cutAfter':
			return cut(request, reply);
		case 'html':
			return reply.type('text/html').send('<!doctype html><title>Sign in</title><h1>Sign in</h1>');
		case 'array':
			return reply.send([proper]);
		case 'missingFields':
			return reply.send({});
		default:
			return reply.send(proper);
	}
}
