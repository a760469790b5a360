import { EventEmitter } from 'node:events';

import type { IWebhookFunctions } from 'n8n-workflow';

import { strict } from '../strict';

/** One call to a trigger, with a response that Node ends. */
export function call(node: string) {
	const sent: unknown[] = [];
	const response = Object.assign(new EventEmitter(), {
		statusCode: 200,
		end(body?: unknown) {
			sent.push(body);
			return this;
		},
	});
	const context = strict('context', {
		getWorkflow: () => ({ id: 'workflow' }),
		getNode: () => ({ id: node, name: `any name ${Math.random()}` }),
		getResponseObject: () => response,
	}) as unknown as IWebhookFunctions;
	/** n8n answers, even if the caller has left. */
	const answer = (status: number, body?: unknown) => {
		response.statusCode = status;
		response.end(body);
	};
	/** The caller leaves before the answer. Node then emits no `finish`, even if an answer follows. */
	const hangUp = () => response.emit('close');
	return { context, answer, hangUp, sent };
}
