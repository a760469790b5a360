import type { ICredentialDataDecryptedObject, ICredentialsDecrypted, ICredentialTestFunctions } from 'n8n-workflow';

import { probe, testProblem, testResult } from '../http/credentialProbe';
import { toProblem, invalidParameter, Problem } from '../texts/problem';
import { isBlank } from '../n8n/parameters';
import { keyRefused, PLATFORM_REACHED, senderRefused } from '../texts/platform';
import { redactSecrets } from '../texts/redact';
import { cleanKey } from '../values/text';
import { readDay, readPlatform, type Platform } from './credential';
import { readSafetyLimits } from './safetyLimits';
import { isAboutKey, isAboutSender } from './outcome';
import { readMessages } from './predefinedMessages';
import { COPY_REPORT_URL, isTestUrl, reportUrlFault } from './reportUrl';
import { sendSmsRequest, sendSmsResponse, withInstitution, type SendSmsResponse } from './api';

const SERVICE = 'SMS platform';

/**
 * A message without service, id and recipient. The platform can't send such a message, but it checks the institution and the key.
 */
const EMPTY_MESSAGE = { serviceId: '', messageId: '', recipient: '', replacements: [] };

/**
 * Tests whether the platform answers and accepts the key of the credential. If another field in the credential has a fault, the
 * test fails too. A warning would not be seen, because n8n shows no text if a test succeeds.
 */
export async function smsPlatformApiTest(this: ICredentialTestFunctions, credential: ICredentialsDecrypted) {
	return await testResult(async () => {
		const data: ICredentialDataDecryptedObject = credential.data ?? {};
		const platform = readPlatform({ type: 'smsPlatformApi', data });
		const { institution, keys, sendUrl } = platform;
		const request = withInstitution(sendSmsRequest(EMPTY_MESSAGE), institution, keys.current) as object;
		const options = { method: 'POST' as const, uri: sendUrl, body: request };
		const { status, body } = await probe(SERVICE, this.helpers, options, data.allowUnauthorizedCerts === true);
		checkAnswer(status, body, keys.current);
		await checkRest(data, platform).catch((error: unknown) => {
			const { message, description } = toProblem(error);
			throw new Problem(`The SMS platform did not reject the key, but another field is wrong. ${message}`, description);
		});
		return PLATFORM_REACHED;
	});
}

/** Checks the answer. @throws Problem if the platform rejected the credential, or if the answer may be another server's */
function checkAnswer(status: number, body: unknown, key: string): void {
	const isSuccess = status >= 200 && status < 300;
	const answered = { status, body, retryAfter: undefined };
	const parsed = sendSmsResponse.safeParse(body);
	if (!parsed.success) throw testProblem(SERVICE, { kind: isSuccess ? 'body' : 'status', ...answered });

	const reason = readable(parsed.data, key);
	if (isAboutSender(parsed.data)) throw new Problem(...senderRefused(reason));
	if (status === 401 || isAboutKey(parsed.data)) throw new Problem(...keyRefused(reason || `HTTP ${status}`));
	// The platform's document does not say which HTTP status a rejection has. A gateway may also answer with an error code. Only
	// the platform repeats the service id of the request.
	const repeatsTheService = parsed.data.serviceId === EMPTY_MESSAGE.serviceId;
	const isPlatform = isSuccess || status === 400 || status === 422 || repeatsTheService;
	if (!isPlatform || status === 403 || status === 407) throw testProblem(SERVICE, { kind: 'status', ...answered });
}

/** Returns the platform's text without the key, which the text may repeat. */
function readable({ errorCode, error }: SendSmsResponse, key: string): string {
	const text = [errorCode, error].filter((part) => part !== null && part !== '').join(': ');
	return redactSecrets(text.slice(0, 20_000), [key]).slice(0, 300);
}

/** Seconds in a day. */
const DAY = 86_400;

/** A day in Greece may begin this many seconds before the same day in UTC. The day of the key's change is a day in Greece. */
const FURTHEST_AHEAD = 3 * 3600;

/** Checks the other fields of the credential. @throws Problem that names the first field that can't be used */
async function checkRest(data: ICredentialDataDecryptedObject, { dlrUrl }: Platform): Promise<void> {
	const hasPrevious = cleanKey(data.previousPreSharedKey) !== '';
	const changedOn = readDay(data.keyChangedOn);
	if (hasPrevious && isBlank(data.keyChangedOn)) {
		const rule =
			'is missing: without this date, the SMS Trigger refuses delivery reports of messages that were sent with the previous key';
		throw invalidParameter('Key Changed On', rule, 'Fill in this field in the credential');
	}
	if (hasPrevious && changedOn === undefined) {
		const rule = 'is not a clear date';
		throw invalidParameter('Key Changed On', rule, 'Write the year first, as in 2026-05-11');
	}
	if (changedOn !== undefined && Math.floor(changedOn / DAY) > Math.floor((Date.now() / 1000 + FURTHEST_AHEAD) / DAY)) {
		const todo = 'Correct the date: the previous key stays valid until eight days after this date';
		throw invalidParameter('Key Changed On', 'is in the future', todo);
	}
	const [line] = readMessages(data.messages).faults;
	if (line !== undefined)
		throw invalidParameter(`Line ${line.line} of Messages`, line.reason, 'Correct the line in the credential');
	if (dlrUrl !== undefined) {
		const wrong = reportUrlFault(dlrUrl) ?? (isTestUrl(dlrUrl) ? IS_TEST_URL : undefined);
		if (wrong !== undefined) throw invalidParameter('Delivery Report URL', wrong, COPY_REPORT_URL);
	}
	// A credential test has no workflow and so no time zone. The zone makes no difference to whether Quiet Hours can be read.
	readSafetyLimits(data, 'UTC');
}

const IS_TEST_URL =
	'is a test URL (/webhook-test/). n8n serves test URLs only while you test a workflow, so delivery reports would be lost';
