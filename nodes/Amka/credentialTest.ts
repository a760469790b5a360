import type { ICredentialsDecrypted, ICredentialTestFunctions, INodeCredentialTestResult } from 'n8n-workflow';

import { BASE_URL_RULE, operationUrl } from '../shared/baseUrl';
import { probe, testFailed } from '../shared/probe';
import { authorization, keyFault } from './authorization';
import { AMKA_PATH, hasVerdict, validationResult, withoutRecord } from './registry';

/** Nobody's number: no one was born on day 00. The question is valid in form, so that the service looks at the key. */
const NOBODY = `ssn=00000000000&birthdate=1900-01-01&surname=${encodeURIComponent('ΔΟΚΙΜΗ')}`;

const SERVICE = 'AMKA service';

/** Tells apart: host not reachable, certificate not trusted, wrong base URL, key rejected, works. */
export async function amkaApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { baseUrl, apiKey, allowUnauthorizedCerts } = credential.data ?? {};
	const url = operationUrl(baseUrl, AMKA_PATH);
	if (url === undefined) return { status: 'Error', message: `The Base URL ${BASE_URL_RULE}.` };
	const fault = keyFault(apiKey);
	if (fault !== undefined) return { status: 'Error', message: `The API Key ${fault}.` };

	const answer = await probe(
		this.helpers,
		{ method: 'GET', uri: `${url}?${NOBODY}`, headers: { Authorization: authorization(apiKey) } },
		allowUnauthorizedCerts === true,
	);
	if ('failure' in answer) return testFailed(SERVICE, answer.failure);

	const { status, body } = answer;
	if (status === 200) {
		if (withoutRecord.safeParse(body).success) return unconfirmed('without a record');
		const result = validationResult.safeParse(body);
		if (result.success && !hasVerdict(result.data)) return unconfirmed('neither yes nor no');
		return result.success
			? { status: 'OK', message: 'The AMKA service answered and accepted the key.' }
			: testFailed(SERVICE, { kind: 'body', status, body });
	}
	if (status === 400 || status === 422) {
		// Any web server can answer so, with a page of its own; the service's errors are objects.
		const isObject = typeof body === 'object' && body !== null;
		return isObject ? unconfirmed(`HTTP ${status}`) : testFailed(SERVICE, { kind: 'body', status, body });
	}
	return testFailed(SERVICE, { kind: 'status', status, body, retryAfter: undefined });
}

function unconfirmed(how: string): INodeCredentialTestResult {
	return {
		status: 'OK',
		message: `The AMKA service answered ${how} to a number that belongs to nobody, and did not reject the key. Only a real query can confirm it.`,
	};
}
