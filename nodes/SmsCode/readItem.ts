import type { IExecuteFunctions } from 'n8n-workflow';

import { greekMobile } from '../../lib/greek/mobile';
import { MOBILE, readFieldOrColumn } from '../../lib/n8n/columns';
import { isBlank, readNumberOption } from '../../lib/n8n/parameters';
import type { SafetyLimits } from '../../lib/smsPlatform/safetyLimits';
import { requireTrialRecipient } from '../../lib/smsPlatform/safetyLimits';
import type { Platform } from '../../lib/smsPlatform/credential';
import { readPredefined, readValues } from '../../lib/smsPlatform/message';
import { UNKNOWN_SERVICE } from '../../lib/smsPlatform/outcome';
import { withoutPosition, type MessageText } from '../../lib/smsPlatform/placeholders';
import { readRecipient } from '../../lib/smsPlatform/recipient';
import { makeReplacements, type Values } from '../../lib/smsPlatform/replacements';
import { textsOf } from '../../lib/texts/notice';
import { invalidParameter, fault, Problem, toResult } from '../../lib/texts/problem';
import { hashOf } from '../../lib/values/digest';
import { codeLength, codePosition, maxAttempts, readPurpose, validMinutes } from './properties';

/** The parameters of one item of Send Code, as they were read. */
type CodeInput = ReturnType<typeof readInput>;

/** A checked request for a code, with all data for sending it. */
export type CodeRequest = ReturnType<typeof checkInput>;

/** Returns the recipient of an item as it is in the field or in its column. */
export const readTypedRecipient = (context: IExecuteFunctions, itemIndex: number, columns: string[] | undefined) =>
	readFieldOrColumn(context, itemIndex, { name: 'recipient', label: 'Recipient' }, MOBILE, columns);

/**
 * Reads the parameters of one item of Send Code.
 * @param columns the columns of mobiles, if Recipient was left empty
 * @throws Problem that names the parameter that can't be read
 */
export function readInput(
	context: IExecuteFunctions,
	itemIndex: number,
	platform: Platform,
	columns: string[] | undefined,
) {
	return {
		recipient: readTypedRecipient(context, itemIndex, columns),
		position: readNumberOption(context, codePosition, itemIndex),
		purpose: readPurpose(context, itemIndex),
		validMinutes: readNumberOption(context, validMinutes, itemIndex),
		codeLength: readNumberOption(context, codeLength, itemIndex),
		maxAttempts: readNumberOption(context, maxAttempts, itemIndex),
		predefined: readPredefined(context, itemIndex, platform),
		values: readValues(context, itemIndex),
	};
}

/** Checks the parameters of an item, and sends nothing. @throws Problem that names the parameter and the rule that it breaks */
export function checkInput(
	input: CodeInput,
	{ platform, safetyLimits }: { platform: Platform; safetyLimits: SafetyLimits },
) {
	const { predefined, position, purpose } = input;
	const recipient = toResult(() => readRecipient(input.recipient, platform));
	if (recipient instanceof Problem) throw adviseGreekMobile(recipient);
	// A code verifies a mobile number, so user names are not allowed. The different spellings of a foreign number are not known,
	// so two of them can't be compared. That is why only Greek mobiles are allowed.
	const mobile = greekMobile(recipient.normal);
	if (mobile === undefined) throw fault('codeAbroad');
	const order = {
		mobile,
		purpose,
		validMinutes: input.validMinutes,
		codeLength: input.codeLength,
		maxAttempts: input.maxAttempts,
	};
	const { serviceId, messageId, known } = predefined;
	const place = position - 1;
	const values = otherValues(input.values, known, position);
	const filled = toResult(() =>
		makeReplacements(values, predefined, {
			allowEmpty: false,
			own: { place, text: '0'.repeat(order.codeLength) },
			isList: false,
		}),
	);
	if (filled instanceof Problem) throw adviseCodePosition(filled, known?.placeholders);
	requireTrialRecipient(safetyLimits, mobile);
	/** The message with zeros in place of the code. */
	const message = { serviceId, messageId, recipient: recipient.sent, replacements: filled.replacements };
	return {
		order,
		message,
		/** Identifies the request if the node is run again (Retry On Fail): the purpose and the message. */
		key: hashOf([mobile, purpose, message]),
		/** The index of the code among the replacements. */
		place,
		/** Warnings about the other values. A value with a warning may still be correct. */
		warnings: filled.warnings,
	};
}

