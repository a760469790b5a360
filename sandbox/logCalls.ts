import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Stored } from './store';
import { parsed, type Call, type Traffic } from './traffic';

/** Returns whether a URL belongs to the sandbox's own page and not to the two services. */
const isOfPage = (url: string): boolean => /^\/($|\?|control\/|page\/|favicon\.ico$)/.test(url);

/** Records every request to the two services, even if it gets no answer. */
export function logCalls(server: FastifyInstance, traffic: Traffic): void {
	const open = new WeakMap<FastifyRequest, Stored<Call>>();
	const begin = ({ method, url, headers, body = null }: FastifyRequest) =>
		traffic.begun({ direction: 'in', method, url, headers, body });
	server.addHook('preHandler', async (request) => {
		if (!isOfPage(request.url)) open.set(request, begin(request));
	});
	server.addHook('onSend', async (request, reply, payload) => {
		if (isOfPage(request.url)) return payload;
		// Fastify answers a request with an unreadable body before the preHandler hook, so the call is not in the log yet.
		const call = open.get(request) ?? begin(request);
		traffic.answered(call, reply.statusCode, typeof payload === 'string' ? parsed(payload) : null);
		return payload;
	});
}
