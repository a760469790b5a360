import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { maskNumbers } from '../shared/greek';
import { smsPlatformApiTest } from './credentialTest';
import { INTERNAL_ERROR, receive, refuse } from './inbound';
import { triggerProperties } from './triggerDescriptions';
import { smsTriggerWebhooks } from './webhooks';

export class SmsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Trigger',
		name: 'smsTrigger',
		icon: { light: 'file:../../icons/smsTrigger.svg', dark: 'file:../../icons/smsTrigger.dark.svg' },
		group: ['trigger'],
		// n8n evaluates one more expression for webhook nodes of version 1, at every call.
		version: 2,
		subtitle:
			'={{ $parameter["events"].length === 2 ? "messages and reports" : $parameter["events"][0] === "smsForward" ? "messages" : "delivery reports" }}',
		description: 'Starts the workflow when someone texts a keyword, or when a delivery report arrives',
		defaults: { name: 'SMS Trigger' },
		inputs: [],
		outputs: `={{ $parameter["events"].length > 1
			? [{ type: "${NodeConnectionTypes.Main}", displayName: "SMS Forward" }, { type: "${NodeConnectionTypes.Main}", displayName: "Delivery Report" }]
			: ["${NodeConnectionTypes.Main}"] }}`,
		credentials: [{ name: 'smsPlatformApi', required: true, testedBy: 'smsPlatformApiTest' }],
		webhooks: smsTriggerWebhooks,
		triggerPanel: {
			header: 'Give the platform its addresses',
			executionsHelp: {
				inactive:
					'The address that ends in <b>/forward</b> goes to the operator of the SMS platform, who registers it for your keywords. The one that ends in <b>/dlr</b> goes into the Delivery Report URL of your SMS Send nodes. Both work once the workflow is active; the test addresses work only while you listen here.',
				active:
					'The address that ends in <b>/forward</b> goes to the operator of the SMS platform, who registers it for your keywords. The one that ends in <b>/dlr</b> goes into the Delivery Report URL of your SMS Send nodes.',
			},
			activationHint:
				'Activate the workflow, then give the Production URLs to the operator and to your SMS Send nodes.',
		},
		properties: triggerProperties,
	};

	methods = { credentialTest: { smsPlatformApiTest } };

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		try {
			return await receive(this, this.getWebhookName() === 'setup' ? 'deliveryReport' : 'smsForward');
		} catch (error) {
			this.logger.error(`SMS Trigger could not process a call: ${maskNumbers((error as Error).message)}`);
			return refuse(this, INTERNAL_ERROR);
		}
	}
}
