import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendEcho } from './echo';
import type { Trouble } from './trouble';

/** The answers of a service in trouble, the same for both services. */

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
			void reply
				.code(trouble.status ?? 307)
				.header('location', `${trouble.redirectTo}${request.url}`)
				.send();
			return true;
		default:
			return false;
	}
}

/**
 * Gives the answers that come after the request was taken.
 * @param proper the documented answer. `missingFields` leaves out all of its fields
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
		case 'missingFields':
			return reply.send({});
		default:
			return reply.send(proper);
	}
}
