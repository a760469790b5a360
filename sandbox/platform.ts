import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Sandbox } from './server';
import type { CallResult } from './outbox';
import { answerWithTrouble, sendAnswer } from './trouble';

/** A service as the platform's operator defines it. */
interface Service {
	keywords: string[];
	/** Predefined messages by messageId, with placeholders `{label,position}`. */
	messages: Record<string, string>;
}

/** The services that the sandbox's operator has defined, by serviceId. */
export const services: Readonly<Record<string, Service>> = {
	'101': {
		keywords: ['ΒΑ', 'ΒΑΘΜΟΣ'],
		messages: {
			'1': 'Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}',
			'2': 'Οι βαθμοί της εξεταστικής ανακοινώθηκαν.',
			'3': 'Δεν βρέθηκε βαθμός σας σε αυτό το μάθημα.',
		},
	},
	'102': {
		keywords: ['ΣΙΤΙΣΗ', 'ΒΟΗΘΕΙΑ'],
		messages: {
			'1': 'Η αίτηση {Αριθμός,1} εγκρίθηκε.',
			'2': 'Για τον βαθμό σας στείλτε ΒΑ και το μάθημα, όπως: ΒΑ ΦΥΣΙΚΗ',
		},
	},
	'103': {
		keywords: [],
		messages: { '1': 'Ο κωδικός επιβεβαίωσης της εγγραφής σας είναι {Κωδικός,1}' },
	},
};

/** User names of the institution that may stand in place of a mobile number, and the mobiles behind them. */
const userNames: Readonly<Record<string, string>> = { dokimastikos: '6900000001', dokimastikou: '6900000004' };

/** @returns the number of the phone on which a message to this recipient arrives */
export const phoneOf = (recipient: string): string =>
	Object.hasOwn(userNames, recipient) ? userNames[recipient]! : recipient;

/**
 * Why a message is not taken. Only E-002 is known from the document; the other codes are the
 * sandbox's own, their descriptions are reasons that working clients list.
 */
export const sendErrors = {
	'E-002': 'Unknown Service',
	'X-001': 'Invalid Request',
	'X-002': 'Unknown Institution',
	'X-003': 'Invalid Pre-Shared Key',
	'X-004': 'Unknown Message',
	'X-005': 'Wrong Replacements',
	'X-006': 'Unknown Recipient',
	'X-999': 'General Error',
} as const;

/** A message that was taken. */
export interface Message {
	serviceId: string;
	messageId: string;
	recipient: string;
	/** The final text, placeholders filled. */
	text: string;
	/** Where its delivery report goes; empty: nobody asked for one. */
	dlrUrl: string;
	/** The forward that it answers, or empty. */
	smsForwardId: string;
	takenAt: string;
	/** When it arrives on the phone. */
	arrivesAt: string;
	/** The carrier's code, where it never arrives; otherwise empty. */
	failure: string;
}

/** An SMS that a user sent to the platform. */
export interface Text {
	at: string;
	msisdn: string;
	text: string;
	/** Its first word, where that is a keyword of a service; otherwise empty, and nobody was called. */
	keyword: string;
	/** What the institution answered at last; null: nothing yet. */
	result: CallResult | null;
}

/** A report that is to reach the caller before its answer holds that answer up, but not for ever. */
const mostMsBeforeAnswer = 5000;

type Request = Pick<Message, 'serviceId' | 'messageId' | 'recipient' | 'text' | 'dlrUrl' | 'smsForwardId'>;

/** Reads one send request. @returns the message, or the code of the reason why it isn't taken */
function readMessage(body: unknown, sandbox: Sandbox): Request | keyof typeof sendErrors {
	if (body === null || typeof body !== 'object' || Array.isArray(body)) return 'X-001';
	const fields = body as Record<string, unknown>;
	const { institution, preSharedKey } = sandbox.settings;
	if (fields.institution !== institution) return 'X-002';
	if (fields['pre-shared key'] !== preSharedKey) return 'X-003';

	const { serviceId, messageId, recipient, replacements } = fields;
	const dlrUrl = fields['dlr-url'] ?? '';
	const smsForwardId = fields['sms-forward-id'] ?? '';
	if (
		typeof serviceId !== 'string' ||
		typeof messageId !== 'string' ||
		typeof recipient !== 'string' ||
		typeof dlrUrl !== 'string' ||
		typeof smsForwardId !== 'string' ||
		!Array.isArray(replacements) ||
		!replacements.every((value): value is string => typeof value === 'string')
	) {
		return 'X-001';
	}
	const service = Object.hasOwn(services, serviceId) ? services[serviceId] : undefined;
	if (!service) return 'E-002';
	const template = Object.hasOwn(service.messages, messageId) ? service.messages[messageId] : undefined;
	if (template === undefined) return 'X-004';

	let highest = 0;
	const text = template.replace(/\{[^{},]*,(\d+)\}/g, (_, position: string) => {
		highest = Math.max(highest, Number(position));
		return replacements[Number(position) - 1] ?? '';
	});
	if (replacements.length !== highest) return 'X-005';
	if (!/^(69|68|94)\d{8}$/.test(phoneOf(recipient))) return 'X-006';
	return { serviceId, messageId, recipient, text, dlrUrl, smsForwardId };
}

