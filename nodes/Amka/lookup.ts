import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Failure } from '../../lib/http/transportFailure';
import { describeFailure } from '../../lib/texts/transportErrors';
import { REDACTED, redactPersonalNumbers } from '../../lib/texts/redact';
import type { Why } from '../../lib/texts/notice';
import { addToNoMatchCodes, NO_VERDICT, PERSON_WARNINGS } from '../../lib/texts/registry';
import { createCircuitBreaker } from '../../lib/http/circuitBreaker';
import { isRetryableLookup, secondsBeforeRetry, stateAfterLookup } from '../../lib/http/retryPolicy';
import { fault, Problem, toResult } from '../../lib/texts/problem';
import { TODO_OF_STATUS } from '../../lib/texts/reasons';
import { credentialOnce, request, type Answer } from '../../lib/http/request';
import { pause } from '../../lib/http/cancel';
import { toText } from '../../lib/values/text';
import { parsePerson, type PersonInput } from './parsePerson';
import {
	isAboutAnother,
	isNoMatch,
	isPage,
	LOOKUP_HEADERS,
	matchOf,
	NO_MATCH_CODES,
	readNoMatchCodes,
	serviceUrl,
	registryRecord,
	withoutRecord,
	type RegistryRecord,
} from './registryRecord';
import { verdictOf, whyNot, type LookupResult } from './verdict';

/**
 * An answer of the registry. `record` is undefined if the answer means "no match" but has no usable record. `unreadable`: some
 * letters could not be read.
 */
type Answered = { record: RegistryRecord | undefined; unreadable: boolean };

/** The state that the look-ups of a run share. */
export type Session = ReturnType<typeof openSession>;

/** The parameters of a look-up. */
export interface LookupInput {
	person: PersonInput;
	/** Whether the result is positive also for a person who has died. */
	acceptDeceased: boolean;
}

/**
 * Opens the state that the look-ups of a run share. Nothing is sent yet.
 * @param concurrency the largest number of look-ups in progress at the same time
 * @param timeout the time-out of each attempt, in seconds
 */
export function openSession(context: IExecuteFunctions, concurrency: number, timeout: number) {
	return {
		context,
		timeZone: context.getTimezone(),
		/** The time-out of each attempt, in milliseconds. */
		timeout: timeout * 1000,
		/** Reads the credential at the first look-up. */
		service: credentialOnce(context, 'amkaApi', (credential) => ({
			credential,
			url: serviceUrl(credential.data),
			noMatch: readNoMatchCodes(credential.data),
		})),
		/**
		 * The answers of this run by their query, so that equal look-ups are sent once. A failed look-up is not sent
		 * again in this run either.
		 */
		answers: new Map<string, Promise<Answered>>(),
		breaker: createCircuitBreaker(concurrency, () =>
			fault('serviceDown', { what: 'registryDown', todo: 'checkLater' }),
		),
	};
}

type Service = Awaited<ReturnType<Session['service']>>;

/**
 * Looks up a person in the registry. @throws Problem if a field or the credential can't be used, or if the registry gives no
 * verdict
 */
export async function lookUpPerson(
	{ person: input, acceptDeceased }: LookupInput,
	session: Session,
): Promise<LookupResult> {
	const parsed = parsePerson(input, session.timeZone);
	if ('invalidNumber' in parsed) {
		const verdict = { matched: false, ...parsed.invalidNumber };
		return { verdict, why: whyNot(verdict) };
	}

	const { ssn, birthDate, surname, warnings, likelyCause } = parsed.person;
	const service = await session.service();
	const query = `ssn=${encodeURIComponent(ssn)}&birthdate=${birthDate}&surname=${encodeURIComponent(surname)}`;
	const answer = session.answers.get(query) ?? sendQuery(session, service, query, ssn);
	session.answers.set(query, answer);
	const { record, unreadable } = await answer;
	const all = unreadable ? [...warnings, PERSON_WARNINGS.unreadableLetters] : warnings;
	const verdict = verdictOf(ssn, record, all, acceptDeceased);
	return { verdict, record, why: whyNot(verdict, likelyCause) };
}

/**
 * Sends a query, and repeats it at most a few times if the failure is retryable.
 * @throws Problem if the registry gives no verdict, or if the circuit breaker is open
 */
async function sendQuery(
	{ context, breaker, timeout }: Session,
	service: Service,
	query: string,
	ssn: string,
): Promise<Answered> {
	const stopped = breaker.problem();
	if (stopped !== undefined) throw stopped;
	const options = { method: 'GET', url: `${service.url}?${query}`, headers: LOOKUP_HEADERS, timeout } as const;
	for (let attempt = 0; ; attempt++) {
		const answer = await request(context, service.credential, options, registryRecord, (status) => status === 200);
		const isRetryable = !answer.ok && isRetryableLookup(answer.failure);
		const seconds = isRetryable ? secondsBeforeRetry(attempt, answer.failure) : undefined;
		if (seconds !== undefined) {
			await pause(context, seconds * 1000);
			// If another item opened the breaker during the pause, there is no further attempt. The result is that of the last
			// request.
			if (breaker.problem() === undefined) continue;
		}
		const result = toResult(() => recordOf(answer, ssn, service));
		if (!(result instanceof Problem)) {
			breaker.record('answered');
			return { record: result, unreadable: answer.ok && answer.unreadable };
		}
		// An answer without a verdict counts as no answer, so several in a row open the breaker.
		const state = answer.ok ? 'noAnswer' : stateAfterLookup(answer.failure);
		breaker.record(state === 'keyRefused' ? result : state);
		throw result;
	}
}

