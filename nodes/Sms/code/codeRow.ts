import type { IExecuteFunctions } from 'n8n-workflow';

import { greekMobile } from '../../shared/greek';
import { getParameter, isNothing, readNumberOption } from '../../shared/parameter';
import { badParameter, fault } from '../../shared/problem';
import type { Platform } from '../credential';
import { placeholdersOf } from '../predefinedMessages';
import { readDlrUrl, readPredefined, readValues } from '../outgoing/message';
import { readRecipient } from '../outgoing/recipient';
import { fill, type Values } from '../outgoing/replacements';
import type { Message } from '../wire';
import type { Order } from './counts';
import { codeLength, codePosition, maxAttempts, readPurpose, validMinutes } from './parameters';

/** One row of Send Code, read and checked. */
export interface CodeRequest {
	order: Order;
	/** The message that takes the code to the phone, with zeros in the code's place. */
	message: Message;
	/** The code's place among the replacements, from 0. */
	place: number;
	/** Where delivery reports go, before it is signed; undefined where none are asked for. */
	dlrUrl: string | undefined;
}

/** Reads one row of Send Code; nothing is sent. @throws Problem that names the parameter and the rule it breaks */
export function readRequest(context: IExecuteFunctions, itemIndex: number, platform: Platform): CodeRequest {
	const typed = getParameter(context, 'recipient', 'Recipient', itemIndex);
	const { normal, sent } = readRecipient(typed, platform);
	// A code verifies a phone, so it goes to a number; abroad nobody knows one number's spellings from another number.
	const mobile = greekMobile(normal);
	if (mobile === undefined) throw fault('codeAbroad');
	const position = readNumberOption(context, codePosition, itemIndex);
	const order = {
		mobile,
		purpose: readPurpose(context, itemIndex),
		validMinutes: readNumberOption(context, validMinutes, itemIndex),
		codeLength: readNumberOption(context, codeLength, itemIndex),
		maxAttempts: readNumberOption(context, maxAttempts, itemIndex),
	};
	const predefined = readPredefined(context, itemIndex, platform);
	const { serviceId, messageId, text } = predefined;
	const values = otherValues(readValues(context, itemIndex), text, position);
	const dlrUrl = readDlrUrl(context, itemIndex, platform);
	const code = { place: position - 1, text: '0'.repeat(order.codeLength) };
	const { replacements } = fill(values, predefined, false, code);
	const message = { serviceId, messageId, recipient: sent, replacements };
	return { order, message, place: position - 1, dlrUrl };
}

/**
 * The values of a message beside the code. Where its text is not known and none are given, there are none.
 * @throws Problem where the code has no place among them. @param position which placeholder takes the code, from 1
 */
function otherValues(given: Values, text: string | undefined, position: number): Values {
	const isAlone =
		text === undefined && ('row' in given || ('byName' in given && Object.values(given.byName).every(isNothing)));
	const values = isAlone ? { list: [] } : given;
	const found = text === undefined ? undefined : placeholdersOf(text);
	if ('list' in values && values.list.length < position - 1) {
		throw badParameter(
			'Code Position',
			`is ${position}, and there are ${values.list.length} other values`,
			'Give the values of the placeholders before it, or correct the position',
		);
	}
	// What else is wrong, the error for the values says.
	if ('list' in values || found === undefined || 'fault' in found || position <= found.placeholders.length)
		return values;
	throw badParameter(
		'Code Position',
		`is ${position}, and the message has ${found.placeholders.length} placeholders`,
		'Correct the position, or choose the message with a placeholder for the code',
	);
}
