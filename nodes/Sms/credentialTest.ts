import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { BASE_URL_RULE, operationUrl } from '../shared/baseUrl';
import { tidy } from '../shared/greek';
import { probe, testFailed } from '../shared/probe';
import { asProblem } from '../shared/problem';
import { isNothing } from '../shared/parameter';
import { hideSecrets, keyAsUsed } from '../shared/hide';
import { readDay, SEND_PATH } from './credential';
import { readMessages } from './predefinedMessages';
import { weakKeyWarning } from './weakKey';
import { COPY_REPORT_URL, reportUrlFault } from './dlrUrl';
import { readGuards } from './outgoing/guards';
import { sendSmsRequest, sendSmsResponse, withInstitution, type SendSmsResponse } from './wire';

const SERVICE = 'SMS platform';

/** No service, no message, no recipient: nothing that could be sent, yet the platform looks at institution and key. */
const NOTHING = { serviceId: '', messageId: '', recipient: '', replacements: [] };

const REACHED =
	'The SMS platform answered and did not reject the institution or its key. Only a real message can confirm them: the test sends none.';

/**
 * Tells apart: host not reachable, certificate not trusted, wrong base URL, key rejected, not rejected. The
 * platform has no operation that confirms a key without sending, so success says just that much. Then it names what
 * else in the credential can't be read.
 */
export async function smsPlatformApiTest(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const data = (credential.data ?? {}) as IDataObject;
	const url = operationUrl(data.baseUrl, SEND_PATH);
	if (url === undefined) return failed(`The Base URL ${BASE_URL_RULE}.`);
	if (keyAsUsed(data.institution) === '') return failed('The Institution is empty.');
	if (keyAsUsed(data.preSharedKey) === '') return failed('The Pre-Shared Key is empty.');

	const answer = await probe(
		this.helpers,
		{
			method: 'POST',
			uri: url,
			body: withInstitution(
				sendSmsRequest(NOTHING),
				keyAsUsed(data.institution),
				keyAsUsed(data.preSharedKey),
			) as object,
		},
		data.allowUnauthorizedCerts === true,
	);
	if ('failure' in answer) return testFailed(SERVICE, answer.failure);
	const refusal = readAnswer(answer.status, answer.body, data);
	if (refusal !== undefined) return refusal;
	const fault = faultOf(data);
	if (fault !== undefined) return failed(`The SMS platform did not reject the key. ${fault}`);
	return { status: 'OK', message: [REACHED, ...warningsOf(data)].join(' ') };
}

/** How a platform may say that it knows neither institution nor key. What it says is not documented. */
const REJECTIONS = [
	/(?:invalid|wrong|bad|unknown|missing|incorrect|expired)[ _-](?:pre[ _-]?shared[ _-]|api[ _-]|shared[ _-])?(?:key(?! ?word|[a-z])|institution|credentials?)/i,
	/(?<![a-z])(?:key|institution|credentials?)(?: (?:is|are|was|were))? (?:mismatch|does not match|do not match|invalid|wrong|unknown|incorrect|missing|expired|not (?:valid|known|found|recogni[sz]ed|correct))/i,
	/authenti\w+ (?:fail|error)|not authenticated|^(?:[^\s:]+: )?(?:unauthori[sz]ed|forbidden|access denied)\W*$/i,
	/(?:λάθος|άκυρο|εσφαλμένο) κλειδ|άγνωστο ίδρυμα/i,
];

/** What the answer says against the credential; undefined where nothing. */
function readAnswer(status: number, body: unknown, data: IDataObject): INodeCredentialTestResult | undefined {
	const isSuccess = status >= 200 && status < 300;
	const parsed = sendSmsResponse.safeParse(body);
	if (!parsed.success) {
		return testFailed(
			SERVICE,
			isSuccess ? { kind: 'body', status, body } : { kind: 'status', status, body, retryAfter: undefined },
		);
	}

	const reason = readable(parsed.data, data);
	if (/(?:sender|source|ip) address|unauthori[sz]ed.*address/i.test(reason)) {
		return failed(
			`The SMS platform does not accept requests from the IP address of this server (${reason}). Ask its operator to register it.`,
		);
	}
	if (status === 401 || REJECTIONS.some((words) => words.test(reason))) {
		return failed(
			`The SMS platform rejected the institution or its pre-shared key (${reason || `HTTP ${status}`}). Check both in the credential.`,
		);
	}
	// Which HTTP status a refusal has is not documented. The platform repeats the service; gateways have codes too.
	const isPlatform = isSuccess || status === 400 || status === 422 || repeatsTheService(body);
	if (!isPlatform || status === 403 || status === 407) {
		return testFailed(SERVICE, { kind: 'status', status, body, retryAfter: undefined });
	}
	return undefined;
}

const repeatsTheService = (body: unknown) => (body as { serviceId?: unknown }).serviceId === NOTHING.serviceId;

/** The platform's own words, without the key that they may repeat. */
function readable({ errorCode, error }: SendSmsResponse, { preSharedKey }: IDataObject): string {
	const words = [errorCode, error]
		.filter((text) => text !== null && text !== '')
		.join(': ')
		.slice(0, 20_000);
	return hideSecrets(words, [keyAsUsed(preSharedKey)]).slice(0, 300);
}

/** What in the credential can't be read, as a sentence; undefined where all can. */
function faultOf(data: IDataObject): string | undefined {
	const { previousPreSharedKey, keyChangedOn, messages, dlrUrl } = data;
	if (keyAsUsed(previousPreSharedKey) !== '' && readDay(keyChangedOn) === undefined) {
		return isNothing(keyChangedOn)
			? 'Key Changed On is missing: without it, delivery reports of messages sent with the previous key are refused.'
			: 'Key Changed On is no date that can be read for certain. Write the year first, as in 2026-05-11.';
	}
	const changedOn = readDay(keyChangedOn);
	if (changedOn !== undefined && changedOn > Date.now() / 1000 + 2 * 86_400)
		return 'Key Changed On is more than two days in the future: the previous key would stay valid until eight days after it.';
	const [fault] = readMessages(messages).faults;
	if (fault !== undefined) return `Line ${fault.line} of Messages ${fault.reason}.`;
	const wrong = isNothing(dlrUrl) ? undefined : reportUrlFault(tidy(String(dlrUrl)));
	return wrong === undefined ? guardFault(data) : `The Delivery Report URL ${wrong}. ${COPY_REPORT_URL}.`;
}

/** What of the guard rails can't be read. The workflow's time zone is not known here; any will do. */
function guardFault(data: IDataObject): string | undefined {
	try {
		readGuards(data, 'UTC');
		return undefined;
	} catch (error) {
		const { message, description } = asProblem(error);
		return `${message}. ${description}.`;
	}
}

/** What a credential works without, and its user should know, in sentences. */
function warningsOf({ preSharedKey, messages }: IDataObject): string[] {
	const read = readMessages(messages);
	const weak = weakKeyWarning(keyAsUsed(preSharedKey));
	return [
		...(weak === undefined ? [] : [weak]),
		...(read.messages.length === 0
			? ['There are no messages yet: fill in Messages, so that the nodes can list them by their text.']
			: []),
		...read.doubts.slice(0, 1).map(({ line, reason }) => `Line ${line} of Messages ${reason}.`),
	];
}

const failed = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });
