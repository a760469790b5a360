import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendErrors } from './sendRequest';

/* Answers requests that can't be read or have a wrong path, in the format of the two services. */

/** Answers a body that the platform can't read: it has another type or is not JSON. */
export async function refuseBody(
	{ statusCode = 500, message }: FastifyError,
	_request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const errorCode = statusCode < 500 ? 'X-001' : 'X-999';
	return await reply.code(statusCode).send({ serviceId: '', errorCode, error: `${sendErrors[errorCode]}: ${message}` });
}

/**
 * Answers a path or a method that neither service has, which means a wrong Base URL. The answer repeats no service, because
 * the test of a credential recognises the platform by that.
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
