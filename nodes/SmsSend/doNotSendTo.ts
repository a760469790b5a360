import type { IExecuteFunctions } from 'n8n-workflow';

import { textField } from '../../lib/n8n/fields';
import { getOption, isBlank } from '../../lib/n8n/parameters';
import { invalidParameter } from '../../lib/texts/problem';
import { readRecipientList } from '../../lib/smsPlatform/recipient';

const LABEL = 'Do Not Send To';

export const doNotSendTo = textField(LABEL, 'doNotSendTo', {
	typeOptions: { rows: 3 },
	placeholder: "e.g. {{ $('Unsubscribed').all().map(item => item.json.mobile) }}",
	description: 'Recipients who get nothing, in any spelling: typed with commas, or a list from an expression',
});

/** Who gets nothing in this run. @throws Problem that stops every row */
export function readDoNotSendTo(context: IExecuteFunctions, userNames: boolean): ReadonlySet<string> {
	const raw: unknown = context.getNodeParameter(`options.${doNotSendTo.name}`, 0, '', { rawExpressions: true });
	const isExpression = typeof raw === 'string' && raw.startsWith('=');
	return whoGetsNothing(getOption(context, doNotSendTo, 0), isExpression, userNames);
}

/**
 * Who gets nothing, in normal form. A typed field that is empty, and an empty list, are nobody; so is a list of one
 * empty entry, which n8n's Always Output Data makes. @throws Problem where an expression gives nothing else
 */
export function whoGetsNothing(value: unknown, isExpression: boolean, userNames: boolean): ReadonlySet<string> {
	const recipients = readRecipientList(value, LABEL, userNames);
	if (isExpression && recipients.size === 0 && !(Array.isArray(value) && value.length <= 1)) {
		const what = Array.isArray(value) ? `${value.length} empty entries` : isBlank(value) ? 'empty' : 'no recipient';
		const whatToDo =
			'Correct the expression, perhaps the name of its column: for nobody it has to evaluate to an empty list, as in {{ [] }}';
		throw invalidParameter(LABEL, `has an expression that evaluates to ${what}`, whatToDo);
	}
	return recipients;
}
