import type { IExecuteFunctions } from 'n8n-workflow';

/** Returns whether the node runs as the tool of an AI agent. Then its type has a name of its own, which ends in "Tool". */
export function isTool(context: IExecuteFunctions): boolean {
	// Some contexts of n8n lack this function. Then only the name of the type shows whether the node is a tool.
	const { isToolExecution } = context as Partial<IExecuteFunctions>;
	return isToolExecution?.call(context) === true || context.getNode().type.endsWith('Tool');
}
