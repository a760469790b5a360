import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { followUp } from './followUp';
import { review } from './review';
import { sendAll } from './sendAll';
import { sendAndWait } from './wait';

/** The operations of SMS Send by their values, and what runs each. All have one output. */
export const operations: Record<string, (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>> = {
	send: async (context) => [await sendAll(context, 'send')],
	reply: async (context) => [await sendAll(context, 'reply')],
	review: async (context) => [await review(context)],
	followUp: async (context) => [followUp(context)],
	sendAndWait: async (context) => [await sendAndWait(context)],
};
