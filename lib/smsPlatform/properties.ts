import type { INodeProperties } from 'n8n-workflow';

import { switchField, textField, wholeNumberField } from '../n8n/fields';
import { NOTHING_TO_FILL_IN } from './formLists';

/* Fields that several operations or nodes have. Their readers take name, label, default and bounds from here. */

export const concurrency = wholeNumberField('Concurrency', 'concurrency', [1, 500], 10, {
	description: 'How many messages are in progress in parallel, from 1 to 500',
});

export const dlrUrl = textField('Delivery Report URL', 'dlrUrl', {
	placeholder: 'e.g. https://n8n.example.gr/webhook/…/dlr',
	description: 'The /dlr URL of the SMS Trigger that gets the delivery reports. Empty: as in the credential.',
});

export const noReport = switchField('No Delivery Report', 'noReport', {
	description: 'Whether to ask for no delivery report, even if the credential has a URL for them',
});

export const reference = textField('Reference', 'reference', {
	placeholder: 'e.g. {{ $execution.id }}-{{ $itemIndex }}',
	description:
		'Your own name for each message, which its report brings back. Others see it, so put nothing personal in it.',
});

export const replacements = textField('Replacements', 'replacements', {
	type: 'json',
	default: '[]',
	placeholder: 'e.g. ["Φυσική", "8"]',
	description: 'A JSON list of the values in their order, in place of the placeholders. Needed if the text is unknown.',
});

const locator = (displayName: string, name: string, searchListMethod: string, example: string, empty: string) => ({
	displayName,
	name,
	type: 'resourceLocator' as const,
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list' as const,
			typeOptions: { searchListMethod, searchable: true },
			placeholder: empty,
		},
		{ displayName: 'By ID', name: 'id', type: 'string' as const, placeholder: `e.g. ${example}` },
	],
});

/** The fields that choose a message. @param operations in which they are shown */
export const chooseMessage = (operations: string[]): INodeProperties[] => [
	{
		...locator('Service', 'serviceId', 'searchServices', 'gradeService', 'empty: all services'),
		displayOptions: { show: { operation: operations } },
		description:
			'A service of Messages in the credential, or another by its ID. Left empty: Message lists those of all.',
	},
	{
		...locator('Message', 'messageId', 'searchMessages', 'testMessage', 'Choose...'),
		required: true,
		// The editor empties this field if another service is chosen, because the same ID has another text there. It looks at the
		// cached name, which an expression does not have, because its value differs from run to run.
		typeOptions: { loadOptionsDependsOn: ['serviceId.cachedResultName'] },
		displayOptions: { show: { operation: operations } },
		description: 'The predefined message of the service, listed by its text',
	},
	{
		// Shows the whole text of the chosen message, because the field and its list show only the beginning. A notice can't depend
		// on a credential. This type of field can: it has no fields here, so the editor shows only the notice that comes with them.
		displayName: 'Message Text',
		name: 'messageText',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		// A message that was chosen from the list has a cached name.
		displayOptions: { show: { operation: operations, '/messageId.cachedResultName': [{ _cnd: { exists: true } }] } },
		typeOptions: {
			loadOptionsDependsOn: ['serviceId.value', 'messageId.value'],
			resourceMapper: {
				resourceMapperMethod: 'showMessageText',
				mode: 'map',
				supportAutoMap: false,
				hideNoDataError: true,
			},
		},
	},
];

/**
 * Returns the fields that fill a message in. They are hidden if the list has marked the chosen message as complete.
 * @param dependsOn fields that change them
 */
export const fillMessage = (operations: string[], dependsOn: string[] = []): INodeProperties[] => [
	{
		displayName: 'Placeholders',
		name: 'placeholders',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'autoMapInputData', value: null },
		description: 'Map Automatically: each takes the column of its name, as {Βαθμός,2} the column Βαθμός or ΒΑΘΜΟΣ',
		// The editor loads the fields when this field appears, and again when a field changes on which they depend.
		displayOptions: {
			show: { operation: operations },
			hide: {
				messageId: [''],
				'/messageId.cachedResultName': [{ _cnd: { endsWith: NOTHING_TO_FILL_IN } }],
			},
		},
		typeOptions: {
			loadOptionsDependsOn: ['serviceId.value', 'messageId.value', ...dependsOn],
			resourceMapper: {
				resourceMapperMethod: 'mapPlaceholders',
				// With the mode `add`, n8n would refuse to run a node if its stored fields differ from the placeholders of the
				// text.
				mode: 'map',
				valuesLabel: 'Values to Send',
				fieldWords: { singular: 'placeholder', plural: 'placeholders' },
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
				// If the list of fields is empty, a notice explains why. That is not always an error, so n8n's own error is
				// hidden.
				hideNoDataError: true,
			},
		},
	},
];

/**
 * The part of a node's subtitle that names its message: the beginning of its text, or its ID if that was typed. `$parameter`
 * gives only the value of a resource locator. The text is the name that n8n stores beside it.
 */
export const chosenMessageText =
	'{{ ((text) => text ? ": " + (text.length > 40 ? text.slice(0, 39) + "…" : text) : "")(String($parameter.toJSON().messageId?.cachedResultName || $parameter.messageId || "")) }}';
