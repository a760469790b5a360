import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendEcho } from './echo';
import type { Trouble } from './trouble';

/* The answers that simulate a faulty service. Both services use them. */

/** Closes the connection without an answer. */
export function breakConnection(request: FastifyRequest, reply: FastifyReply): FastifyReply {
	reply.hijack();
	request.raw.socket.destroy();
	return reply;
}

/**
 * Sends the answer of the chosen fault if that fault happens before the service accepts the request.
 * @returns true if an answer was sent or the connection was closed
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
			breakConnection(request, reply);
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
 * Sends the answer to a request that the service has processed. It is the documented answer, unless the chosen fault
 * replaces it.
 * @param documented the documented answer
 */
export function sendAnswer(
	answer: Trouble['answer'],
	documented: object,
	request: FastifyRequest,
	reply: FastifyReply,
): FastifyReply {
	switch (answer) {
		case 'cutAfter':
			return breakConnection(request, reply);
		case 'html':
			return reply.type('text/html').send('<!doctype html><title>Sign in</title><h1>Sign in</h1>');
		case 'missingFields':
			return reply.send({});
		default:
			return reply.send(documented);
	}
}
