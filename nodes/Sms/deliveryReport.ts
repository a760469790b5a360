import { tidy } from '../shared/greek';

/*
 * What the status of a delivery report means. The platform documents DELIVRD and ERROR; the others that carriers use are
 * those of SMPP 3.4, 5.2.28. Every status passes on as it came.
 */

/** After these another report follows. */
const INTERMEDIATE = new Set(['PENDING', 'SENT', 'SUBMITTED', 'ACCEPTD', 'ENROUTE']);

/** The form in which two statuses are compared: without case and spaces, and the word in full as the documented one. */
export function asCompared(status: string): string {
	const compared = tidy(status).toUpperCase();
	return compared === 'DELIVERED' ? 'DELIVRD' : compared;
}

/** Whether the message reached its recipient. */
export function isDelivered(status: string): boolean {
	return asCompared(status) === 'DELIVRD';
}

/** Whether no other report follows; an unknown status counts as the last one, so that nobody waits for ever. */
export function isFinal(status: string): boolean {
	return !INTERMEDIATE.has(asCompared(status));
}
