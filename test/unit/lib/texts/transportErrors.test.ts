import type { Failure } from '../../../../lib/http/transportFailure';
import { describeFailure } from '../../../../lib/texts/transportErrors';

describe('the description of a failure', () => {
	const status = (code: number): Failure => ({ kind: 'status', status: code, body: '', retryAfter: undefined });

	test.each<[Failure, RegExp, RegExp]>([
		[status(401), /^The SMS platform rejected the key \(HTTP 401\)$/, /key in the credential/],
		// A proxy of the user's network may also give this answer.
		[
			status(403),
			/^The SMS platform rejected the key, or a proxy in front of it refused the request \(HTTP 403\)$/,
			/key.*proxy may have answered/s,
		],
		[
			status(407),
			/^A proxy in front of the SMS platform asks for a login \(HTTP 407\)$/,
			/the answer came from the proxy, and not from the service/,
		],
		[status(404), /no such URL \(HTTP 404\)/, /Base URL/],
		[status(429), /too many requests/, /Concurrency/],
		[status(308), /redirects to another URL \(HTTP 308\)/, /final URL/],
		[status(500), /^The SMS platform answered with HTTP 500$/, /operator/],
		[{ kind: 'body', status: 200, body: '' }, /HTTP 200, but not with the documented/, /Base URL/],
		[{ kind: 'notSent', code: 'ECONNREFUSED', passing: true }, /can't be reached \(ECONNREFUSED\)/, /Base URL/],
		[{ kind: 'notSent', code: 'BLOCKED_BY_N8N', passing: false }, /outbound protection/, /n8n admin/],
		[{ kind: 'lost', code: 'ETIMEDOUT' }, /did not answer in time/, /Timeout/],
		[
			{ kind: 'lost', code: 'HPE_INVALID_CONSTANT' },
			/did not send a valid HTTP answer \(HPE_INVALID_CONSTANT\)/,
			/port/,
		],
		[{ kind: 'lost', code: 'ECONNRESET' }, /broke before the answer was complete \(ECONNRESET\)/, /Try again/],
	])('says what happened and what to do: %j', (failure, message, whatToDo) => {
		const words = describeFailure('SMS platform', failure);
		expect(words.message).toMatch(message);
		expect(words.whatToDo).toMatch(whatToDo);
		expect(`${words.message}${words.whatToDo}`).not.toMatch(/[{}]/);
	});
});
