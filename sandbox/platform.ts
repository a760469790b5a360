import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerWithTrouble, sendAnswer } from './badAnswers';
import { delayAnswer } from './delayAnswer';
import { rejectUnreadableBody } from './invalidRequests';
import type { Outbox } from './outbox';
import { phoneOf } from './phones';
import { failureOf, report } from './report';
import type { Running } from './running';
import { namesOf, readSendRequest, sendErrors } from './sendRequest';
import type { State } from './state';

/** If the switch `report` is `early`, the answer to a send waits for the report, at most for this many milliseconds. */
const mostMsBeforeAnswer = 5000;

/** Serves the operation of the SMS platform that institutions call. */
export function smsPlatform(server: FastifyInstance, state: State, running: Running, outbox: Outbox): void {
	server.post('/sendSMS', { errorHandler: rejectUnreadableBody }, async (request, reply) => {
		state.mostInFlight = Math.max(state.mostInFlight, ++state.inFlight);
		try {
			return await take(request, reply);
		} finally {
			state.inFlight--;
		}
	});

	const take = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
		const { trouble } = state;
		const { serviceId, recipient } = namesOf.parse(request.body);
		const isUnaffected = trouble.recipient !== '' && phoneOf(trouble.recipient) !== phoneOf(recipient);
		const answer = isUnaffected ? 'normal' : state.nextAnswer();
		if (!isUnaffected) await delayAnswer(state, running);
		if (answerWithTrouble(answer, trouble, request, reply)) return reply;

		const message = answer === 'refuse' ? 'X-999' : readSendRequest(request.body, state.settings);
		if (typeof message === 'string') {
			void reply.code(trouble.refusalStatus);
			// No message was accepted, so `cutAfter` (accept, then break the connection) does not apply. All other faults do.
			const kind = answer === 'cutAfter' ? 'normal' : answer;
			return sendAnswer(kind, { serviceId, errorCode: message, error: sendErrors[message] }, request, reply);
		}
		const early = trouble.report === 'early';
		const arrives = Date.now() + (early ? 0 : trouble.reportDelayMs);
		const failure = failureOf(state);
		const reported = report(message, failure, arrives, state, outbox);
		state.took({
			...message,
			takenAt: new Date().toISOString(),
			arrivesAt: new Date(arrives).toISOString(),
			failure,
		});
		if (early) await Promise.race([reported, running.wait(mostMsBeforeAnswer)]);
		return sendAnswer(answer, { serviceId, errorCode: '', error: '' }, request, reply);
	};
}
