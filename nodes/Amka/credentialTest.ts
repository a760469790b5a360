import type { ICredentialsDecrypted, ICredentialTestFunctions } from 'n8n-workflow';

import { probe, testProblem, testResult } from '../../lib/http/credentialProbe';
import { REGISTRY_REACHED } from '../../lib/texts/registry';
import {
	authorization,
	isNoMatch,
	LOOKUP_HEADERS,
	matchOf,
	readNoMatchCodes,
	serviceUrl,
	registryRecord,
	withoutRecord,
} from './registryRecord';

/**
 * A query with an AMKA that no person has: an AMKA begins with the day of birth, and there is no day 00. The number has eleven
 * digits, so that the service accepts the query and checks the key.
 */
const UNASSIGNED_NUMBER = `ssn=00000000000&birthdate=1900-01-01&surname=${encodeURIComponent('ΔΟΚΙΜΗ')}`;

const SERVICE = 'AMKA service';

/**
 * Tests the credential. The test succeeds, or it reports one of these: the host can't be reached, the certificate is not
 * trusted, the Base URL is wrong, the key was rejected, the service answered with another error, or a field can't be read.
 */
export async function amkaApiTest(this: ICredentialTestFunctions, { data = {} }: ICredentialsDecrypted) {
	return await testResult(async () => {
		const noMatch = readNoMatchCodes(data);
		const uri = `${serviceUrl(data)}?${UNASSIGNED_NUMBER}`;
		const headers = { ...LOOKUP_HEADERS, Authorization: authorization(data.apiKey) };
		const trustsAny = data.allowUnauthorizedCerts === true;
		const { status, body } = await probe(SERVICE, this.helpers, { method: 'GET', uri, headers }, trustsAny);
		return meaningOf(status, body, noMatch);
	});
}

/** Returns the message of a successful test, given the answer of the service. @throws Problem if the test failed */
function meaningOf(status: number, body: unknown, noMatch: number[]): string {
	const isAnswerNoMatch = isNoMatch(status, body, noMatch);
	if (status === 200) {
		if (withoutRecord.safeParse(body).success) return REGISTRY_REACHED.unconfirmed('a JSON object without a record');
		const record = registryRecord.safeParse(body);
		if (!record.success && !isAnswerNoMatch) throw testProblem(SERVICE, { kind: 'body', status, body });
		if (!record.success || matchOf(record.data) === undefined)
			return REGISTRY_REACHED.unconfirmed('neither yes nor no');
		return REGISTRY_REACHED.confirmed;
	}
	if (![400, 422, ...noMatch].includes(status)) throw testProblem(SERVICE, { kind: 'status', status, body });
	// Any web server can answer with this status and a page. The errors of the AMKA service are JSON objects.
	if (!isAnswerNoMatch && (typeof body !== 'object' || body === null))
		throw testProblem(SERVICE, { kind: 'body', status, body });
	return REGISTRY_REACHED.unconfirmed(`HTTP ${status}`);
}
