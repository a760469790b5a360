import { NodeOperationError, type IDataObject, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { includeInputFieldsByDefault, language } from './fields';
import { failEveryRow } from './items';
import { isTool } from './aiTool';
import { getParameter, readChoice, readFlagOption, getOption } from './parameters';
import { Problem, toResult } from '../texts/problem';
import type { Language } from '../texts/notice';

/** Runs the chosen operation for all items. An unknown operation is an error of each item. @throws if On Error is Stop */
export async function runOperation(
	context: IExecuteFunctions,
	operations: Record<string, (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>>,
): Promise<INodeExecutionData[][]> {
	const name = toResult(() =>
		readChoice(getParameter(context, 'operation', 'Operation', 0), 'Operation', Object.keys(operations)),
	);
	// If the operation is unknown, n8n can't give its options.
	return await runNode(context, async () =>
		name instanceof Problem ? failEveryRow(context, name, 'el') : await operations[name]!(context),
	);
}

/**
 * Runs a node. As an AI agent's tool, it returns an error as the agent's answer, because n8n hides errors from the model: an
 * agent of type version 2 gets nothing, and one of version 3 or later gets only the message. For an MCP client, which has no
 * execution, it throws a NodeOperationError with the same texts, because n8n puts a text of its own into a NodeApiError for a
 * broken connection, which says to try again at once.
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

/** Shows warnings over the node's output. Undefined messages are skipped. */
export function addWarnings(context: IExecuteFunctions, messages: Array<string | undefined>): void {
	for (const message of messages.filter((each) => each !== undefined))
		context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

/** Reads the option Language. @throws Problem if an expression gives another value */
export const readLanguage = (context: IExecuteFunctions): Language =>
	readChoice(getOption(context, language, 0), language.displayName, ['both', 'el', 'en']);

/**
 * Returns whether items begin with the fields of their input items. The model of an AI agent gets only the node's own fields.
 */
export const readIncludeInputFields = (context: IExecuteFunctions): boolean =>
	!isTool(context) && readFlagOption(context, includeInputFieldsByDefault);
