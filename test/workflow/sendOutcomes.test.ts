import type { IDataObject } from 'n8n-workflow';

import { runNode } from './harness/engine';
import {
	accepted,
	continuing,
	DLR,
	expectErrorItem,
	expectNoKey,
	KEY,
	OPERATION,
	ROW,
	send,
	splitting,
	TAKEN,
	withoutWaits,
} from './harness/send';
import { serve, type Reply } from './harness/wire';

describe('what became of a message', () => {
	withoutWaits();

	it.each<[Reply, RegExp]>([
		[{ status: 401 }, /does not accept the key\.$/],
		[{ status: 403, body: { errorCode: 'E-9', error: 'x' } }, /does not accept the key\.$/],
		[{ status: 404 }, /the address of the service is wrong\.$/],
		[{ status: 404, body: { errorCode: 'E-4', error: 'x' } }, /E-4\)\. There is nothing to correct: tell the admin/],
		[{ status: 429 }, /too busy.*Try again later/],
		[{ status: 503, headers: { 'retry-after': '1' } }, /too busy.*Try again later/],
		[{ cut: 'ECONNREFUSED' }, /no connection to the SMS service\. Try again later/],
	])('says to people what to do about %j', async (reply, notice) => {
		serve('POST', OPERATION, reply);
		const run = await runNode(send({}, { language: 'en' }, continuing), [ROW]);
		expect(run.json[0]).toMatchObject([{ details: { notice: expect.stringMatching(notice) as unknown } }]);
	});

	it.each([{ toString: null }, ['exams'], ' grades ', '', true])(
		'is accepted, whatever the platform names as its service: %j',
		async (serviceId) => {
			serve('POST', OPERATION, { body: { serviceId, errorCode: '', error: '' } });
			const run = await runNode(send(), [ROW]);
			expect(run.json[0]).toMatchObject([{ accepted: true }]);
			expect(run.json[0]![0]).not.toHaveProperty('warning');
		},
	);

	it('is accepted with a warning where the platform names another service, without key or number', async () => {
		serve('POST', OPERATION, { body: { serviceId: `exams ${KEY} 6987654321`, errorCode: '', error: '' } });
		const run = await runNode(send(), [ROW]);
		expect(run.json[0]).toMatchObject([
			{ accepted: true, warning: expect.stringMatching(/named another service \(exams .*•••21\)/) as unknown },
		]);
		expectNoKey(run);
	});

	/** A body of the platform, with the code that the error has in its details. */
	const said = (errorCode: unknown, error: unknown, more: object = {}) => ({
		...{ body: { serviceId: 'grades', errorCode, error } },
		...more,
	});
	const E2 = { errorCode: 'E-002' };
	const because = (reason: string, notice: RegExp) => ({ reason, notice: expect.stringMatching(notice) as string });
	const long = `E-${'7'.repeat(200)}`;
	const elsewhere = { headers: { location: 'https://other.example.gr/' } };
	const megabyte = 'x'.repeat(1024 * 1024);
	const rejected: Array<[string, Reply, RegExp, IDataObject?]> = [
		['a refusal', said('E-002', 'Unknown Service'), /E-002.*Unknown Service/, because('refused', / \(E-002\)/)],
		['a code without a text in a 400', { status: 400, body: E2 }, /E-002/, E2],
		['a refusal in a 400', said('E-002', 'Unknown Service', { status: 400 }), /E-002/, E2],
		['HTTP 400', { status: 400, body: 'no' }, /400/, because('refused', /^[^()]*$/)],
		['HTTP 401', { status: 401 }, /key/i],
		['HTTP 403', { status: 403 }, /refused the request.*403/],
		['HTTP 407', { status: 407 }, /proxy.*407/i],
		...[404, 413, 418].map((status): [string, Reply, RegExp] => [`HTTP ${status}`, { status }, RegExp(`${status}`)]),
		['HTTP 429, three times', { status: 429 }, /429/],
		['codes that are numbers', said(1000000007, 12), /•••07: 12/, { errorCode: '1000000007' }],
		['a refusal of 20,001 characters', said('E-1', 'x'.repeat(20_001)), /a text of 20001 characters/],
		['HTTP 503 with Retry-After, three times', { status: 503, headers: { 'retry-after': '1' } }, /503/],
		['a refused connection, three times', { cut: 'ECONNREFUSED' }, /ECONNREFUSED/, because('notReached', /./)],
		['an unknown host, three times', { cut: 'ENOTFOUND' }, /ENOTFOUND/],
		['an untrusted certificate', { cut: 'CERT_HAS_EXPIRED' }, /certificate/i],
	];
	const undocumented: unknown[] = [
		...['', '<html>ok</html>', '{"errorCode":"', null, [], 42, {}, { serviceId: 'grades' }, megabyte],
		...[
			{ error: null },
			{ error: '' },
			{ errorCode: null },
			{ errorCode: false, error: false },
			{ errorCode: {}, error: [] },
		],
		{ errorCode: 'E-002', error: 'Unknown Service', more: megabyte },
	];
	const unknown: Array<[string, Reply, RegExp, IDataObject?]> = [
		...[302, 303, 307].map((status): [string, Reply, RegExp] => [
			`HTTP ${status}`,
			{ status, ...elsewhere },
			/redirect/i,
		]),
		...[408, 409, 499, 500, 502, 503, 504].map((status): [string, Reply, RegExp] => [
			`HTTP ${status}`,
			{ status },
			RegExp(`${status}`),
		]),
		['a redirect with a refusal', said('E-002', 'Unknown Service', { status: 302 }), /redirect.*E-002/i, E2],
		['an error code alone', said('E-002', ''), /neither.*E-002/, E2],
		['an error text alone', said('', 'User credits expired'), /neither.*credits/],
		['an error code whose text is left out', { body: E2 }, /E-002/, E2],
		['a long error code', said(long, ''), /neither/, { errorCode: long }],
		['a number as code, alone', said(2, null), /neither.*2/, { errorCode: '2' }],
		['an error code of 0', said(0, ''), /neither/, { errorCode: '0' }],
		['an error code of "0" with a text', said('0', 'Accepted'), /neither.*Accepted/, { errorCode: '0' }],
		['zeros in both', said(0, 0), /neither/],
		['blanks in both', said(' ', '\u200b'), /neither.*empty error/],
		['blanks beside nothing', said('', ' '), /neither/],
		['a text of success', said('', 'Accepted'), /neither.*Accepted/],
		['silence', { delayMs: 5_000 }, /in time/],
		['a cut connection', { cut: 'ECONNRESET' }, /ECONNRESET/],
		['a broken pipe', { cut: 'EPIPE' }, /EPIPE/],
		['HTTP 500 with an empty refusal', said('', '', { status: 500 }), /500/],
		['HTTP 500 with a code', said('E-100', 'General error', { status: 500 }), /500/, { errorCode: 'E-100' }],
		['HTTP 408 with a code', said('E-101', '', { status: 408 }), /408/, { errorCode: 'E-101' }],
		['a 204', { status: 204 }, /documented/],
		...undocumented.map((body): [string, Reply, RegExp] => [
			JSON.stringify(body).slice(0, 60),
			{ body, headers: { 'content-type': 'application/json' } },
			/documented/,
		]),
	];
	const all = [
		...rejected.map(([name, reply, text, more = {}]) => ['rejected', name, reply, text, more] as const),
		...unknown.map(([name, reply, text, more = {}]) => ['unknown', name, reply, text, more] as const),
	];

	it.each(all)('is %s after %s', async (outcome, name, reply, text, more) => {
		const sent = serve('POST', OPERATION, reply);
		// A busy machine may take longer than a tenth of a second for an answer that comes.
		const timeout = 'delayMs' in reply ? 0.1 : 4;
		const spec = send({}, { dlrUrl: DLR, reference: 'ref-1', timeout });
		const run = await runNode({ ...spec, ...continuing }, [ROW]);
		expect(sent).toHaveLength(name.endsWith('three times') ? 3 : 1);
		expectErrorItem(run.json[0]?.[0], text, { outcome, recipient: '6912345678', reference: 'ref-1', ...more });
		expectNoKey(run);

		const stopped = await runNode(spec, [ROW]);
		expect(stopped.status).toBe('error');
		expect(stopped.error?.message).toBe(run.json[0]?.[0]?.error);
		expectNoKey(stopped);
	});

	it.each<[string, Reply]>([
		['the documented object', TAKEN],
		['HTTP 201', { ...TAKEN, status: 201 }],
		['a label that says text', { body: JSON.stringify({ serviceId: 'grades', errorCode: '', error: '' }) }],
		['more fields than documented', { body: { serviceId: 'grades', errorCode: '', error: '', id: 7, details: 'x' } }],
		['no service', { body: { errorCode: '', error: '' } }],
		['null for no error', { body: { serviceId: 'grades', errorCode: null, error: null } }],
	])('is taken after %s, and the item could never be taken for a failed one', async (_, reply) => {
		serve('POST', OPERATION, reply);
		const run = await runNode(send({}, {}, splitting), [ROW]);
		expect(run.json).toEqual([[accepted('6912345678')], []]);
	});

	it('warns of sending again where nobody knows', async () => {
		serve('POST', OPERATION, { cut: 'ECONNRESET' });
		for (const more of [continuing, {}]) {
			const run = await runNode(send({}, {}, more), [ROW]);
			const shown = `${String(run.json[0]?.[0]?.message)} ${String(run.error?.description)}`;
			expect(shown).toMatch(/^It is not known whether the message was sent|Ask the recipient\./);
			expect(`${shown} ${run.error?.message}`).not.toMatch(/retry/i);
		}
	});
});
