import type { IExecuteFunctions } from 'n8n-workflow';

import { textField } from '../../lib/n8n/fields';
import { getOption, isBlank, storedParameter } from '../../lib/n8n/parameters';
import { invalidParameter } from '../../lib/texts/problem';
import { readRecipientList } from '../../lib/smsPlatform/recipient';

const LABEL = 'Do Not Send To';

export const doNotSendTo = textField(LABEL, 'doNotSendTo', {
	typeOptions: { rows: 3 },
	placeholder: "e.g. {{ $('Unsubscribed').all().map(item => item.json.mobile) }}",
	description:
		'Recipients who must not get any messages. Type the numbers with commas between them, or use an expression that gives a list.',
});

/** Reads the recipients who get no message in this run. @throws Problem that stops every item */
export function readDoNotSendTo(context: IExecuteFunctions, userNames: boolean): ReadonlySet<string> {
	const stored = storedParameter(context, `options.${doNotSendTo.name}`);
	const isExpression = typeof stored === 'string' && stored.startsWith('=');
	return parseDoNotSendTo(getOption(context, doNotSendTo, 0), isExpression, userNames);
}

/**
 * Returns the recipients who get no message, in normal form. The result is empty for an empty field, for an empty list, and for
 * a list of one empty entry, which n8n's setting Always Output Data makes.
 * @throws Problem if an entry can't be a recipient, or if an expression names no recipient and gives neither of these lists,
 * because its column may be missing
 */
export function parseDoNotSendTo(value: unknown, isExpression: boolean, userNames: boolean): ReadonlySet<string> {
	const recipients = readRecipientList(value, LABEL, userNames);
	if (isExpression && recipients.size === 0 && !(Array.isArray(value) && value.length <= 1)) {
		const what = Array.isArray(value)
			? `a list of ${value.length} empty entries`
			: isBlank(value)
				? 'an empty value'
				: 'a value without a recipient';
		const whatToDo =
			'Correct the expression: the column name in it may be wrong. If nobody is to be left out, the expression must evaluate to an empty list, as in {{ [] }}';
		throw invalidParameter(LABEL, `has an expression that evaluates to ${what}`, whatToDo);
	}
	return recipients;
}
