import type { IDataObject } from 'n8n-workflow';

import { ASK_THEM } from '../texts/advice';
import { describeFailure, type Failure } from '../http/transportErrors';
import { clean } from '../greek/letters';
import { textsOf, type Why } from '../texts/notice';
import { Problem } from '../texts/problem';
import { isRejection, stateAfterSend, type ServiceState } from '../http/retryPolicy';
import { TODO_OF_STATUS } from '../texts/reasons';
import type { Answer } from '../http/request';
import { redactNumber, redactPersonalNumbers, redactSecrets } from '../texts/redact';
import { sendSmsWords, type Message, type SendSmsResponse } from './api';

/**
 * What became of a message. `rejected`: it was certainly not accepted, and may be corrected and sent again. `unknown`:
 * it may or may not have been accepted, so nothing sends it again by itself.
 */
export type Outcome =
	/** `otherService`: the one that the platform named, where it is not the message's. */
	{ outcome: 'accepted'; otherService?: string } | NotAccepted;

interface NotAccepted {
	outcome: 'rejected' | 'unknown';
	failure: Failure;
	/** The platform's own, where it gave any. */
	words?: SendSmsResponse;
}

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
	const outcome = isRejection(failure) ? 'rejected' : 'unknown';
	const { data: words } = sendSmsWords.safeParse('body' in failure ? failure.body : undefined);
	// Other servers' error pages have a field `error` too; the platform's own refusal has a code.
	return words && isFilled(words.errorCode) ? { outcome, failure, words } : { outcome, failure };
}

/** The platform echoes the service; another one is odd, and says nothing against the message. */
function otherService({ serviceId: echoed }: SendSmsResponse, serviceId: string): { otherService?: string } {
	const named = typeof echoed === 'string' || typeof echoed === 'number' ? clean(String(echoed).slice(0, 10_000)) : '';
	return named === '' || named === serviceId ? {} : { otherService: named };
}

/** What to tell the user of it. @param secrets as for `sendProblem` */
export const otherServiceWarning = (service: string, secrets: string[]): string =>
	`The platform accepted the message and named another service (${redactPersonalNumbers(redactSecrets(service, secrets)).slice(0, 100)}). Ask the operator if this repeats.`;

type Field = SendSmsResponse['error'];
const isEmpty = (field: Field) => field === '' || field === null;
const isFilled = (field: Field) => !isEmpty(field) && !['', '0'].includes(clean(String(field).slice(0, 1000)));

/** Returns what a message that was not accepted says about the platform. */
export function stateAfter({ outcome, failure, words }: NotAccepted): ServiceState {
	const refusesSender = words !== undefined && (isAboutKey(words) || isAboutSender(words));
	return stateAfterSend(failure, outcome, refusesSender);
}

/*
 * What a platform says where it knows neither institution nor key is not documented. So words speak of them where they
 * name them, or a login, and nothing else that a request has.
 */
const OF_THE_KEY = /(?<![a-z])(?:key|institution|credentials?|authenti\w+|unauthori[sz]ed)(?![a-z])|κλειδ|ίδρυμα/i;
const OF_THE_REQUEST =
	/service|message|key ?word|recipient|address|user|field|replacement|duplicate|credits|balance|quota|λέξη|υπόλοιπο/i;
const OF_THE_SENDER = /(?:sender|source|ip) address|unauthori[sz]ed.*address/i;

const inOne = ({ errorCode, error }: SendSmsResponse) => `${errorCode ?? ''} ${error ?? ''}`.slice(0, 1000);

/** Whether the platform's words refuse the institution or its key. */
export const isAboutKey = (words: SendSmsResponse): boolean =>
	OF_THE_KEY.test(inOne(words)) && !OF_THE_REQUEST.test(inOne(words));

/** Whether the platform's words refuse the server that asks: it may let in registered addresses alone. */
export const isAboutSender = (words: SendSmsResponse): boolean => OF_THE_SENDER.test(inOne(words));

/** What fails, and what to do, where the platform refuses the server that asks. @param words its own */
export const senderRefused = (words: string): [what: string, todo: string] => [
	`The SMS platform does not accept requests from the IP address of this server (${words})`,
	'Ask its operator to register it',
];

/** The same where it refuses the institution or its key. */
export const keyRefused = (words: string): [what: string, todo: string] => [
	`The SMS platform rejected the institution or its pre-shared key (${words})`,
	'Check both in the credential, and that they are approved for this service',
];

/** The one code that the operator's document names. */
export const UNKNOWN_SERVICE = 'E-002';