/** Without case and accents: users type a keyword as they like. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();

/** The SMS platform's side that institutions call: one operation. */
export function smsPlatform(server: FastifyInstance, sandbox: Sandbox): void {
	server.post('/sendSMS', async (request, reply) => await sandbox.counted(() => take(request, reply)));

	const take = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
		const { recipient } = (request.body ?? {}) as { recipient?: unknown };
		const spared = sandbox.trouble.recipient !== '' && sandbox.trouble.recipient !== recipient;
		const answer = spared ? 'normal' : sandbox.nextAnswer();
		if (!spared) await sandbox.delay();
		if (answerWithTrouble(answer, sandbox.trouble, request, reply)) return reply;

		const message = answer === 'refuse' ? 'X-999' : readMessage(request.body, sandbox);
		const serviceId = (request.body as { serviceId?: unknown } | null)?.serviceId ?? '';
		if (typeof message === 'string') {
			// Nothing was accepted that an answer could be cut after; any other trouble holds for a refusal too.
			const kind = answer === 'cutAfter' ? 'normal' : answer;
			return sendAnswer(kind, { serviceId, errorCode: message, error: sendErrors[message] }, request, reply);
		}
		const early = sandbox.trouble.report === 'early';
		const arrives = Date.now() + (early ? 0 : sandbox.trouble.reportDelayMs);
		const reported = report(message, arrives, sandbox);
		sandbox.took({
			...message,
			takenAt: new Date().toISOString(),
			arrivesAt: new Date(arrives).toISOString(),
			failure: sandbox.trouble.reportError,
		});
		if (early) await Promise.race([reported, sandbox.wait(mostMsBeforeAnswer)]);
		return sendAnswer(answer, { serviceId, errorCode: '', error: '' }, request, reply);
	};
}

/** Reports on one message as the switches say, from the moment when it arrives. */
async function report({ dlrUrl: url, serviceId, recipient }: Request, dueAt: number, sandbox: Sandbox): Promise<void> {
	const { report: kind, reportError } = sandbox.trouble;
	if (!url || kind === 'lost') return;

	const last = reportError ? { status: 'ERROR', error: reportError } : { status: 'DELIVRD' };
	const steps = {
		normal: [last],
		early: [last],
		twice: [last, last],
		intermediate: [{ status: 'SUBMITTED' }, { status: 'SENT' }, last],
	}[kind];
	const bodies = steps.map((step) => ({ serviceId, recipient, ...step }));
	await sandbox.outbox.begin({ url, bodies, dueAt, text: 0 }).done;
}

/**
 * A user sends an SMS to the platform, which passes it on when its first word is a keyword of a service.
 * @param msisdn the user's number, as the platform is to name it
 * @param text the whole SMS; what follows the keyword becomes the body
 * @returns what the institution answered first, or undefined when the text has no known keyword (then nothing is called)
 */
export async function forward(sandbox: Sandbox, msisdn: string, text: string): Promise<CallResult | undefined> {
	const [, word = '', body = ''] = /^\s*(\S*)\s*([^]*)$/.exec(text) ?? [];
	const known = Object.values(services).flatMap((service) => service.keywords.map(fold));
	// As the user typed it; the documents don't say that the platform tidies it.
	const keyword = known.includes(fold(word)) ? word : '';
	const { id } = sandbox.received({ at: new Date().toISOString(), msisdn, text, keyword, result: null });
	if (!keyword) return undefined;

	const { forwardUrl, preSharedKey } = sandbox.settings;
	const request = {
		MSISDN: msisdn,
		keyword,
		body,
		'pre-shared key': preSharedKey,
		'sms-forward-id': randomUUID(),
	};
	return await sandbox.outbox.begin({ url: forwardUrl, bodies: [request], dueAt: Date.now(), text: id }).first;
}
