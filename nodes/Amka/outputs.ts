import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Run } from '../shared/pool';
import { errorItem, Problem } from '../shared/problem';
import { isTool } from '../shared/tool';
import type { Operation, RunSettings } from './runSettings';

/** Whether a row's answer is a yes: matched, with nothing that speaks against it; agrees; or valid. */
export function isYes(json: IDataObject, operation: Operation): boolean {
	switch (operation) {
		case 'validate':
			// A field of the record may be called "reason" too.
			return json.matched === true && json.reason !== 'deceased';
		case 'compare':
			return json.agrees === true;
		case 'checkNumber':
			return json.valid === true;
	}
}

/** A row's problem without `outcome`, which says what became of a message: here none is sent. */
export function amkaProblem(problem: Problem): Problem {
	const { outcome: _, ...details } = problem.details;
	return new Problem(problem.message, problem.description, details, problem.httpCode);
}

/** A column `error` would send the item to the wrong branch; the others, of an earlier AMKA node, would say what is not true of this answer. */
const NOT_PASSED_ON = new Set([
	...['error', 'matched', 'agrees', 'valid', 'reason', 'warning', 'notice', 'deceased'],
	...['same', 'differs', 'missingHere', 'missingThere', 'ssnChanged', 'birthDateIsFictitious', 'registry'],
]);

/**
 * The items of a run by the output on which each leaves, in the order of the rows: all on one, or with
 * *Split by Result* each yes on the first and the rest on the second.
 *
 * A failed row is neither. Where On Error gives errors an output of their own, n8n takes them there; otherwise they
 * leave where no yes does, so that nobody counts as matched whom the registry was not asked about.
 */
export function splitByResult(context: IExecuteFunctions, run: Run<IDataObject>, { operation, isSplit, includeInputFields }: RunSettings): INodeExecutionData[][] {
	const { onError } = context.getNode();
	const inputs = context.getInputData();
	const columnsOf = (itemIndex: number): IDataObject =>
		Object.fromEntries(Object.entries(inputs[itemIndex]!.json).filter(([column]) => !NOT_PASSED_ON.has(column)));
	const items: Array<[itemIndex: number, output: number, item: INodeExecutionData]> = [
		...run.done.map(([itemIndex, json]): [number, number, INodeExecutionData] => [
			itemIndex,
			isYes(json, operation) ? 0 : 1,
			{ json: includeInputFields ? { ...columnsOf(itemIndex), ...json } : json, pairedItem: { item: itemIndex } },
		]),
		...run.failed.map(([itemIndex, problem]): [number, number, INodeExecutionData] => [
			itemIndex,
			1,
			errorItem(includeInputFields ? problem.with({ input: columnsOf(itemIndex) }) : problem, itemIndex, onError),
		]),
	];
	items.sort(([one], [other]) => one - other);
	const itemsOf = (...outputs: number[]) => items.filter(([, output]) => outputs.includes(output)).map(([, , item]) => item);
	// To the model of an AI agent n8n shows the first output alone.
	return isSplit && !isTool(context) ? [itemsOf(0), itemsOf(1)] : [itemsOf(0, 1)];
}
