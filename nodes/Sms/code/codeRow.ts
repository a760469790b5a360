import { randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { greekMobile } from '../../shared/greek';
import { getParameter, isNothing, readNumberOption, readWholeNumber } from '../../shared/parameter';
import { badParameter, fault } from '../../shared/problem';
import type { Platform } from '../credential';
import type { DerivedKeys } from '../keys';
import { placeholdersOf } from '../predefinedMessages';
import type { Outgoing, Row } from '../outgoing/deliver';
import type { ReportUrls } from '../reportUrl';
import { readDlrUrl, readPredefined, readValues } from '../outgoing/message';
import { readRecipient } from '../outgoing/recipient';
import { fill, type Values } from '../outgoing/replacements';
import { codeOf, endOf } from './oneTimeCode';
import { codeLength, maxAttempts, readPurpose, validMinutes } from './parameters';
import { sealVerification, type Verification } from './verificationId';

/** One row of Send Code, read and checked. */
export interface CodeRequest {
	/** Ten digits. */
	mobile: string;
	purpose: string;
	validMinutes: number;
	codeLength: number;
	maxAttempts: number;
	/** The message that takes the code to the phone. */
	toRow: (code: string) => Row;
}

/**
 * Reads one row of Send Code; nothing is sent.
 *
 * @throws Problem that names the parameter and the rule it breaks
 */
export function readRequest(context: IExecuteFunctions, itemIndex: number, platform: Platform): CodeRequest {
	const { mobile, sent } = readMobile(getParameter(context, 'recipient', 'Recipient', itemIndex), platform);
	const position = readWholeNumber(
		getParameter(context, 'codePosition', 'Code Position', itemIndex, 1),
		'Code Position',
		1,
		50,
		1,
	);
	const options = {
		purpose: readPurpose(context, itemIndex),
		validMinutes: readNumberOption(context, validMinutes, itemIndex),
		codeLength: readNumberOption(context, codeLength, itemIndex),
		maxAttempts: readNumberOption(context, maxAttempts, itemIndex),
	};
	const predefined = readPredefined(context, itemIndex, platform);
	const { serviceId, messageId, text } = predefined;
	const values = readValues(context, itemIndex);
	const dlrUrl = readDlrUrl(context, itemIndex, platform, 'options.dlrUrl');

	const toRow = (code: string): Row => ({
		message: {
			serviceId,
			messageId,
			recipient: sent,
			replacements: fill(withCode(values, text, position, code), predefined, false).replacements,
		},
		dlrUrl,
	});
	// Values that do not fit are found before a code is counted.
	toRow('0'.repeat(options.codeLength));
	return { mobile, ...options, toRow };
}

/** A code verifies a phone, so it goes to a number; abroad nobody knows one number's spellings from another number. */
function readMobile(value: unknown, platform: Platform): { mobile: string; sent: string } {
	const { same, sent } = readRecipient(value, platform.mobileFormat);
	const mobile = greekMobile(same);
	if (mobile === undefined) throw fault('notMobile', { value: sent }, 'Codes go to Greek mobile numbers alone');
	return { mobile, sent };
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

/**
 * The message that takes a code to its phone, and the item of its row: the code is in the message alone.
 */
export function outgoingCode(
	request: CodeRequest,
	verification: Verification,
	keys: DerivedKeys,
	reportUrls: ReportUrls,
): { outgoing: Outgoing; item: IDataObject } {
	const code = codeOf(verification, verification.issue, verification.codeLength, keys);
	const row = request.toRow(code);
	const reportUrl = reportUrls.sign(row, randomUUID());
	const message = { ...row.message, ...(reportUrl !== undefined && { dlrUrl: reportUrl }) };
	const { serviceId, messageId, recipient } = message;
	const end = endOf(verification);
	const item: IDataObject = {
		accepted: true,
		verificationId: sealVerification(verification, keys),
		recipient,
		expiresAt: new Date(end * 1000).toISOString(),
		serviceId,
		messageId,
	};
	const outgoing: Outgoing = {
		message,
		keepsQuiet: false,
		secrets: [code],
		// A code has at least its whole time left when its last request leaves.
		until: (end - verification.validMinutes * 60) * 1000,
	};
	return { outgoing, item };
}
