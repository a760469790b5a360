import type { INodeProperties } from 'n8n-workflow';

/* The options of the node. Their readers take name, label, default and bounds from here. */

const asksRegistry = { show: { '/operation': ['validate', 'compare'] } };

export const acceptDeceased: INodeProperties = {
	displayName: 'Accept Deceased',
	name: 'acceptDeceased',
	type: 'boolean',
	displayOptions: asksRegistry,
	default: false,
	description:
		'Whether a person who has died counts like everybody else. The item says in both cases that the person has died.',
};

export const concurrency: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	displayOptions: asksRegistry,
	typeOptions: { minValue: 1, maxValue: 50 },
	default: 5,
	description: 'How many look-ups are in progress in parallel, from 1 to 50. The first item counts.',
};

export const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: false,
	description: 'Whether each item begins with the columns of its row. The first item counts.',
};

export const noMatchStatusCodes: INodeProperties = {
	displayName: 'No-Match Status Codes',
	name: 'noMatchStatusCodes',
	type: 'string',
	displayOptions: asksRegistry,
	default: '',
	placeholder: 'e.g. 400, 404',
	description:
		'HTTP statuses by which your service says "no match": 4xx, or 200 for JSON with an unreadable match. Otherwise these are errors.',
};

export const retries: INodeProperties = {
	displayName: 'Retries',
	name: 'retries',
	type: 'number',
	displayOptions: asksRegistry,
	typeOptions: { minValue: 0, maxValue: 10 },
	default: 2,
	description:
		'How often to ask again if the service fails or does not answer in time. The waits grow from one second.',
};

export const showRegistryValues: INodeProperties = {
	displayName: 'Show Registry Values',
	name: 'showRegistryValues',
	type: 'boolean',
	displayOptions: { show: { '/operation': ['compare'] } },
	default: false,
	description:
		"Whether the item also contains the registry's own text of what differs or is missing. n8n stores it with the execution.",
};

export const timeout: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	displayOptions: asksRegistry,
	typeOptions: { minValue: 0.01, maxValue: 3600, numberPrecision: 2 },
	default: 30,
	description: 'How many seconds each attempt waits for the whole answer, up to 3600',
};
