import type { INodeType, INodeTypeDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { smsPlatformApiTest } from '../../lib/smsPlatform/credentialTest';
import { keywordChecks, triggerOutputs } from './keywords';
import { REPORT_WEBHOOK, smsTriggerWebhooks, triggerProperties } from './properties';
import { receive } from './receive';

export class SmsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Trigger',
		name: 'smsTrigger',
		icon: { light: 'file:../../icons/smsTrigger.svg', dark: 'file:../../icons/smsTrigger.dark.svg' },
		group: ['trigger'],
		// The version is 2, because n8n evaluates one more expression at every request for webhook nodes of version 1.
		version: 2,
		subtitle:
			'={{ $parameter["events"].length === 2 ? "messages and reports" : $parameter["events"][0] === "smsForward" ? "messages" : "reports" }}',
		description: 'Starts the workflow when someone texts a keyword, or when a delivery report arrives',
		eventTriggerDescription: 'Send either a message with a keyword or a delivery report to the Test URL',
		defaults: { name: 'SMS Trigger' },
		inputs: [],
		outputs: `={{(${triggerOutputs})($parameter)}}`,
		credentials: [{ name: 'smsPlatformApi', required: true, testedBy: 'smsPlatformApiTest' }],
		webhooks: smsTriggerWebhooks,
		triggerPanel: {
			header: 'Try it with a test message',
			executionsHelp: {
				inactive:
					'Real messages and reports go to the Production URLs, which work once the workflow is <b>published</b>. The Test URLs work only while this node listens: press <b>Execute step</b>, then send a message to the Test URL that ends in /forward. All URLs are listed under Webhook URLs. If you use the sandbox of this package, press <b>Send test message</b> there.',
				active:
					'The workflow is published: messages and reports that come to the Production URLs start it. Its runs are listed under Executions. The Test URLs work only while this node listens.',
			},
			activationHint:
				'Once the test has worked, publish the workflow. From then on, real messages to the Production URLs start it.',
		},
		properties: triggerProperties,
	};

	methods = { credentialTest: { smsPlatformApiTest } };

	webhookMethods = keywordChecks;

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this, this.getWebhookName() === REPORT_WEBHOOK ? 'deliveryReport' : 'smsForward');
	}
}
