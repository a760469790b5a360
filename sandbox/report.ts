import type { Outbox } from './outbox';
import type { RequestedMessage } from './sendRequest';
import type { State } from './state';

/* Decides whether a message arrives on its phone, and sends the platform's delivery report. */

/** Decides about the next accepted message. Returns the carrier's error code if it is not delivered, otherwise ''. */
export function failureOf({ messages, trouble: { notDelivered, reportError } }: State): string {
	if (notDelivered === 0) return reportError;
	// The failures are spread evenly over the messages.
	const failedAfter = (count: number): number => Math.floor((count * notDelivered) / 100);
	return failedAfter(messages.length + 1) > failedAfter(messages.length) ? reportError || '27' : '';
}

/**
 * Sends the delivery reports for one message, as the switches say. The URL keeps the query that the institution gave it, unless
 * the switch `reportUrl` changes it.
 * @param failure the carrier's error code. Empty: the message is delivered
 * @param dueAt the time of the first report, in Unix milliseconds
 */
export async function report(
	{ dlrUrl: url, serviceId, recipient }: RequestedMessage,
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
