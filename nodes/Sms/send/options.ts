import type { INodeProperties } from 'n8n-workflow';

/* The options that SMS Send alone has. Their readers take name, label, default and bounds from here. */

const manyItems = { show: { '/operation': ['send', 'reply'] } };

export const allowEmptyValues: INodeProperties = {
	displayName: 'Allow Empty Values',
	name: 'allowEmptyValues',
	type: 'boolean',
	default: false,
	description: 'Whether a placeholder may be filled with nothing. Otherwise an item with an empty value is refused.',
};

export const duplicateKey: INodeProperties = {
	displayName: 'Duplicate Key',
	name: 'duplicateKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. 2026-winter',
	description: 'Your own text in place of the values, by which a message to somebody is the same as an earlier one',
};

export const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	displayOptions: { show: { '/operation': ['send', 'reply', 'review'] } },
	default: false,
	description: 'Whether each item begins with the columns of its row. The first item counts.',
};

export const maxWaitMinutes: INodeProperties = {
	displayName: 'Max Wait (Minutes)',
	name: 'maxWaitMinutes',
	type: 'number',
	displayOptions: { show: { '/operation': ['sendAndWait'] } },
	// A week, as long as carriers try.
	typeOptions: { minValue: 0.001, maxValue: 10_080, numberPrecision: 3 },
	default: 60,
	description: 'How long to wait for the report, up to 10080 minutes (a week). After that the status is TIMEOUT.',
};

export const messagesPerSecond: INodeProperties = {
	displayName: 'Messages per Second',
	name: 'messagesPerSecond',
	type: 'number',
	displayOptions: manyItems,
	typeOptions: { minValue: 0, maxValue: 10_000, numberPrecision: 3 },
	default: 0,
	description: 'How many messages at most begin in a second, such as 5 or 0.5; 0 is no limit. The first item counts.',
};

export const skipWithinHours: INodeProperties = {
	displayName: 'Skip Within (Hours)',
	name: 'skipWithinHours',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 87_600, numberPrecision: 2 },
	default: 10,
	description:
		'A message is skipped for at least so long after it was sent, and at most twice as long; 0 is without end. The first item counts.',
};

export const smsForwardId: INodeProperties = {
	displayName: 'SMS Forward ID',
	name: 'smsForwardId',
	type: 'string',
	displayOptions: { show: { '/operation': ['send', 'review', 'sendAndWait'] } },
	default: '',
	placeholder: 'e.g. {{ $json.smsForwardId }}',
	description: 'The ID of the incoming message that this one answers. The operation Reply fills it in by itself.',
};
