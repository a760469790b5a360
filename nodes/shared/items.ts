import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Results } from './pool';
import { errorItem, Problem } from './problem';

/** A column `error` would send the item to the wrong branch; the others, of an earlier run's result, would say what is not true of this one. */
const NOT_PASSED_ON = new Set(['error', 'skipped', 'skipReason', 'unknown', 'dryRun', 'problem']);

/**
 * The items of a run, in input order; a row that was not tried has none.
 *
 * @param withInput whether an item has the columns of its row as well, before its own; a failed one has them in its details
 * @param outputOf the output to which an item is routed, from 0
 */
export function toItems(
	context: IExecuteFunctions,
	results: Results<IDataObject>,
	withInput: boolean,
	outputOf: (result: IDataObject | Problem) => number = () => 0,
): INodeExecutionData[][] {
	const { onError } = context.getNode();
	const inputs = context.getInputData();
	const columnsOf = (itemIndex: number): IDataObject =>
		Object.fromEntries(Object.entries(inputs[itemIndex]!.json).filter(([column]) => !NOT_PASSED_ON.has(column)));

	const outputs: INodeExecutionData[][] = [];
	for (const [itemIndex, result] of results.entries()) {
		if (result === undefined) continue;
		const item =
			result instanceof Problem
				? errorItem(withInput ? result.with({ input: columnsOf(itemIndex) }) : result, itemIndex, onError)
				: { json: withInput ? { ...columnsOf(itemIndex), ...result } : result, pairedItem: { item: itemIndex } };
		(outputs[outputOf(result)] ??= []).push(item);
	}
	return outputs;
}
