import type { IWebhookFunctions } from 'n8n-workflow';

import type { Refused } from '../webhookRequest';

/** Milliseconds between two lines about the same trigger and code: clients must not fill the log. */
const BETWEEN_LINES = 60_000;

/** When the last line of a trigger and a code was written, and how many requests were refused since. */
const written = new Map<string, { at: number; since: number }>();

/**
 * Leaves a warning in n8n's log that a request was refused: n8n itself shows nothing of a request that starts no execution.
 * Nothing that the client sent is in it.
 */
export function logRefusal(context: IWebhookFunctions, { status, code, reason, cause = reason }: Refused): void {
	const { id, name } = context.getNode();
	const workflow = context.getWorkflow().id;
	const key = `${workflow} ${id} ${code}`;
	const last = written.get(key);
	const now = Date.now();
	if (last !== undefined && now - last.at < BETWEEN_LINES) {
		last.since++;
		return;
	}
	written.set(key, { at: now, since: 0 });
	const more = last !== undefined && last.since > 0 ? `; ${last.since} more since the last line of this kind` : '';
	context.logger.warn(
		`${name} (SMS Trigger, workflow ${workflow}) refused a request with ${code}, HTTP ${status}: ${cause}${more}`,
	);
}
