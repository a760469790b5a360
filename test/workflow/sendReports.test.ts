import { createHmac } from 'node:crypto';

import { runNode } from './harness/engine';
import {
	bodyOf,
	continuing,
	DLR,
	expectErrorItem,
	expectNoKey,
	hintsOf,
	KEY,
	OPERATION,
	ROW,
	row,
	send,
	TAKEN,
	UUID,
	withCredential,
} from './harness/send';
import { serve, type Sent } from './harness/wire';

describe('the delivery report address', () => {
	/** Written from what SECURITY.md says alone. */
	const signatureOf = (serviceId: string, ref: string, mid: string, exp: string) =>
		createHmac('sha256', KEY)
			.update(['dlr.v1', serviceId, ref, mid, exp].join('\n'))
			.digest('base64')
			.replaceAll('+', '-')
			.replaceAll('/', '_')
			.replaceAll('=', '');

	it('carries reference, expiry and signature, and stands in the output', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const before = Math.floor(Date.now() / 1000);
		const run = await runNode(send({ dlrUrl: `${DLR}?tenant=a%26b` }, { reference: '={{ $json.ref }}' }), [
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

	it('has a new reference for each message where the user gives none', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({ dlrUrl: DLR }), [row(1), row(2)]);
		const references = run.json[0]!.map(({ reference }) => String(reference));
		for (const reference of references) expect(reference).toMatch(/^[\w-]{22}$/);
		expect(new Set(references).size).toBe(2);
		expect(sent.map((each) => new URL(String(bodyOf(each)['dlr-url'])).searchParams.get('ref')).sort()).toEqual(
			[...references].sort(),
		);
	});

	it('tells two messages with one reference apart', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		await runNode(send({ dlrUrl: DLR }, { reference: 'student-17' }), [row(1), row(2)]);
		const asked = sent.map((each) => new URL(String(bodyOf(each)['dlr-url'])).searchParams);
		expect(asked.map((query) => query.get('ref'))).toEqual(['student-17', 'student-17']);
		expect(new Set(asked.map((query) => query.get('mid'))).size).toBe(2);
	});

	it('replaces what another send has left in a pasted address', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		await runNode(send({ dlrUrl: `${DLR}?ref=old&exp=1&sig=old` }, { reference: 'new' }), [ROW]);
		const { searchParams } = new URL(String(bodyOf(sent[0])['dlr-url']));
		expect(searchParams.getAll('ref')).toEqual(['new']);
		expect([searchParams.getAll('exp').length, searchParams.getAll('sig').length]).toEqual([1, 1]);
	});

	it.each<[string, string, RegExp]>([
		['on this machine', 'http://localhost:5678/webhook/abc/dlr', /localhost/],
		['in a private network', 'https://192.168.1.5/webhook/abc/dlr', /192\.168\.1\.5/],
		['on plain http', 'http://n8n.example.gr/webhook/abc/dlr', /https/],
		['of a test', 'https://n8n.example.gr/webhook-test/abc/dlr', /test/],
	])('%s brings a warning, and the message is sent', async (_, dlrUrl, text) => {
		serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({ dlrUrl }), [row(1), row(2)]);
		expect(run.json[0]).toMatchObject([{ accepted: true }, { accepted: true }]);
		const warnings = run.hints.filter(({ message }) => text.test(message));
		expect(warnings).toHaveLength(1);
	});

	it('brings no warning where nothing is wrong with it', async () => {
		serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({ dlrUrl: DLR }), [ROW]);
		expect(run.hints.filter(({ type }) => type === 'warning')).toEqual([]);
	});

	it('of a test is no warning while testing', async () => {
		serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({ dlrUrl: 'https://n8n.example.gr/webhook-test/abc/dlr' }, {}, { mode: 'manual' }), [
			ROW,
		]);
		expect(run.hints).toEqual([]);
	});

	it('of a test is warned of in a published workflow: no report would ever arrive', async () => {
		serve('POST', OPERATION, TAKEN);
		const dlrUrl = 'https://n8n.example.gr/webhook-test/abc/dlr';
		const published = await runNode(send({ dlrUrl }, {}, { active: true }), [ROW]);
		expect(published.json[0]).toMatchObject([{ accepted: true }]);
		expect(published.hints).toMatchObject([{ type: 'warning', message: expect.stringContaining('is a test URL') }]);
	});

	describe('stands in the credential', () => {
		const credential = withCredential({ dlrUrl: DLR });
		const addressOf = (sent: Sent[]) => {
			const address = bodyOf(sent[0])['dlr-url'];
			return address === undefined ? undefined : String(address).split('?')[0];
		};

		it('for every node that has none of its own', async () => {
			const sent = serve('POST', OPERATION, TAKEN);
			const run = await runNode(send({}, {}, credential), [ROW]);
			expect(addressOf(sent)).toBe(DLR);
			expect(run.json[0]).toMatchObject([
				{ reference: expect.stringMatching(/^[\w-]{22}$/) as unknown, dlrUrl: bodyOf(sent[0])['dlr-url'] },
			]);
		});

		it('and a node of its own address uses that', async () => {
			const sent = serve('POST', OPERATION, TAKEN);
			await runNode(send({ dlrUrl: 'https://n8n.example.gr/webhook/own/dlr' }, {}, credential), [ROW]);
			expect(addressOf(sent)).toBe('https://n8n.example.gr/webhook/own/dlr');
		});

		it.each([credential, {}])(
			'and no report is asked for where the row wants none, or nobody gave an address',
			async (more) => {
				const sent = serve('POST', OPERATION, TAKEN);
				const run = await runNode(send({}, { noReport: more === credential, reference: 'r' }, more), [ROW]);
				expect(bodyOf(sent[0])).not.toHaveProperty('dlr-url');
				expect(run.json[0]).toEqual([
					{
						recipient: '6912345678',
						accepted: true,
						serviceId: 'grades',
						messageId: 'result',
						reference: expect.any(String) as unknown,
						sentAt: expect.any(String) as unknown,
					},
				]);
			},
		);

		it('and one that ends in /forward sends nothing', async () => {
			const sent = serve('POST', OPERATION, TAKEN);
			const wrong = withCredential({ dlrUrl: 'https://n8n.example.gr/webhook/abc/forward/' });
			const run = await runNode(send({}, {}, { ...wrong, ...continuing }), [ROW]);
			expectErrorItem(run.json[0]?.[0], /Delivery Report URL ends in \/forward/, { outcome: 'rejected' });
			expect(run.json[0]?.[0]?.message).toMatch(/\/dlr/);
			expect(sent).toEqual([]);
		});
	});

	it('that ends neither in /dlr nor in /forward brings a warning, and the message is sent', async () => {
		serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({ dlrUrl: 'https://reports.example.gr/n8n' }), [row(1), row(2)]);
		expect(run.json[0]).toMatchObject([{ accepted: true }, { accepted: true }]);
		expect(run.hints.filter(({ type, message }) => type === 'warning' && message.includes('/dlr'))).toHaveLength(1);
	});

	it('on this computer is no warning where the platform is on this computer too', async () => {
		const sent = serve('POST', 'http://localhost:9999/sendSMS', TAKEN);
		const run = await runNode(
			send(
				{ dlrUrl: 'http://localhost:5678/webhook/abc/dlr' },
				{},
				withCredential({ baseUrl: 'http://localhost:9999' }),
			),
			[ROW],
		);
		expect([sent.length, run.hints]).toEqual([1, []]);
	});

	it.each([
		['r', 0],
		['αναφορά '.repeat(12), 1],
	])('warns of a signed URL that is longer than some platforms store (reference %j)', async (reference, warnings) => {
		serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({ dlrUrl: DLR }, { reference }), [ROW]);
		expect(hintsOf(run).filter((hint) => hint.includes('no more than 255'))).toHaveLength(warnings);
	});
});
