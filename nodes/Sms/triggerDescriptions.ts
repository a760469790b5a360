import type { INodeProperties } from 'n8n-workflow';

const forwardOnly = { show: { events: ['smsForward'] } };
const reportOnly = { show: { events: ['deliveryReport'] } };

export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			'The Production URL that ends in /forward goes to the operator of the SMS platform, who registers it for your keywords.',
		name: 'forwardAddressNotice',
		type: 'notice',
		displayOptions: forwardOnly,
		default: '',
	},
	{
		displayName:
			'The Production URL that ends in /dlr goes into the Delivery Report URL of your SMS Send nodes.',
		name: 'reportAddressNotice',
		type: 'notice',
		displayOptions: reportOnly,
		default: '',
	},
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		noDataExpression: true,
		default: ['smsForward', 'deliveryReport'],
		description: 'With both, the node has two outputs: messages on the first, reports on the second',
		options: [
			{
				name: 'SMS Forward',
				value: 'smsForward',
				description: 'Someone texted one of your keywords to the platform',
				action: 'On SMS forward (someone texted a keyword)',
			},
			{
				name: 'Delivery Report',
				value: 'deliveryReport',
				description: 'A message that was sent with a Delivery Report URL was delivered, or was not',
				action: 'On delivery report',
			},
		],
	},
	{
		displayName: 'Keywords',
		name: 'keywords',
		type: 'string',
		displayOptions: forwardOnly,
		default: '',
		placeholder: 'e.g. ΒΑ, ΒΑΘΜΟΣ',
		description: 'Keywords that start the workflow, separated by commas; empty for all. Case, accents and look-alike Greek and Latin letters make no difference. Any other keyword is answered as unknown.',
	},
	{
		displayName: 'Respond',
		name: 'respond',
		type: 'options',
		displayOptions: forwardOnly,
		default: 'onReceived',
		description: 'When the platform gets its answer to a forwarded message. Delivery reports are always answered at once.',
		options: [
			{
				name: 'Immediately',
				value: 'onReceived',
				description: 'Success, as soon as n8n has recorded the message',
			},
			{
				name: 'When Last Node Finishes',
				value: 'lastNode',
				description: 'With the first item of the last node: it needs the fields result, errorCode and error',
			},
			{
				name: 'Using Respond to Webhook Node',
				value: 'responseNode',
				description: 'With what that node says: it needs the fields result, errorCode and error',
			},
		],
	},
	{
		displayName: 'Accept Unsigned Reports',
		name: 'acceptUnsignedReports',
		type: 'boolean',
		displayOptions: reportOnly,
		default: false,
		description: 'Whether to let in reports whose address carries no signature, as when another system sent the message. Anyone who knows the address could then send reports, and they carry no reference.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'HTTP Method',
				name: 'httpMethod',
				type: 'options',
				default: 'POST',
				description: 'The method by which the platform calls. With GET the fields are read from the query, where proxies log them.',
				options: [
					{ name: 'GET', value: 'GET' },
					{ name: 'POST', value: 'POST' },
					{ name: 'PUT', value: 'PUT' },
				],
			},
			{
				displayName: 'Ignore Duplicates',
				name: 'ignoreDuplicates',
				type: 'boolean',
				default: true,
				description: 'Whether an event that comes again (same SMS forward ID, or same reference and status) is answered as a success and starts nothing. A best effort: the last 500 events are kept over a restart where Respond is Immediately; for a guarantee add the Remove Duplicates node.',
			},
			{
				displayName: 'IP Allowlist',
				name: 'ipAllowlist',
				type: 'string',
				default: '',
				placeholder: 'e.g. 192.0.2.10, 2001:db8::/32',
				description: 'Addresses and CIDR ranges that may call, separated by commas; empty for all. Behind a proxy, N8N_PROXY_HOPS must be set.',
			},
		],
	},
];
