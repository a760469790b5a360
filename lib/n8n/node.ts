import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { includeInputFieldsByDefault, language } from './fields';
import { failEveryRow } from './items';
import { answerAgent, isTool } from './aiTool';
import { getParameter, readChoice, readFlagOption, getOption } from './parameters';
import { Problem, toResult } from '../texts/problem';
import type { Language } from '../texts/notice';

/**
 * Runs the chosen operation for all items. If the operation is unknown, each item fails.
 * @throws the error of an item if On Error is Stop
 */
export async function runOperation(
	context: IExecuteFunctions,
	operations: Record<string, (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>>,
): Promise<INodeExecutionData[][]> {
	const name = toResult(() =>
		readChoice(getParameter(context, 'operation', 'Operation', 0), 'Operation', Object.keys(operations)),
	);
	// If the operation is unknown, n8n can't read its option Language. So the error is in the default language.
	return await runNode(context, async () =>
		name instanceof Problem ? failEveryRow(context, name, 'el') : await operations[name]!(context),
	);
}

/**
 * Runs a node. As a tool of an AI agent, the node returns its error as an answer to the agent. n8n also makes a tool for
 * approvals of each node (human in the loop, type `…HitlTool`). As that tool, the node throws its error.
 */
export async function runNode(context: IExecuteFunctions, run: () => Promise<INodeExecutionData[][]>) {
	const isAgentsTool = isTool(context) && !context.getNode().type.endsWith('HitlTool');
	return isAgentsTool ? await answerAgent(context, run) : await run();
}

/** Shows warnings above the node's output in n8n's editor. Undefined messages are skipped. */
export function addWarnings(context: IExecuteFunctions, messages: Array<string | undefined>): void {
	for (const message of messages.filter((each) => each !== undefined))
		context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

/** Reads the option Language. @throws Problem if an expression gives an unknown language */
export const readLanguage = (context: IExecuteFunctions): Language =>
	readChoice(getOption(context, language, 0), language.displayName, ['both', 'el', 'en']);

/**
 * Returns whether output items begin with the fields of their input items. As a tool of an AI agent, a node never includes them.
 */
export const readIncludeInputFields = (context: IExecuteFunctions): boolean =>
	!isTool(context) && readFlagOption(context, includeInputFieldsByDefault);