/**
 * Replaces the advice of a Problem by advice to type a Greek mobile, if the recipient is no mobile or is two numbers. People
 * who request a code have no sheet to correct.
 */
const adviseGreekMobile = (problem: Problem): Problem =>
	['notMobile', 'twoNumbers'].includes(problem.why.reason)
		? problem.withAdvice('codeAbroad').copyWith({ description: fault('codeAbroad').description })
		: problem;

/**
 * Adds advice about the code to a Problem about the values of the other placeholders. If Code Position is wrong, one of these
 * may be the placeholder for the code.
 */
function adviseCodePosition(problem: Problem, placeholders: string[] = []): Problem {
	const { reason, about = {} } = problem.why;
	if (reason === 'wrongCount') {
		const [wanted, given] = [Number(about.wanted) - 1, Number(about.given) - 1];
		return fault(
			reason,
			{ wanted, given },
			wanted === 0
				? 'The message has no placeholder other than the code: remove the option Replacements'
				: 'The code is not counted here. Enter one value for each of the other placeholders: the node inserts the code itself, at Code Position',
		);
	}
	if (reason !== 'emptyValue' && reason !== 'missingColumn') return problem;
	const index = placeholders.indexOf(String(about.field_el));
	const ifPlace = `If this placeholder is for the code, set the option Code Position to ${index + 1}`;
	const advice = index === -1 ? [] : [ifPlace];
	// People who request a code on a page can't add a missing column, so they are advised to ask the office.
	if (reason === 'missingColumn')
		return problem.withAdvice('askOffice').copyWith({ description: [problem.description, ...advice].join('. ') });
	// The advice of SMS Send names the option Allow Empty Values, which this node does not have.
	return problem.copyWith({ description: fault(reason, about, ...advice).description });
}

/**
 * Returns the values of all placeholders except the code's. The list is empty if the text of the message is not known and no
 * values were typed. Then the code may be the only placeholder.
 * @throws Problem if the message has no placeholder at the code's position
 */
function otherValues(given: Values, known: MessageText | undefined, position: number): Values {
	const isAlone =
		known === undefined && ('row' in given || ('byName' in given && Object.values(given.byName).every(isBlank)));
	const values: Values = isAlone ? { ...given, list: [] } : given;
	if ('list' in values) {
		if (position <= values.list.length + 1) return values;
		const rule = `is ${position}, but the number of values for the other placeholders is ${values.list.length}`;
		const orCorrect = 'enter a value for each placeholder that comes before the code, or correct the position';
		const whatToDo = isAlone
			? `Check Service and Message: the field Messages in the credential does not have this message. If Service and Message are right, add the message to that field, ${orCorrect}`
			: orCorrect.replace('e', 'E');
		throw invalidParameter('Code Position', rule, whatToDo);
	}
	// Other faults of the values are found by `makeReplacements`.
	if (known === undefined || position <= known.placeholders.length) return values;
	const forgotten = withoutPosition(known.text);
	if (forgotten !== undefined)
		throw invalidParameter('Messages in the credential', forgotten, 'Correct the line for this message');
	const rule = `is ${position}, but the number of placeholders in the message is ${known.placeholders.length}`;
	const whatToDo = 'Correct the position, or choose the message with a placeholder for the code';
	throw invalidParameter('Code Position', rule, whatToDo);
}

/** Changes the advice in the Problems of a run for visitors: people who requested a code or typed one. */
export const adviseVisitors = <R>(results: Array<R | Problem>) =>
	results.map((result) => (result instanceof Problem ? adviseVisitor(result) : result));

/**
 * Advises a visitor to check the mobile number if it may be wrong. Advice to tell the admin becomes advice to ask the office.
 */
function adviseVisitor(problem: Problem): Problem {
	const { why } = problem;
	const { errorCode = UNKNOWN_SERVICE } = problem.details;
	const mayBeMobile = why.reason === 'refused' && why.about?.todo === '' && errorCode !== UNKNOWN_SERVICE;
	if (mayBeMobile) return problem.withAdvice('checkMobile');
	// A text about a missing column would not help a visitor, who has no list.
	if (why.reason === 'missingColumn')
		return problem.copyWith({ why: { ...why, about: { ...why.about, what: 'noValue', todo: 'askOffice' } } });
	const [, todo] = textsOf(why, 'en');
	return /tell the admin|the admin tells/i.test(todo) ? problem.withAdvice('askOffice') : problem;
}
