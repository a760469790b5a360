import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { review } from './review';
import { sendAll, type OPERATIONS } from './sendAll';
import { sendAndWait } from './wait';

/** The operations of SMS Send by their values, and what runs each. */
const operations = {
	send: async (context) => await sendAll(context, 'send'),
	reply: async (context) => await sendAll(context, 'reply'),
	review,
	sendAndWait,
} satisfies Record<(typeof OPERATIONS)[number], (context: IExecuteFunctions) => Promise<INodeExecutionData[]>>;

/** Runs the operation that is chosen. One that is none of them is an error of every row, as whatever else all rows need. */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const name = context.getNodeParameter('operation', 0);
	const isOne = (text: unknown): text is keyof typeof operations => typeof text === 'string' && Object.hasOwn(operations, text);
	return await operations[isOne(name) ? name : 'send'](context);
}
