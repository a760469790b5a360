import type { INodeProperties } from 'n8n-workflow';

import { switchField, textField, wholeNumberField } from '../n8n/fields';
import { NOTHING_TO_FILL_IN } from './formLists';

/*
 * Form fields that several operations or nodes have. The functions that read a field take its name, label, default and bounds
 * from here.
 */

export const concurrency = wholeNumberField('Concurrency', 'concurrency', [1, 500], 10, {
	description: 'How many messages are sent at the same time, from 1 to 500',
});

export const dlrUrl = textField('Delivery Report URL', 'dlrUrl', {
	placeholder: 'e.g. https://n8n.example.gr/webhook/…/dlr',
	description:
		'The URL of the SMS Trigger that gets the delivery reports. It ends in /dlr. If Delivery Report URL is empty, the URL in the credential is used.',
});

export const noReport = switchField('No Delivery Report', 'noReport', {
	description: 'Whether to send without asking for delivery reports, even if the credential has a URL for them',
});

export const reference = textField('Reference', 'reference', {
	placeholder: 'e.g. {{ $execution.id }}-{{ $itemIndex }}',
	description:
		'A name that you choose for each message. The delivery report of the message contains this name. The name is visible outside n8n, so put nothing personal in it.',
});

export const replacements = textField('Replacements', 'replacements', {
	type: 'json',
	default: '[]',
	placeholder: 'e.g. ["Φυσική", "8"]',
	description:
		'A JSON list of the values, in the order of the placeholders. It replaces the field Placeholders. You need it if the credential does not have the text of the message.',
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

/** Returns the fields in which the user chooses a message. @param operations the operations in which they are shown */
export const chooseMessage = (operations: string[]): INodeProperties[] => [
	{
		...locator('Service', 'serviceId', 'searchServices', 'gradeService', 'empty: all services'),
		displayOptions: { show: { operation: operations } },
		description:
			"Choose a service that is listed in the credential's Messages field, or enter the ID of another service. If Service is empty, the Message field lists the messages of all services.",
	},
	{
		...locator('Message', 'messageId', 'searchMessages', 'testMessage', 'Choose...'),
		required: true,
		// The editor empties this field if the user chooses another service, because the same ID has another text in another
		// service. It watches the cached name and not the value of Service. An expression has no cached name, so its changing
		// value does not empty the field.
		typeOptions: { loadOptionsDependsOn: ['serviceId.cachedResultName'] },
		displayOptions: { show: { operation: operations } },
		description: 'A predefined message of the service. The list shows the texts.',
	},
	{
		// This field shows the whole text of the chosen message, because the field Message and its list show only the beginning.
		// A normal notice can't depend on a credential, and a resourceMapper can. This one returns no fields. So the editor shows
		// only its notice, which is the text.
		displayName: 'Message Text',
		name: 'messageText',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		// Only a message that was chosen from the list has a cached name.
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
 * Returns the fields in which the user fills in the placeholders of a message. They are hidden if no message is chosen, or if the
 * listed name of the chosen message ends in `NOTHING_TO_FILL_IN`.
 * @param dependsOn further fields of the form that change the placeholders
 */
export const fillMessage = (operations: string[], dependsOn: string[] = []): INodeProperties[] => [
	{
		displayName: 'Placeholders',
		name: 'placeholders',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'autoMapInputData', value: null },
		description:
			'If Map Automatically is chosen, each placeholder gets the value of the column of the same name. For example, {Βαθμός,2} gets the value of the column Βαθμός or ΒΑΘΜΟΣ.',
		// The editor loads the placeholders when this field appears, and again when a field in `loadOptionsDependsOn` changes.
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
				// With the mode `add`, n8n would refuse to run a node whose stored fields differ from the placeholders of the
				// text.
				mode: 'map',
				valuesLabel: 'Values to Send',
				fieldWords: { singular: 'placeholder', plural: 'placeholders' },
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
				// If the list of fields is empty, a notice explains why. This is not always an error, so n8n's own error is
				// hidden.
				hideNoDataError: true,
			},
		},
	},
];

/**
 * The part of a node's subtitle about its message: the beginning of the text, or the ID if the user typed it. `$parameter` gives
 * only the value of a resource locator. So the expression reads the cached name, in which n8n stores the text.
 */
export const chosenMessageText =
	'{{ ((text) => text ? ": " + (text.length > 40 ? text.slice(0, 39) + "…" : text) : "")(String($parameter.toJSON().messageId?.cachedResultName || $parameter.messageId || "")) }}';
