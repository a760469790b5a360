import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Results } from './pool';
import { errorItem, Problem } from './problem';

/**
 * The items of a run, in input order; a row that was not tried has none.
 *
 * @param leftOut where an item has the columns of its row as well, before its own, those that it has not: an earlier run's
 * result would say what is not true of this one. A failed item has them in its details. Undefined: no columns
 * @param outputOf the output to which an item is routed, from 0
 */
export function toItems(
	context: IExecuteFunctions,
	results: Results<IDataObject>,
	leftOut: ReadonlySet<string> | undefined,
	outputOf: (result: IDataObject | Problem) => number = () => 0,
): INodeExecutionData[][] {
	const { onError } = context.getNode();
	const inputs = context.getInputData();
	const columnsOf = (itemIndex: number): IDataObject =>
		// n8n would route an item with a column of this name as a failed one.
		Object.fromEntries(Object.entries(inputs[itemIndex]!.json).filter(([column]) => column !== 'error' && leftOut?.has(column) === false));

	const outputs: INodeExecutionData[][] = [];
	for (const [itemIndex, result] of results.entries()) {
		if (result === undefined) continue;
		const item =
			result instanceof Problem
				? errorItem(leftOut !== undefined ? result.with({ input: columnsOf(itemIndex) }) : result, itemIndex, onError)
				: { json: leftOut !== undefined ? { ...columnsOf(itemIndex), ...result } : result, pairedItem: { item: itemIndex } };
		(outputs[outputOf(result)] ??= []).push(item);
	}
	return outputs;
}
