import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { operationUrl } from '../shared/baseUrl';
import { credentialOnce, request, type Answer, type Credential } from '../shared/request';
import { describeFailure, type Failure } from '../shared/failure';
import { hidePeoplesNumbers, keyAsUsed } from '../shared/hide';
import type { Why } from '../shared/notice';
import { badParameter, Problem } from '../shared/problem';
import { pause, secondsBeforeRetry } from '../shared/retry';
import { noMatchStatusCodes } from './parameters';
import type { Person } from './person';
import {
	AMKA_PATH,
	hasVerdict,
	isAboutAnother,
	validationResult,
	withoutRecord,
	type ValidationResult,
} from './registry';

/** The Authorization header of the AMKA service ("Authentication", 1): the word Token, one space, the key. */
export const authorization = (apiKey: unknown) => `Token ${keyAsUsed(apiKey)}`;

/** What is wrong with a key, as it goes on from its name; undefined where nothing is. */
export function keyFault(apiKey: unknown): string | undefined {
	const key = keyAsUsed(apiKey);
	if (key === '') return 'is empty';
	// What a header can carry (RFC 9110, 5.5), and no space: one in the middle comes of a key pasted in two lines.
	return /^[\x21-\x7e\x80-\xff]+$/.test(key) ? undefined : 'contains spaces, line breaks or letters that no key has';
}

/** How a row wants to be asked about. */
export interface How {
	/** HTTP statuses by which the service says "no match"; 200 does so with JSON whose `match` can't be read. */
	noMatch: number[];
	/** In milliseconds, for each try. */
	timeout: number;
	retries: number;
}

/**
 * Asks about one person; equal questions of one run go out once.
 *
 * @returns `result` is undefined where an HTTP status says that there is no match
 * @throws Problem where there is no verdict
 */
export type Registry = (
	person: Person,
	how: How,
) => Promise<{ result: ValidationResult | undefined; unreadable: boolean }>;

/** Why there is no verdict, for people. */
const COULD_NOT_ASK: Why = { reason: 'couldNotAsk' };

type RegistryAnswer = Answer<ValidationResult>;

/** The registry for one run of the node: its credential is read once, at the first question. */
export function openRegistry(context: IExecuteFunctions): Registry {
	const answers = new Map<string, Promise<RegistryAnswer>>();
	const service = credentialOnce(context, 'amkaApi', (credential) => {
		const fault = keyFault(credential.data.apiKey);
		if (fault !== undefined) throw badParameter('API Key', fault, 'Correct it in the credential');
		return { credential, url: operationUrl(credential.data.baseUrl, AMKA_PATH) };
	});

	return async ({ ssn, birthDate, surname }, how) => {
		const { credential, url } = await service();
		const question = `ssn=${encodeURIComponent(ssn)}&birthdate=${birthDate}&surname=${encodeURIComponent(surname)}`;
		let asked = answers.get(question);
		if (asked === undefined) {
			asked = ask(context, credential, `${url}?${question}`, how);
			answers.set(question, asked);
		}
		return verdictOf(await asked, ssn, how);
	};
}

function verdictOf(answer: RegistryAnswer, ssn: string, how: How) {
	if (!answer.ok) {
		if (isNoMatch(answer.failure, how)) return { result: undefined, unreadable: false };
		throw couldNotAsk(answer.failure);
	}
	const { value: result, unreadable } = answer;
	if (isAboutAnother(result, ssn)) {
		throw new Problem(
			'The AMKA service answered about a different number than the one it was asked about',
			'Ask the operator of the service: such an answer says nothing about this person',
			{ httpStatus: 200 },
			'200',
			COULD_NOT_ASK,
		);
	}
	if (hasVerdict(result)) return { result, unreadable };
	if (how.noMatch.includes(200)) return { result: undefined, unreadable: false };
	throw new Problem(
		`The AMKA service answered with a match that is neither true nor false: "${asWords(result.match)}"`,
		`Ask the operator of the service what it means. ${addToOption(200)}`,
		{ httpStatus: 200, ...wordsOf(result) },
		'200',
		COULD_NOT_ASK,
	);
}

/** One question, asked again where another try may help: a look-up changes nothing. */
async function ask(context: IExecuteFunctions, credential: Credential, url: string, how: How): Promise<RegistryAnswer> {
	for (let attempt = 0; ; attempt++) {
		const answer = await request(
			context,
			credential,
			{ method: 'GET', url, timeout: how.timeout },
			validationResult,
			(status) => status === 200,
		);
		if (answer.ok || attempt === how.retries || isNoMatch(answer.failure, how) || !mayPass(answer.failure))
			return answer;
		const { failure } = answer;
		const seconds = secondsBeforeRetry(attempt, failure.kind === 'status' ? failure.retryAfter : undefined);
		if (seconds === undefined) return answer;
		await pause(context, seconds * 1000);
	}
}

/** No connection, a broken one, a time-out, 429 and 5xx. */
function mayPass(failure: Failure): boolean {
	switch (failure.kind) {
		case 'notSent':
			return failure.passing;
		case 'lost':
			return true;
		case 'status':
			return failure.status === 429 || failure.status >= 500;
		case 'body':
			return false;
	}
}

/** Whether an answer without a verdict is one that the user takes for "no match". */
function isNoMatch(failure: Failure, { noMatch }: How): boolean {
	if (failure.kind === 'status') return noMatch.includes(failure.status);
	return failure.kind === 'body' && isJson(failure.body) && noMatch.includes(200);
}

/** What is no JSON comes from a server or a proxy that is not the service. */
const isJson = (body: unknown) => typeof body === 'object';

const addToOption = (status: number) =>
	`If your service answers so when the data do not match, add ${status} to the option "${noMatchStatusCodes.displayName}"`;

/** Why there is no verdict, and the option for services that say "no match" by this status. */
function couldNotAsk(failure: Failure): Problem {
	if (!('status' in failure)) {
		const { message, whatToDo } = describeFailure('AMKA service', failure);
		return new Problem(message, whatToDo, {}, '', COULD_NOT_ASK);
	}
	const { status, body } = failure;
	const isEmpty = failure.kind === 'body' && withoutRecord.safeParse(body).success;
	const { message, whatToDo } = isEmpty
		? {
				message: `The AMKA service answered HTTP ${status} without a record`,
				whatToDo: 'Check the Base URL of the credential',
			}
		: describeFailure('AMKA service', failure);
	const isPerhapsNoMatch = failure.kind === 'body' ? isJson(body) : [400, 404, 422].includes(status);
	const advice = isPerhapsNoMatch ? `${whatToDo}. ${addToOption(status)}` : whatToDo;
	return new Problem(message, advice, { httpStatus: status, ...wordsOf(body) }, String(status), COULD_NOT_ASK);
}

/** What the service says in its own words, for a workflow to branch on. */
function wordsOf(body: unknown): IDataObject {
	if (typeof body !== 'object' || body === null) return {};
	const said = (['title', 'code', 'message', 'error'] as const).map((name) => [
		name,
		asWords((body as IDataObject)[name]),
	]);
	return Object.fromEntries(said.filter(([, words]) => words !== ''));
}

/** A text or number of the service's without whole numbers of persons in it; cut, because nobody reads more. */
const asWords = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? hidePeoplesNumbers(String(value).slice(0, 500))
		: '';
