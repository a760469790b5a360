import type { INodeProperties } from 'n8n-workflow';

/* The options of the node. Their readers take name, label, default and bounds from here. */

const asksRegistry = { show: { '/operation': ['validate', 'compare'] } };

export const acceptDeceased: INodeProperties = {
	displayName: 'Accept Deceased',
	name: 'acceptDeceased',
	type: 'boolean',
	displayOptions: asksRegistry,
	default: false,
	description: 'Whether a person who has died counts like everybody else. Otherwise such a person is not routed to the first output of Split by Result, and does not agree; the item says so either way.',
};

export const checkNumberFirst: INodeProperties = {
	displayName: 'Check Number First',
	name: 'checkNumberFirst',
	type: 'boolean',
	displayOptions: asksRegistry,
	default: true,
	description: 'Whether a number that can\'t be an AMKA is not matched, with the reason, instead of being sent to the registry',
};

export const concurrency: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	displayOptions: asksRegistry,
	typeOptions: { minValue: 1, maxValue: 50 },
	default: 5,
	description: 'How many questions may be in progress at the same time. Taken from the first item.',
};

export const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: false,
	description: 'Whether each item holds the columns of its row as well, before the answer. Taken from the first item.',
};

export const noMatchStatusCodes: INodeProperties = {
	displayName: 'No-Match Status Codes',
	name: 'noMatchStatusCodes',
	type: 'string',
	displayOptions: asksRegistry,
	default: '',
	placeholder: 'e.g. 400, 404',
	description: 'HTTP statuses by which your service says "no match", separated by commas: 4xx, or 200 for JSON without a match that can be read. All of these are errors otherwise.',
};

export const retries: INodeProperties = {
	displayName: 'Retries',
	name: 'retries',
	type: 'number',
	displayOptions: asksRegistry,
	typeOptions: { minValue: 0, maxValue: 10 },
	default: 2,
	description: 'How often to ask again where the service can\'t be reached, does not answer in time, is overloaded or fails. The waits between grow from one second, or are what the service asks for.',
};

export const showRegistryValues: INodeProperties = {
	displayName: 'Show Registry Values',
	name: 'showRegistryValues',
	type: 'boolean',
	displayOptions: { show: { '/operation': ['compare'] } },
	default: false,
	description: 'Whether the item holds the registry\'s own text of what differs or is missing here. It is stored with the execution then.',
};

export const timeout: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	displayOptions: asksRegistry,
	typeOptions: { minValue: 0.01, maxValue: 3600, numberPrecision: 2 },
	default: 30,
	description: 'Seconds to wait for the whole answer, for each try',
};
