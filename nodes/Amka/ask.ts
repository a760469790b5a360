import { createHash } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { describeFailure, type Failure } from '../shared/failure';
import { hidePeoplesNumbers } from '../shared/hide';
import { openLedger } from '../shared/ledger';
import { getOption, readFlagOption, readList, readNumberOption } from '../shared/parameter';
import { badParameter, Problem } from '../shared/problem';
import { TODO_OF_STATUS } from '../shared/reasons';
import { credentialOnce, request, type Answer, type Credential } from '../shared/request';
import { pause, secondsBeforeRetry } from '../shared/retry';
import { options } from './parameters';
import { readPerson } from './person';
import {
	isAboutAnother,
	matchOf,
	serviceUrl,
	validationResult,
	withoutRecord,
	type ValidationResult,
} from './registry';
import { verdictOf, type Said, type Verdict } from './verdict';

type RegistryAnswer = Answer<ValidationResult>;

/** What the rows of one run share. */
export type Lookup = ReturnType<typeof openLookup>;

/** @returns what the rows of a run share; nothing is asked yet */
export function openLookup(context: IExecuteFunctions) {
	return {
		/** The credential, read once, at the first question. */
		service: credentialOnce(context, 'amkaApi', (credential) => ({ credential, url: serviceUrl(credential.data) })),
		/** By what was asked: equal questions of a run go out once. */
		answers: new Map<string, Promise<RegistryAnswer>>(),
		/** What earlier attempts found out, by what their rows asked. Where nothing runs the node again, nothing is kept. */
		ledger: context.getNode().retryOnFail === true ? openLedger<Said>(context) : undefined,
	};
}

/** How a row wants to be asked about. */
interface How {
	/** HTTP statuses by which the service says "no match"; 200 does so with JSON whose `match` can't be read. */
	noMatch: number[];
	/** In milliseconds, for each try. */
	timeout: number;
	retries: number;
}

const UNREADABLE = 'Some letters of the answer could not be read: it is not in the charset that it names.';

/**
 * Reads a row's person and asks the registry, unless an earlier attempt of Retry On Fail has asked the same for any row.
 * Matched, not matched and could-not-ask are three things: the first two are said, the last is an error.
 *
 * @param wanted what is said depends on beside the person, as JSON data
 * @param say what is said of the person; without a result where a status alone says "no match", and where nobody was asked
 * @throws Problem where a parameter breaks its rule, or the registry could not be asked
 */
export async function lookUp(
	context: IExecuteFunctions,
	itemIndex: number,
	lookup: Lookup,
	wanted: unknown,
	say: (verdict: Verdict, result: ValidationResult | undefined) => Said,
): Promise<Said> {
	const how = {
		noMatch: readStatusCodes(getOption(context, options.noMatchStatusCodes, itemIndex)),
		timeout: readNumberOption(context, options.timeout, itemIndex) * 1000,
		retries: readNumberOption(context, options.retries, itemIndex),
	};
	const acceptDeceased = readFlagOption(context, options.acceptDeceased, itemIndex);
	const person = readPerson(context, itemIndex);
	if ('reason' in person) return say({ matched: false, ...person }, undefined);

	// A digest, because what a row contains has no place in what is kept of a run.
	const row = createHash('sha256')
		.update(JSON.stringify([person, how, acceptDeceased, wanted]))
		.digest('base64url');
	const known = lookup.ledger?.get(row);
	if (known !== undefined) return known;

	const { ssn, birthDate, surname, warnings } = person;
	const { credential, url } = await lookup.service();
	const question = `ssn=${encodeURIComponent(ssn)}&birthdate=${birthDate}&surname=${encodeURIComponent(surname)}`;
	const asked = lookup.answers.get(question) ?? ask(context, credential, `${url}?${question}`, how);
	lookup.answers.set(question, asked);
	const answer = await asked;
	const result = resultOf(answer, ssn, how);
	const all = answer.ok && answer.unreadable ? [...warnings, UNREADABLE] : warnings;
	const said = say(verdictOf(ssn, result, all, acceptDeceased), result);
	lookup.ledger?.set(row, said);
	return said;
}

/** Statuses that say something else than "no match": the key is refused, a proxy asks for a login, time is over, there are too many requests. */
const NEVER_NO_MATCH = ['401', '403', '407', '408', '429'];

function readStatusCodes(value: unknown): number[] {
	const { displayName } = options.noMatchStatusCodes;
	const codes = readList(value, displayName);
	if (!codes.every((code) => code === '200' || (/^4\d\d$/.test(code) && !NEVER_NO_MATCH.includes(code)))) {
		throw badParameter(
			displayName,
			`must be 200, or HTTP statuses from 400 to 499 other than ${NEVER_NO_MATCH.join(', ')}, separated by commas`,
			'Write for example 400, 404, or leave it empty: other statuses say that the registry could not be asked',
		);
	}
	return codes.map(Number);
}

