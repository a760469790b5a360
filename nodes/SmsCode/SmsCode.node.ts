import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { runOperation } from '../../lib/n8n/node';
import { checkCodes } from './checkCode';
import { codeProperties } from './properties';
import { sendCodes } from './sendCode';
import { smsPlatformApiTest } from '../../lib/smsPlatform/credentialTest';
import {
	mapOtherPlaceholders,
	searchCodeMessages,
	searchServices,
	showMessageText,
} from '../../lib/smsPlatform/formLists';
import { chosenMessageText } from '../../lib/smsPlatform/properties';

export class SmsCode implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Code',
		name: 'smsCode',
		icon: { light: 'file:../../icons/smsCode.svg', dark: 'file:../../icons/smsCode.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: `={{ $parameter["operation"] === "checkCode" ? "check code" : "send code" }}${chosenMessageText}`,
		description:
			'Confirm that a person has access to a mobile number: send a one-time code by SMS, and check the code that the person types',
		defaults: { name: 'SMS Code' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: `={{ $parameter["operation"] === "checkCode"
			? [{ type: "${NodeConnectionTypes.Main}", displayName: "Verified" }, { type: "${NodeConnectionTypes.Main}", displayName: "Not Verified" }]
			: ["${NodeConnectionTypes.Main}"] }}`,
		credentials: [{ name: 'smsPlatformApi', required: true, testedBy: 'smsPlatformApiTest' }],
		properties: codeProperties,
	};

	methods = {
		credentialTest: { smsPlatformApiTest },
		listSearch: { searchServices, searchMessages: searchCodeMessages },
		resourceMapping: { mapPlaceholders: mapOtherPlaceholders, showMessageText },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperation(this, { sendCode: async (node) => [await sendCodes(node)], checkCode: checkCodes });
	}
}
