import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { describeFailure, type Failure } from '../../lib/http/transportErrors';
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
import { parsePerson, type PersonInput } from './person';
import {
	isAboutAnother,
	isNoMatch,
	isPage,
	LOOKUP_HEADERS,
	matchOf,
	NO_MATCH_CODES,
	readNoMatchCodes,
	serviceUrl,
	validationResult,
	withoutRecord,
	type ValidationResult,
} from './registryRecord';
import { verdictOf, whyNot, type LookupResult } from './verdict';

/** An answer of the registry. It may say "no match" without a record. `unreadable`: some letters could not be read. */
type Answered = { result: ValidationResult | undefined; unreadable: boolean };

export type Lookup = ReturnType<typeof openLookup>;

/** The person of an item, and whether a person who has died counts like others. */
export interface LookupInput {
	person: PersonInput;
	acceptDeceased: boolean;
}

/** Opens the state that the look-ups of a run share. Nothing is sent yet. @param timeout of each attempt, in seconds */
export function openLookup(context: IExecuteFunctions, concurrency: number, timeout: number) {
	return {
		context,
		timeZone: context.getTimezone(),
		/** In milliseconds. */
		timeout: timeout * 1000,
		/** Reads the credential at the first look-up. */
		service: credentialOnce(context, 'amkaApi', (credential) => ({
			credential,
			url: serviceUrl(credential.data),
			noMatch: readNoMatchCodes(credential.data),
		})),
		/** Answers by their query: equal look-ups of a run are sent once. */
		answers: new Map<string, Promise<Answered>>(),
		breaker: createCircuitBreaker(concurrency, () =>
			fault('serviceDown', { what: 'registryDown', todo: 'checkLater' }),
		),
	};
}

type Service = Awaited<ReturnType<Lookup['service']>>;

/** Looks up a person in the registry. @throws Problem if a field can't be used, or if there is no answer */
export async function lookUp({ person: input, acceptDeceased }: LookupInput, lookup: Lookup): Promise<LookupResult> {
	const person = parsePerson(input, lookup.timeZone);
	if ('reason' in person) {
		const verdict = { matched: false, ...person };
		return { verdict, why: whyNot(verdict) };
	}

	const { ssn, birthDate, surname, warnings, likelyCause } = person;
	const service = await lookup.service();
	const question = `ssn=${encodeURIComponent(ssn)}&birthdate=${birthDate}&surname=${encodeURIComponent(surname)}`;
	const asked = lookup.answers.get(question) ?? ask(lookup, service, question, ssn);
	lookup.answers.set(question, asked);
	const { result, unreadable } = await asked;
	const all = unreadable ? [...warnings, PERSON_WARNINGS.unreadableLetters] : warnings;
	const verdict = verdictOf(ssn, result, all, acceptDeceased);
	return { verdict, result, why: whyNot(verdict, likelyCause) };
}

/**
 * Sends one query, again if the failure is retryable.
 * @throws Problem if there is no verdict, or if the circuit breaker is open
 */
async function ask(
	{ context, breaker, timeout }: Lookup,
	service: Service,
	question: string,
	ssn: string,
): Promise<Answered> {
	const ended = breaker.problem();
	if (ended !== undefined) throw ended;
	const options = { method: 'GET', url: `${service.url}?${question}`, headers: LOOKUP_HEADERS, timeout } as const;
	for (let attempt = 0; ; attempt++) {
		const answer = await request(context, service.credential, options, validationResult, (status) => status === 200);
		const isRetryable = !answer.ok && isRetryableLookup(answer.failure);
		const seconds = isRetryable ? secondsBeforeRetry(attempt, answer.failure) : undefined;
		if (seconds === undefined) {
			const result = toResult(() => resultOf(answer, ssn, service));
			if (!(result instanceof Problem)) {
				breaker.record('answered');
				return { result, unreadable: answer.ok && answer.unreadable };
			}
			const state = answer.ok ? 'noAnswer' : stateAfterLookup(answer.failure);
			breaker.record(state === 'keyRefused' ? result : state);
			throw result;
		}
		await pause(context, seconds * 1000);
	}
}

