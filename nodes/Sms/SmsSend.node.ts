import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { smsPlatformApiTest } from './credentialTest';
import { sendProperties } from './descriptions';
import { dispatch } from './dispatch';

export class SmsSend implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Send',
		name: 'smsSend',
		icon: { light: 'file:../../icons/sms.svg', dark: 'file:../../icons/sms.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle:
			'={{ $parameter["options"]?.dryRun ? "dry run" : "send" }}: {{ $parameter["serviceId"] }} / {{ $parameter["messageId"] }}',
		description: 'Send a predefined SMS of your institution, one message for each row',
		defaults: { name: 'SMS Send' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'smsPlatformApi', required: true, testedBy: 'smsPlatformApiTest' }],
		properties: sendProperties,
	};

	methods = { credentialTest: { smsPlatformApiTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await dispatch(this)];
	}
}
