import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Results } from '../shared/pool';
import { errorItem, Problem } from '../shared/problem';
import { isTool } from '../shared/tool';
import type { Operation, RunSettings } from './runSettings';

/** Whether a row's answer is a yes: matched, or valid. */
export function isYes(json: IDataObject, operation: Operation): boolean {
	return json[operation === 'checkNumber' ? 'valid' : 'matched'] === true;
}

/**
 * The items of a run by the output on which each leaves, in the order of the rows: all on one, or with
 * *Split by Result* each yes on the first and the rest on the second.
 *
 * A failed row is neither. Where On Error gives errors an output of their own, n8n takes them there; otherwise they
 * leave where no yes does, so that nobody counts as matched whom the registry was not asked about.
 */
export function splitByResult(context: IExecuteFunctions, run: Results<IDataObject>, { operation, isSplit }: RunSettings): INodeExecutionData[][] {
	const { onError } = context.getNode();
	const items = [...run.entries()].flatMap(([itemIndex, result]): Array<[output: number, item: INodeExecutionData]> => {
		if (result === undefined) return [];
		if (result instanceof Problem) return [[1, errorItem(result, itemIndex, onError)]];
		return [[isYes(result, operation) ? 0 : 1, { json: result, pairedItem: { item: itemIndex } }]];
	});
	const itemsOf = (...outputs: number[]) => items.filter(([output]) => outputs.includes(output)).map(([, item]) => item);
	// To the model of an AI agent n8n shows the first output alone.
	return isSplit && !isTool(context) ? [itemsOf(0), itemsOf(1)] : [itemsOf(0, 1)];
}
