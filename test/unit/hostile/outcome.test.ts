import { Readable } from 'node:stream';

import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import { request } from '../../../nodes/shared/request';
import { outcomeOf, sendProblem } from '../../../nodes/Sms/outgoing/outcome';
import { sendSmsResponse, type Message } from '../../../nodes/Sms/wire';
import { body, overTheWire, text, type Body } from '../../hostile/generators';
import { holds } from '../../hostile/property';

const short = (of: fc.Arbitrary<string>) => of.map((long) => long.slice(0, 300));

describe('the answer of the SMS platform', () => {
	// Of letters that nothing escapes, so that it is found in an echo of an echo too; others have their own tests.
	const KEY = 'psk-7_Vq~9f3.aZ';
	const message: Message = { serviceId: 'grades', messageId: 'g1', recipient: '6912345678', replacements: ['8'] };
	const sentBody = JSON.stringify({ ...message, institution: 'uni', 'pre-shared key': KEY });
	const echo = fc.constantFrom(
		KEY,
		sentBody,
		JSON.stringify(sentBody),
		JSON.stringify(JSON.stringify(sentBody)),
		sentBody.replace(/[^ -~]/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
		encodeURIComponent(sentBody),
		new URLSearchParams({ 'pre-shared key': KEY, recipient: '6912345678' }).toString(),
		sentBody.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
		sentBody.replaceAll('&', '&#38;').replaceAll('"', '&#x22;'),
	);
	const said = fc.oneof(
		{ weight: 2, arbitrary: fc.constant('') },
		{ weight: 3, arbitrary: text },
		{ weight: 3, arbitrary: fc.tuple(short(text), echo, short(text)).map((parts) => parts.join('')) },
		{ weight: 1, arbitrary: fc.tuple(echo, fc.integer({ min: 1, max: 300 })).map(([one, times]) => one.repeat(times)) },
	);
	const valid: fc.Arbitrary<Body> = fc.record(
		{ serviceId: fc.constant('grades'), errorCode: said, error: said },
		{ requiredKeys: [] },
	);
	const status = fc.oneof(
		{ weight: 3, arbitrary: fc.constant(200) },
		{ weight: 2, arbitrary: fc.constantFrom(204, 302, 400, 401, 403, 404, 408, 429, 500, 502, 503) },
		{ weight: 1, arbitrary: fc.integer({ min: 200, max: 599 }) },
	);

	holds(
		'counts as accepted only without an error, and otherwise ends in an error without the key or the recipient',
		10,
		fc.tuple(
			status,
			body(valid),
			fc.dictionary(
				fc.constantFrom('retry-after', 'location', '__proto__'),
				fc.oneof(text, fc.array(text, { maxLength: 2 })),
			),
		),
		async ([statusCode, answered, headers]) => {
			const answer = overTheWire(answered);
			const context = {
				helpers: {
					httpRequestWithAuthentication: async () => ({
						statusCode,
						body: Readable.from([Buffer.from(JSON.stringify(answer) ?? '')]),
						headers,
					}),
				},
			} as unknown as IExecuteFunctions;
			const credential = {
				type: 'smsPlatformApi',
				data: { baseUrl: 'https://sms.example.gr:9999', institution: 'uni', preSharedKey: KEY },
			};
			const isSuccess = (given: number) => given >= 200 && given < 300;
			const sent = outcomeOf(
				await request(
					context,
					credential,
					{ method: 'POST', url: 'https://sms.example.gr:9999/sendSMS', timeout: 1000 },
					sendSmsResponse,
					isSuccess,
				),
				'a',
			);

			const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
			const says = ['errorCode', 'error'].map((name) =>
				isObject && Object.hasOwn(answer, name) ? (answer as Body)[name] : 'nothing',
			);
			const isAccepted = isSuccess(statusCode) && says.every((one) => one === null || one === '');
			expect(sent.outcome === 'accepted').toBe(isAccepted);
			if (sent.outcome === 'accepted') return;
			// Nothing that the platform may have accepted may be sent again by itself.
			const mayBeTaken =
				statusCode < 400 || (statusCode >= 500 && statusCode !== 503) || [408, 409, 499].includes(statusCode);
			const isRefusal = isSuccess(statusCode) && says.every((one) => ['string', 'number'].includes(typeof one));
			if (mayBeTaken && !isRefusal) expect(sent.outcome).toBe('unknown');
			if (statusCode >= 400 && !mayBeTaken && statusCode !== 503) expect(sent.outcome).toBe('rejected');

			const problem = sendProblem(sent, message, [KEY]);
			const shown = `${problem.message}\n${problem.description}\n${JSON.stringify({ ...problem.details, recipient: '' })}`;
			for (const secret of [KEY, JSON.stringify(KEY).slice(1, -1), encodeURIComponent(KEY), '9f3', '6912345678']) {
				expect(shown).not.toContain(secret);
			}
			// Without the escapes of JSON: a line break counts as one character.
			expect([problem.message, problem.description, ...Object.values(problem.details)].join('').length).toBeLessThan(
				1000,
			);
		},
	);
});
