import type { IDataObject } from 'n8n-workflow';

import { runNode, type NodeUnderTest } from '../harness/engine';
import { serve, type Reply, type Sent } from '../harness/wire';
import { OPERATION, ELENI, MARIA, GIORGOS, record, NOTICE, matches, validate, OUTPUTS, continuing } from './fixtures';

const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } as const;
const countOf = (sent: Sent[], { ssn }: { ssn: string }) => sent.filter(({ query }) => query.ssn === ssn).length;

describe('asks again, as long as it is not answered,', () => {
	const soon = { 'retry-after': '0' };

	it.each<[string, Reply]>([
		['after no connection', { cut: 'ECONNREFUSED' }],
		['after an unknown host', { cut: 'ENOTFOUND' }],
		['after a broken connection', { cut: 'ECONNRESET' }],
		['after a time-out', { delayMs: 60_000, body: { match: 'true' } }],
		['after 429', { status: 429, headers: soon }],
		['after 500', { status: 500, headers: soon }],
		['after 503', { status: 503, headers: soon }],
	])('%s', async (_, reply) => {
		const sent = serve('GET', OPERATION, (request, index) => (index === 0 ? reply : matches(request)));
		const run = await runNode(validate({ options: { retries: 1, timeout: 'delayMs' in reply ? 2 : 30 } }), [ELENI]);
		expect(run.json).toEqual([[{ matched: true, ssn: ELENI.ssn }]]);
		expect(sent).toHaveLength(2);
	});

	it('twice by default', async () => {
		const sent = serve('GET', OPERATION, { status: 503, headers: soon });
		const spec = validate({}, continuing);
		delete spec.parameters!.options;
		const run = await runNode(spec, [ELENI]);
		expect(sent).toHaveLength(3);
		expect(run.json[0]).toMatchObject([{ error: expect.stringContaining('503') as unknown }]);
	});

	it.each<[string, Reply]>([
		['a refused certificate', { cut: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
		['a rejected key', { status: 401 }],
		['a refused question', { status: 400 }],
		['a redirect', { status: 302 }],
		['another object', { body: { status: 'up' } }],
		['a longer wait than it goes along with', { status: 503, headers: { 'retry-after': '3600' } }],
	])('but not after %s', async (_, reply) => {
		const sent = serve('GET', OPERATION, reply);
		await runNode(validate({ options: { retries: 2 } }, continuing), [ELENI]);
		expect(sent).toHaveLength(1);
	});

	it('but not where the user takes the status for "no match"', async () => {
		const sent = serve('GET', OPERATION, { status: 404 });
		const run = await runNode(validate({ options: { retries: 2, noMatchStatusCodes: '404' } }), [ELENI]);
		expect(run.json).toEqual([[{ matched: false, ssn: ELENI.ssn, notice: NOTICE }]]);
		expect(sent).toHaveLength(1);
	});
});

describe('asks about one person once', () => {
	it('where equal rows stand in one run, also while the first is under way', async () => {
		const sent = serve('GET', OPERATION, matches);
		const same = { ssn: '150399-04568', birthDate: '1999-03-15', surname: 'ΠΑΠΑΔΟΠΟΥΛΟΥ' };
		const run = await runNode(validate(), [ELENI, same, MARIA, ELENI, ELENI, ELENI, same]);
		expect(run.json[0]?.map(({ matched }) => matched)).toEqual(Array(7).fill(true));
		expect([countOf(sent, ELENI), countOf(sent, MARIA)]).toEqual([1, 1]);
	});

	it('where each of the equal rows wants another output', async () => {
		const sent = serve('GET', OPERATION, matches);
		const rows = ['verdict', 'simplified'].map((output) => ({ ...ELENI, output }));
		const run = await runNode(validate({ output: '={{ $json.output }}' }), rows);
		expect(sent).toHaveLength(1);
		expect(run.json[0]).toEqual([{ matched: true, ssn: ELENI.ssn }, expect.objectContaining({ givenName: 'ΕΛΕΝΗ' })]);
	});

	it('and again in the next run', async () => {
		const sent = serve('GET', OPERATION, matches);
		for (let run = 0; run < 2; run++) await runNode(validate(), [ELENI]);
		expect(sent).toHaveLength(2);
	});

	it('with another date or surname it is another question', async () => {
		const sent = serve('GET', OPERATION, matches);
		await runNode(validate(), [ELENI, { ...ELENI, birthDate: '16/03/1999' }, { ...ELENI, surname: 'Άλλη' }]);
		expect(sent).toHaveLength(3);
	});
});

describe('with Retry On Fail', () => {
	/** A registry that is out for this person so many times. */
	const outFor = ({ ssn }: { ssn: string }, times: number) => {
		let left = times;
		return serve('GET', OPERATION, (request) =>
			request.query.ssn === ssn && left-- > 0 ? { status: 503 } : matches(request),
		);
	};
	const node = (parameters: IDataObject, more: Partial<NodeUnderTest> = {}) =>
		validate(parameters as never, { ...retrying, ...more });

	it.each(OUTPUTS)('a row that was answered is not asked again (%s)', async (output) => {
		const sent = outFor(GIORGOS, 2);
		const run = await runNode(node({ output, fields: ['tid'] }), [ELENI, GIORGOS, MARIA]);
		expect([ELENI, GIORGOS, MARIA].map((row) => countOf(sent, row))).toEqual([1, 3, 1]);
		const once = await runNode(validate({ output, fields: ['tid'] }), [ELENI, GIORGOS, MARIA]);
		expect(run.json).toEqual(once.json);
		expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
	});

	it('nor is a row that is equal to it', async () => {
		const sent = outFor(GIORGOS, 1);
		const run = await runNode(node({ options: { concurrency: 1 } }), [ELENI, GIORGOS, ELENI]);
		expect(run.json[0]).toHaveLength(3);
		expect([countOf(sent, ELENI), countOf(sent, GIORGOS)]).toEqual([1, 2]);
	});

	it('an error item asks again as well, and the rows beside it do not', async () => {
		const sent = outFor(GIORGOS, 1);
		// n8n looks at the first item alone.
		const run = await runNode(node({}, { onError: 'continueErrorOutput' }), [GIORGOS, ELENI]);
		expect(run.json).toMatchObject([[{ ssn: GIORGOS.ssn }, { ssn: ELENI.ssn }], []]);
		expect([countOf(sent, GIORGOS), countOf(sent, ELENI)]).toEqual([2, 1]);
	});

	it('what is remembered is the item alone, and nothing of it where all went well', async () => {
		outFor(GIORGOS, 9);
		const failed = await runNode(node({}), [ELENI, GIORGOS]);
		expect(failed.status).toBe('error');
		expect(failed.stored).not.toContain('ΕΛΕΝΗ');
		const kept = Object.values(failed.run.data.executionData!.contextData).flatMap(
			({ rows }) => Object.values((rows as { entries: object } | undefined)?.entries ?? {}) as unknown[],
		);
		expect(kept).toEqual([{ item: { matched: true, ssn: ELENI.ssn } }]);

		outFor(GIORGOS, 0);
		const done = await runNode(node({ output: 'record' }), [ELENI]);
		expect(JSON.stringify(done.run.data.executionData!.contextData)).not.toContain('ΕΛΕΝΗ');
	});

	it('without it nothing is remembered', async () => {
		outFor(GIORGOS, 9);
		const run = await runNode(validate({ output: 'record' }), [ELENI, GIORGOS]);
		expect(run.status).toBe('error');
		expect(run.stored).not.toContain('ΕΛΕΝΗ');
	});
});
