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
				description: 'Say what of your own data about a person the registry has otherwise or you lack, without a value of the registry in the output',
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
		description: 'The 11 digits of the social security number. Blanks and dashes do no harm, and a zero that a spreadsheet lost at its front is known.',
	},
	{
		displayName: 'Birth Date',
		name: 'birthDate',
		type: 'string',
		required: true,
		displayOptions: asksRegistry,
		default: '',
		placeholder: 'e.g. 21/06/1983',
		description: 'As D/M/YYYY (day first, also with dots or dashes), YYYY-MM-DD or a date from another node. It counts as it is written; only an instant that is exactly midnight in the workflow\'s time zone is that day.',
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
		description: 'What you hold of the person. Map Automatically takes the columns that are called as the fields are, in Greek or English, such as Όνομα, Πατρώνυμο, ΑΦΜ, Κινητό. Only what is mapped is compared.',
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
		description: 'How much of the answer the item holds: what it holds is stored with the execution',
		options: [
			{
				name: 'Full Record',
				value: 'record',
				description: 'Everything the registry sent, under its own field names',
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
				description: 'Matched or not, and nothing personal beside the number: no registry data reaches the execution log',
			},
		],
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		displayOptions: { show: { operation: ['validate'], output: ['selected'] } },
		default: [],
		description: 'Fields of the registry record to put out, under their own names',
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
		description: 'Whether each answer has an output of its own: matched and not matched, agrees and does not agree, or valid and not valid. A person who has died is not routed to the first. What could not be asked is neither: give it an output with On Error in the settings.',
	},
	{
		displayName: 'Capitalise Surname',
		name: 'capitaliseSurname',
		type: 'boolean',
		displayOptions: asksRegistry,
		default: true,
		description: 'Whether to send the surname in capitals without tonos, as the registry holds names. A dialytika that was typed stays.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [acceptDeceased, checkNumberFirst, concurrency, includeInputFields, noMatchStatusCodes, retries, showRegistryValues, timeout],
	},
];
