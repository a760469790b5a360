import type { IDataObject } from 'n8n-workflow';

import { ASK_THEM } from '../texts/advice';
import type { Failure } from '../http/transportFailure';
import { describeFailure } from '../texts/transportErrors';
import { clean } from '../greek/letters';
import { textsOf, type Why } from '../texts/notice';
import { keyRefused, messageRefused, otherServiceNamed, senderRefused, UNCLEAR_ANSWER } from '../texts/platform';
import { Problem } from '../texts/problem';
import { isRejection, stateAfterSend, type ServiceState } from '../http/retryPolicy';
import { TODO_OF_STATUS } from '../texts/reasons';
import type { Answer } from '../http/request';
import { redactNumber, redactPersonalNumbers, redactSecrets } from '../texts/redact';
import { sendSmsErrorFields, type Message, type SendSmsResponse } from './api';

/**
 * The outcome of a message. `rejected`: the platform certainly did not accept it, so it may be corrected and sent again.
 * `unknown`: the platform may or may not have accepted it, so no node sends it again by itself.
 */
export type SendOutcome =
	/** `otherService`: the service in the platform's answer, if it differs from the message's service. */
	{ outcome: 'accepted'; otherService?: string } | NotAccepted;

/** The outcome of a message that was not accepted, or may not have been accepted. */
interface NotAccepted {
	outcome: 'rejected' | 'unknown';
	failure: Failure;
	/** The error fields of the platform's answer, if there are any. */
	errorFields?: SendSmsResponse;
}

/**
 * Returns the outcome of a message. Without a 2xx answer, the HTTP status or the failed connection decides. With 2xx the two
 * error fields of the answer decide ("Send SMS response" in the platform's document): if both are empty, the message was
 * accepted; if both are filled, it was rejected; otherwise, or if the answer can't be read, the outcome is unknown.
 */
export function outcomeOf(answer: Answer<SendSmsResponse>, serviceId: string): SendOutcome {
	if (answer.ok) {
		const { value, status } = answer;
		if (isEmpty(value.errorCode) && isEmpty(value.error))
			return { outcome: 'accepted', ...otherService(value, serviceId) };
		const outcome = isFilled(value.errorCode) && isFilled(value.error) ? 'rejected' : 'unknown';
		return { outcome, failure: { kind: 'body', status, body: value }, errorFields: value };
	}
	const { failure } = answer;
	if (failure.kind === 'notSent') return { outcome: 'rejected', failure };
	const outcome = isRejection(failure) ? 'rejected' : 'unknown';
	const { data: errorFields } = sendSmsErrorFields.safeParse('body' in failure ? failure.body : undefined);
	// The answer of another server often has a field `error`, but seldom an error code. So only an answer with an error code
	// counts as the platform's own.
	return errorFields && isFilled(errorFields.errorCode) ? { outcome, failure, errorFields } : { outcome, failure };
}

/** Returns the service in the answer, if it differs from the message's service. This is odd, but the message was accepted. */
function otherService({ serviceId: echoed }: SendSmsResponse, serviceId: string): { otherService?: string } {
	const named = typeof echoed === 'string' || typeof echoed === 'number' ? clean(String(echoed).slice(0, 10_000)) : '';
	return named === '' || named === serviceId ? {} : { otherService: named };
}

/** Returns the warning about another service. @param secrets as for `sendProblem` */
export const otherServiceWarning = (service: string, secrets: string[]): string =>
	otherServiceNamed(redactPersonalNumbers(redactSecrets(service, secrets)).slice(0, 100));

type Field = SendSmsResponse['error'];
const isEmpty = (field: Field) => field === '' || field === null;
const isFilled = (field: Field) => !isEmpty(field) && !['', '0'].includes(clean(String(field).slice(0, 1000)));

/** Returns the state of the platform after a message that was not accepted. The circuit breaker records it. */
export function stateAfter({ outcome, failure, errorFields }: NotAccepted): ServiceState {
	const refusesSender = errorFields !== undefined && (isAboutKey(errorFields) || isAboutSender(errorFields));
	return stateAfterSend(failure, outcome, refusesSender);
}

/*
 * The platform's document does not say how it rejects an unknown institution or key. So the text of its answer is searched for
 * words. The text is about institution or key if it has a word for them or for a login, and no word for another part of a
 * request.
 */
const OF_THE_KEY = /(?<![a-z])(?:key|institution|credentials?|authenti\w+|unauthori[sz]ed)(?![a-z])|κλειδ|ίδρυμα/i;
const OF_THE_REQUEST =
	/service|message|key ?word|recipient|address|user|field|replacement|duplicate|credits|balance|quota|λέξη|υπόλοιπο/i;
const OF_THE_SENDER = /(?:sender|source|ip) address|unauthori[sz]ed.*address/i;

const textOf = ({ errorCode, error }: SendSmsResponse) => `${errorCode ?? ''} ${error ?? ''}`.slice(0, 1000);

/** Returns whether the platform's text rejects the institution or its key. */
export const isAboutKey = (answer: SendSmsResponse): boolean =>
	OF_THE_KEY.test(textOf(answer)) && !OF_THE_REQUEST.test(textOf(answer));

