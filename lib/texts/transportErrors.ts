import { BLOCKED, isCertificateError, NO_TLS, TIME_OVER, type Failure } from '../http/transportFailure';

/*
 * The texts for the admin about requests without a usable answer: the connection failed, or the answer has an HTTP error or an
 * unknown body. `transportFailure` in `lib/http/transportFailure.ts` classifies the error of a request; `describeFailure` chooses
 * the text for it.
 */

/** The texts of a failure. `{service}` is the name of the service, and `{code}` is the code of the error or the HTTP status. */
interface TransportTexts {
	/** The text that says what went wrong. */
	message: string;
	whatToDo: string;
	/** Advice about an option of the node. A credential test leaves it out. */
	inNode?: string;
}

type TransportTextKey = keyof typeof TRANSPORT_TEXTS;

const WAIT_AND_CHECK =
	'Try again later. If the service still does not answer, check the Base URL, and the firewall between n8n and the service';
const MORE_TIME = 'If the service needs more time, set a longer Timeout in the options';
const CHECK_KEY = 'Check the key in the credential, and make sure that it is approved for this service';

const TRANSPORT_TEXTS = {
	certificate: {
		message: "The {service}'s certificate is not trusted ({code})",
		whatToDo:
			'If the certificate has expired, ask the operator of the service to renew it. If the certificate is for another host, correct the Base URL. Otherwise, install the certificate of its issuer (CA) on the n8n server, or switch on "Ignore SSL Issues (Insecure)" in the credential',
	},
	tls: {
		message: 'No encrypted connection to the {service} could be made ({code})',
		whatToDo: 'Check that the Base URL in the credential has the right port and the right scheme (http or https)',
	},
	blocked: {
		message: "n8n's outbound protection blocks the URL of the {service}",
		whatToDo: "Ask the n8n admin to allow the host in the credential's Base URL",
	},
	unreachable: {
		message: "The {service} can't be reached ({code})",
		whatToDo:
			'Check the Base URL in the credential, and make sure that the n8n server can connect to that host and port',
	},
	notHttp: {
		message: 'The {service} did not send a valid HTTP answer ({code})',
		whatToDo: 'Check the host and the port in the Base URL in the credential',
	},
	slow: { message: 'The {service} did not answer in time', whatToDo: WAIT_AND_CHECK, inNode: MORE_TIME },
	broken: {
		message: 'The connection to the {service} broke before the answer was complete ({code})',
		whatToDo: WAIT_AND_CHECK,
		inNode: MORE_TIME,
	},
	otherBody: {
		message: 'The {service} answered with HTTP {code}, but not with the documented JSON object',
		whatToDo:
			'Check the Base URL in the credential: another server, or a proxy in front of the service, may have answered',
	},
	otherStatus: {
		message: 'The {service} answered with HTTP {code}',
		whatToDo: 'Try again later. If the error persists, ask the operator of the service',
	},
	refusedRequest: {
		message: 'The {service} answered with HTTP {code}',
		whatToDo:
			'The service refused this request, and trying again will not help. Ask the operator of the service what is wrong with the request',
	},
	redirect: {
		message: 'The {service} redirects to another URL (HTTP {code})',
		whatToDo:
			'Set the Base URL in the credential to the final URL. The nodes do not follow redirects, because a key must not go to another host',
	},
	keyRejected: { message: 'The {service} rejected the key (HTTP {code})', whatToDo: CHECK_KEY },
	keyRejectedPerhaps: {
		message: 'The {service} rejected the key, or a proxy in front of it refused the request (HTTP {code})',
		whatToDo: `${CHECK_KEY}. If the key is right and approved, a proxy may have answered: ask the admin of your network whether n8n is allowed to connect to the Base URL`,
	},
	noSuchUrl: {
		message: 'The {service} has no such URL (HTTP {code})',
		whatToDo: 'Check the Base URL in the credential, especially its path',
	},
	proxyLogin: {
		message: 'A proxy in front of the {service} asks for a login (HTTP {code})',
		whatToDo: 'Ask the admin of your network: the answer came from the proxy, and not from the service',
	},
	tooManyRequests: {
		message: 'The {service} is receiving too many requests (HTTP {code})',
		whatToDo: 'Try again later',
		inNode: 'If you are running a list, set a lower Concurrency in the options',
	},
} as const satisfies Record<string, TransportTexts>;

/** The keys of the texts for HTTP statuses that have their own text. */
const KEY_OF_STATUS: Partial<Record<number, TransportTextKey>> = {
	401: 'keyRejected',
	403: 'keyRejectedPerhaps',
	404: 'noSuchUrl',
	405: 'noSuchUrl',
	407: 'proxyLogin',
	429: 'tooManyRequests',
};

/** Returns the key of the texts that describe a failure. */
function textKeyOf(failure: Failure): TransportTextKey {
	switch (failure.kind) {
		case 'notSent':
			if (isCertificateError(failure.code)) return 'certificate';
			if (failure.code === NO_TLS) return 'tls';
			return failure.code === BLOCKED ? 'blocked' : 'unreachable';
		case 'lost':
			if (failure.code.startsWith('HPE_')) return 'notHttp';
			return TIME_OVER.has(failure.code) ? 'slow' : 'broken';
		case 'body':
			return 'otherBody';
		case 'status':
			if (failure.status >= 300 && failure.status < 400) return 'redirect';
			return KEY_OF_STATUS[failure.status] ?? (isRefusedForGood(failure.status) ? 'refusedRequest' : 'otherStatus');
	}
}

/**
 * Returns whether the service would reject the same request again: any 4xx except 408, 409, 425 and 499. Statuses with their own
 * text, such as 429, are not checked here.
 */
const isRefusedForGood = (status: number) => status >= 400 && status < 500 && ![408, 409, 425, 499].includes(status);

/**
 * Describes a failure for the user.
 * @param service the name of the service in the text, such as "SMS platform"
 * @param inTest whether the text is for a credential test. Then the text does not mention options of a node
 */
export function describeFailure(
	service: string,
	failure: Failure,
	inTest = false,
): { message: string; whatToDo: string } {
	const { message, whatToDo, inNode }: TransportTexts = TRANSPORT_TEXTS[textKeyOf(failure)];
	const code = String('code' in failure ? failure.code : failure.status);
	return {
		message: message.replace('{service}', service).replace('{code}', code),
		whatToDo: inTest || inNode === undefined ? whatToDo : `${whatToDo}. ${inNode}`,
	};
}
