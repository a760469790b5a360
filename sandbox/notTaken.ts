import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendErrors } from './sendRequest';

/* What can't be read, or has nobody to read it, is answered as the two services answer everything else. */

/** The platform's answer to a body that it can't read: of another type, or no JSON. */
export async function refuseBody(
	{ statusCode = 500, message }: FastifyError,
	_request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const errorCode = statusCode < 500 ? 'X-001' : 'X-999';
	return await reply.code(statusCode).send({ serviceId: '', errorCode, error: `${sendErrors[errorCode]}: ${message}` });
}

/**
 * A path or a method that neither service has. No service is repeated: by that the test of a credential knows the platform,
 * and this is a wrong Base URL.
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
