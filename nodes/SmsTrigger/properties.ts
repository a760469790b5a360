import * as n8nWorkflow from 'n8n-workflow';
import type { INodeParameters, INodeProperties, IWebhookDescription, IWebhookFunctions } from 'n8n-workflow';

import { choice, choiceField, noticeField, optionsCollection, switchField, textField } from '../../lib/n8n/fields';
import { isBlank, readList } from '../../lib/n8n/parameters';

const TRY_WITHOUT_PHONE =
	'https://github.com/n8n-nodes-amka-sms/n8n-nodes-amka-sms/blob/main/docs/sms-trigger.md#try-it-without-a-phone';

const forwardOnly = { show: { events: ['smsForward'] } };
const reportOnly = { show: { events: ['deliveryReport'] } };

export const triggerProperties: INodeProperties[] = [
	noticeField(
		'testNotice',
		{},
		`To try this trigger, press <b>Execute step</b> and send a message to the <b>Test URL</b>, which is above under <b>Webhook URLs</b>. No phone is needed: press <b>Send test message</b> in the sandbox of this package, or <a href="${TRY_WITHOUT_PHONE}">copy a command</a>.`,
	),
	noticeField(
		'forwardAddressNotice',
		forwardOnly,
		'Real messages go to the <b>Production URL</b> that ends in /forward. Give this URL and your keywords to the operator of the SMS platform, and publish the workflow.',
	),
	// This notice is shown even if the credential has its Delivery Report URL already, because a node's form can't read the
	// credential. All workflows share that URL.
	noticeField(
		'reportAddressNotice',
		reportOnly,
		'If <b>Delivery Report URL</b> in the credential is empty, copy the Production URL that ends in /dlr into that field. If the field has the URL of another workflow, that workflow gets the reports. In that case leave the URL as it is, and use this trigger for messages only.',
	),
	{
		// The label is not "Events". With that label the editor would list the node as "SMS", and its events after one more
		// click.
		displayName: 'Start On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		noDataExpression: true,
		default: ['smsForward', 'deliveryReport'],
		description: 'If reports are selected, messages go to the first output and reports to the second',
		options: [
			choice('Message', 'smsForward', 'Someone texted one of your keywords to the platform'),
			choice('Delivery Report', 'deliveryReport', 'The platform reports whether a message was delivered'),
		],
	},
	noticeField(
		'notSelectedNotice',
		{ ...reportOnly, hide: { events: ['smsForward'] } },
		'Reports go to the second output. The first output stays empty until you select <b>Message</b>.',
	),
	textField('Keywords', 'keywords', {
		displayOptions: forwardOnly,
		placeholder: 'e.g. ΒΑ, ΣΙΤΙΣΗ',
		description:
			'Words separated by commas. Case, accents, look-alike letters and punctuation around a word make no difference. If Keywords is empty, every word is accepted.',
	}),
	switchField('Output for Each Keyword', 'keywordOutputs', {
		noDataExpression: true,
		displayOptions: { ...forwardOnly, hide: { events: ['deliveryReport'] } },
		description:
			'Whether each keyword has its own output. Add new keywords at the end, so that existing connections keep their outputs.',
	}),
	noticeField(
		'keywordOutputsNotice',
		{ show: { events: ['smsForward'], '/events': ['deliveryReport'] } },
		'To get an output for each keyword, remove <b>Delivery Report</b> from <b>Start On</b>, and receive the reports in another workflow.',
	),
	choiceField('Respond', 'respond', 'onReceived', {
		noDataExpression: true,
		displayOptions: forwardOnly,
		description: 'When the platform gets its answer to a message. Delivery reports are always answered immediately.',
		options: [
			choice('Immediately', 'onReceived', 'n8n answers with success as soon as it has recorded the message'),
			choice(
				'When Last Node Finishes',
				'lastNode',
				'The answer is the first item of the last node. The item needs the fields result, errorCode and error.',
			),
			choice(
				'Using Respond to Webhook Node',
				'responseNode',
				// Without a Webhook node, n8n stops the workflow with "No Webhook node found". If the Webhook node were enabled,
				// it would accept requests without a key.
				'The answer comes from your Respond to Webhook node. The answer needs the fields result, errorCode and error. n8n also requires a Webhook node: connect a deactivated one to the input of the Respond to Webhook node.',
			),
		],
	}),
	switchField('Accept Unsigned Reports', 'acceptUnsignedReports', {
		displayOptions: reportOnly,
		description:
			'Whether to accept reports whose URL has no signature. Anyone who knows the URL can send such a report. The output item of such a report has no reference.',
	}),
	{
		...optionsCollection,
		description: 'How the platform sends requests, and from where',
		options: [
			choiceField('HTTP Method', 'httpMethod', 'POST', {
				noDataExpression: true,
				description: 'The HTTP method of both URLs. With GET, proxies log the fields, including the key.',
				options: [
					...['GET', 'POST', 'PUT'].map((method) => choice(method, method)),
					// n8n registers the URLs for each method in a list with commas.
					choice(
						'Any',
						'GET,POST,PUT',
						'Accepts GET, POST and PUT. Choose this if you do not know which method the platform uses.',
					),
				],
			}),
			textField('IP Allowlist', 'ipAllowlist', {
				placeholder: 'e.g. 192.0.2.10, 2001:db8::/32',
				description:
					'The IP addresses and CIDR ranges from which requests are accepted, separated by commas. If IP Allowlist is empty, requests from any address are accepted. If n8n runs behind a proxy, set N8N_PROXY_HOPS.',
			}),
			switchField('Refuse with Status 200', 'refuseWithStatus200', {
				noDataExpression: true,
				description:
					'Whether refused messages are answered with HTTP status 200 and result "1". Use this if the platform reads only answers with status 200.',
			}),
		],
	},
];

