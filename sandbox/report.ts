import type { Outbox } from './outbox';
import type { Asked } from './sendRequest';
import type { State } from './state';

/* What comes of a message on its phone, and what the platform reports of it. */

/** @returns the carrier's code, where the message that is taken now never arrives; otherwise an empty text */
export function failureOf({ messages, trouble: { notDelivered, reportError } }: State): string {
	if (notDelivered === 0) return reportError;
	// Evenly spread: the count of those that fail steps up at this message.
	const failedAfter = (count: number): number => Math.floor((count * notDelivered) / 100);
	return failedAfter(messages.length + 1) > failedAfter(messages.length) ? reportError || '27' : '';
}

/**
 * Reports on one message as the switches say, from the moment when it arrives. Its address is called as it was given:
 * what an institution put into the query is its own, unless a switch changes it.
 */
export async function report(
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
