import { jsonParse } from 'n8n-workflow';
import type { ICredentialTestFunctions, IN8nHttpFullResponse, INodeCredentialTestResult } from 'n8n-workflow';

import { Problem, toProblem } from '../texts/problem';
import { decodeBody } from './charset';
import { readStart } from './request';
import { transportFailure, type Failure } from './transportFailure';
import { describeFailure } from '../texts/transportErrors';

/* The test of a credential: one request to the service, and what its answer means for the user. */

/** Returns the result of a credential test. @param check returns the message of a test that succeeds, and otherwise throws */
export async function testResult(check: () => Promise<string>): Promise<INodeCredentialTestResult> {
	const result = await check().catch(toProblem);
	if (!(result instanceof Problem)) return { status: 'OK', message: result };
	return { status: 'Error', message: `${result.message}. ${result.description}.` };
}

/** The time-out of the request of a credential test, in milliseconds. */
const PROBE_TIME = 15_000;

/** Sends the request of a credential test. n8n adds no key to it. @throws Problem if no complete answer arrives */
export async function probe(
	service: string,
	helpers: ICredentialTestFunctions['helpers'],
	options: { method: 'GET' | 'POST'; uri: string; headers?: Record<string, string>; body?: object },
	allowUnauthorizedCerts: boolean,
): Promise<{ status: number; body: unknown }> {
	try {
		const { statusCode, headers, body } = (await helpers.request({
			...options,
			json: true,
			useStream: true,
			timeout: PROBE_TIME,
			rejectUnauthorized: !allowUnauthorizedCerts,
			followRedirect: false,
			followAllRedirects: false,
			simple: false,
			resolveWithFullResponse: true,
		})) as IN8nHttpFullResponse & { body: AsyncIterable<Uint8Array> & { destroy(error: Error): void } };
		// If the body is a stream, the HTTP client's own time-out covers only the time until it begins.
		const late = Object.assign(new Error(), { code: 'ECONNABORTED' });
		AbortSignal.timeout(PROBE_TIME).addEventListener('abort', () => body.destroy(late));
		const { text } = decodeBody(await readStart(body), headers['content-type']);
		return { status: statusCode, body: text === '' ? undefined : jsonParse<unknown>(text, { fallbackValue: text }) };
	} catch (error) {
		throw testProblem(service, transportFailure(error));
	}
}

/** Makes the Problem of a failed request of a credential test. Its text is the same as that of a failed run. */
export function testProblem(service: string, failure: Failure): Problem {
	const { message, whatToDo } = describeFailure(service, failure, true);
	return new Problem(message, whatToDo);
}
