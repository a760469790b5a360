import type { IDataObject, IExecuteFunctions, INodeExecutionData, OnError } from 'n8n-workflow';

import type { Language } from '../texts/notice';
import type { Results } from './workerPool';
import { detailsOf, nodeError, Problem } from '../texts/problem';
import { numberRows } from '../texts/rowNumber';

/**
 * Makes the output items of a run, in the order of the input. An item that was not tried has no output item. The details of a
 * failed item contain its row number.
 * @param omittedColumns input columns to leave out of the items. Undefined: copy no input columns
 * @param outputOf returns the index of the output for an item. By default all items go to the first output
 */
export function toItems(
	context: IExecuteFunctions,
	results: Results<IDataObject>,
	omittedColumns: ReadonlySet<string> | undefined,
	language: Language,
	outputOf: (itemIndex: number, result: IDataObject | Problem) => number = () => 0,
): INodeExecutionData[][] {
	const { onError } = context.getNode();
	const inputs = context.getInputData();
	const { numbers } = numberRows(inputs);
	// A column `error` is never copied, because n8n treats an item with this field as a failed one.
	const isPassedOn = (column: string) => column !== 'error' && omittedColumns?.has(column) === false;

	const outputs: INodeExecutionData[][] = [];
	for (const [itemIndex, result] of results.entries()) {
		if (result === undefined) continue;
		const columns = Object.fromEntries(Object.entries(inputs[itemIndex]!.json).filter(([name]) => isPassedOn(name)));
		const more = { row: numbers[itemIndex], ...(omittedColumns && { input: columns }) };
		const item =
			result instanceof Problem
				? errorItem(result.withDetails(more), itemIndex, onError, language)
				: { json: { ...columns, ...result }, pairedItem: { item: itemIndex } };
		(outputs[outputOf(itemIndex, result)] ??= []).push(item);
	}
	return outputs;
}

/**
 * Makes a failed output item for every input item. The node must not throw instead, because n8n would then pass the input items
 * on as successes.
 * @throws the Problem if On Error is Stop
 */
export function failEveryRow(context: IExecuteFunctions, problem: Problem, language: Language): INodeExecutionData[][] {
	if (!context.continueOnFail()) throw nodeError(context.getNode(), problem, undefined, language);
	const everyRow = context.getInputData().map(() => problem);
	return toItems(context, everyRow, undefined, language);
}

/**
 * Makes the output item of a failed item. It has only the fields `error`, `message` and `details`. With any other field n8n
 * would treat the item as a success.
 */
export function errorItem(problem: Problem, itemIndex: number, onError: OnError | undefined, language: Language) {
	const item: INodeExecutionData = {
		json: { error: problem.message, message: problem.description, details: detailsOf(problem, language) },
		pairedItem: { item: itemIndex },
	};
	// Older versions of n8n (seen up to 2.32) do not recognise an item with `details` as a failed one. They route it to the
	// error branch only if the item has an `error` outside of `json`. This `error` must not be enumerable, because n8n would
	// otherwise replace all three fields by the text of the error.
	if (onError === 'continueErrorOutput') Object.defineProperty(item, 'error', { value: new Error(problem.message) });
	return item;
}

/** Returns the item without fields that are undefined. */
export const withoutUndefined = (item: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

/**
 * Throws a Problem if the node's setting Always Output Data is on. If the node has no output items, this setting makes n8n send
 * an empty item to the first output. There it would count as a positive result.
 * @param what the operation or option, for the error
 * @param output the name of the first output, for the error
 */
export function refuseAlwaysOutputData(context: IExecuteFunctions, what: string, output: string): void {
	if (context.getNode().alwaysOutputData !== true) return;
	throw new Problem(
		`Always Output Data must be off for ${what}`,
		`With this setting, n8n puts an empty item into the output ${output} if no other item goes there. Switch the setting off in the settings of this node`,
		{ outcome: 'rejected' },
	);
}
