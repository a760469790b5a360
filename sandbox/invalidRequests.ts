import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendErrors } from './sendRequest';

/* Answers to requests that can't be read or have a wrong path, in the formats of the two services. */

/** Answers a request to the SMS platform whose body can't be read, or that has caused an unexpected error. */
export async function rejectUnreadableBody(
	{ statusCode = 500, message }: FastifyError,
	_request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const errorCode = statusCode < 500 ? 'X-001' : 'X-999';
	return await reply.code(statusCode).send({ serviceId: '', errorCode, error: `${sendErrors[errorCode]}: ${message}` });
}

/**
 * Answers 404 to a path or a method that neither service has, as after a wrong Base URL in a credential. The answer has no
 * `serviceId`: the test of the SMS Platform credential recognises the platform by that field.
 */
export function answerWrongPaths(server: FastifyInstance): void {
	server.setNotFoundHandler(async ({ method, url }, reply) => {
		const { pathname } = new URL(url, 'http://sandbox');
		const message = `Not Found: ${method} ${pathname}`;
		const isRegistry = pathname.startsWith('/api/');
		return await reply
			.code(404)
			.send(isRegistry ? { title: 'Not Found', code: '404', message } : { errorCode: '404', error: message });
	});
}
