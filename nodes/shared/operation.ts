import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failEveryRow } from './items';
import { getParameter, readChoice } from './parameter';
import { asProblem } from './problem';

/**
 * Runs the operation that is chosen, one for all rows. One that is none of them is an error of every row.
 *
 * @param operations what runs each, by its value
 * @returns the items of each output
 * @throws NodeApiError or NodeOperationError where it is none and On Error says to stop
 */
export async function runOperation(
	context: IExecuteFunctions,
	operations: Record<string, (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>>,
): Promise<INodeExecutionData[][]> {
	let name: string;
	try {
		name = readChoice(getParameter(context, 'operation', 'Operation', 0), 'Operation', Object.keys(operations));
	} catch (error) {
		return failEveryRow(context, asProblem(error));
	}
	return await operations[name]!(context);
}
