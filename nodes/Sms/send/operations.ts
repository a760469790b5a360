import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readChoice } from '../../shared/parameter';
import { review } from './review';
import { sendAll } from './sendAll';
import { sendAndWait } from './wait';

/** The operations of SMS Send by their values, and what runs each. */
const operations = {
	send: async (context) => await sendAll(context, 'send'),
	reply: async (context) => await sendAll(context, 'reply'),
	review,
	sendAndWait,
} satisfies Record<string, (context: IExecuteFunctions) => Promise<INodeExecutionData[]>>;

/** Runs the operation that is chosen. @throws Problem where it is none of them */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const names = Object.keys(operations) as Array<keyof typeof operations>;
	return await operations[readChoice(context.getNodeParameter('operation', 0), 'Operation', names)](context);
}