/** Returns whether the platform's text rejects the IP address of this server. A platform may accept only registered addresses. */
export const isAboutSender = (answer: SendSmsResponse): boolean => OF_THE_SENDER.test(textOf(answer));

/** The error code of an unknown service. It is the only code in the operator's document. */
export const UNKNOWN_SERVICE = 'E-002';

/**
 * Returns the Problem of a message that was rejected, or whose outcome is unknown.
 * @param secrets keys and one-time codes to remove from the platform's answer, which may repeat them
 */
export function sendProblem(outcome: NotAccepted, message: Message, secrets: string[]): Problem {
	const { failure } = outcome;
	const answer = outcome.errorFields && readable(outcome.errorFields, message, secrets);
	const details = {
		outcome: outcome.outcome,
		...('status' in failure && { httpStatus: failure.status }),
		...(answer !== undefined && { errorCode: answer.errorCode }),
	};
	const httpCode = 'status' in failure ? String(failure.status) : '';
	const described = describeFailure('SMS platform', failure);
	const problem = (what: string, todo: string, why: Why) => new Problem(what, todo, details, httpCode, why);

	if (outcome.outcome === 'unknown') {
		const isUnclear = answer !== undefined && failure.kind !== 'status';
		const what = isUnclear ? UNCLEAR_ANSWER : described.message;
		const because = answer === undefined ? what : `${what} (${answer.text || 'an empty error'})`;
		// If another server answered, or if the server redirects, later items would get the same answer. So the advice names the
		// remedy.
		const isElsewhere = answer === undefined && (failure.kind === 'body' || /^3/.test(httpCode));
		return unknownProblem(because, details, httpCode, isElsewhere ? described.whatToDo : undefined);
	}
	if (stateAfter(outcome) === 'keyRefused') {
		if (answer !== undefined && isAboutSender(outcome.errorFields!))
			return problem(...senderRefused(answer.text), { reason: 'setting', about: { todo: 'sender' } });
		const why: Why = { reason: 'setting', about: { field: 'Pre-Shared Key', todo: 'key' } };
		if (answer === undefined) return problem(described.message, described.whatToDo, why);
		return problem(...keyRefused(answer.text || `HTTP ${httpCode}`), why);
	}
	const code = answer === undefined || clean(answer.code) === '' ? '' : ` (${answer.code})`;
	// Status 404 with an error code is about the message. Without a code, the URL is wrong.
	const ofStatus = code !== '' && httpCode === '404' ? '' : (TODO_OF_STATUS[Number(httpCode)] ?? '');
	const todo = ofStatus === 'busy' ? 'busySending' : ofStatus;
	const refused: Why = { reason: 'refused', about: { code, todo } };
	const isReached = failure.kind !== 'notSent';
	if (answer === undefined)
		return problem(described.message, described.whatToDo, isReached ? refused : { reason: 'notReached' });
	return problem(...messageRefused(answer.text, clean(answer.code) === UNKNOWN_SERVICE), refused);
}

/** Returns the Problem of a message whose request was sent, but whose answer could not be read because of the given error. */
export const unseenProblem = ({ message }: Problem): Problem => unknownProblem(message, { outcome: 'unknown' });

/**
 * Returns the Problem of a message of unknown outcome. Its first sentence says that the outcome is unknown, because AI agents and
 * many people read only the first sentence.
 */
function unknownProblem(because: string, details: IDataObject, httpCode?: string, remedy?: string): Problem {
	const why: Why = { reason: 'unknown', ...(remedy !== undefined && { about: { remedy } }) };
	const [what] = textsOf(why, 'en');
	const ask = ASK_THEM.replace(/\.$/, '');
	return new Problem(`${what}: ${because}`, withRemedy(ask, why), details, httpCode, why);
}

/** Adds the remedy to the advice for a message of unknown outcome, if later messages would fail for the same cause. */
export const withRemedy = (todo: string, { about }: Why): string =>
	about?.remedy === undefined ? todo : `${todo}. Before the next run: ${about.remedy}`;

/**
 * Returns the platform's texts without secrets and personal numbers. `errorCode` is for the Problem's details. It may be longer
 * than `code`, and of the personal numbers only the recipient's is removed from it.
 */
function readable({ errorCode, error }: SendSmsResponse, { recipient }: Message, secrets: string[]) {
	// A very long text is not searched for secrets, because this takes time. It is not cut before the search either, because a
	// cut could leave half a key. So it is replaced by its length.
	const shown = (field: Field, longest: number) => {
		const whole = String(field ?? '');
		if (whole.length > 20_000) return `a text of ${whole.length} characters`;
		return redactNumber(redactSecrets(whole, secrets), recipient).slice(0, longest);
	};
	const [code, errorText] = [shown(errorCode, 300), redactPersonalNumbers(shown(error, 300))];
	const shownCode = redactPersonalNumbers(code).slice(0, 100);
	const text = [shownCode, errorText].filter((part) => clean(part) !== '').join(': ');
	return { errorCode: code, code: shownCode, text };
}
