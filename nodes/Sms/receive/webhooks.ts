import * as n8nWorkflow from 'n8n-workflow';
import type { INodeParameters, IWebhookDescription } from 'n8n-workflow';

/*
 * The two web services that an institution hosts. n8n knows two names for a node's webhooks: "default" is the SMS
 * forward, "setup" the DLR request.
 *
 * Some fields depend on parameters. As expressions alone, each would start n8n's expression engine at every request;
 * with a resolver beside it, newer versions of n8n read the parameter natively, and older ones use the expression.
 */

interface Field {
	template: string;
	resolve: (parameters: INodeParameters) => unknown;
}

const httpMethod: Field = {
	template: '={{ $parameter["options"]["httpMethod"] || "POST" }}',
	resolve: ({ options }) => (options as INodeParameters | undefined)?.httpMethod || 'POST',
};
const responseMode: Field = {
	template: '={{ $parameter["respond"] || "onReceived" }}',
	resolve: ({ respond }) => respond || 'onReceived',
};
const responseData: Field = {
	// Empty: n8n answers with what the node gives as `webhookResponse`, once the execution is recorded.
	template: '={{ $parameter["respond"] === "lastNode" ? "firstEntryJson" : "" }}',
	resolve: ({ respond }) => (respond === 'lastNode' ? 'firstEntryJson' : ''),
};
const hidesForward: Field = {
	template: '={{ !$parameter["events"].includes("smsForward") }}',
	resolve: ({ events }) => !(events as string[]).includes('smsForward'),
};
const hidesReport: Field = {
	template: '={{ !$parameter["events"].includes("deliveryReport") }}',
	resolve: ({ events }) => !(events as string[]).includes('deliveryReport'),
};

function withFields(
	fixed: Pick<IWebhookDescription, 'name' | 'path' | 'responseMode' | 'responseData'>,
	fields: Record<string, Field>,
): IWebhookDescription {
	const templates = Object.fromEntries(Object.entries(fields).map(([name, { template }]) => [name, template]));
	// Undefined in versions of n8n that know no resolvers.
	const resolvers = n8nWorkflow.WEBHOOK_RESOLVERS as symbol | undefined;
	return {
		httpMethod: httpMethod.template,
		...fixed,
		...templates,
		...(resolvers !== undefined && { [resolvers]: fields }),
	};
}

export const smsTriggerWebhooks: IWebhookDescription[] = [
	withFields(
		{ name: 'default', path: 'forward' },
		{ httpMethod, responseMode, responseData, ndvHideUrl: hidesForward },
	),
	withFields(
		{ name: 'setup', path: 'dlr', responseMode: 'onReceived', responseData: '' },
		{ httpMethod, ndvHideUrl: hidesReport },
	),
];
