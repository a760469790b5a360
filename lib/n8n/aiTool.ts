import { NodeOperationError, type IDataObject, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

/*
 * Nodes as tools of AI agents. This file tells whether a node runs as a tool, and returns its errors to the agent. Other files
 * have the rest of a tool's behaviour:
 *   `lib/smsPlatform/safetyLimits.ts` (`openCallLimit`)   limits the messages of all tool calls of an execution together;
 *   `lib/smsPlatform/retryState.ts`                       returns the stored result if an agent makes the same call again;
 *   `lib/n8n/columns.ts`, `lib/n8n/parameters.ts`         read the parameters of a tool by n8n's engine, and expect no list;
 *   `nodes/SmsSend/readItem.ts`                           sends each message once in an execution, even with Send Again;
 *   `nodes/SmsResults/refuseAsTool.ts`                    refuses to run as a tool.
 */

/** Returns whether the node runs as a tool of an AI agent. As a tool, its type has its own name, which ends in "Tool". */
export function isTool(context: IExecuteFunctions): boolean {
	// Some contexts of n8n lack this function. Then only the name of the type shows whether the node is a tool.
	const { isToolExecution } = context as Partial<IExecuteFunctions>;
	return isToolExecution?.call(context) === true || context.getNode().type.endsWith('Tool');
}

/**
 * Runs a node as a tool of an AI agent. If the node fails, the error becomes an item, because n8n hides errors from the model:
 * an agent of type version 2 gets nothing, and one of version 3 or later gets only the message.
 *
 * A call of an MCP client has no execution. For such a call, this function throws a NodeOperationError with the same texts. A
 * NodeApiError can't be used: for a broken connection, n8n replaces its text by one that advises to try again immediately.
 */
export async function answerAgent(context: IExecuteFunctions, run: () => Promise<INodeExecutionData[][]>) {
	return await run().catch((error: NodeOperationError) => {
		const { message, description } = error;
		const details = error.context?.details as IDataObject;
		if (context.getExecutionId() as string | undefined)
			return [[{ json: { error: message, message: description, details }, pairedItem: { item: 0 } }]];
		throw Object.assign(new NodeOperationError(context.getNode(), ''), { message, description });
	});
}