/**
 * Returns the record of an answer. Undefined: the answer means "no match" but has no record with a clear `match`.
 * @throws Problem if the answer gives no verdict
 */
function recordOf(answer: Answer<RegistryRecord>, ssn: string, service: Service): RegistryRecord | undefined {
	if (!answer.ok) {
		const { failure } = answer;
		// A failure with status 200 is an answer without a usable `match`.
		if (!('status' in failure) || !isNoMatch(failure.status, failure.body, service.noMatch)) throw couldNotAsk(failure);
		refuseOtherNumber(failure.body, ssn, failure.status);
		return undefined;
	}
	const { value: record } = answer;
	refuseOtherNumber(record, ssn, 200);
	if (matchOf(record) !== undefined) return record;
	// If the credential lists status 200, an unclear `match` means no match too.
	if (isNoMatch(200, record, service.noMatch)) return undefined;
	const { message, whatToDo } = NO_VERDICT.unclearMatch(toShortText(record.match));
	throw noVerdict(message, `${whatToDo}. ${addToCodes(200)}`, { httpStatus: 200, ...answerFields(record) });
}

/** Throws a Problem if an answer is about a number that was not looked up. */
function refuseOtherNumber(body: unknown, ssn: string, httpStatus: number): void {
	if (!isAboutAnother(body, ssn)) return;
	const { message, whatToDo } = NO_VERDICT.otherNumber;
	throw noVerdict(message, whatToDo, { httpStatus });
}

/**
 * Makes the Problem of a look-up without a verdict. With status 401 or 403 the reason is `setting`: the credential has a fault.
 * With any other status, or none, it is `couldNotAsk`.
 */
function noVerdict(message: string, whatToDo: string, details: { httpStatus?: number }): Problem {
	const status = details.httpStatus ?? 0;
	const todo = TODO_OF_STATUS[status] ?? ([400, 422].includes(status) ? 'refusedPerson' : '');
	const why: Why = todo === 'key' ? { reason: 'setting', about: { todo } } : { reason: 'couldNotAsk', about: { todo } };
	return new Problem(message, whatToDo, details, String(details.httpStatus ?? ''), why);
}

const addToCodes = (status: number) => addToNoMatchCodes(status, NO_MATCH_CODES.displayName);

/**
 * Makes the Problem of a failed request. Some services answer "no match" with an HTTP status and no record. If the answer to
 * this request may mean that, the advice names the field in the credential that lists such statuses.
 */
function couldNotAsk(failure: Failure): Problem {
	const described = describeFailure('AMKA service', failure);
	if (!('status' in failure)) return noVerdict(described.message, described.whatToDo, {});
	const { kind, status, body } = failure;
	const lacksRecord = kind === 'body' && withoutRecord.safeParse(body).success;
	const { message, whatToDo } = lacksRecord ? NO_VERDICT.noRecord(status) : described;
	// The answer may mean no match if it is JSON of another form, or if its status is 400, 404 or 422 and it is no web page.
	const isPerhapsNoMatch =
		kind === 'body' ? typeof body === 'object' : [400, 404, 422].includes(status) && !isPage(body);
	// The advice about the field comes first, because an admin may have tried a person whose data do not match.
	const otherwise = `Otherwise ${whatToDo.charAt(0).toLowerCase()}${whatToDo.slice(1)}`;
	const advice = isPerhapsNoMatch ? `${addToCodes(status)}. ${otherwise}` : whatToDo;
	return noVerdict(message, advice, { httpStatus: status, ...answerFields(body) });
}

/** Returns the texts of the service's answer as fields of the item, so that a workflow can branch on them. */
function answerFields(body: unknown): IDataObject {
	if (typeof body !== 'object' || body === null) return {};
	const fields = ['title', 'code', 'message', 'error'].map((name) => [name, toShortText((body as IDataObject)[name])]);
	return Object.fromEntries(fields.filter(([, text]) => text !== ''));
}

/**
 * Matches a text in base64: a long word of digits and letters of both cases. A service may repeat the request in this form, with
 * the person's number in it.
 */
const BASE64 = /(?=[\w+/=-]*\d)(?=[\w+/=-]*[a-z])(?=[\w+/=-]*[A-Z])[\w+/=-]{14,}/g;

/**
 * Returns a text, a number or a boolean of the service as text, cut to 500 characters, without whole personal numbers. Any
 * other value becomes an empty text.
 */
const toShortText = (value: unknown) =>
	['string', 'number', 'boolean'].includes(typeof value)
		? redactPersonalNumbers(toText(value).slice(0, 500).replace(BASE64, REDACTED))
		: '';