/** @returns undefined if the answer says "no match" without a record. @throws Problem if there is no verdict */
function resultOf(answer: Answer<ValidationResult>, ssn: string, service: Service): ValidationResult | undefined {
	if (!answer.ok) {
		const { failure } = answer;
		if (!('status' in failure) || !isNoMatch(failure.status, failure.body, service.noMatch)) throw couldNotAsk(failure);
		refuseAnother(failure.body, ssn, failure.status);
		return undefined;
	}
	const { value: result } = answer;
	refuseAnother(result, ssn, 200);
	if (matchOf(result) !== undefined) return result;
	if (service.noMatch.includes(200)) return undefined;
	const { message, whatToDo } = NO_VERDICT.unclearMatch(toShortText(result.match));
	throw noVerdict(message, `${whatToDo}. ${addToCodes(200)}`, { httpStatus: 200, ...answerFields(result) });
}

/** Throws a Problem if an answer is about another number. */
function refuseAnother(body: unknown, ssn: string, httpStatus: number): void {
	if (!isAboutAnother(body, ssn)) return;
	const { message, whatToDo } = NO_VERDICT.otherNumber;
	throw noVerdict(message, whatToDo, { httpStatus });
}

function noVerdict(message: string, whatToDo: string, details: { httpStatus?: number }): Problem {
	const status = details.httpStatus ?? 0;
	const todo = TODO_OF_STATUS[status] ?? ([400, 422].includes(status) ? 'refusedPerson' : '');
	const why: Why = todo === 'key' ? { reason: 'setting', about: { todo } } : { reason: 'couldNotAsk', about: { todo } };
	return new Problem(message, whatToDo, details, String(details.httpStatus ?? ''), why);
}

const addToCodes = (status: number) => addToNoMatchCodes(status, NO_MATCH_CODES.displayName);

/** Makes the problem of a look-up without a verdict. It names the field for services that say "no match" with this status. */
function couldNotAsk(failure: Failure): Problem {
	const described = describeFailure('AMKA service', failure);
	if (!('status' in failure)) return noVerdict(described.message, described.whatToDo, {});
	const { kind, status, body } = failure;
	const lacksRecord = kind === 'body' && withoutRecord.safeParse(body).success;
	const { message, whatToDo } = lacksRecord ? NO_VERDICT.noRecord(status) : described;
	const isPerhapsNoMatch =
		kind === 'body' ? typeof body === 'object' : [400, 404, 422].includes(status) && !isPage(body);
	// An admin who tries a person whose data do not match must read this first.
	const otherwise = `Otherwise ${whatToDo.charAt(0).toLowerCase()}${whatToDo.slice(1)}`;
	const advice = isPerhapsNoMatch ? `${addToCodes(status)}. ${otherwise}` : whatToDo;
	return noVerdict(message, advice, { httpStatus: status, ...answerFields(body) });
}

/** Returns the texts of the service's answer, for a workflow to branch on. */
function answerFields(body: unknown): IDataObject {
	if (typeof body !== 'object' || body === null) return {};
	const fields = ['title', 'code', 'message', 'error'].map((name) => [name, toShortText((body as IDataObject)[name])]);
	return Object.fromEntries(fields.filter(([, text]) => text !== ''));
}

/** Matches base64: a long word of digits and letters of both cases. It may be an echoed request with the person's number. */
const PACKED = /(?=[\w+/=-]*\d)(?=[\w+/=-]*[a-z])(?=[\w+/=-]*[A-Z])[\w+/=-]{14,}/g;

/** Returns a text or a number of the service without whole personal numbers, cut to the length that people read. */
const toShortText = (value: unknown) =>
	['string', 'number', 'boolean'].includes(typeof value)
		? redactPersonalNumbers(toText(value).slice(0, 500).replace(PACKED, REDACTED))
		: '';
