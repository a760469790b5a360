import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../../lib/n8n/aiTool';
import { nodeError, Problem } from '../../lib/texts/problem';

/** Throws an error if an AI agent uses the node as its tool, because an agent can't give it a list of messages. */
export function refuseAsTool(context: IExecuteFunctions): void {
	if (!isTool(context)) return;
	const problem = new Problem(
		"SMS Results can't run as an AI tool",
		'SMS Results needs a list of messages. Put the node into the workflow after a node that outputs messages, such as a Data Table',
		{ outcome: 'rejected' },
	);
	throw nodeError(context.getNode(), problem, undefined, 'el');
}
