import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import zlib from 'node:zlib';

import { ExecuteContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';

import { ELENI, OPERATION as QUESTION, validate } from './harness/amka';
import { runNode, testCredential, type Result } from './harness/engine';
import { continuing, OPERATION, ROW, send } from './harness/send';
import { serve, type Reply } from './harness/httpServer';

/* Tests answers of the services that arrive compressed, in another charset, slowly, without an end, or interrupted. */

/** A successful answer of each service. The street and the name of the service show whether letters were decoded correctly. */
const RECORD = { match: 'true', ssn: ELENI.ssn, address_street: 'ΟΔΟΣ' };
const TAKEN = { serviceId: 'ΟΔΟΣ', errorCode: '', error: '' };
const services = [
	{
		name: 'the registry',
		said: JSON.stringify(RECORD),
		answering: async (reply: Reply, timeout = 30) => {
			serve('GET', QUESTION, reply);
			const parameters = { output: 'record', options: { timeout } };
			return await runNode(validate(parameters, continuing), [ELENI]);
		},
		street: ({ json }: Result) => json[0]![0]!.address_street,
	},
	{
		name: 'the platform',
		said: JSON.stringify(TAKEN),
		answering: async (reply: Reply, timeout = 30) => {
			serve('POST', OPERATION, reply);
			return await runNode(send({}, { timeout }, continuing), [ROW]);
		},
		street: ({ json }: Result) => /\((.*)\)/.exec(String(json[0]![0]!.warning))?.[1],
	},
];
const detailsOf = (run: Result) => run.json[0]![0]!.details as IDataObject;

/** Makes an answer that arrives in pieces, and counts the bytes that were read. */
function stream(pieces: AsyncIterable<unknown> | Iterable<unknown>) {
	const taken = { bytes: 0, isClosed: false };
	async function* counted() {
		try {
			for await (const piece of pieces) {
				taken.bytes += (piece as Buffer).length;
				yield piece;
			}
		} finally {
			taken.isClosed = true;
		}
	}
	return { body: Readable.from(counted()), taken };
}

function* endless() {
	for (;;) yield Buffer.alloc(16_384, '{"a":');
}

/** Yields the beginning of an answer, and then stalls. */
async function* stalled(said: string, thereupon = () => {}) {
	yield Buffer.from(said.slice(0, 10));
	setImmediate(thereupon);
	await after(60_000, undefined, { ref: false });
}

describe.each(services)('an answer of $name', ({ said, answering, street }) => {
	const windows1253 = Buffer.from(said.replace('ΟΔΟΣ', '\xcf\xc4\xcf\xd3'), 'latin1');
	it.each<[string, object, Buffer]>([
		['in gzip', { 'content-encoding': 'gzip' }, zlib.gzipSync(said)],
		['in brotli', { 'content-encoding': 'br' }, zlib.brotliCompressSync(said)],
		['in windows-1253', { 'content-type': 'application/json; charset=windows-1253' }, windows1253],
	])('%s is decoded', async (_, headers, body) => {
		expect(street(await answering({ body, headers: headers as Record<string, string> }))).toBe('ΟΔΟΣ');
	});

	it('that arrives byte by byte is decoded', async () => {
		const pieces = [...Buffer.from(said)].map((byte) => Buffer.from([byte]));
		expect(street(await answering({ body: Readable.from(pieces) }))).toBe('ΟΔΟΣ');
	});

	it.each([200, 400])(
		'that never ends is read up to about a megabyte, and then the connection is closed (HTTP %d)',
		async (status) => {
			const { body, taken } = stream(endless());
			const run = await answering({ status, body });
			expect(run.json[0]![0]!.error).toMatch(status === 200 ? /but not with the documented JSON object/ : /HTTP 400/);
			expect(taken.bytes).toBeGreaterThanOrEqual(1_000_000);
			expect(taken.bytes).toBeLessThan(2_000_000);
			expect(taken.isClosed).toBe(true);
		},
	);

	it('that is compressed and extremely long is not fully decompressed', async () => {
		// axios, with which n8n sends requests, decompresses each answer with such a stream.
		const decompressor = Object.getPrototypeOf(zlib.createUnzip()) as Readable;
		const push = jest.spyOn(decompressor, 'push');
		const body = zlib.gzipSync(Buffer.alloc(50_000_000, ' '));
		const run = await answering({ body, headers: { 'content-encoding': 'gzip' } });
		expect(run.json[0]![0]!.error).toMatch(/but not with the documented JSON object/);
		const bytes = push.mock.calls.reduce((sum, [chunk]) => sum + ((chunk as Buffer | null)?.length ?? 0), 0);
		expect(bytes).toBeGreaterThanOrEqual(1_000_000);
		expect(bytes).toBeLessThan(2_000_000);
	});
});

afterEach(() => jest.restoreAllMocks());

describe.each([
	['amkaApi', 'GET', 'https://amka.example.gr/api/rest/v1/ssn_validation'],
	['smsPlatformApi', 'POST', 'https://sms.example.gr:9999/sendSMS'],
] as const)('the connection test of the credential %s', (type, method, address) => {
	const { origin: baseUrl } = new URL(address);
	const values = { baseUrl, apiKey: 'key', institution: 'example-university', preSharedKey: 'key' };

	it('reads less than two megabytes of an endless answer, and closes its connection', async () => {
		const { body, taken } = stream(endless());
		serve(method, address, { body });
		expect(await testCredential(type, values)).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('but not with the documented JSON object') as unknown,
		});
		expect([taken.bytes < 2_000_000, taken.isClosed]).toEqual([true, true]);
	});

	it('ends with an error if an answer stalls', async () => {
		const timeUp = new AbortController();
		jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeUp.signal);
		serve(method, address, { body: Readable.from(stalled('{}', () => timeUp.abort())) });
		expect(await testCredential(type, values)).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('did not answer in time') as unknown,
		});
	});
});

