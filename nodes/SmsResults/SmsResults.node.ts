import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { runOperation, runNode } from '../../lib/n8n/node';
import { refuseAsTool } from './refuseAsTool';
import { resultsProperties } from './properties';
import { usage } from './usage/usage';
import { whoGotIt } from './whoGotIt/whoGotIt';

export class SmsResults implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Results',
		name: 'smsResults',
		icon: { light: 'file:../../icons/smsResults.svg', dark: 'file:../../icons/smsResults.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ $parameter["operation"] === "usage" ? "usage: " + $parameter["usageOutput"] : "who got it: " + $parameter["whoGotItOutput"] }}',
		description: 'See who got your messages, and count the messages sent in each month. This node sends nothing.',
		defaults: { name: 'SMS Results' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: resultsProperties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runNode(this, async () => {
			refuseAsTool(this);
			return await runOperation(this, {
				whoGotIt: async (context) => [whoGotIt(context)],
				usage: async (context) => [usage(context)],
			});
		});
	}
}
