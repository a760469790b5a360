import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failEveryRow } from '../../shared/items';
import { getParameter, readChoice } from '../../shared/parameter';
import { asProblem } from '../../shared/problem';
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

/** Runs the operation that is chosen. One that is none of them is an error of every row. */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const names = Object.keys(operations) as Array<keyof typeof operations>;
	let name: keyof typeof operations;
	try {
		name = readChoice(getParameter(context, 'operation', 'Operation', 0), 'Operation', names);
	} catch (error) {
		return failEveryRow(context, asProblem(error))[0] ?? [];
	}
	return await operations[name](context);
}
