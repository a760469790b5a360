import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerWithTrouble, sendAnswer } from './badAnswers';
import { holdUp } from './holdUp';
import { refuseBody } from './notTaken';
import type { Outbox } from './outbox';
import { phoneOf } from './phones';
import type { Running } from './running';
import { namesIn, readSendRequest, sendErrors, type Asked } from './sendRequest';
import type { State } from './state';

/** A report that is to reach the caller before its answer holds that answer up, but not for ever. */
const mostMsBeforeAnswer = 5000;

/** The SMS platform's side that institutions call: one operation. */
export function smsPlatform(server: FastifyInstance, state: State, running: Running, outbox: Outbox): void {
	server.post('/sendSMS', { errorHandler: refuseBody }, async (request, reply) => {
		state.mostInFlight = Math.max(state.mostInFlight, ++state.inFlight);
		try {
			return await take(request, reply);
		} finally {
			state.inFlight--;
		}
	});

	const take = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
		const { trouble } = state;
		const { serviceId, recipient } = namesIn.parse(request.body);
		const spared = trouble.recipient !== '' && phoneOf(trouble.recipient) !== phoneOf(recipient);
		const answer = spared ? 'normal' : state.nextAnswer();
		if (!spared) await holdUp(state, running);
		if (answerWithTrouble(answer, trouble, request, reply)) return reply;

		const message = answer === 'refuse' ? 'X-999' : readSendRequest(request.body, state.settings);
		if (typeof message === 'string') {
			void reply.code(trouble.refusalStatus);
			// Nothing was accepted that an answer could be cut after; any other trouble holds for a refusal too.
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

/** @returns the carrier's code, where the message that is taken now never arrives; otherwise an empty text */
function failureOf({ messages, trouble: { notDelivered, reportError } }: State): string {
	if (notDelivered === 0) return reportError;
	// Evenly spread: the count of those that fail steps up at this message.
	const failedAfter = (count: number): number => Math.floor((count * notDelivered) / 100);
	return failedAfter(messages.length + 1) > failedAfter(messages.length) ? reportError || '27' : '';
}

/**
 * Reports on one message as the switches say, from the moment when it arrives. Its address is called as it was given:
 * what an institution put into the query is its own, unless a switch changes it.
 */
async function report(
	{ dlrUrl: url, serviceId, recipient }: Asked,
	failure: string,
	dueAt: number,
	{ trouble }: State,
	outbox: Outbox,
): Promise<void> {
	const { report: kind, reportUrl } = trouble;
	if (!url || kind === 'lost') return;
	const called = { unchanged: url, amp: url.replaceAll('&', '&amp;'), cut: url.slice(0, -10) }[reportUrl];

	const last = failure ? { status: 'ERROR', error: failure } : { status: 'DELIVRD' };
	const steps = {
		normal: [last],
		early: [last],
		twice: [last, last],
		intermediate: [{ status: 'SUBMITTED' }, { status: 'SENT' }, last],
		outOfOrder: [last, { status: 'SENT' }, { status: 'SUBMITTED' }],
	}[kind];
	const bodies = steps.map((step) => ({ serviceId, recipient, ...step }));
	await outbox.begin({ url: called, bodies, dueAt, text: 0 }).done;
}
