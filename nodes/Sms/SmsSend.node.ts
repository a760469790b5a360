import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { nodeError } from '../shared/errors';
import { maskNumbers } from '../shared/greek';
import { runRows } from '../shared/runRows';
import { smsPlatformApiTest } from './credentialTest';
import { sendProperties } from './descriptions';
import { dispatch } from './dispatch';
import { INTERNAL_ERROR, refuse } from './inbound';
import { nameProblem, readName } from './send';
import { receiveReport, resumeWebhooks, sendAndWait } from './waitForReport';

export class SmsSend implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Send',
		name: 'smsSend',
		icon: { light: 'file:../../icons/sms.svg', dark: 'file:../../icons/sms.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle:
			'={{ $parameter["options"]?.dryRun ? "dry run" : $parameter["operation"] === "sendAndWait" ? "send and wait" : "send" }}: {{ $parameter["serviceId"] }} / {{ $parameter["messageId"] }}',
		description: 'Send a predefined SMS of your institution, one message for each row',
		defaults: { name: 'SMS Send' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'smsPlatformApi', required: true, testedBy: 'smsPlatformApiTest' }],
		webhooks: resumeWebhooks,
		properties: sendProperties,
	};

	methods = { credentialTest: { smsPlatformApiTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		if (this.getNodeParameter('operation', 0) !== 'sendAndWait') return [await dispatch(this)];

		const { items, failures } = await runRows(
			this,
			() => 1,
			async (itemIndex) => await sendAndWait(this, itemIndex),
			(problem, itemIndex) => nameProblem(problem, readName(this, itemIndex)),
		);
		const [failure] = failures;
		if (failure !== undefined) throw nodeError(this.getNode(), failure.problem, failure.itemIndex);
		return [items];
	}

	/** Called where a waiting execution's delivery report arrives. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		try {
			return await receiveReport(this);
		} catch (error) {
			// Thrown on, it would end the wait.
			this.logger.error(`SMS Send could not process a delivery report: ${maskNumbers((error as Error).message)}`);
			return refuse(this, INTERNAL_ERROR);
		}
	}
}
