import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { toProblem } from '../../lib/texts/problem';
import { runOperation } from '../../lib/n8n/node';
import { smsPlatformApiTest } from '../../lib/smsPlatform/credentialTest';
import { mapPlaceholders, searchMessages, searchServices, showMessageText } from '../../lib/smsPlatform/formLists';
import { chosenMessageText } from '../../lib/smsPlatform/properties';
import { receiveReport, resumeWebhooks } from './awaitedReport';
import { sendProperties } from './properties';
import { review } from './review/review';
import { sendAll } from './send';
import { sendAndWait } from './sendAndWait';
import { answerRejection } from '../../lib/smsPlatform/webhookAnswer';
import { INTERNAL_ERROR } from '../../lib/smsPlatform/webhookResult';

export class SmsSend implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'SMS Send',
		name: 'smsSend',
		icon: { light: 'file:../../icons/sms.svg', dark: 'file:../../icons/sms.dark.svg' },
		group: ['output'],
		version: 1,
		// `send again` on the canvas warns that this node sends the same message every time.
		subtitle: `={{ $parameter["operation"] === "sendAndWait" ? "send and wait" : $parameter["operation"] + ($parameter["operation"] !== "review" && $parameter["ifAlreadySent"] === "send" ? " again" : "") }}${chosenMessageText}`,
		description: 'Send a predefined SMS of your institution to the recipient of each item, or reply to an incoming SMS',
		defaults: { name: 'SMS Send' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'smsPlatformApi', required: true, testedBy: 'smsPlatformApiTest' }],
		webhooks: resumeWebhooks,
		properties: sendProperties,
	};

	methods = {
		credentialTest: { smsPlatformApiTest },
		listSearch: { searchServices, searchMessages },
		resourceMapping: { mapPlaceholders, showMessageText },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperation(this, {
			send: async (context) => [await sendAll(context, 'send')],
			reply: async (context) => [await sendAll(context, 'reply')],
			review: async (context) => [await review(context)],
			sendAndWait: async (context) => [await sendAndWait(context)],
		});
	}

	/** Handles the delivery report for which an execution of Send and Wait waits. n8n calls this method. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		try {
			return await receiveReport(this);
		} catch (error) {
			// The error is not thrown, because an error of this method would end the wait.
			return answerRejection(this, 'SMS Send', { ...INTERNAL_ERROR, cause: toProblem(error).message });
		}
	}
}
