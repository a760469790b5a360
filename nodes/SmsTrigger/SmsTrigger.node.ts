import type { INodeType, INodeTypeDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { smsPlatformApiTest } from '../../lib/smsPlatform/credentialTest';
import { keywordChecks, triggerOutputs } from './keywords';
import { smsTriggerWebhooks, triggerProperties } from './properties';
import { receive } from './receive';

export class SmsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Trigger',
		name: 'smsTrigger',
		icon: { light: 'file:../../icons/smsTrigger.svg', dark: 'file:../../icons/smsTrigger.dark.svg' },
		group: ['trigger'],
		// n8n evaluates one more expression for webhook nodes of version 1, at every request.
		version: 2,
		subtitle:
			'={{ $parameter["events"].length === 2 ? "messages and reports" : $parameter["events"][0] === "smsForward" ? "messages" : "reports" }}',
		description: 'Starts the workflow when someone texts a keyword, or when a delivery report arrives',
		eventTriggerDescription: 'Have a message with a keyword, or a delivery report, sent to the Test URL',
		defaults: { name: 'SMS Trigger' },
		inputs: [],
		outputs: `={{(${triggerOutputs})($parameter)}}`,
		credentials: [{ name: 'smsPlatformApi', required: true, testedBy: 'smsPlatformApiTest' }],
		webhooks: smsTriggerWebhooks,
		triggerPanel: {
			header: 'Try it with a test message',
			executionsHelp: {
				inactive:
					'The Production URLs work once the workflow is <b>published</b> (active). The Test URLs work only while you listen here: press the button, then have a message sent to them.',
				active:
					'The workflow is active: messages and reports that come to the Production URLs start it, and you find the runs under Executions. The Test URLs work only while you listen here.',
			},
			activationHint:
				'When it works, publish the workflow: from then on the Production URLs, which you find under Webhook URLs, start it.',
		},
		properties: triggerProperties,
	};

	methods = { credentialTest: { smsPlatformApiTest } };

	webhookMethods = keywordChecks;

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this, this.getWebhookName() === 'setup' ? 'deliveryReport' : 'smsForward');
	}
}
