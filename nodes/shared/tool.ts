import type { IExecuteFunctions } from 'n8n-workflow';

/** Whether the node runs as the tool of an AI agent: under a type of its own, whose name ends so. */
export function isTool(context: IExecuteFunctions): boolean {
	// Not in n8n 1: there the type says it alone.
	const { isToolExecution } = context as Partial<IExecuteFunctions>;
	return isToolExecution?.call(context) === true || context.getNode().type.endsWith('Tool');
}
