import { randomUUID } from 'node:crypto';

import { expectRefusal, expectStarted, items, KEY, report, signed, trigger } from './calls';

/* In which letters the body of a request is written: how the platform does that is not documented. */

/** A forward as bytes. */
const fields = { MSISDN: '6912345678', keyword: 'ΒΑ', body: 'Ηλεκτρονική ώ΄', 'pre-shared key': KEY };
const json = (changes: object = {}) => JSON.stringify({ ...fields, 'sms-forward-id': randomUUID(), ...changes });
const types = [
	...[null, 'application/json', 'text/plain', 'text/json', 'application/octet-stream'],
	...['text/plain; charset=utf-8', 'application/json; charset=UTF-8'],
];

/** Greek in one byte a letter, as windows-1253 has it (what of ISO 8859-7 is the same). */
const windows1253 = (text: string) =>
	Buffer.from(
		[...text].flatMap((letter) => {
			const code = letter.codePointAt(0)!;
			if (letter === '΄') return [0xb4];
			if (letter === 'Ά') return [0xa2];
			return code < 0x80 ? [code] : [code - 0x380 + 0xb0];
		}),
	);

it.each(types)('a byte-order mark is no part of a body of type %s', async (contentType) => {
	const node = trigger();
	expectStarted(await node.call({ path: 'forward', contentType, body: Buffer.from(`\ufeff${json()}`) }));
	const { body, query } = report();
	expectStarted(
		await node.call({ path: 'dlr', query, contentType, body: Buffer.from(`\ufeff${JSON.stringify(body)}`) }),
	);
});

const ASCII_KEY = 'psk-of-ascii-letters-91';
const ascii = {
	credentials: {
		smsPlatformApi: { baseUrl: 'https://sms.example.gr:9999', institution: 'u', preSharedKey: ASCII_KEY },
	},
};

it.each([null, 'application/json', 'text/plain', 'text/plain; charset=windows-1253'])(
	'windows-1253 is read where the type %s names no other charset',
	async (contentType) => {
		const node = trigger({ keywords: 'ΒΑ' }, {}, ascii);
		const answer = await node.call({
			path: 'forward',
			contentType,
			body: windows1253(json({ 'pre-shared key': ASCII_KEY })),
		});
		expectStarted(answer);
		expect(items(answer)?.[0]?.[0]).toMatchObject({ keyword: 'ΒΑ', matchedKeyword: 'ΒΑ', body: fields.body });
	},
);

it('a report in windows-1253 too', async () => {
	const body = windows1253(JSON.stringify({ serviceId: 'βαθμοί', recipient: '6912345678', status: 'DELIVRD' }));
	const query = signed('βαθμοί', 'r', { key: ASCII_KEY });
	expectStarted(await trigger({}, {}, ascii).call({ path: 'dlr', contentType: 'text/plain', query, body }));
});

describe('what is neither', () => {
	const withBytes = (text: string) => {
		const [before, after] = text.split('?');
		return Buffer.concat([Buffer.from(before!), Buffer.from([0xce, 0xff, 0xd2]), Buffer.from(after!)]);
	};
	const broken = (key: string) => withBytes(json({ 'pre-shared key': key, body: '?' }));

	it.each([null, 'application/json', 'text/plain', 'text/plain; charset=utf-8', 'application/json; charset=utf-8'])(
		'is refused as malformed, of type %s',
		async (contentType) => {
			const answer = await trigger().call({ path: 'forward', contentType, body: broken(KEY) });
			expectRefusal(answer, 400, 'INVALID_REQUEST');
			expect(answer.text).toMatch(/UTF-8/);
		},
	);

	it('is refused for its key first', async () => {
		expectRefusal(await trigger().call({ path: 'forward', body: broken('wrong') }), 401, 'INVALID_KEY');
	});

	it('is refused in a report, after its signature', async () => {
		const body = withBytes('{"serviceId":"grades","recipient":"6912345678","status":"ERROR","error":"?"}');
		expectRefusal(await trigger().call({ path: 'dlr', query: signed('grades', 'r'), body }), 400, 'INVALID_REQUEST');
		expectRefusal(await trigger().call({ path: 'dlr', query: { ref: 'r' }, body }), 401, 'INVALID_SIGNATURE');
	});

	it('windows-1253 that is too long to be parsed a second time', async () => {
		const body = windows1253(json({ 'pre-shared key': ASCII_KEY, padding: 'x'.repeat(210_000) }));
		expectRefusal(
			await trigger({}, {}, ascii).call({ path: 'forward', contentType: 'application/json', body }),
			400,
			'INVALID_REQUEST',
		);
	});

	it('windows-1253 that calls itself UTF-8', async () => {
		const body = windows1253(json({ 'pre-shared key': ASCII_KEY }));
		expectRefusal(
			await trigger({}, {}, ascii).call({ path: 'forward', contentType: 'application/json; charset=utf-8', body }),
			400,
			'INVALID_REQUEST',
		);
	});

	it('in a query, where n8n has put a � for it', async () => {
		const query = { MSISDN: '6912345678', keyword: '\ufffd\ufffd', 'pre-shared key': KEY };
		expectRefusal(
			await trigger({}, { httpMethod: 'GET' }).call({ path: 'forward', method: 'GET', query }),
			400,
			'INVALID_REQUEST',
		);
	});
});

it('a � that somebody wrote is a letter like others', async () => {
	const answer = await trigger().call({ path: 'forward', body: json({ body: 'a \ufffd b' }) });
	expectStarted(answer);
	expect(items(answer)?.[0]?.[0]).toMatchObject({ body: 'a \ufffd b' });
});
