import type { IWebhookFunctions } from 'n8n-workflow';

import type { Rejection } from './webhookResult';

/** Milliseconds between two log lines about the same node and code. The pause keeps clients from filling the log. */
const BETWEEN_LINES = 60_000;

/** For each node and code: when the last log line was written, and how many requests were rejected since. */
const written = new Map<string, { at: number; since: number }>();

/**
 * Logs a warning, because n8n shows a rejected request nowhere else. The log line contains nothing that a client sent.
 * @param type the name of the node's type, as the editor shows it
 */
export function logRejection(
	context: IWebhookFunctions,
	type: string,
	{ status, code, reason, cause = reason }: Omit<Rejection, 'kind'>,
): void {
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
	const more = last !== undefined && last.since > 0 ? `; ${last.since} more such requests since the last log line` : '';
	context.logger.warn(
		`${name} (${type}, workflow ${workflow}) refused a request with ${code}, HTTP ${status}: ${cause}${more}`,
	);
}
