import type { IExecuteFunctions } from 'n8n-workflow';

import { requireOperationUrl } from '../shared/baseUrl';
import { credentialOnce } from '../shared/credentialOnce';
import { describeFailure, type Failure } from '../shared/failure';
import { badParameter, Problem } from '../shared/problem';
import { request, type Answer, type Credential } from '../shared/request';
import { pause, secondsBeforeRetry } from '../shared/retry';
import { keyFault } from './authorization';
import type { Person } from './person';
import { AMKA_PATH, answerOfTheRegistry, isAboutAnother, type ValidationResult } from './registry';

/** How a row wants to be asked about. */
export interface How {
	/** HTTP statuses by which the service says "no match"; 200 does so without a record. */
	noMatch: number[];
	/** In milliseconds, for each try. */
	timeout: number;
	retries: number;
}

/**
 * Asks about one person; equal questions of one run go out once.
 *
 * @returns `result` is undefined where an HTTP status alone says that there is no match
 * @throws Problem where there is no verdict
 */
export type Registry = (person: Person, how: How) => Promise<{ result: ValidationResult | undefined; unreadable: boolean }>;

type RegistryAnswer = Answer<ValidationResult | undefined>;

/** The registry for one run of the node: its credential is read once, at the first question. */
export function openRegistry(context: IExecuteFunctions): Registry {
	const answers = new Map<string, Promise<RegistryAnswer>>();
	const service = credentialOnce(context, 'amkaApi', (credential) => {
		const fault = keyFault(credential.data.apiKey);
		if (fault !== undefined) throw badParameter('API Key', fault, 'Correct it in the credential');
		return { credential, url: requireOperationUrl(credential.data.baseUrl, AMKA_PATH) };
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
	if (!answer.ok || answer.value === undefined) {
		if (isNoMatch(answer, how)) return { result: undefined, unreadable: false };
		throw couldNotAsk(answer);
	}
	if (isAboutAnother(answer.value, ssn)) {
		throw new Problem(
			'The AMKA service answered about a different number than the one it was asked about',
			'Ask the operator of the service: such an answer says nothing about this person',
			{ httpStatus: 200 },
			'200',
		);
	}
	return { result: answer.value, unreadable: answer.unreadable };
}

/** One question, asked again where another try may help: a look-up changes nothing. */
async function ask(context: IExecuteFunctions, credential: Credential, url: string, how: How): Promise<RegistryAnswer> {
	for (let attempt = 0; ; attempt++) {
		const answer = await request(
			context,
			credential,
			{ method: 'GET', url, timeout: how.timeout },
			answerOfTheRegistry,
			(status) => status === 200,
		);
		if (answer.ok || attempt === how.retries || isNoMatch(answer, how) || !mayPass(answer.failure)) return answer;
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

/** Whether an answer without a record is one that the user takes for "no match". */
function isNoMatch(answer: RegistryAnswer, { noMatch }: How): boolean {
	const saysNothing = answer.ok ? answer.value === undefined : answer.failure.kind === 'status';
	return saysNothing && noMatch.includes(statusOf(answer) ?? 0);
}

function statusOf(answer: RegistryAnswer): number | undefined {
	if (answer.ok) return 200;
	return 'status' in answer.failure ? answer.failure.status : undefined;
}

/** Why there is no verdict, and the option for services that say "no match" by this status. */
function couldNotAsk(answer: RegistryAnswer): Problem {
	const status = statusOf(answer);
	const { message, whatToDo } = answer.ok
		? { message: 'The AMKA service answered HTTP 200 without a record', whatToDo: 'Check the Base URL of the credential' }
		: describeFailure('AMKA service', answer.failure);
	const isPerhapsNoMatch = answer.ok || (answer.failure.kind === 'status' && [400, 404, 422].includes(answer.failure.status));
	const advice = isPerhapsNoMatch
		? `${whatToDo}. If your service answers so where the data do not match, add ${status} to the option "No-Match Status Codes"`
		: whatToDo;
	return new Problem(message, advice, status === undefined ? {} : { httpStatus: status }, String(status ?? ''));
}
