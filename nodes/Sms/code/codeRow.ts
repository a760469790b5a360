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

/**
 * Reads one row of Send Code; nothing is sent.
 *
 * @throws Problem that names the parameter and the rule it breaks
 */
export function readRequest(context: IExecuteFunctions, itemIndex: number, platform: Platform): CodeRequest {
	const typed = getParameter(context, 'recipient', 'Recipient', itemIndex);
	const { same, sent } = readRecipient(typed, platform);
	// A code verifies a phone, so it goes to a number; abroad nobody knows one number's spellings from another number.
	const mobile = greekMobile(same);
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
	const zeros = '0'.repeat(order.codeLength);
	const values = withCode(readValues(context, itemIndex), text, position, zeros);
	const dlrUrl = readDlrUrl(context, itemIndex, platform);
	const { replacements } = fill(values, predefined, false);
	const message = { serviceId, messageId, recipient: sent, replacements };
	return { order, message, place: position - 1, dlrUrl };
}

/**
 * The values of a message with the code among them.
 *
 * @param text the message as the operator defined it; where it is not known and no values are given, the code is the only one
 * @param position which placeholder takes the code, from 1
 */
function withCode(values: Values, text: string | undefined, position: number, code: string): Values {
	const given =
		text === undefined && ('row' in values || ('byName' in values && Object.values(values.byName).every(isNothing)))
			? { list: [] }
			: values;
	if ('list' in given) {
		const { list } = given;
		if (list.length < position - 1) {
			throw badParameter(
				'Code Position',
				`is ${position}, and there are ${list.length} other values`,
				'Give the values of the placeholders before it, or correct the position',
			);
		}
		return { list: [...list.slice(0, position - 1), code, ...list.slice(position - 1)] };
	}
	const found = text === undefined ? undefined : placeholdersOf(text);
	if (found === undefined || 'fault' in found) return given; // What is wrong, the error for the values says.
	const place = found.placeholders[position - 1];
	if (place === undefined) {
		throw badParameter(
			'Code Position',
			`is ${position}, and the message has ${found.placeholders.length} placeholders`,
			'Correct the position, or choose the message with a placeholder for the code',
		);
	}
	return 'byName' in given
		? { byName: { ...given.byName, [place.id]: code } }
		: {
				row: { ...given.row, [place.id]: code },
				columns: { ...given.columns, names: [...given.columns.names, place.id] },
			};
}
