import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { BASE_URL_RULE, operationUrl } from '../shared/operationUrl';
import { probe, testFailed } from '../shared/probe';
import { readPreSharedKeys } from './preSharedKeys';
import { SEND_PATH } from './send';
import { sendSmsRequest, sendSmsResponse, withInstitution } from './wire';

const SERVICE = 'SMS platform';

/** No service, no message, no recipient: nothing that could be sent, yet the platform looks at institution and key. */
const NOTHING = { serviceId: '', messageId: '', recipient: '', replacements: [] };

/**
 * Tells apart: host not reachable, certificate not trusted, wrong base address, key rejected, not rejected. The
 * platform has no operation that confirms a key without sending, so success says just that much.
 */
export async function smsPlatformApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const data = credential.data ?? {};
	const { baseUrl, institution, preSharedKey, allowUnauthorizedCerts } = data;
	const url = operationUrl(baseUrl, SEND_PATH);
	if (url === undefined) return { status: 'Error', message: `The Base URL ${BASE_URL_RULE}.` };
	if (data.previousPreSharedKey && readPreSharedKeys(data as IDataObject).previous === undefined) {
		return {
			status: 'Error',
			message: 'Key Changed On is missing: without it, delivery reports of messages sent with the previous key are refused.',
		};
	}

	const answer = await probe(
		this.helpers,
		{
			method: 'POST',
			uri: url,
			body: withInstitution(sendSmsRequest(NOTHING), String(institution), String(preSharedKey)),
		},
		allowUnauthorizedCerts === true,
	);
	if ('failure' in answer) return testFailed(SERVICE, answer.failure);

	const { status, body } = answer;
	const parsed = sendSmsResponse.safeParse(body);
	const isSuccess = status >= 200 && status < 300;
	// Other servers' error pages have a field `error` too; the platform's own refusal has a code.
	if (!parsed.success || (!isSuccess && parsed.data.errorCode === '')) {
		return testFailed(
			SERVICE,
			isSuccess ? { kind: 'body', status } : { kind: 'status', status, body, retryAfter: undefined },
		);
	}

	const { error, errorCode } = parsed.data;
	const reason = `${error} ${errorCode}`;
	if (/(?:sender|source|ip) address|unauthori[sz]ed.*address/i.test(reason)) {
		return {
			status: 'Error',
			message: 'The SMS platform does not accept calls from the address of this server. Ask its operator to register it.',
		};
	}
	if (status === 401 || status === 403 || /(?<![a-z])key(?![a-z])|institution|unauthori[sz]ed|κλειδ|[ιί]δρυμα/i.test(reason)) {
		return {
			status: 'Error',
			message: 'The SMS platform rejected the institution or its pre-shared key. Check both in the credential.',
		};
	}
	// Which HTTP status a refusal has is not documented. The platform repeats the service; gateways have codes too.
	if (!isSuccess && status !== 400 && status !== 422 && !repeatsTheService(body)) {
		return testFailed(SERVICE, { kind: 'status', status, body, retryAfter: undefined });
	}
	return {
		status: 'OK',
		message:
			'The SMS platform answered and did not reject the institution or its key. Only a real message can confirm them: the test sends none.',
	};
}

const repeatsTheService = (body: unknown) => (body as { serviceId?: unknown }).serviceId === NOTHING.serviceId;
