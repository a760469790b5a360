import type { INodeProperties } from 'n8n-workflow';

/* The options that SMS Send alone has. Their readers take name, label, default and bounds from here. */

const allButReply = { show: { '/operation': ['send', 'review', 'sendAndWait'] } };
const manyItems = { show: { '/operation': ['send', 'reply'] } };

export const dryRun: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	displayOptions: { show: { '/operation': ['send', 'reply', 'sendAndWait'] } },
	default: false,
	description: 'Whether to check every item and send nothing',
};

export const duplicateKey: INodeProperties = {
	displayName: 'Duplicate Key',
	name: 'duplicateKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json["ΑΜ"] }}-2026-winter',
	description:
		'Your own text, up to 500 characters, that says when two messages are the same. It replaces service, message, recipient and values, so include something that differs from person to person.',
};

export const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	displayOptions: manyItems,
	default: false,
	description:
		'Whether each item begins with the columns of its input item; the result comes after them. The value of the first item counts.',
};

export const maxWaitMinutes: INodeProperties = {
	displayName: 'Max Wait (Minutes)',
	name: 'maxWaitMinutes',
	type: 'number',
	displayOptions: { show: { '/operation': ['sendAndWait'] } },
	// A week, as long as carriers try.
	typeOptions: { minValue: 0.001, maxValue: 10_080, numberPrecision: 3 },
	default: 60,
	description:
		'How long to wait for the report, up to 10080 minutes (a week). After that the workflow goes on with the status TIMEOUT.',
};

export const messagesPerSecond: INodeProperties = {
	displayName: 'Messages per Second',
	name: 'messagesPerSecond',
	type: 'number',
	displayOptions: manyItems,
	typeOptions: { minValue: 0, maxValue: 10_000, numberPrecision: 3 },
	default: 0,
	description:
		'How many messages at most begin in a second, such as 5, or 0.5 for one in two seconds; 0 is no limit. The value of the first item counts.',
};

export const normaliseRecipient: INodeProperties = {
	displayName: 'Normalise Recipient',
	name: 'normaliseRecipient',
	type: 'boolean',
	displayOptions: allButReply,
	default: true,
	description:
		"Whether to send Greek mobile numbers in the credential's Mobile Format, and to refuse a recipient that can't be a mobile number or a user name. Switch it off to send the recipient as typed, unchecked.",
};

export const skipWithinHours: INodeProperties = {
	displayName: 'Skip Within (Hours)',
	name: 'skipWithinHours',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 87_600, numberPrecision: 2 },
	default: 10,
	description:
		'A message that was sent is skipped for at least this many hours, and for at most twice as many. The node remembers at least its last 60,000 messages; of a longer list it forgets the first ones sooner. With 0 only that limit counts. If you change the number, the node forgets what it has sent. The value of the first item counts.',
};

export const smsForwardId: INodeProperties = {
	displayName: 'SMS Forward ID',
	name: 'smsForwardId',
	type: 'string',
	displayOptions: allButReply,
	default: '',
	placeholder: 'e.g. {{ $json.smsForwardId }}',
	description: 'The ID of the incoming message that this one answers. The operation Reply fills it in by itself.',
};
