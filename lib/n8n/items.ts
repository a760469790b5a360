import type { IDataObject, IExecuteFunctions, INodeExecutionData, OnError } from 'n8n-workflow';

import type { Language } from '../texts/notice';
import type { Results } from './workerPool';
import { detailsOf, nodeError, Problem } from '../texts/problem';
import { numberRows } from '../texts/rowNumber';

/**
 * The items of a run, in input order; a row that was not tried has none. The details of a failed one have its row's
 * number.
 * @param leftOut the columns of an earlier run, which no item has; the others stand before its own. Undefined: none do
 * @param outputOf the output to which an item is routed, from 0
 */
export function toItems(
	context: IExecuteFunctions,
	results: Results<IDataObject>,
	leftOut: ReadonlySet<string> | undefined,
	language: Language,
	outputOf: (result: IDataObject | Problem) => number = () => 0,
): INodeExecutionData[][] {
	const { onError } = context.getNode();
	const inputs = context.getInputData();
	const { numbers } = numberRows(inputs);
	// An item with a column `error` would be a failed one.
	const isPassedOn = (column: string) => column !== 'error' && leftOut?.has(column) === false;

	const outputs: INodeExecutionData[][] = [];
	for (const [itemIndex, result] of results.entries()) {
		if (result === undefined) continue;
		const columns = Object.fromEntries(Object.entries(inputs[itemIndex]!.json).filter(([name]) => isPassedOn(name)));
		const more = { row: numbers[itemIndex], ...(leftOut && { input: columns }) };
		const item =
			result instanceof Problem
				? errorItem(result.withDetails(more), itemIndex, onError, language)
				: { json: { ...columns, ...result }, pairedItem: { item: itemIndex } };
		(outputs[outputOf(result)] ??= []).push(item);
	}
	return outputs;
}

/** Every row fails: where a node throws as a whole, n8n passes rows on as successes. @throws where On Error is Stop */
export function failEveryRow(context: IExecuteFunctions, problem: Problem, language: Language): INodeExecutionData[][] {
	if (!context.continueOnFail()) throw nodeError(context.getNode(), problem, 0, language);
	const everyRow = context.getInputData().map(() => problem);
	return toItems(context, everyRow, undefined, language);
}

/** The item of a failed row. With any key beside these three n8n would take it for a success. */
export function errorItem(problem: Problem, itemIndex: number, onError: OnError | undefined, language: Language) {
	const item: INodeExecutionData = {
		json: { error: problem.message, message: problem.description, details: detailsOf(problem, language) },
		pairedItem: { item: itemIndex },
	};
	// Up to 2.32 at least, `details` is a key too many, and only an item with an error of its own is routed to the error
	// branch. Not enumerable, or n8n would put that error's text in the place of all three keys.
	if (onError === 'continueErrorOutput') Object.defineProperty(item, 'error', { value: new Error(problem.message) });
	return item;
}

/** An item without the columns that have no value. */
export const withoutUndefined = (item: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

/** Refuses Always Output Data where the first output means yes: n8n would let an empty item out there. */
export function refuseAlwaysOutputData(context: IExecuteFunctions, what: string, output: string): void {
	if (context.getNode().alwaysOutputData !== true) return;
	throw new Problem(
		`Always Output Data must be off for ${what}`,
		`With it n8n routes an empty item to the output ${output} when nothing belongs there. Switch it off in the settings of this node`,
		{ outcome: 'rejected' },
	);
}
