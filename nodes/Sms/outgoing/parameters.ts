import type { INodeProperties, IExecuteFunctions } from 'n8n-workflow';

import { readNumberOption } from '../../shared/parameter';

/* Options that more than one operation or node has. Their readers take name, label, default and bounds from here. */

export const concurrency: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 500 },
	default: 10,
	description: 'How many messages are in progress in parallel, from 1 to 500',
};

export const messageText: INodeProperties = {
	displayName: 'Message Text',
	name: 'messageText',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}',
	description: 'The predefined message as the operator defined it, instead of the one in the credential',
};

export const noReport: INodeProperties = {
	displayName: 'No Delivery Report',
	name: 'noReport',
	type: 'boolean',
	default: false,
	description: 'Whether to ask for no delivery report, although the credential has a URL for them',
};

export const reference: INodeProperties = {
	displayName: 'Reference',
	name: 'reference',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json["ΑΜ"] }}-{{ $now.toMillis() }}',
	description:
		'Your own name for the message, which its report brings back: another one for each message. Others see it: use nothing personal.',
};

export const retries: INodeProperties = {
	displayName: 'Retries',
	name: 'retries',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 10 },
	default: 2,
	description: 'How often to send again what was certainly not accepted, from 0 to 10 times',
};

export const timeout: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 0.01, maxValue: 3600, numberPrecision: 2 },
	default: 30,
	description: 'How many seconds to wait for the answer of the platform, up to 3600',
};

/** How long to wait for an answer, in milliseconds. @throws Problem that names the option and its bounds */
export const readTimeout = (context: IExecuteFunctions): number => readNumberOption(context, timeout) * 1000;

const locator = (displayName: string, name: string, searchListMethod: string, example: string) => ({
	displayName,
	name,
	type: 'resourceLocator' as const,
	required: true,
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list' as const,
			typeOptions: { searchListMethod, searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string' as const, placeholder: `e.g. ${example}` },
	],
});

/**
 * The fields by which a message is chosen and filled in, the same for every operation that sends one.
 *
 * @param operations in which they are shown
 */
export const chooseMessage = (operations: string[]): INodeProperties[] => [
	{
		...locator('Service', 'serviceId', 'searchServices', 'gradeService'),
		displayOptions: { show: { operation: operations } },
		description: 'The SMS service. The list has those under Messages in the credential.',
	},
	{
		...locator('Message', 'messageId', 'searchMessages', 'testMessage'),
		displayOptions: { show: { operation: operations } },
		description: 'The predefined message of that service, listed by its text',
	},
];

/**
 * The same for the values of its placeholders.
 *
 * @param dependsOn further parameters by which the placeholders change
 */
export const fillMessage = (operations: string[], dependsOn: string[] = []): INodeProperties[] => [
	{
		displayName: 'Specify Replacements',
		name: 'specifyReplacements',
		type: 'options',
		displayOptions: { show: { operation: operations } },
		default: 'placeholders',
		description: 'How to give the values for placeholders such as {Βαθμός,2}. A change drops what was filled in.',
		options: [
			{
				name: 'By Placeholder',
				value: 'placeholders',
				description: 'One field for each placeholder, by its name; the text of the message has to be known',
			},
			{
				name: 'Using Fields Below',
				value: 'fields',
				description: 'One field for each placeholder, in the order of their positions',
			},
			{ name: 'Using JSON', value: 'json', description: 'A JSON list, for example from an expression' },
		],
	},
	{
		displayName: 'Placeholders',
		name: 'placeholders',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'autoMapInputData', value: null },
		description:
			'Map Automatically: each placeholder takes the column of its name, as {Βαθμός,2} the column Βαθμός or ΒΑΘΜΟΣ',
		// The editor loads the fields when this appears, and again when what they depend on changes.
		displayOptions: {
			show: { operation: operations, specifyReplacements: ['placeholders'] },
			hide: { messageId: [''] },
		},
		typeOptions: {
			loadOptionsDependsOn: ['serviceId.value', 'messageId.value', 'options.messageText', ...dependsOn],
			resourceMapper: {
				resourceMapperMethod: 'mapPlaceholders',
				// Not `add`: n8n would refuse to run a node whose stored fields are no longer those of the text.
				mode: 'map',
				valuesLabel: 'Values to Send',
				fieldWords: { singular: 'placeholder', plural: 'placeholders' },
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
				// The notice that comes with an empty list of fields says why; not each is an error.
				hideNoDataError: true,
			},
		},
	},
	{
		displayName:
			'The first value replaces the placeholder with position 1, the second the one with position 2, and so on.',
		name: 'replacementsNotice',
		type: 'notice',
		displayOptions: { show: { operation: operations, specifyReplacements: ['fields'] } },
		default: '',
	},
	{
		displayName: 'Replacements',
		name: 'replacements',
		type: 'fixedCollection',
		typeOptions: {
			multipleValues: true,
			sortable: true,
			fixedCollection: { itemTitle: '={{ "Value " + ($collection.item.index + 1) }}' },
		},
		displayOptions: { show: { operation: operations, specifyReplacements: ['fields'] } },
		placeholder: 'Add replacement',
		default: {},
		description: 'The values in the order of their placeholders. Drag to reorder.',
		options: [
			{
				displayName: 'Value',
				name: 'values',
				values: [{ displayName: 'Value', name: 'value', type: 'string', default: '', placeholder: 'e.g. Φυσική' }],
			},
		],
	},
	{
		displayName: 'Replacements (JSON)',
		name: 'replacementsJson',
		type: 'json',
		displayOptions: { show: { operation: operations, specifyReplacements: ['json'] } },
		default: '[]',
		placeholder: 'e.g. ["Φυσική", "8"]',
		description: 'A JSON list of values, the first for the placeholder with position 1',
	},
];

/** The Delivery Report URL of a node that is not to use the credential's. */
export const dlrUrl: INodeProperties = {
	displayName: 'Delivery Report URL',
	name: 'dlrUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://n8n.example.gr/webhook/…/dlr',
	description:
		'Where the delivery reports of this node go: the /dlr URL of an SMS Trigger. Left empty: as in the credential.',
};

/**
 * The part of a node's subtitle that names its message: the first words of its text, or the message's ID where it was typed.
 * `$parameter` gives a resource locator's value alone; the text is the name that n8n caches beside it.
 */
export const chosenWords =
	'{{ ((text) => text ? ": " + (text.length > 40 ? text.slice(0, 39) + "…" : text) : "")(String($parameter.toJSON().messageId?.cachedResultName || $parameter.messageId || "")) }}';
