import type { ICredentialTestFunctions, IN8nHttpFullResponse, INodeCredentialTestResult } from 'n8n-workflow';

import { describeFailure, transportFailure, type Failure } from './failure';
import { asProblem, Problem } from './problem';

/**
 * The result of a credential test.
 *
 * @param check returns what it has to say where the credential works; what it throws makes the test fail, in its words
 */
export async function testResult(check: () => Promise<string>): Promise<INodeCredentialTestResult> {
	try {
		return { status: 'OK', message: await check() };
	} catch (error) {
		const { message, description } = asProblem(error);
		return { status: 'Error', message: `${message}. ${description}.` };
	}
}

/**
 * One request of a credential test. The host gives credential tests a single request helper, which knows no
 * credential types: so header and body come complete.
 *
 * @param service its name, for the error
 * @throws Problem where there is no answer
 */
export async function probe(
	service: string,
	helpers: ICredentialTestFunctions['helpers'],
	options: {
		method: 'GET' | 'POST';
		uri: string;
		headers?: Record<string, string>;
		body?: object;
	},
	allowUnauthorizedCerts: boolean,
): Promise<{ status: number; body: unknown }> {
	try {
		const response = (await helpers.request({
			...options,
			json: true,
			timeout: 15_000,
			rejectUnauthorized: !allowUnauthorizedCerts,
			followRedirect: false,
			followAllRedirects: false,
			simple: false,
			resolveWithFullResponse: true,
		})) as IN8nHttpFullResponse;
		return { status: response.statusCode, body: response.body };
	} catch (error) {
		throw failed(service, transportFailure(error));
	}
}

/** A failed request in the words that a failed run would use. */
export function failed(service: string, failure: Failure): Problem {
	const { message, whatToDo } = describeFailure(service, failure);
	return new Problem(message, whatToDo);
}
