import { EventEmitter } from 'node:events';

import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { strict } from '../strict';

/** One call to a trigger: its own copy of the static data, as n8n loads it, and a response that Node ends. */
export function call(
	node: string,
	{ staticData = {}, mode = 'webhook' }: { staticData?: IDataObject; mode?: string } = {},
) {
	const sent: unknown[] = [];
	const response = Object.assign(new EventEmitter(), {
		statusCode: 200,
		end(body?: unknown) {
			sent.push(body);
			return this;
		},
	});
	const context = strict('context', {
		getMode: () => mode,
		getWorkflow: () => ({ id: 'workflow' }),
		getNode: () => ({ id: node, name: `any name ${Math.random()}` }),
		getWorkflowStaticData: (type: string) => {
			if (type !== 'global') throw new Error("A node's own static data goes by its name");
			return staticData;
		},
		getResponseObject: () => response,
	}) as unknown as IWebhookFunctions;
	/** n8n answers, also where the caller has gone. */
	const answer = (status: number, body?: unknown) => {
		response.statusCode = status;
		response.end(body);
	};
	/** The caller leaves before the answer: Node says no `finish` then, whatever is answered later. */
	const hangUp = () => response.emit('close');
	return { context, staticData, answer, hangUp, sent };
}
