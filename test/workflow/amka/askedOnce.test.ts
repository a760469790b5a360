import { ExecuteContext } from 'n8n-core';
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

describe('AMKA repeats a query to the registry', () => {
	it('at most twice after a temporary failure', async () => {
		const replies: Record<string, Reply> = {
			ΑΝΑΠΑΝΤΗΤΗ: { cut: 'ECONNREFUSED' },
			ΚΟΜΜΕΝΗ: { cut: 'ECONNRESET' },
			ΑΡΓΗ: { delayMs: 60_000, body: { match: 'true' } },
			ΠΟΛΛΗ: failsSoon(429),
			ΧΑΛΑΣΜΕΝΗ: failsSoon(500),
			ΚΛΕΙΣΤΗ: failsSoon(503),
		};
		const surnames = Object.keys(replies);
		/** The number of times that each query fails before it gets an answer. */
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
		['a rejected query', { status: 400 }],
		['a JSON object of another service', { body: { status: 'up' } }],
		['a Retry-After of more than 300 seconds', { status: 503, headers: { 'retry-after': '3600' } }],
	])('never after %s', async (_, reply) => {
		const sent = serve('GET', OPERATION, reply);
		await runNode(validate({}, continuing), [ELENI]);
		expect(sent).toHaveLength(1);
	});

	it('never after a status that means "no match"', async () => {
		const sent = serve('GET', OPERATION, { status: 404 });
		const run = await runNode(validate({}, { credentials: credential('404') }), [ELENI]);
		expect(run.json).toEqual([[{ matched: false, ssn: ELENI.ssn, notice: NOTICE }]]);
		expect(sent).toHaveLength(1);
	});
});

describe('AMKA queries a person once', () => {
	it('if a run has equal items, even while the first query is in progress', async () => {
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

	it('in a run, and again in the next run, or with another birth date or surname', async () => {
		const sent = serve('GET', OPERATION, matches);
		await runNode(validate(), [ELENI]);
		await runNode(validate(), [ELENI, { ...ELENI, birthDate: '16/03/1999' }, { ...ELENI, surname: 'Άλλη' }]);
		expect(sent).toHaveLength(4);
	});

	it('in each try of Retry On Fail (repeats after a failure aside), because AMKA does not store the answers of an earlier try', async () => {
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

describe('AMKA stops querying the registry', () => {
	const compare = { operation: 'compare', compareWith: { mappingMode: 'autoMapInputData', value: null } };
	const sheet = { ...compare, compareOutput: 'sheet' };
	const nodes: Array<[string, NodeUnderTest]> = [
		['Validate', validate({}, continuing)],
		['Compare', validate(compare, splitting)],
		['Compare as a sheet', validate(sheet)],
	];
	/** Returns the notice of each item, or the column Προσοχή of each row in a sheet. */
	const noticesOf = ({ json }: Awaited<ReturnType<typeof runNode>>) =>
		json.flat().map((row) => String((row.details as IDataObject | undefined)?.notice ?? row.Προσοχή));
	const DOWN =
		'Το μητρώο δεν απαντά, γι’ αυτό οι γραμμές αυτές δεν ελέγχθηκαν. Επαναλάβετε αργότερα τον έλεγχο για αυτές τις γραμμές. Αν συμβεί πάλι, πείτε το στον διαχειριστή.';
	const REFUSED = 'Κάτι δεν έχει ρυθμιστεί σωστά. Πείτε στον διαχειριστή ότι η υπηρεσία δεν δέχεται το κλειδί.';

	it.each(nodes)('in %s after ten items without an answer', async (_, node) => {
		// The first query gets an answer, because a sheet needs at least one.
		const sent = serve('GET', OPERATION, (request, index) => (index === 0 ? matches(request) : failsSoon(503)));
		const run = await runNode(node, people(40));
		const notices = noticesOf(run);
		expect(notices).toHaveLength(40);
		const down = notices.filter((notice) => notice === DOWN).length;
		// The items that were in progress at the tenth failure are also queried.
		expect([down >= 25, down <= 29, sent.length <= 1 + 14 * 3]).toEqual([true, true, true]);
	});

	it.each(nodes)('in %s after the first rejection of the key', async (_, node) => {
		const sent = serve('GET', OPERATION, (request, index) => (index === 0 ? matches(request) : { status: 403 }));
		const run = await runNode(node, people(40));
		expect(noticesOf(run).filter((notice) => notice === REFUSED)).toHaveLength(39);
		expect(sent.length).toBeLessThanOrEqual(6);
	});

	it('after the key was rejected, even for an item that was to be repeated', async () => {
		const sent = serve('GET', OPERATION, ({ query }) =>
			query.surname === 'Α' ? { ...failsSoon(503), delayMs: 100 } : { status: 403 },
		);
		const run = await runNode(validate({}, continuing), people(2));
		expect(sent).toHaveLength(2);
		expect(run.json[0]?.[0]).toMatchObject({ details: { httpStatus: 503 } });
	});

	it('when a person stops the run, and says of the item in progress that it had no result', async () => {
		const stop = new AbortController();
		jest.spyOn(ExecuteContext.prototype, 'getExecutionCancelSignal').mockReturnValue(stop.signal);
		const sent = serve('GET', OPERATION, () => {
			setTimeout(() => stop.abort(), 100);
			return { status: 503, headers: { 'retry-after': '2' } };
		});
		const run = await runNode(validate({ options: { concurrency: 1 } }, continuing), people(2));
		expect(sent).toHaveLength(1);
		expect(run.json[0]).toMatchObject([{ error: 'The run was cancelled before this item had a result' }]);
	});

	it('during an outage, and each of the remaining items is an error', async () => {
		serve('GET', OPERATION, { cut: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
		const run = await runNode(validate({ options: { concurrency: 1 } }, continuing), people(12));
		const [error, message] = [
			'The registry does not answer, so these rows were not checked',
			'Check them again later. If it happens again, tell the admin',
		];
		const details = { reason: 'serviceDown', notice: DOWN };
		expect(run.json[0]?.slice(10)).toMatchObject([1, 2].map(() => ({ error, message, details })));
		expect(run.hints[0]?.message).toContain(`${error}: 2 items (item 11 (…568), item 12 (…568))`);
	});

	it.each<[string, Reply]>([
		['HTTP 404', { status: 404 }],
		['a result that is neither true nor false', { body: { match: 'maybe' } }],
		['the record of another person', { body: { match: 'true', ssn: GIORGOS.ssn } }],
	])('if every answer is %s, so that a wrong server does not get the whole list of people', async (_, reply) => {
		const sent = serve('GET', OPERATION, reply);
		await runNode(validate({ options: { concurrency: 1 } }, continuing), people(50));
		expect(sent).toHaveLength(10);
	});

	it('but not if valid answers arrive in between, or if the registry answers many items in a row with HTTP 400', async () => {
		const sent = serve('GET', OPERATION, (request, index) => {
			if (index < 15) return { status: 400, body: { title: 'x' } };
			return index % 9 === 0 ? matches(request) : { cut: 'CERT_HAS_EXPIRED' };
		});
		await runNode(validate({ options: { concurrency: 1 } }, continuing), people(50));
		expect(sent).toHaveLength(50);
	});

	it('but still gives a result for an invalid number, which needs no query', async () => {
		serve('GET', OPERATION, { status: 401 });
		const run = await runNode(validate({ options: { concurrency: 1 } }, continuing), [ELENI, { ...ELENI, ssn: '150' }]);
		expect(run.json[0]).toMatchObject([{ details: { reason: 'setting' } }, { matched: false, reason: 'length' }]);
	});
});
