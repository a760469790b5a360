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
	description: 'Your own text, up to 500 characters, that says when two messages are the same. It replaces service, message, recipient and values, so include what tells people apart.',
};

export const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	displayOptions: manyItems,
	default: false,
	description: 'Whether each item also has the columns of its input item, before what became of it. Taken from the first item.',
};

export const maxWaitMinutes: INodeProperties = {
	displayName: 'Max Wait (Minutes)',
	name: 'maxWaitMinutes',
	type: 'number',
	displayOptions: { show: { '/operation': ['sendAndWait'] } },
	// A week, as long as carriers try.
	typeOptions: { minValue: 0.001, maxValue: 10_080, numberPrecision: 3 },
	default: 60,
	description: 'How long to wait for the report, up to 10080 minutes (a week). After that the workflow goes on with the status TIMEOUT.',
};

export const messagesPerSecond: INodeProperties = {
	displayName: 'Messages per Second',
	name: 'messagesPerSecond',
	type: 'number',
	displayOptions: manyItems,
	typeOptions: { minValue: 0, maxValue: 10_000, numberPrecision: 3 },
	default: 0,
	description: 'How many messages at most begin in a second, such as 5, or 0.5 for one in two seconds; 0 is no limit. Taken from the first item.',
};

export const normaliseRecipient: INodeProperties = {
	displayName: 'Normalise Recipient',
	name: 'normaliseRecipient',
	type: 'boolean',
	displayOptions: allButReply,
	default: true,
	description: 'Whether Greek mobile numbers are sent in the form that the credential names. A recipient that can\'t be reached is then refused. Switch it off to send the recipient as typed, unchecked.',
};

export const skipWithinHours: INodeProperties = {
	displayName: 'Skip Within (Hours)',
	name: 'skipWithinHours',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 87_600, numberPrecision: 2 },
	default: 10,
	description: 'A message that was sent is skipped for at least this many hours, and for at most twice as many. 0: as long as n8n has room, which is at least the last 60,000 messages. If you change the number, the node forgets what it has sent. Taken from the first item.',
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
