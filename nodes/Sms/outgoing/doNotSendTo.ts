import type { INodeProperties } from 'n8n-workflow';

import { badParameter } from '../../shared/problem';
import { isNothing } from '../../shared/parameter';
import { readRecipientList } from './recipientList';

const LABEL = 'Do Not Send To';

/** The option, for the operations that take a list. */
export const doNotSendTo: INodeProperties = {
	displayName: LABEL,
	name: 'doNotSendTo',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: "e.g. {{ $('Unsubscribed').all().map(item => item.json.mobile) }}",
	description: 'Recipients who get nothing, such as those who unsubscribed: with commas or line breaks between them, or a list from an expression. However a number is written, it is recognised. Taken from the first item.',
};

/**
 * Who gets nothing. A typed field that is empty, and an empty list, are nobody. An expression that evaluates to
 * empty is an error: then a column or a node is missing, and the list would keep nobody out.
 *
 * @param value the option's value, evaluated
 * @param isExpression whether an expression stands in the field
 * @returns the recipients in normal form
 * @throws Problem that stops every row
 */
export function readDoNotSendTo(value: unknown, isExpression: boolean): ReadonlySet<string> {
	const recipients = readRecipientList(value, LABEL);
	if (isExpression && recipients.size === 0 && !Array.isArray(value)) {
		throw badParameter(LABEL, isNothing(value) ? 'has an expression that evaluates to empty' : 'has an expression that evaluates to no recipient', 'Correct the expression: for nobody it has to evaluate to an empty list, as in {{ [] }}');
	}
	return recipients;
}
