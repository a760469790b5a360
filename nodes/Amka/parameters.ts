import type { INodeProperties } from 'n8n-workflow';

import {
	acceptDeceased,
	checkNumberFirst,
	concurrency,
	includeInputFields,
	noMatchStatusCodes,
	retries,
	showRegistryValues,
	timeout,
} from './options';
import { RECORD_FIELDS } from './registry';

const validateOnly = { show: { operation: ['validate'] } };
const asksRegistry = { show: { operation: ['validate', 'compare'] } };

export const properties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Check Number',
				value: 'checkNumber',
				description: 'Whether a number is well formed, without asking anyone. Well formed is not registered.',
				action: 'Check a number offline',
			},
			{
				name: 'Compare',
				value: 'compare',
				description:
					'Say which of your own data about a person differ from the registry or are missing. No value from the registry is in the output.',
				action: 'Compare your data with the registry',
			},
			{
				name: 'Validate',
				value: 'validate',
				description: 'Ask the registry whether number, birth date and surname belong to one person',
				action: 'Validate a person against the registry',
			},
		],
		default: 'validate',
	},
	{
		displayName: 'AMKA',
		name: 'ssn',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 21068302674',
		description:
			'The 11 digits of the social security number. Spaces and dashes do no harm. If a spreadsheet has dropped the zero at the front, Validate and Compare add it, and Check Number says so.',
	},
	{
		displayName: 'Birth Date',
		name: 'birthDate',
		type: 'string',
		required: true,
		displayOptions: asksRegistry,
		default: '',
		placeholder: 'e.g. 21/06/1983',
		description:
			"As D/M/YYYY (day first, also with dots or dashes), YYYY-MM-DD or a date from another node. The day counts as it is written, whatever time zone follows it. One exception: if a date with time is exactly midnight in the workflow's time zone, the day that begins then counts, because spreadsheets write midnight in Greece as the evening before, in UTC.",
	},
	{
		displayName: 'Surname',
		name: 'surname',
		type: 'string',
		required: true,
		displayOptions: asksRegistry,
		default: '',
		placeholder: 'e.g. Δοκιμαστικός',
		description: 'The surname in Greek letters, as on the identity card',
	},
	{
		displayName: 'Compare With',
		name: 'compareWith',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'autoMapInputData', value: null },
		displayOptions: { show: { operation: ['compare'] } },
		description:
			'Your own data about the person. Map Automatically uses the columns with the name of a field, in Greek or English, such as Όνομα, Πατρώνυμο, ΑΦΜ, Κινητό. Only mapped fields are compared.',
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'mapComparedFields',
				mode: 'map',
				valuesLabel: 'Your Data',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: false,
				multiKeyMatch: false,
				supportAutoMap: true,
			},
		},
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		displayOptions: validateOnly,
		default: 'verdict',
		description: "How much of the registry's answer goes into the item. n8n stores it with the execution.",
		options: [
			{
				name: 'Full Record',
				value: 'record',
				description: 'Everything the registry sent, under its own field names, also if the person did not match',
			},
			{
				name: 'Selected Fields',
				value: 'selected',
				description: 'The verdict and the fields of the record that you choose',
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The verdict and the record in plain English names, with ISO dates and codes in words',
			},
			{
				name: 'Verdict Only',
				value: 'verdict',
				description:
					'Matched or not, and nothing personal beside the number: no registry data reaches the execution log',
			},
		],
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		displayOptions: { show: { operation: ['validate'], output: ['selected'] } },
		default: [],
		description: "Which fields of the registry's record the item contains, under the registry's names",
		options: Object.entries(RECORD_FIELDS)
			.map(([field, meaning]) => ({ name: `${meaning} (${field})`, value: field }))
			.sort(({ name: one }, { name: other }) => (one < other ? -1 : 1)),
	},
	{
		displayName: 'Split by Result',
		name: 'splitByResult',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether each answer has an output of its own: matched and not matched, agrees and does not agree, or valid and not valid. A person who has died is not routed to the first. If the registry could not be asked, the item is an error. To give errors an output of their own, choose Continue (using error output) in the settings.',
	},
	{
		displayName: 'Capitalise Surname',
		name: 'capitaliseSurname',
		type: 'boolean',
		displayOptions: asksRegistry,
		default: true,
		description:
			'Whether to send the surname in capitals without tonos, as the registry writes names. A dialytika that was typed stays.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			acceptDeceased,
			checkNumberFirst,
			concurrency,
			includeInputFields,
			noMatchStatusCodes,
			retries,
			showRegistryValues,
			timeout,
		],
	},
];
