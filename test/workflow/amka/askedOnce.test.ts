import type { IDataObject } from 'n8n-workflow';

import { runNode, type NodeUnderTest } from '../harness/engine';
import { withoutWaits } from '../harness/send';
import { serve, type Reply } from '../harness/httpServer';
import {
	OPERATION,
	ELENI,
	MARIA,
	GIORGOS,
	NOTICE,
	credential,
	failsSoon,
	matches,
	validate,
	continuing,
	splitting,
	people,
} from '../harness/amka';

withoutWaits();

describe('a query is repeated while it has no answer', () => {
	it('after a temporary failure, at most twice', async () => {
		const replies: Record<string, Reply> = {
			ΑΝΑΠΑΝΤΗΤΗ: { cut: 'ECONNREFUSED' },
			ΚΟΜΜΕΝΗ: { cut: 'ECONNRESET' },
			ΑΡΓΗ: { delayMs: 60_000, body: { match: 'true' } },
			ΠΟΛΛΗ: failsSoon(429),
			ΧΑΛΑΣΜΕΝΗ: failsSoon(500),
			ΚΛΕΙΣΤΗ: failsSoon(503),
		};
		const surnames = Object.keys(replies);
		/** How often each query fails before it gets its answer. */
		let times = 1;
		const sent = serve('GET', OPERATION, (request) => {
			const { surname } = request.query;
			const before = sent.filter(({ query }) => query.surname === surname).length;
			return before <= times ? replies[surname!]! : matches(request);
		});
		const node = validate({ options: { concurrency: 20, timeout: 1 } }, continuing);
		const rows = surnames.map((surname) => ({ ...ELENI, surname }));
		const answered = await runNode(node, rows);
		expect(answered.json[0]?.map(({ matched }) => matched)).toEqual(surnames.map(() => true));
		expect(sent).toHaveLength(2 * surnames.length);

		sent.length = 0;
		times = 9;
		const others = rows.filter(({ surname }) => surname !== 'ΑΡΓΗ');
		const failed = await runNode(node, others);
		expect(failed.json[0]?.every(({ error }) => error !== undefined)).toBe(true);
		expect(sent).toHaveLength(3 * others.length);
	}, 30_000);

	it.each<[string, Reply]>([
		['a refused certificate', { cut: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
		['a rejected key', { status: 401 }],
		['a refused question', { status: 400 }],
		['another object', { body: { status: 'up' } }],
		['a longer wait than it goes along with', { status: 503, headers: { 'retry-after': '3600' } }],
	])('but not after %s', async (_, reply) => {
		const sent = serve('GET', OPERATION, reply);
		await runNode(validate({}, continuing), [ELENI]);
		expect(sent).toHaveLength(1);
	});

	it('but not if the status means "no match"', async () => {
		const sent = serve('GET', OPERATION, { status: 404 });
		const run = await runNode(validate({}, { credentials: credential('404') }), [ELENI]);
		expect(run.json).toEqual([[{ matched: false, ssn: ELENI.ssn, notice: NOTICE }]]);
		expect(sent).toHaveLength(1);
	});
});

describe('one person is queried once', () => {
	it('if a run has equal items, also while the first query is in progress', async () => {
		const sent = serve('GET', OPERATION, matches);
		const same = { ssn: '150399-04568', birthDate: '1999-03-15', surname: 'ΠΑΠΑΔΟΠΟΥΛΟΥ' };
		const run = await runNode(validate(), [ELENI, same, MARIA, ELENI, ELENI, ELENI, same]);
		expect(run.json[0]?.map(({ matched }) => matched)).toEqual(Array(7).fill(true));
		expect(sent.map(({ query }) => query.ssn)).toEqual([ELENI.ssn, MARIA.ssn]);
	});

	it('if equal items need different outputs', async () => {
		const sent = serve('GET', OPERATION, matches);
		const rows = ['verdict', 'simplified'].map((output) => ({ ...ELENI, output }));
		const run = await runNode(validate({ output: '={{ $json.output }}' }), rows);
		expect(sent).toHaveLength(1);
		expect(run.json[0]).toEqual([{ matched: true, ssn: ELENI.ssn }, expect.objectContaining({ givenName: 'ΕΛΕΝΗ' })]);
	});

	it('and again in the next run, or with another date or surname', async () => {
		const sent = serve('GET', OPERATION, matches);
		await runNode(validate(), [ELENI]);
		await runNode(validate(), [ELENI, { ...ELENI, birthDate: '16/03/1999' }, { ...ELENI, surname: 'Άλλη' }]);
		expect(sent).toHaveLength(4);
	});

	it('but all items are queried again with Retry On Fail, because nothing is kept', async () => {
		let left = 3;
		const sent = serve('GET', OPERATION, (request) =>
			request.query.ssn === GIORGOS.ssn && left-- > 0 ? failsSoon(503) : matches(request),
		);
		const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } as const;
		const run = await runNode(validate({ output: 'record' }, retrying), [ELENI, GIORGOS, MARIA]);
		const countOf = ({ ssn }: { ssn: string }) => sent.filter(({ query }) => query.ssn === ssn).length;
		expect([ELENI, GIORGOS, MARIA].map(countOf)).toEqual([2, 4, 2]);
		expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		expect(JSON.stringify(run.run.data.executionData!.contextData)).not.toContain(ELENI.ssn);
	});
});

describe('a run ends before its last item', () => {
	const compare = { operation: 'compare', compareWith: { mappingMode: 'autoMapInputData', value: null } };
	const sheet = { ...compare, compareOutput: 'sheet' };
	const nodes: Array<[string, NodeUnderTest]> = [
		['Validate', validate({}, continuing)],
		['Compare', validate(compare, splitting)],
		['Compare as a sheet', validate(sheet)],
	];
	/** Returns the text of an item for people: the notice of a failed one, or the last column of a sheet. */
	const noticesOf = ({ json }: Awaited<ReturnType<typeof runNode>>) =>
		json.flat().map((row) => String((row.details as IDataObject | undefined)?.notice ?? row.Προσοχή));
	const DOWN =
		'Το μητρώο δεν απαντά και αυτές οι γραμμές δεν ελέγχθηκαν. Ελέγξτε τις ξανά αργότερα. Αν συμβεί πάλι, πείτε το στον διαχειριστή.';
	const REFUSED = 'Κάτι δεν έχει ρυθμιστεί σωστά. Πείτε στον διαχειριστή ότι η υπηρεσία δεν δέχεται το κλειδί.';

	it.each(nodes)('%s: after ten items if the registry is down', async (_, node) => {
		// The first one is answered, so that a sheet is one.
		const sent = serve('GET', OPERATION, (request, index) => (index === 0 ? matches(request) : failsSoon(503)));
		const run = await runNode(node, people(40));
		const notices = noticesOf(run);
		expect(notices).toHaveLength(40);
		const down = notices.filter((notice) => notice === DOWN).length;
		// Those that were in work when the tenth was not answered are asked too.
		expect([down >= 25, down <= 29, sent.length <= 1 + 14 * 3]).toEqual([true, true, true]);
	});

	it.each(nodes)('%s: after the first item if the key is rejected', async (_, node) => {
		const sent = serve('GET', OPERATION, (request, index) => (index === 0 ? matches(request) : { status: 403 }));
		const run = await runNode(node, people(40));
		expect(noticesOf(run).filter((notice) => notice === REFUSED)).toHaveLength(39);
		expect(sent.length).toBeLessThanOrEqual(6);
	});

	it('with an error in each of the remaining items', async () => {
		serve('GET', OPERATION, { cut: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
		const run = await runNode(validate({ options: { concurrency: 1 } }, continuing), people(12));
		const [error, message] = [
			'The registry does not answer, and these rows were not checked',
			'Check them again later. If it happens again, tell the admin',
		];
		const details = { reason: 'serviceDown', notice: DOWN };
		expect(run.json[0]?.slice(10)).toMatchObject([1, 2].map(() => ({ error, message, details })));
		expect(run.hints[0]?.message).toContain(`${error}: 2 items (item 11 (…568), item 12 (…568))`);
	});

	it.each<[string, Reply]>([
		['a wrong address', { status: 404 }],
		['a verdict that says nothing', { body: { match: 'maybe' } }],
		['another person', { body: { match: 'true', ssn: GIORGOS.ssn } }],
	])('if every answer is %s, so that no list of people goes to that server', async (_, reply) => {
		const sent = serve('GET', OPERATION, reply);
		await runNode(validate({ options: { concurrency: 1 } }, continuing), people(50));
		expect(sent).toHaveLength(10);
	});

	it('but not if there are answers in between, or only single items are rejected', async () => {
		const sent = serve('GET', OPERATION, (request, index) => {
			if (index < 15) return { status: 400, body: { title: 'x' } };
			return index % 9 === 0 ? matches(request) : { cut: 'CERT_HAS_EXPIRED' };
		});
		await runNode(validate({ options: { concurrency: 1 } }, continuing), people(50));
		expect(sent).toHaveLength(50);
	});

	it('and a number that belongs to no person still gets its result, because it needs no query', async () => {
		serve('GET', OPERATION, { status: 401 });
		const run = await runNode(validate({ options: { concurrency: 1 } }, continuing), [ELENI, { ...ELENI, ssn: '150' }]);
		expect(run.json[0]).toMatchObject([{ details: { reason: 'setting' } }, { matched: false, reason: 'length' }]);
	});
});
