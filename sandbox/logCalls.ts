import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kept } from './store';
import { parsed, type Call, type Traffic } from './traffic';

/** Returns whether a URL belongs to the sandbox's own page and not to the two services. */
const ofThePage = (url: string): boolean => /^\/($|\?|control\/|page\/|favicon\.ico$)/.test(url);

/** Logs every call of the two services, even without an answer. */
export function logCalls(server: FastifyInstance, traffic: Traffic): void {
	const open = new WeakMap<FastifyRequest, Kept<Call>>();
	const begin = ({ method, url, headers, body = null }: FastifyRequest) =>
		traffic.begun({ direction: 'in', method, url, headers, body });
	server.addHook('preHandler', async (request) => {
		if (!ofThePage(request.url)) open.set(request, begin(request));
	});
	server.addHook('onSend', async (request, reply, payload) => {
		if (ofThePage(request.url)) return payload;
		// A body that can't be read is answered before any handler.
		const call = open.get(request) ?? begin(request);
		traffic.answered(call, reply.statusCode, typeof payload === 'string' ? parsed(payload) : null);
		return payload;
	});
}
