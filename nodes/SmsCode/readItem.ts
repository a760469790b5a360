import type { IExecuteFunctions } from 'n8n-workflow';

import { greekMobile } from '../../lib/greek/mobile';
import { hashOf } from '../../lib/values/digest';
import { wordsOf } from '../../lib/texts/notice';
import { getParameter, isNothing, readNumberOption } from '../../lib/n8n/parameters';
import { badParameter, fault, Problem, problemOr } from '../../lib/texts/problem';
import type { Sending } from '../../lib/smsPlatform/deliver';
import { requireTrialRecipient } from '../../lib/smsPlatform/guards';
import { withoutPosition, type MessageText } from '../../lib/smsPlatform/predefinedMessages';
import { readDlrUrl, readPredefined, readValues } from '../../lib/smsPlatform/message';
import { UNKNOWN_SERVICE } from '../../lib/smsPlatform/outcome';
import { readRecipient } from '../../lib/smsPlatform/recipient';
import { fill, type Values } from '../../lib/smsPlatform/replacements';
import { codeLength, codePosition, maxAttempts, readPurpose, validMinutes } from './properties';

/** One row of Send Code, read and checked. */
export type CodeRequest = ReturnType<typeof readRequest>;

/** Reads one row of Send Code; nothing is sent. @throws Problem that names the parameter and the rule it breaks */
export function readRequest(context: IExecuteFunctions, itemIndex: number, { platform, guards }: Sending) {
	const typed = getParameter(context, 'recipient', 'Recipient', itemIndex);
	const recipient = problemOr(() => readRecipient(typed, platform));
	if (recipient instanceof Problem) throw ofOneGreekMobile(recipient);
	const { normal, sent } = recipient;
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
	const { serviceId, messageId, known } = predefined;
	const values = otherValues(readValues(context, itemIndex), known, position);
	const dlrUrl = readDlrUrl(context, itemIndex, platform);
	const place = position - 1;
	const own = { place, text: '0'.repeat(order.codeLength) };
	const filled = problemOr(() => fill(values, predefined, false, own));
	if (filled instanceof Problem) throw ofOtherValue(filled, known?.placeholders);
	requireTrialRecipient(guards, mobile);
	/** With zeros in the code's place. */
	const message = { serviceId, messageId, recipient: sent, replacements: filled.replacements };
	return {
		order,
		message,
		/** By what a row is known: what it is for, and what it sends. */
		key: hashOf([mobile, order.purpose, message]),
		/** The code's among the replacements, from 0. */
		place,
		/** Before it is signed; undefined where no report is asked for. */
		dlrUrl,
	};
}

/** A fault of a recipient as whoever asks for a code can mend it: with a Greek mobile, and no sheet. */
const ofOneGreekMobile = (problem: Problem): Problem =>
	['notMobile', 'twoNumbers'].includes(problem.why.reason)
		? problem.advising('codeAbroad').but({ description: fault('codeAbroad').description })
		: problem;

/** A fault of the values beside the code, which may be the code's own place; the code is none of them. */
function ofOtherValue(problem: Problem, placeholders: string[] = []): Problem {
	const { reason, about = {} } = problem.why;
	if (reason === 'wrongCount') {
		const [wanted, given] = [Number(about.wanted) - 1, Number(about.given) - 1];
		return fault(reason, { wanted, given }, 'Leave the code out: the node puts it in at Code Position');
	}
	if (reason !== 'emptyValue' && reason !== 'missingColumn') return problem;
	const index = placeholders.indexOf(String(about.field_el));
	const ifPlace = `If this is where the code belongs, set the option Code Position to ${index + 1}`;
	const advice = index === -1 ? [] : [ifPlace];
	// A visitor of a page can't give a value that the page does not ask for.
	if (reason === 'missingColumn')
		return problem.advising('askSecretariat').but({ description: [problem.description, ...advice].join('. ') });
	// There is no option Allow Empty Values here.
	return problem.but({ description: fault(reason, about, ...advice).description });
}

/** The values beside the code: none where neither they nor the text are known. @throws Problem where it has no place */
function otherValues(given: Values, known: MessageText | undefined, position: number): Values {
	const isAlone =
		known === undefined && ('row' in given || ('byName' in given && Object.values(given.byName).every(isNothing)));
	const values: Values = isAlone ? { ...given, list: [] } : given;
	if ('list' in values) {
		if (position <= values.list.length + 1) return values;
		const rule = `is ${position}, and there are ${values.list.length} other values`;
		const orCorrect = 'give the values of the placeholders before it, or correct the position';
		const whatToDo = isAlone
			? `Check Service and Message: Messages of the credential has no such message. If they are right, add it there, ${orCorrect}`
			: orCorrect.replace('g', 'G');
		throw badParameter('Code Position', rule, whatToDo);
	}
	// What else is wrong, the error for the values says.
	if (known === undefined || position <= known.placeholders.length) return values;
	const forgotten = withoutPosition(known.text);
	if (forgotten !== undefined)
		throw badParameter('Messages of the credential', forgotten, 'Correct the line of this message');
	const rule = `is ${position}, and the message has ${known.placeholders.length} placeholders`;
	const whatToDo = 'Correct the position, or choose the message with a placeholder for the code';
	throw badParameter('Code Position', rule, whatToDo);
}

/** The problems of a run, advising whoever asked for a code, or typed one. */
export const adviseVisitors = <R>(results: Array<R | Problem>) =>
	results.map((result) => (result instanceof Problem ? adviseVisitor(result) : result));

/** They check their number where that may be why, and have no admin. */
function adviseVisitor(problem: Problem): Problem {
	const { why } = problem;
	const { errorCode = UNKNOWN_SERVICE } = problem.details;
	const mayBeMobile = why.reason === 'refused' && why.about?.todo === '' && errorCode !== UNKNOWN_SERVICE;
	if (mayBeMobile) return problem.advising('checkMobile');
	const [, todo] = wordsOf(why, 'en');
	return /tell the admin|the admin tells/i.test(todo) ? problem.advising('askSecretariat') : problem;
}