/**
 * The error of a message that was not accepted, or of which nobody knows.
 * @param secrets what the platform's words may repeat and nobody may read: keys, a one-time code
 */
export function sendProblem(outcome: NotAccepted, message: Message, secrets: string[]): Problem {
	const { failure } = outcome;
	const words = outcome.words === undefined ? undefined : readable(outcome.words, message, secrets);
	const details = { outcome: outcome.outcome, ...(words !== undefined && { errorCode: words.errorCode }) };
	const httpCode = 'status' in failure ? String(failure.status) : '';
	const described = describeFailure('SMS platform', failure);
	const problem = (what: string, todo: string, why: Why) => new Problem(what, todo, details, httpCode, why);

	if (outcome.outcome === 'unknown') {
		const isOdd = words !== undefined && failure.kind !== 'status';
		const what = isOdd ? 'its answer says neither that it was accepted nor that it was refused' : described.message;
		const because = words === undefined ? what : `${what} (${words.both || 'an empty error'})`;
		// What another server answers, or one that redirects, every row would meet again.
		const isElsewhere = words === undefined && (failure.kind === 'body' || /^3/.test(httpCode));
		return unknownProblem(because, details, httpCode, isElsewhere ? described.whatToDo : undefined);
	}
	if (stateAfter(outcome) === 'keyRefused') {
		if (words !== undefined && isAboutSender(outcome.words!))
			return problem(...senderRefused(words.both), { reason: 'setting', about: { todo: 'sender' } });
		const why: Why = { reason: 'setting', about: { field: 'Pre-Shared Key', todo: 'key' } };
		if (words === undefined) return problem(described.message, described.whatToDo, why);
		return problem(...keyRefused(words.both || `HTTP ${httpCode}`), why);
	}
	const code = words === undefined || clean(words.code) === '' ? '' : ` (${words.code})`;
	// With a code of the platform's, 404 is about the message.
	const ofStatus = code !== '' && httpCode === '404' ? '' : (TODO_OF_STATUS[Number(httpCode)] ?? '');
	const todo = ofStatus === 'busy' ? 'busySending' : ofStatus;
	const refused: Why = { reason: 'refused', about: { code, todo } };
	const isReached = failure.kind !== 'notSent';
	if (words === undefined)
		return problem(described.message, described.whatToDo, isReached ? refused : { reason: 'notReached' });
	const ofCode = clean(words.code) === UNKNOWN_SERVICE ? 'The platform has no such Service: choose another' : undefined;
	return problem(
		`The SMS platform refused the message (${words.both})`,
		`It was not accepted, so the item can be sent again once the cause is removed. ${ofCode ?? 'Ask the operator what this answer means'}`,
		refused,
	);
}

/** The error of a message whose request left, and whose answer something else kept from being read. */
export const unseenProblem = ({ message }: Problem): Problem => unknownProblem(message, { outcome: 'unknown' });

/** Its first sentence is all that an AI agent reads, and often a person. */
function unknownProblem(because: string, details: IDataObject, httpCode?: string, remedy?: string): Problem {
	const why: Why = { reason: 'unknown', ...(remedy !== undefined && { about: { remedy } }) };
	const [what] = textsOf(why, 'en');
	const ask = ASK_THEM.replace(/\.$/, '');
	return new Problem(`${what}: ${because}`, withRemedy(ask, why), details, httpCode, why);
}

/** What to do about a message of which nobody knows, where it has a cause that the next one would meet too. */
export const withRemedy = (todo: string, { about }: Why): string =>
	about?.remedy === undefined ? todo : `${todo}. Before you run anything: ${about.remedy}`;

/** The platform's words as they may be shown: without secrets, and without anybody's number. Its code stays whole for the details. */
function readable({ errorCode, error }: SendSmsResponse, { recipient }: Message, secrets: string[]) {
	// A text longer than any description is not even looked through, and a cut could leave half a key.
	const shown = (field: Field, longest: number) => {
		const text = String(field ?? '');
		if (text.length > 20_000) return `a text of ${text.length} characters`;
		return redactNumber(redactSecrets(text, secrets), recipient).slice(0, longest);
	};
	const [code, words] = [shown(errorCode, 300), redactPersonalNumbers(shown(error, 300))];
	const shownCode = redactPersonalNumbers(code).slice(0, 100);
	const both = [shownCode, words].filter((part) => clean(part) !== '').join(': ');
	return { errorCode: code, code: shownCode, both };
}
