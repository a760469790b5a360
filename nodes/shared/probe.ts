import type { ICredentialTestFunctions, IN8nHttpFullResponse, INodeCredentialTestResult } from 'n8n-workflow';

import { describeFailure, transportFailure, type Failure } from './failure';

/**
 * One request of a credential test. The host gives credential tests a single request helper, which knows no
 * credential types: so header and body come complete.
 *
 * @returns status and body, or why there is no answer; it does not throw
 */
export async function probe(
	helpers: ICredentialTestFunctions['helpers'],
	options: {
		method: 'GET' | 'POST';
		uri: string;
		headers?: Record<string, string>;
		body?: object;
	},
	allowUnauthorizedCerts: boolean,
): Promise<{ status: number; body: unknown } | { failure: Failure }> {
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
		return { failure: transportFailure(error) };
	}
}

/** A failed test in the words that a failed run would use. */
export function testFailed(service: string, failure: Failure): INodeCredentialTestResult {
	const { message, whatToDo } = describeFailure(service, failure);
	return { status: 'Error', message: `${message}. ${whatToDo}.` };
}
