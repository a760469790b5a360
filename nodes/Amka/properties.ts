import type { INodeProperties } from 'n8n-workflow';

import {
	choice,
	choiceField,
	includeInputFieldsByDefault,
	language,
	noticeField,
	optionsCollection,
	switchField,
	textField,
	timeout,
	wholeNumberField,
} from '../../lib/n8n/fields';
import { RECORD_FIELDS } from './registryRecord';

/** Display options of fields that only the operations with a look-up have. */
export const asksRegistry = { show: { operation: ['validate', 'compare'] } };
/** The same for entries of the collection Options. */
const optionAsksRegistry = { show: { '/operation': ['validate', 'compare'] } };

/** The options of the node's form. The functions that read an option take its name, label, default and bounds from here. */
export const options = {
	acceptDeceased: switchField('Accept Deceased', 'acceptDeceased', {
		displayOptions: optionAsksRegistry,
		description:
			'Whether a person who has died can have a positive result. Either way, the item says that the person has died.',
	}),
	concurrency: wholeNumberField('Concurrency', 'concurrency', [1, 50], 5, {
		displayOptions: optionAsksRegistry,
		description: 'How many look-ups run at the same time, from 1 to 50',
	}),
	includeInputFields: includeInputFieldsByDefault,
	language,
	showRegistryValues: switchField('Show Registry Values', 'showRegistryValues', {
		displayOptions: { show: { '/operation': ['compare'] } },
		description:
			"Whether the item also includes the registry's values for the fields that differ or are missing. If this is on, n8n stores these values.",
	}),
	timeout: { ...timeout, displayOptions: optionAsksRegistry },
} satisfies Record<string, INodeProperties>;

/**
 * The switch for two outputs: one for positive results, and one for negative results and failed items. A sheet always has one
 * output.
 */
export const splitByResult = switchField('Split by Result', 'splitByResult', {
	default: true,
	noDataExpression: true,
	displayOptions: { hide: { compareOutput: ['sheet'] } },
	description:
		'Whether positive and negative results go to separate outputs. A person who has died goes to the second output unless Accept Deceased is on.',
});

export const properties: INodeProperties[] = [
	choiceField('Operation', 'operation', 'validate', {
		noDataExpression: true,
		options: [
			{
				name: 'Check Number',
				value: 'checkNumber',
				description: 'Check whether an AMKA is well formed, without asking the registry whether it exists',
				action: 'Check number offline',
			},
			{
				name: 'Compare',
				value: 'compare',
				description:
					'Find out which of your values differ from those in the registry. The output names the fields, but does not contain the values in the registry.',
				action: 'Compare data with registry',
			},
			{
				name: 'Validate',
				value: 'validate',
				description: 'Ask the registry whether the AMKA, the birth date and the surname belong to the same person',
				action: 'Validate person',
			},
		],
	}),
	textField('AMKA', 'ssn', {
		placeholder: 'e.g. 01013099997',
		description: 'The 11 digits. If a spreadsheet dropped the leading zero, the node adds it.',
		hint: 'If empty, the node reads the column ΑΜΚΑ (or Αριθμός ΑΜΚΑ, AMKA, SSN …)',
	}),
	textField('Birth Date', 'birthDate', {
		displayOptions: asksRegistry,
		placeholder: 'e.g. 01/01/1930',
		description: 'Day first, as in 21/06/1983, or year first, as in 1983-06-21',
		hint: 'If empty, the node reads the column Ημερομηνία γέννησης (or Birth Date …)',
	}),
	textField('Surname', 'surname', {
		displayOptions: asksRegistry,
		placeholder: 'e.g. Παπαδοπούλου',
		description: 'In Greek letters, as on the identity card',
		hint: 'If empty, the node reads the column Επώνυμο (or Επίθετο, Surname …)',
	}),
	{
		displayName: 'Compare With',
		name: 'compareWith',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'autoMapInputData', value: null },
		displayOptions: { show: { operation: ['compare'] } },
		description:
			'Your own data. If Map Automatically is chosen, the node compares the columns that have a known name, such as Όνομα, ΑΦΜ or Κινητό.',
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
	choiceField('Compare Output', 'compareOutput', 'lists', {
		displayOptions: { show: { operation: ['compare'] } },
		description: 'What the node outputs for each row',
		options: [
			choice('Lists', 'lists', 'The names of the fields that agree, differ or are missing'),
			choice('Sheet', 'sheet', 'The columns in your list, followed by the results of the comparison'),
		],
	}),
	choiceField('Output', 'output', 'verdict', {
		displayOptions: { show: { operation: ['validate'] } },
		description: "How much of the registry's answer goes into the item. n8n stores the item with the execution.",
		options: [
			choice(
				'Full Record',
				'record',
				'Everything the registry sent, under the field names of the registry, even if the person did not match',
			),
			choice('Selected Fields', 'selected', 'The verdict, and the fields that you choose from the record'),
			choice(
				'Simplified',
				'simplified',
				'The verdict, and the record with plain English field names, ISO dates, and words instead of codes',
			),
			choice(
				'Verdict Only',
				'verdict',
				'Whether the person matched, has died or has a newer AMKA. n8n stores nothing else from the record.',
			),
		],
	}),
	noticeField(
		'toolNotice',
		{ show: { operation: ['validate'], '@tool': [true] }, hide: { output: ['verdict'] } },
		"The AI model and its provider get the registry's data. If they must not see these data, choose <b>Verdict Only</b>.",
	),
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		displayOptions: { show: { operation: ['validate'], output: ['selected'] } },
		default: [],
		description: 'Which fields of the record the item contains. The item uses the field names of the registry.',
		options: Object.entries(RECORD_FIELDS)
			.map(([field, meaning]) => ({ name: `${meaning} (${field})`, value: field }))
			.sort(({ name: one }, { name: other }) => (one < other ? -1 : 1)),
	},
	splitByResult,
	noticeField(
		'alwaysOutputDataNotice',
		{ show: { splitByResult: [true] }, hide: { compareOutput: ['sheet'] } },
		'While <b>Split by Result</b> is on, leave <b>Always Output Data</b> off in the settings of this node. If both are on, every item fails.',
	),
	{ ...optionsCollection, options: Object.values(options) },
];
