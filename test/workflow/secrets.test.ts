import type { IDataObject } from 'n8n-workflow';

import { encodings } from '../../sandbox/echo';
import { findSecrets } from '../spellings';
import { runNode } from './harness/engine';
import { continuing, expectNoKey, KEY, platform, ROW, send, withCredential } from './harness/send';
import type { Reply, Sent } from './harness/httpServer';

describe('if the platform returns the request, SMS Send', () => {
	it.each([200, 400, 500])('does not reveal the key after HTTP %d', async (status) => {
		const echo = ({ body }: Sent) => ({ errorCode: `E-9 ${KEY}`, error: `bad: ${body} ${encodeURIComponent(KEY)}` });
		platform((sent) => ({ status, body: { serviceId: 'grades', ...echo(sent) } }));
		for (const spec of [send({}, {}, continuing), send()]) expectNoKey(await runNode(spec, [ROW]));
	});

	const writingIt =
		(encode: (text: string) => string) =>
		({ body }: Sent): Reply => ({
			body: { serviceId: 'grades', errorCode: encode(KEY), error: `bad request: ${encode(body)}` },
		});
	const { plain, json, jsonAscii, url, form, html } = encodings;

	it.each(Object.entries(encodings))('does not reveal the key, encoded as %s', async (_, encode) => {
		platform(writingIt(encode));
		for (const spec of [send({}, {}, continuing), send()]) expectNoKey(await runNode(spec, [ROW]));
	});

	const mobiles = ['6912345678', '+30 691 234 5678', '00３０ 691-234-5678', '٦٩١٢٣٤٥٦٧٨'];
	it.each(
		Object.entries({ plain, json, jsonAscii, url, form, html }).flatMap(([how, encode]) =>
			mobiles.map((mobile) => [how, mobile, encode] as const),
		),
	)('does not reveal, encoded as %s, the number %s in an error text', async (_, mobile, encode) => {
		platform(writingIt(encode));
		const kept = await runNode(send({}, {}, continuing), [{ ...ROW, mobile }]);
		const { error, message, details } = kept.json[0]![0]!;
		const { recipient, ...others } = details as IDataObject;
		expect(['6912345678', mobile]).toContain(recipient);
		const stopped = (await runNode(send(), [{ ...ROW, mobile }])).error!;
		const { message: first, description, stack, context } = stopped;
		const shown = [error, message, JSON.stringify(others), first, description, stack, JSON.stringify(context)];
		expect(findSecrets(shown.join('\n'), [mobile])).toEqual([]);
	});

	it('redacts a key of only two characters in the text of an error', async () => {
		platform({ body: { serviceId: 'grades', errorCode: 'E-002', error: 'Unknown Service k1' } });
		const run = await runNode(send({}, {}, { ...continuing, ...withCredential({ preSharedKey: 'k1' }) }), [ROW]);
		expect(run.json[0]![0]!.error).toBe('The SMS platform refused the message (E-002: Unknown Service •••)');
	});
});
