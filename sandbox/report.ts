import type { Outbox } from './outbox';
import type { Asked } from './sendRequest';
import type { State } from './state';

/* Whether a message arrives on its phone, and the platform's report on it. */

/** Returns the carrier's code if the message that is accepted now never arrives, otherwise an empty text. */
export function failureOf({ messages, trouble: { notDelivered, reportError } }: State): string {
	if (notDelivered === 0) return reportError;
	// Failures are spread evenly: this message fails if the number of failures rises with it.
	const failedAfter = (count: number): number => Math.floor((count * notDelivered) / 100);
	return failedAfter(messages.length + 1) > failedAfter(messages.length) ? reportError || '27' : '';
}

/**
 * Reports on one message as the switches say, from the moment when it arrives. It calls the URL unchanged, with the
 * institution's own query, unless a switch changes it.
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
