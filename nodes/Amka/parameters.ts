import type { INodeProperties } from 'n8n-workflow';

import { RECORD_FIELDS } from './registry';

const validateOnly = { show: { operation: ['validate'] } };

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
		displayOptions: validateOnly,
		default: '',
		placeholder: 'e.g. 21/06/1983',
		description: 'As D/M/YYYY (day first, also with dots or dashes), YYYY-MM-DD or a date from another node. It counts as it is written; only an instant that is exactly midnight in the workflow\'s time zone is that day.',
	},
	{
		displayName: 'Surname',
		name: 'surname',
		type: 'string',
		required: true,
		displayOptions: validateOnly,
		default: '',
		placeholder: 'e.g. Δοκιμαστικός',
		description: 'The surname in Greek letters, as on the identity card',
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
		description: 'Whether each answer has an output of its own: matched and not matched, or valid and not valid. What could not be asked is neither: give it an output with On Error in the settings.',
	},
	{
		displayName: 'Capitalise Surname',
		name: 'capitaliseSurname',
		type: 'boolean',
		displayOptions: validateOnly,
		default: true,
		description: 'Whether to send the surname in capitals without tonos, as the registry holds names. A dialytika that was typed stays.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		displayOptions: validateOnly,
		default: {},
		options: [
			{
				displayName: 'Check Number First',
				name: 'checkNumberFirst',
				type: 'boolean',
				default: true,
				description: 'Whether a number that can\'t be an AMKA is not matched, with the reason, instead of being sent to the registry',
			},
			{
				displayName: 'Concurrency',
				name: 'concurrency',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 50 },
				default: 5,
				description: 'How many questions may be under way at once. Taken from the first item.',
			},
			{
				displayName: 'No-Match Status Codes',
				name: 'noMatchStatusCodes',
				type: 'string',
				default: '',
				placeholder: 'e.g. 400, 404',
				description: 'HTTP statuses by which your service says "no match", separated by commas; 200 for an answer without a record. All of these are errors otherwise.',
			},
			{
				displayName: 'Retries',
				name: 'retries',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 10 },
				default: 2,
				description: 'How often to ask again where the service can\'t be reached, does not answer in time, is overloaded or fails. The waits between grow from one second, or are what the service asks for.',
			},
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 30,
				description: 'Seconds to wait for the whole answer, for each try',
			},
		],
	},
];
