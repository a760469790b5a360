import { NodeOperationError, type IDataObject, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { includeInputFieldsByDefault, language } from './fields';
import { failEveryRow } from './items';
import { isTool } from './aiTool';
import { getParameter, readChoice, readFlagOption, getOption } from './parameters';
import { Problem, toResult } from '../texts/problem';
import type { Language } from '../texts/notice';

/** Runs the chosen operation for all rows. One that is none is each row's error. @throws where On Error is Stop */
export async function runOperation(
	context: IExecuteFunctions,
	operations: Record<string, (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>>,
): Promise<INodeExecutionData[][]> {
	const name = toResult(() =>
		readChoice(getParameter(context, 'operation', 'Operation', 0), 'Operation', Object.keys(operations)),
	);
	// n8n gives no option of an operation that there is not.
	return await runNode(context, async () =>
		name instanceof Problem ? failEveryRow(context, name, 'el') : await operations[name]!(context),
	);
}

/**
 * Runs a node. What it throws is an agent's answer: n8n tells the model nothing of an error where the agent is of type
 * version 2, and its message alone from 3 on. An MCP client, which has no execution, is told what is thrown, but for a
 * NodeApiError: n8n's own words for a broken connection say to try again at once.
 */
export async function runNode(context: IExecuteFunctions, run: () => Promise<INodeExecutionData[][]>) {
	const node = context.getNode();
	if (!isTool(context) || node.type.endsWith('HitlTool')) return await run();
	return await run().catch((error: NodeOperationError) => {
		const { message, description } = error;
		const details = error.context?.details as IDataObject;
		if (context.getExecutionId() as string | undefined)
			return [[{ json: { error: message, message: description, details }, pairedItem: { item: 0 } }]];
		throw Object.assign(new NodeOperationError(node, ''), { message, description });
	});
}

/** Shows sentences over the node's output, as far as there are any. */
export function addWarnings(context: IExecuteFunctions, messages: Array<string | undefined>): void {
	for (const message of messages.filter((each) => each !== undefined))
		context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

/** @throws Problem where it is none of these */
export const readLanguage = (context: IExecuteFunctions): Language =>
	readChoice(getOption(context, language, 0), language.displayName, ['both', 'el', 'en']);

/** Returns whether items begin with the fields of their input items. The model of an AI agent gets only the node's own fields. */
export const readIncludeInputFields = (context: IExecuteFunctions): boolean =>
	!isTool(context) && readFlagOption(context, includeInputFieldsByDefault);
