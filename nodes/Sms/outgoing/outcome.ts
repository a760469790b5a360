import type { IDataObject } from 'n8n-workflow';

import { describeFailure, type Failure } from '../../shared/failure';
import { tidy } from '../../shared/greek';
import { wordsOf, type Why } from '../../shared/notice';
import { Problem } from '../../shared/problem';
import { TODO_OF_STATUS } from '../../shared/reasons';
import type { Answer } from '../../shared/request';
import { hideNumber, hidePeoplesNumbers, hideSecrets } from '../../shared/hide';
import { sendSmsWords, type Message, type SendSmsResponse } from '../wire';

/**
 * What became of a message. `rejected`: it was certainly not accepted, and may be corrected and sent again. `unknown`:
 * it may or may not have been accepted, so nothing sends it again by itself.
 */
export type Outcome =
	/** `otherService`: the one that the platform named, where it is not the message's. */
	| { outcome: 'accepted'; otherService?: string }
	/** `words`: the platform's own, where it gave any. */
	| { outcome: 'rejected' | 'unknown'; failure: Failure; words?: SendSmsResponse };

/**
 * Reads what the platform's answer says. The status comes first; of a 2xx the two fields decide: both empty is accepted,
 * both filled is a refusal, and anything else could mean either ("Send SMS response").
 */
export function outcomeOf(answer: Answer<SendSmsResponse>, serviceId: string): Outcome {
	if (answer.ok) {
		const { value, status } = answer;
		if (isEmpty(value.errorCode) && isEmpty(value.error))
			return { outcome: 'accepted', ...otherService(value, serviceId) };
		const outcome = isFilled(value.errorCode) && isFilled(value.error) ? 'rejected' : 'unknown';
		return { outcome, failure: { kind: 'body', status, body: value }, words: value };
	}
	const { failure } = answer;
	if (failure.kind === 'notSent') return { outcome: 'rejected', failure };
	const outcome = failure.kind === 'status' && isRefusal(failure) ? 'rejected' : 'unknown';
	const { data: words } = sendSmsWords.safeParse('body' in failure ? failure.body : undefined);
	// Other servers' error pages have a field `error` too; the platform's own refusal has a code.
	return words && isFilled(words.errorCode) ? { outcome, failure, words } : { outcome, failure };
}

/** The platform echoes the service; another one is odd, and says nothing against the message. */
function otherService({ serviceId: echoed }: SendSmsResponse, serviceId: string): { otherService?: string } {
	const named = typeof echoed === 'string' || typeof echoed === 'number' ? tidy(String(echoed).slice(0, 10_000)) : '';
	return named === '' || named === serviceId ? {} : { otherService: named };
}

/** What to tell the user of it. @param secrets as for `sendProblem` */
export const otherServiceWarning = (service: string, secrets: string[]): string =>
	`The platform accepted the message and named another service (${hidePeoplesNumbers(hideSecrets(service, secrets)).slice(0, 100)}). Ask the operator if this repeats.`;

type Field = SendSmsResponse['error'];
const isEmpty = (field: Field) => field === '' || field === null;
const isFilled = (field: Field) => !isEmpty(field) && !['', '0'].includes(tidy(String(field).slice(0, 1000)));

/**
 * A 4xx refuses a request before it is worked on; 408 and 499 say that time ran out on the way, 409 that it may have
 * come before. Of the 5xx only 503 with Retry-After says that the platform was too busy to take the message.
 */
function isRefusal(failure: Failure & { kind: 'status' }): boolean {
	const { status } = failure;
	return (status >= 400 && status < 500 && ![408, 409, 499].includes(status)) || isOverload(failure);
}

const isOverload = (failure: Failure): failure is Failure & { kind: 'status' } =>
	failure.kind === 'status' && (failure.status === 429 || (failure.status === 503 && failure.retryAfter !== undefined));

/**
 * Whether a message that was certainly not accepted may be sent again soon: there was no connection, or the platform
 * names itself too busy.
 *
 * @returns undefined where it may not; otherwise the platform's Retry-After, if it gave one
 */
export function passingReason(outcome: Outcome): { retryAfter: string | undefined } | undefined {
	if (outcome.outcome !== 'rejected') return undefined;
	const { failure } = outcome;
	if (failure.kind === 'notSent') return failure.passing ? { retryAfter: undefined } : undefined;
	return isOverload(failure) ? { retryAfter: failure.retryAfter } : undefined;
}

/**
 * The error of a message that was not accepted, or of which nobody knows.
 *
 * @param secrets what the platform's words may repeat and nobody may read: keys, a one-time code
 */
export function sendProblem(
	outcome: Exclude<Outcome, { outcome: 'accepted' }>,
	message: Message,
	secrets: string[],
): Problem {
	const { failure } = outcome;
	const words = outcome.words === undefined ? undefined : readable(outcome.words, message, secrets);
	const details = { outcome: outcome.outcome, ...(words !== undefined && { errorCode: words.errorCode }) };
	const httpCode = 'status' in failure ? String(failure.status) : '';
	const described = describeFailure('SMS platform', failure);

	if (outcome.outcome === 'unknown') {
		const isOdd = words !== undefined && failure.kind !== 'status';
		const what = isOdd ? 'its answer says neither that it was accepted nor that it was refused' : described.message;
		const because = words === undefined ? what : `${what} (${words.both || 'an empty error'})`;
		return unknownProblem(because, details, httpCode);
	}
	const code = words === undefined || tidy(words.code) === '' ? '' : ` (${words.code})`;
	// With a code of the platform's, 404 is about the message.
	const todo = code !== '' && httpCode === '404' ? '' : (TODO_OF_STATUS[Number(httpCode)] ?? '');
	const refused: Why = { reason: 'refused', about: { code, todo } };
	if (words === undefined) {
		const why: Why = failure.kind === 'notSent' ? { reason: 'notReached' } : refused;
		return new Problem(described.message, described.whatToDo, details, httpCode, why);
	}
	return new Problem(
		`The SMS platform refused the message (${words.both})`,
		'It was not accepted, so the item can be sent again when the reason is gone. Ask the operator what this answer means',
		details,
		httpCode,
		refused,
	);
}

/** The error of a message whose request left, and whose answer something else kept from being read. */
export const unseenProblem = ({ message }: Problem): Problem => unknownProblem(message, { outcome: 'unknown' });

/** Its first sentence is all that an AI agent reads, and often a person. */
function unknownProblem(because: string, details: IDataObject, httpCode?: string): Problem {
	const why: Why = { reason: 'unknown' };
	const [what] = wordsOf(why, 'en');
	const todo = 'Ask the operator or the recipient before you send it again';
	return new Problem(`${what}: ${because}`, todo, details, httpCode, why);
}

/** The platform's words as they may be shown: without secrets, and without anybody's number. Its code stays whole for the details. */
function readable(
	{ errorCode, error }: SendSmsResponse,
	{ recipient }: Message,
	secrets: string[],
): { errorCode: string; code: string; both: string } {
	// A text longer than any description is not even looked through, and a cut could leave half a key.
	const shown = (field: Field, longest: number) => {
		const text = String(field ?? '');
		if (text.length > 20_000) return `a text of ${text.length} characters`;
		return hideNumber(hideSecrets(text, secrets), recipient).slice(0, longest);
	};
	const [code, words] = [shown(errorCode, 300), hidePeoplesNumbers(shown(error, 300))];
	const shownCode = hidePeoplesNumbers(code).slice(0, 100);
	const both = [shownCode, words].filter((part) => tidy(part) !== '').join(': ');
	return { errorCode: code, code: shownCode, both };
}
