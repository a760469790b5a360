import type { IDataObject } from 'n8n-workflow';

import { encodings } from '../../sandbox/echo';
import { findSecrets } from '../spellings';
import { runNode } from './harness/engine';
import { continuing, expectNoKey, KEY, platform, ROW, send, withCredential } from './harness/send';
import type { Reply, Sent } from './harness/wire';

describe('a platform that repeats what it was sent', () => {
	it.each([200, 400, 500])(
		'keeps the key to itself when the platform echoes the request with HTTP %d',
		async (status) => {
			platform(({ body }) => ({
				status,
				body: {
					serviceId: 'grades',
					errorCode: `E-9 ${KEY}`,
					error: `bad request: ${body} ${encodeURIComponent(KEY)}`,
				},
			}));
			for (const spec of [send({}, {}, continuing), send()]) expectNoKey(await runNode(spec, [ROW]));
		},
	);

	const writingIt =
		(encode: (text: string) => string) =>
		({ body }: Sent): Reply => ({
			body: { serviceId: 'grades', errorCode: encode(KEY), error: `bad request: ${encode(body)}` },
		});
	const { plain, json, jsonAscii, url, form, html } = encodings;

	it.each(Object.entries(encodings))('keeps the key to itself when the request is written as %s', async (_, encode) => {
		platform(writingIt(encode));
		for (const spec of [send({}, {}, continuing), send()]) expectNoKey(await runNode(spec, [ROW]));
	});

	describe.each(Object.entries({ plain, json, jsonAscii, url, form, html }))(
		'when the request is written as %s',
		(_, encode) => {
			it.each(['6912345678', '+30 691 234 5678', '００３０ 691-234-5678', '٦٩١٢٣٤٥٦٧٨'])(
				'keeps %s out of every error text',
				async (mobile) => {
					platform(writingIt(encode));
					const [kept, stopped] = [
						await runNode(send({}, {}, continuing), [{ ...ROW, mobile }]),
						await runNode(send(), [{ ...ROW, mobile }]),
					];
					const { error, message, details } = kept.json[0]![0] as Record<'error' | 'message', string> & {
						details: IDataObject;
					};
					const { recipient, ...others } = details;
					expect(['6912345678', mobile]).toContain(recipient);
					const { message: first, description, stack, context } = stopped.error!;
					const shown = [error, message, JSON.stringify(others), first, description, stack, JSON.stringify(context)];
					expect(findSecrets(shown.join('\n'), [mobile])).toEqual([]);
				},
			);
		},
	);

	it('does not take a key of a few letters for a part of every word', async () => {
		platform({ body: { serviceId: 'grades', errorCode: 'E-002', error: 'Unknown Service k1' } });
		const run = await runNode(send({}, {}, { ...continuing, ...withCredential({ preSharedKey: 'k1' }) }), [ROW]);
		expect(run.json[0]![0]!.error).toBe('The SMS platform refused the message (E-002: Unknown Service •••)');
	});
});