describe.each(services)('requests to $name', ({ said, answering }) => {
	it('leave no listeners on the signal that cancels the run', async () => {
		const { signal } = new AbortController();
		jest.spyOn(ExecuteContext.prototype, 'getExecutionCancelSignal').mockReturnValue(signal);
		const any = jest.spyOn(AbortSignal, 'any');
		expect((await answering({ body: said })).json[0]![0]).not.toHaveProperty('error');
		expect(getEventListeners(signal, 'abort')).toEqual([]);
		expect(any).not.toHaveBeenCalled();
	});
});

describe('a message whose answer from the platform', () => {
	const [, platform] = services;
	const { said, answering } = platform!;

	it('stalls until the timeout: the outcome is unknown', async () => {
		const started = Date.now();
		const run = await answering({ body: Readable.from(stalled(said)) }, 0.2);
		expect(run.json[0]![0]!.error).toMatch(/not known whether.* in time/);
		expect(detailsOf(run).outcome).toBe('unknown');
		expect(Date.now() - started).toBeLessThan(20_000);
	});

	it('stalls: the outcome is unknown as soon as the run is cancelled', async () => {
		const stop = new AbortController();
		jest.spyOn(ExecuteContext.prototype, 'getExecutionCancelSignal').mockReturnValue(stop.signal);
		const started = Date.now();
		const run = await answering({ body: Readable.from(stalled(said, () => stop.abort())) });
		expect(detailsOf(run).outcome).toBe('unknown');
		expect(Date.now() - started).toBeLessThan(20_000);
	});

	async function* brokenOff() {
		yield Buffer.from(said.slice(0, 10));
		await after(1);
		throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
	}
	const broken = () => ({ body: Readable.from(brokenOff()) });
	const noGzip = () => ({ body: Buffer.from('no gzip'), headers: { 'content-encoding': 'gzip' } });

	it.each([
		['breaks off in the middle', 200, 'unknown', broken],
		['breaks off in the middle', 400, 'rejected', broken],
		["can't be decompressed", 200, 'unknown', noGzip],
		["can't be decompressed", 401, 'rejected', noGzip],
	] as const)('%s with HTTP %d has the outcome %s', async (_, status, outcome, reply) => {
		const run = await answering({ status, ...reply() });
		expect(detailsOf(run)).toMatchObject({ outcome });
		if (reply === broken && status === 200)
			expect(run.json[0]![0]!.error).toMatch(/not known whether.*broke before the answer was complete/);
	});
});
