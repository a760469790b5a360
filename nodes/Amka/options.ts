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
		'Whether a person who has died counts like everybody else. If off, Split by Result routes that person to the second output, and Compare says that the data do not agree. The item says in both cases that the person has died.',
};

export const checkNumberFirst: INodeProperties = {
	displayName: 'Check Number First',
	name: 'checkNumberFirst',
	type: 'boolean',
	displayOptions: asksRegistry,
	default: true,
	description:
		"Whether to check the number first. One that can't be an AMKA is then not sent to the registry: the item says not matched, and why.",
};

export const concurrency: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	displayOptions: asksRegistry,
	typeOptions: { minValue: 1, maxValue: 50 },
	default: 5,
	description: 'How many look-ups are in progress in parallel, from 1 to 50. The value of the first item counts.',
};

export const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: false,
	description:
		'Whether each item begins with the columns of its input item; the answer comes after them. The value of the first item counts.',
};

export const noMatchStatusCodes: INodeProperties = {
	displayName: 'No-Match Status Codes',
	name: 'noMatchStatusCodes',
	type: 'string',
	displayOptions: asksRegistry,
	default: '',
	placeholder: 'e.g. 400, 404',
	description:
		'HTTP statuses with which your service says "no match", separated by commas. Write 4xx statuses, or 200 if it answers with JSON in which match has no readable value. Without this option such answers are errors.',
};

export const retries: INodeProperties = {
	displayName: 'Retries',
	name: 'retries',
	type: 'number',
	displayOptions: asksRegistry,
	typeOptions: { minValue: 0, maxValue: 10 },
	default: 2,
	description:
		"How often to ask again if the service can't be reached, does not answer in time, is overloaded or fails. The waits between grow from one second, or are what the service asks for. If it asks for more than five minutes (Retry-After), the node does not try again.",
};

export const showRegistryValues: INodeProperties = {
	displayName: 'Show Registry Values',
	name: 'showRegistryValues',
	type: 'boolean',
	displayOptions: { show: { '/operation': ['compare'] } },
	default: false,
	description:
		"Whether the item also contains the registry's own text of each field that differs or is empty in your data. n8n then stores it with the execution.",
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