/** One question, asked again where another try may help: a look-up changes nothing. */
async function ask(context: IExecuteFunctions, credential: Credential, url: string, how: How): Promise<RegistryAnswer> {
	const question = { method: 'GET', url, timeout: how.timeout } as const;
	for (let attempt = 0; ; attempt++) {
		const answer = await request(context, credential, question, validationResult, (status) => status === 200);
		if (answer.ok || attempt === how.retries) return answer;
		const { failure } = answer;
		if (isNoMatch(failure, how) || !mayPass(failure)) return answer;
		const seconds = secondsBeforeRetry(attempt, failure.kind === 'status' ? failure.retryAfter : undefined);
		if (seconds === undefined) return answer;
		await pause(context, seconds * 1000);
	}
}

/** No connection, a broken one, a time-out, 429 and 5xx. */
function mayPass(failure: Failure): boolean {
	if (failure.kind === 'status') return failure.status === 429 || failure.status >= 500;
	return failure.kind === 'lost' || (failure.kind === 'notSent' && failure.passing);
}

/** Whether an answer without a verdict is one that the user takes for "no match". */
function isNoMatch(failure: Failure, { noMatch }: How): boolean {
	if (failure.kind === 'status') return noMatch.includes(failure.status);
	// What is no JSON comes from a server or a proxy that is not the service.
	return failure.kind === 'body' && typeof failure.body === 'object' && noMatch.includes(200);
}

/** @returns undefined where the answer says "no match" without a record. @throws Problem where there is no verdict */
function resultOf(answer: RegistryAnswer, ssn: string, how: How): ValidationResult | undefined {
	if (!answer.ok) {
		if (isNoMatch(answer.failure, how)) return undefined;
		throw couldNotAsk(answer.failure);
	}
	const { value: result } = answer;
	if (isAboutAnother(result, ssn)) {
		throw noVerdict(
			'The AMKA service answered about a different number than the one it was asked about',
			'Ask the operator of the service: such an answer says nothing about this person',
			{ httpStatus: 200 },
		);
	}
	if (matchOf(result) !== undefined) return result;
	if (how.noMatch.includes(200)) return undefined;
	throw noVerdict(
		`The AMKA service answered with a match that is neither true nor false: "${asWords(result.match)}"`,
		`Ask the operator of the service what it means. ${addToOption(200)}`,
		{ httpStatus: 200, ...wordsOf(result) },
	);
}

function noVerdict(message: string, whatToDo: string, details: { httpStatus?: number }): Problem {
	const why = { reason: 'couldNotAsk', about: { todo: TODO_OF_STATUS[details.httpStatus ?? 0] ?? '' } } as const;
	return new Problem(message, whatToDo, details, String(details.httpStatus ?? ''), why);
}

const addToOption = (status: number) =>
	`If your service answers so when the data do not match, add ${status} to the option "${options.noMatchStatusCodes.displayName}"`;

/** Why there is no verdict, and the option for services that say "no match" by this status. */
function couldNotAsk(failure: Failure): Problem {
	let { message, whatToDo } = describeFailure('AMKA service', failure);
	if (!('status' in failure)) return noVerdict(message, whatToDo, {});
	const { kind, status, body } = failure;
	if (kind === 'body' && withoutRecord.safeParse(body).success) {
		message = `The AMKA service answered HTTP ${status} without a record`;
		whatToDo = 'Check the Base URL of the credential';
	}
	const isPerhapsNoMatch = kind === 'body' ? typeof body === 'object' : [400, 404, 422].includes(status);
	const advice = isPerhapsNoMatch ? `${whatToDo}. ${addToOption(status)}` : whatToDo;
	return noVerdict(message, advice, { httpStatus: status, ...wordsOf(body) });
}

/** What the service says in its own words, for a workflow to branch on. */
function wordsOf(body: unknown): IDataObject {
	if (typeof body !== 'object' || body === null) return {};
	const said = ['title', 'code', 'message', 'error'].map((name) => [name, asWords((body as IDataObject)[name])]);
	return Object.fromEntries(said.filter(([, words]) => words !== ''));
}

/** A text or number of the service's without whole numbers of persons in it; cut, because nobody reads more. */
const asWords = (value: unknown) =>
	['string', 'number', 'boolean'].includes(typeof value) ? hidePeoplesNumbers(String(value).slice(0, 500)) : '';
