import { EventEmitter } from 'node:events';

import type { IWebhookFunctions } from 'n8n-workflow';

import { strict } from '../strict';

/** Simulates a request to a trigger. `sent` gets the body of each call of `end` of its response. */
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
	/** Answers as n8n does, even if the caller has closed the connection. */
	const answer = (status: number, body?: unknown) => {
		response.statusCode = status;
		response.end(body);
	};
	/** Closes the connection before the answer. Node.js then emits no `finish`, even if an answer follows. */
	const hangUp = () => response.emit('close');
	return { context, answer, hangUp, sent };
}
