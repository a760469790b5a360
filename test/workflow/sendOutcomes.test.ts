import type { IDataObject } from 'n8n-workflow';

import { runNode } from './harness/engine';
import {
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
} from './harness/send';
import { serve, type Reply } from './harness/wire';

describe('what became of a message', () => {
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

	const rejected: Array<[string, Reply, RegExp, IDataObject]> = [
		[
			'an error code',
			{ body: { serviceId: 'grades', errorCode: 'E-002', error: 'Unknown Service' } },
			/E-002.*Unknown Service/,
			{ errorCode: 'E-002' },
		],
		[
			'an error code without a text in an HTTP 400',
			{ status: 400, body: { errorCode: 'E-002' } },
			/E-002/,
			{ errorCode: 'E-002' },
		],
		[
			'an error code in an HTTP 400',
			{ status: 400, body: { errorCode: 'E-002', error: 'Unknown Service' } },
			/E-002/,
			{ errorCode: 'E-002' },
		],
		['HTTP 400', { status: 400, body: 'no' }, /400/, {}],
		['HTTP 401', { status: 401 }, /key/i, {}],
		['HTTP 403', { status: 403 }, /refused the request.*403/, {}],
		['HTTP 407', { status: 407 }, /proxy.*407/i, {}],
		['HTTP 418', { status: 418 }, /418/, {}],
		[
			'codes that are numbers',
			{ body: { errorCode: 1000000007, error: 12 } },
			/•••07: 12/,
			{ errorCode: '1000000007' },
		],
		['HTTP 404', { status: 404 }, /404/, {}],
		['HTTP 413', { status: 413 }, /413/, {}],
		['HTTP 429', { status: 429 }, /429/, {}],
		['HTTP 503 with Retry-After', { status: 503, headers: { 'retry-after': '1' } }, /503/, {}],
		['a refused connection', { cut: 'ECONNREFUSED' }, /ECONNREFUSED/, {}],
		['an unknown host', { cut: 'ENOTFOUND' }, /ENOTFOUND/, {}],
		['an untrusted certificate', { cut: 'CERT_HAS_EXPIRED' }, /certificate/i, {}],
	];
	const unknown: Array<[string, Reply, RegExp, IDataObject]> = [
		['HTTP 302', { status: 302, headers: { location: 'https://other.example.gr/' } }, /redirect/i, {}],
		['HTTP 303', { status: 303 }, /redirect/i, {}],
		['HTTP 307', { status: 307, headers: { location: 'https://other.example.gr/' } }, /redirect/i, {}],
		['HTTP 409', { status: 409 }, /409/, {}],
		['HTTP 499', { status: 499 }, /499/, {}],
		[
			'a redirect with a refusal',
			{ status: 302, body: { errorCode: 'E-002', error: 'Unknown Service' } },
			/redirect.*E-002/i,
			{ errorCode: 'E-002' },
		],
		[
			'an error code alone',
			{ body: { serviceId: 'grades', errorCode: 'E-002', error: '' } },
			/neither.*E-002/,
			{ errorCode: 'E-002' },
		],
		[
			'an error text alone',
			{ body: { serviceId: 'grades', errorCode: '', error: 'User credits expired' } },
			/neither.*credits/,
			{},
		],
		[
			'an error code whose text is left out',
			{ body: { serviceId: 'grades', errorCode: 'E-002' } },
			/E-002/,
			{ errorCode: 'E-002' },
		],
		[
			'a long error code',
			{ body: { errorCode: `E-${'7'.repeat(200)}`, error: '' } },
			/neither/,
			{ errorCode: `E-${'7'.repeat(200)}` },
		],
		[
			'an error code that is a number, alone',
			{ body: { serviceId: 'grades', errorCode: 2, error: null } },
			/neither.*2/,
			{ errorCode: '2' },
		],
		['an error code of 0', { body: { errorCode: 0, error: '' } }, /neither/, { errorCode: '0' }],
		[
			'an error code of "0" with a text',
			{ body: { errorCode: '0', error: 'Accepted' } },
			/neither.*Accepted/,
			{ errorCode: '0' },
		],
		['zeros in both', { body: { errorCode: 0, error: 0 } }, /neither/, {}],
		['blanks in both', { body: { errorCode: ' ', error: '\u200b' } }, /neither.*empty error/, {}],
		['blanks beside nothing', { body: { errorCode: '', error: ' ' } }, /neither/, {}],
		['a text of success', { body: { errorCode: '', error: 'Accepted' } }, /neither.*Accepted/, {}],
		['null for the error alone', { body: { error: null } }, /documented/, {}],
		['an empty error alone', { body: { error: '' } }, /documented/, {}],
		['null for the code alone', { body: { errorCode: null } }, /documented/, {}],
		['booleans', { body: { errorCode: false, error: false } }, /documented/, {}],
		['silence', { delayMs: 5_000 }, /in time/, {}],
		['a cut connection', { cut: 'ECONNRESET' }, /ECONNRESET/, {}],
		['a broken pipe', { cut: 'EPIPE' }, /EPIPE/, {}],
		['HTTP 408', { status: 408 }, /408/, {}],
		['HTTP 500', { status: 500 }, /500/, {}],
		[
			'HTTP 500 with an empty refusal',
			{ status: 500, body: { serviceId: 'grades', errorCode: '', error: '' } },
			/500/,
			{},
		],
		[
			'HTTP 500 with a code',
			{ status: 500, body: { errorCode: 'E-100', error: 'General error' } },
			/500/,
			{ errorCode: 'E-100' },
		],
		['HTTP 408 with a code', { status: 408, body: { errorCode: 'E-101', error: '' } }, /408/, { errorCode: 'E-101' }],
		['HTTP 502', { status: 502 }, /502/, {}],
		['HTTP 503', { status: 503 }, /503/, {}],
		['HTTP 504', { status: 504 }, /504/, {}],
		['an empty 200', { body: '' }, /documented/, {}],
		['a 204', { status: 204 }, /documented/, {}],
		['a page', { body: '<html>ok</html>' }, /documented/, {}],
		['broken JSON', { body: '{"errorCode":"', headers: { 'content-type': 'application/json' } }, /documented/, {}],
		['null', { body: null }, /documented/, {}],
		['a list', { body: [] }, /documented/, {}],
		['42', { body: 42 }, /documented/, {}],
		['an object without the fields', { body: {} }, /documented/, {}],
		['an object with only the service', { body: { serviceId: 'grades' } }, /documented/, {}],
		['objects in the fields', { body: { errorCode: {}, error: [] } }, /documented/, {}],
		[
			'a refusal among megabytes',
			{ body: { errorCode: 'E-002', error: 'Unknown Service', more: 'x'.repeat(1024 * 1024) } },
			/documented/,
			{},
		],
		['a megabyte of text', { body: 'x'.repeat(1024 * 1024) }, /documented/, {}],
	];
	const all = [
		...rejected.map((each) => ['rejected', ...each] as const),
		...unknown.map((each) => ['unknown', ...each] as const),
	];

	it.each(all)('is %s after %s', async (outcome, _, reply, text, more) => {
		const sent = serve('POST', OPERATION, reply);
		// A busy machine may take longer than a tenth of a second for an answer that comes.
		const timeout = 'delayMs' in reply ? 0.1 : 4;
		const spec = send({ dlrUrl: DLR }, { reference: 'ref-1', timeout });
		const run = await runNode({ ...spec, ...continuing }, [ROW]);
		expect(sent).toHaveLength(1);
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
		expect(run.json).toEqual([
			[
				{
					recipient: '6912345678',
					accepted: true,
					serviceId: 'grades',
					messageId: 'result',
					reference: expect.any(String) as unknown,
					sentAt: expect.any(String) as unknown,
				},
			],
			[],
		]);
	});

	it('never takes its key to another address', async () => {
		serve('POST', OPERATION, { status: 307, headers: { location: 'https://other.example.gr/sendSMS' } });
		const elsewhere = serve('POST', 'https://other.example.gr/sendSMS', TAKEN);
		await runNode(send({}, {}, continuing), [ROW]);
		expect(elsewhere).toEqual([]);
	});

	it('warns of sending again where nobody knows', async () => {
		serve('POST', OPERATION, { cut: 'ECONNRESET' });
		for (const more of [continuing, {}]) {
			const run = await runNode(send({}, {}, more), [ROW]);
			const shown = `${String(run.json[0]?.[0]?.message)} ${String(run.error?.description)}`;
			expect(shown).toMatch(/^It is not known whether the message was sent|before you send it again/);
			expect(`${shown} ${run.error?.message}`).not.toMatch(/retry/i);
		}
	});
});
