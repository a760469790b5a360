import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { failEveryRow } from './items';
import { getParameter, readChoice, getOption } from './parameter';
import { Problem, problemOr } from './problem';
import type { Language } from './notice';

/** Runs the chosen operation for all rows. One that is none is each row's error. @throws where On Error is Stop */
export async function runOperation(
	context: IExecuteFunctions,
	operations: Record<string, (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>>,
): Promise<INodeExecutionData[][]> {
	const name = problemOr(() =>
		readChoice(getParameter(context, 'operation', 'Operation', 0), 'Operation', Object.keys(operations)),
	);
	// n8n gives no option of an operation that there is not.
	return name instanceof Problem ? failEveryRow(context, name, 'el') : await operations[name]!(context);
}

/** Whether the node runs as the tool of an AI agent: under a type of its own, whose name ends so. */
export function isTool(context: IExecuteFunctions): boolean {
	// Not in n8n 1: there the type says it alone.
	const { isToolExecution } = context as Partial<IExecuteFunctions>;
	return isToolExecution?.call(context) === true || context.getNode().type.endsWith('Tool');
}

/** Shows sentences over the node's output, as far as there are any. */
export function warn(context: IExecuteFunctions, messages: Array<string | undefined>): void {
	for (const message of messages.filter((each) => each !== undefined))
		context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

/** A field of a form: a switch that is off, and a text that is empty. */
export const SWITCH = { type: 'boolean', default: false } as const;
export const TEXT = { type: 'string', default: '' } as const;

/** The options of a form, without the options themselves. */
export const optionsCollection = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	description: 'An option that counts for the whole run (see the documentation) takes the value of the first item',
} as const satisfies INodeProperties;

export const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	...SWITCH,
	description: 'Whether each item begins with the columns of its row',
};

export const timeout: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 0.01, maxValue: 3600 },
	default: 30,
	description: 'How many seconds each attempt waits for the whole answer, up to 3600',
};

export const language: INodeProperties = {
	displayName: 'Language',
	name: 'language',
	type: 'options',
	default: 'el',
	description: 'The language of notices, pages and sheets',
	options: [
		{ name: 'English', value: 'en' },
		{ name: 'Greek', value: 'el' },
		{ name: 'Greek and English', value: 'both', description: 'Sheets are in Greek' },
	],
};

/** @throws Problem where it is none of these */
export const readLanguage = (context: IExecuteFunctions): Language =>
	readChoice(getOption(context, language, 0), language.displayName, ['both', 'el', 'en']);
