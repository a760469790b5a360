import { createHmac } from 'node:crypto';

import { runNode } from './harness/engine';
import {
	accepted,
	bodyOf,
	continuing,
	DLR,
	expectErrorItem,
	expectNoKey,
	KEY,
	platform,
	ROW,
	row,
	send,
	UUID,
	withCredential,
} from './harness/send';

describe('the delivery report URL of a message', () => {
	/** Computes the signature as SECURITY.md describes it. */
	const signatureOf = (serviceId: string, ref: string, mid: string, exp: string) =>
		createHmac('sha256', KEY)
			.update(['dlr.v1', serviceId, ref, mid, exp].join('\n'))
			.digest('base64')
			.replaceAll('+', '-')
			.replaceAll('/', '_')
			.replaceAll('=', '');

	it('contains the reference, an expiry and a signature, and is in the output', async () => {
		const sent = platform();
		const before = Math.floor(Date.now() / 1000);
		const run = await runNode(send({}, { dlrUrl: `${DLR}?tenant=a%26b`, reference: '={{ $json.ref }}' }), [
			{ ...ROW, ref: 'αίτηση 17&x=1' },
		]);
		const url = String(bodyOf(sent[0])['dlr-url']);
		const { origin, pathname, searchParams } = new URL(url);
		const { ref, mid, exp, sig, ...others } = Object.fromEntries(searchParams);
		expect([origin + pathname, others]).toEqual([DLR, { tenant: 'a&b' }]);
		expect(ref).toBe(`~${Buffer.from('αίτηση 17&x=1').toString('base64url')}`);
		expect(mid).toMatch(UUID);
		expect(Number(exp) - before).toBeGreaterThanOrEqual(7 * 86_400);
		expect(Number(exp) - before).toBeLessThanOrEqual(7 * 86_400 + 5);
		expect(sig).toBe(signatureOf('grades', 'αίτηση 17&x=1', mid!, exp!));
		expect(run.json[0]).toMatchObject([{ accepted: true, reference: 'αίτηση 17&x=1', dlrUrl: url }]);
		expectNoKey(run);
	});

	it.each([undefined, 'student-17'])(
		'is different for each message, even if the option Reference is the same: %p',
		async (reference) => {
			const sent = platform();
			const run = await runNode(send({}, { dlrUrl: DLR, reference }), [row(1), row(2)]);
			const references = run.json[0]!.map((item) => String(item.reference));
			if (reference === undefined) for (const each of references) expect(each).toMatch(/^[\w-]{22}$/);
			expect(new Set(references).size).toBe(reference === undefined ? 2 : 1);
			const asked = sent.map((each) => new URL(String(bodyOf(each)['dlr-url'])).searchParams);
			expect(asked.map((query) => query.get('ref')).sort()).toEqual(references.sort());
			expect(new Set(asked.map((query) => query.get('mid'))).size).toBe(2);
		},
	);

	const TEST_URL = 'https://n8n.example.gr/webhook-test/abc/dlr';
	/* unit/lib/smsPlatform/reportUrl tests more warnings about a URL. */
	it.each<[string, string, object, RegExp | undefined]>([
		['a private address', 'http://192.168.1.5/webhook/abc/dlr', {}, /192\.168\.1\.5/],
		['a test URL in a published workflow', TEST_URL, { mode: 'manual', active: true }, /is a test URL/],
		['a test URL during a test', TEST_URL, { mode: 'manual' }, undefined],
		['a URL that is too long after signing', `${DLR}?${'x'.repeat(100)}`, {}, /no more than 255/],
		['a valid URL', DLR, {}, undefined],
	])(
		'causes one warning only if reports may not arrive, and the message is still sent: %s',
		async (_, dlrUrl, more, text) => {
			platform();
			const run = await runNode(send({}, { dlrUrl }, more), [row(1), row(2)]);
			expect(run.json[0]).toMatchObject([{ accepted: true }, { accepted: true }]);
			const warnings = run.hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
			expect(warnings).toEqual(text === undefined ? [] : [expect.stringMatching(text)]);
		},
	);

	describe('from the credential', () => {
		const credential = withCredential({ dlrUrl: DLR });

		it.each([undefined, 'https://n8n.example.gr/webhook/own/dlr'])(
			'is used only if the node does not set its own URL: %p',
			async (dlrUrl) => {
				const sent = platform();
				const run = await runNode(send({}, { dlrUrl }, credential), [ROW]);
				expect(String(bodyOf(sent[0])['dlr-url']).split('?')[0]).toBe(dlrUrl ?? DLR);
				expect(run.json[0]).toMatchObject([{ dlrUrl: bodyOf(sent[0])['dlr-url'] }]);
			},
		);

		it.each([credential, {}])(
			'is missing in the request if No Delivery Report is on, or if no URL is set',
			async (more) => {
				const sent = platform();
				const run = await runNode(send({}, { noReport: more === credential, reference: 'r' }, more), [ROW]);
				expect(bodyOf(sent[0])).not.toHaveProperty('dlr-url');
				expect(run.json[0]).toEqual([accepted('6912345678')]);
			},
		);

		it('is an error if it ends in /forward, and no message is sent', async () => {
			const sent = platform();
			const wrong = withCredential({ dlrUrl: 'https://n8n.example.gr/webhook/abc/forward/' });
			const run = await runNode(send({}, {}, { ...wrong, ...continuing }), [ROW]);
			expectErrorItem(run.json[0]?.[0], /Delivery Report URL ends in \/forward/, { outcome: 'rejected' });
			expect(run.json[0]?.[0]?.message).toMatch(/\/dlr/);
			expect(sent).toEqual([]);
		});
	});
});