export type Context = Pick<IWebhookFunctions, 'getNodeParameter'>;

/**
 * Reads a list that restricts which requests are accepted. `isLeftEmpty`: nothing was typed, so all requests are accepted.
 * `fault`: the field has an expression that returns no value.
 */
export function readGuardingList(context: Context, parameter: string, label: string) {
	const typed: unknown = context.getNodeParameter(parameter, '', { rawExpressions: true });
	const isExpression = typeof typed === 'string' && typed.startsWith('=');
	const entries = readList(isExpression ? context.getNodeParameter(parameter, '') : typed, label);
	const fault = isExpression && entries.length === 0 ? `The expression in ${label} returns no value` : undefined;
	return { entries, isLeftEmpty: !isExpression && isBlank(typed), fault };
}

/*
 * The two webhooks of the trigger: one for incoming messages (SMS forward) and one for delivery reports (DLR request). Some
 * fields of a webhook depend on parameters of the node. Such a field has an expression and a resolver. With an expression alone,
 * n8n would start its expression engine at every request. Newer versions of n8n call the resolver and need no engine.
 */

/** The name of the webhook for delivery reports. n8n allows only the names "default" and "setup" for a node's webhooks. */
export const REPORT_WEBHOOK = 'setup';

type Field = { template: string; resolve: (parameters: INodeParameters) => unknown };

const httpMethod: Field = {
	template: '={{ $parameter["options"]["httpMethod"] || "POST" }}',
	resolve: ({ options }) => (options as INodeParameters | undefined)?.httpMethod || 'POST',
};
const responseMode: Field = {
	template: '={{ $parameter["respond"] || "onReceived" }}',
	resolve: ({ respond }) => respond || 'onReceived',
};
const responseData: Field = {
	// If this field of the webhook is empty, n8n answers with the node's `webhookResponse` after it has stored the execution.
	template: '={{ $parameter["respond"] === "lastNode" ? "firstEntryJson" : "" }}',
	resolve: ({ respond }) => (respond === 'lastNode' ? 'firstEntryJson' : ''),
};
const hiddenWithout = (event: string): Field => ({
	template: `={{ !$parameter["events"].includes("${event}") }}`,
	resolve: ({ events }) => !(events as string[]).includes(event),
});

type Fixed = Pick<IWebhookDescription, 'name' | 'path' | 'responseMode' | 'responseData'>;

function webhook(fixed: Fixed, fields: Record<string, Field>): IWebhookDescription {
	const templates = Object.fromEntries(Object.entries(fields).map(([name, { template }]) => [name, template]));
	// Undefined in versions of n8n without resolvers. They use the expressions.
	const resolvers = n8nWorkflow.WEBHOOK_RESOLVERS as symbol | undefined;
	const whole = { httpMethod: httpMethod.template, ...fixed, ...templates };
	return resolvers === undefined ? whole : { ...whole, [resolvers]: fields };
}

const ofForward = { httpMethod, responseMode, responseData, ndvHideUrl: hiddenWithout('smsForward') };
const ofReport = { httpMethod, ndvHideUrl: hiddenWithout('deliveryReport') };

export const smsTriggerWebhooks: IWebhookDescription[] = [
	webhook({ name: 'default', path: 'forward' }, ofForward),
	webhook({ name: REPORT_WEBHOOK, path: 'dlr', responseMode: 'onReceived', responseData: '' }, ofReport),
];
