import { logLines, runNode } from '../harness/engine';
import { serve, type Reply } from '../harness/wire';
import {
	continuing,
	ELENI,
	expectErrorItem,
	GIORGOS,
	KEY,
	MARIA,
	NOTICE,
	OPERATION,
	OUTPUTS,
	record,
	splitting,
	validate,
} from './fixtures';

describe('matched, not matched, and could not ask', () => {
	it.each(OUTPUTS)('yes and no are items, and what says neither is an error that names it (%s)', async (output) => {
		serve('GET', OPERATION, (_, index) => ({ body: { match: ['no', ' TRUE ', 'ναι'][index], code: 'ssnerr001' } }));
		const run = await runNode(validate({ output, options: { concurrency: 1 } }, continuing), [ELENI, MARIA, GIORGOS]);
		expect(run.json[0]).toMatchObject([
			{ matched: false, ssn: ELENI.ssn, notice: NOTICE },
			{ matched: true, ssn: MARIA.ssn },
			{ details: { httpStatus: 200, code: 'ssnerr001', reason: 'couldNotAsk' } },
		]);
		expectErrorItem(run.json[0]?.[2], /neither true nor false: "ναι"/);
	});

	it('hides numbers in such a match', async () => {
		serve('GET', OPERATION, { body: { match: `unknown ${ELENI.ssn}` } });
		const run = await runNode(validate({}, continuing), [ELENI]);
		expect(run.json[0]?.[0]?.error).toMatch(/"unknown •••68"/);
	});

	it.each(['verdict', 'simplified', 'selected'])('gives nothing of another person away (%s)', async (output) => {
		serve('GET', OPERATION, { body: { ...record(ELENI.ssn), match: 'false' } });
		const run = await runNode(validate({ output, fields: ['name_gr'] }), [ELENI]);
		expect(run.json).toEqual([[{ matched: false, ssn: ELENI.ssn, notice: NOTICE }]]);
	});

	const undocumented = /other than the documented/;
	const broken = { body: '{"match":"tr', headers: { 'content-type': 'application/json' } };
	const failures: Array<[string, Reply, RegExp]> = [
		['401', { status: 401, body: { detail: 'bad token' } }, /key/i],
		['403', { status: 403, body: { title: 'x', code: 1 } }, /rejected the key, or a proxy before it/],
		['400', { status: 400, body: { match: 'false' } }, /400/],
		['404', { status: 404, body: 'not here' }, /404/],
		['429', { status: 429 }, /429/],
		['500', { status: 500, body: { match: 'true' } }, /500/],
		['201', { status: 201, body: { match: 'true' } }, /201/],
		['204', { status: 204 }, /204/],
		['a redirect', { status: 302, headers: { location: 'https://other.example.gr/' } }, /redirect/i],
		['a page', { body: '<html>maintenance</html>' }, undocumented],
		['broken JSON', broken, undocumented],
		['a list', { body: [{ match: 'true' }] }, undocumented],
		['42', { body: 42 }, undocumented],
		['an object without a verdict', { body: { status: 'up' } }, undocumented],
		['a verdict that is no text', { body: { match: { deep: 'true' } } }, undocumented],
		['a verdict that is null', { body: { match: null } }, undocumented],
		['a megabyte of text', { body: 'x'.repeat(1024 * 1024) }, undocumented],
		['an empty body', { body: '' }, /without a record/],
		['null', { body: null }, /without a record/],
		['an empty object', { body: {} }, /without a record/],
		['an empty list', { body: [] }, /without a record/],
		['another number', { body: { ...record(GIORGOS.ssn) } }, /different number/],
		['a mismatch for another number', { body: { match: 'false', ssn: GIORGOS.ssn } }, /different number/],
		['two numbers', { body: { match: 'true', ssn: ELENI.ssn, amka_in: GIORGOS.ssn } }, /different number/],
		['an answer that drips for ever', { body: '{"match":"true"}', dripMs: 30 }, /in time/],
		['silence', { delayMs: 5_000, body: { match: 'true' } }, /in time/],
		['a refused connection', { cut: 'ECONNREFUSED' }, /ECONNREFUSED/],
		['a cut connection', { cut: 'ECONNRESET' }, /ECONNRESET/],
		['an untrusted certificate', { cut: 'SELF_SIGNED_CERT_IN_CHAIN' }, /certificate/i],
	];

	it.each(failures)('%s is an error, never a verdict', async (_, reply, text) => {
		const sent = serve('GET', OPERATION, reply);
		// Short only where it is waited for: on a busy machine any answer takes a while.
		const options = { timeout: 'delayMs' in reply || 'dripMs' in reply ? 0.1 : 30 };
		const run = await runNode(validate({ options }, continuing), [ELENI]);
		expect(sent).toHaveLength(1);
		expectErrorItem(run.json[0]?.[0], text);
		expect(JSON.stringify(run.json)).not.toContain(ELENI.ssn);

		const stopped = await runNode(validate({ options }), [ELENI]);
		expect(stopped.status).toBe('error');
		expect(stopped.error?.message).toBe(run.json[0]?.[0]?.error);
		expect(stopped.error?.description).toBe(run.json[0]?.[0]?.message);
		for (const { stored } of [run, stopped]) expect(stored).not.toContain(KEY);
		expect(logLines.join('\n')).not.toContain(KEY);
	});

	it.each<[Reply, RegExp]>([
		[{ status: 401 }, /^Check the key in the credential/],
		[{ status: 403 }, /^Check the key in the credential/],
		[{ cut: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, /Ignore SSL Issues \(Insecure\)/],
		[{ status: 400 }, /add 400 to the option "No-Match Status Codes"/],
		[{ status: 404 }, /add 404 to the option "No-Match Status Codes"/],
		[{ status: 422 }, /add 422 to the option "No-Match Status Codes"/],
		[{ body: {} }, /add 200 to the option "No-Match Status Codes"/],
	])('after %j an error says what to do', async (reply, advice) => {
		serve('GET', OPERATION, reply);
		const run = await runNode(validate({}, continuing), [ELENI]);
		expect(run.json[0]?.[0]?.message).toMatch(advice);
	});

	it('takes the statuses the user names for "no match", and no others', async () => {
		serve('GET', OPERATION, (_, index) => ({ status: [400, 404, 422][index], body: { title: 'x' } }));
		const options = { noMatchStatusCodes: '400, 404', concurrency: 1 };
		const run = await runNode(validate({ output: 'record', options }, splitting), [ELENI, MARIA, GIORGOS]);
		expect(run.json[0]).toEqual([ELENI, MARIA].map(({ ssn }) => ({ matched: false, ssn, notice: NOTICE })));
		expect(run.json[1]).toMatchObject([{ error: expect.stringContaining('422') as unknown }]);
	});

	it.each<unknown>([null, {}, [], { match: 'error' }, { match: null }, { title: 'Error', code: 'ssnerr001' }])(
		'takes 200 with %j for no match where the user names 200, and another body not',
		async (body) => {
			serve('GET', OPERATION, (_, index) => ({
				body: [body, '<html>maintenance</html>', '', { match: 'true' }][index],
			}));
			const options = { noMatchStatusCodes: '200', concurrency: 1 };
			const run = await runNode(validate({ options }, splitting), [
				ELENI,
				MARIA,
				{ ...ELENI, surname: 'Άλλη' },
				GIORGOS,
			]);
			expect(run.json[0]).toMatchObject([
				{ matched: false, ssn: ELENI.ssn },
				{ matched: true, ssn: GIORGOS.ssn },
			]);
			expect(run.json[1]).toMatchObject([
				{ error: expect.stringContaining('other than the documented') as unknown },
				{ error: expect.stringContaining('without a record') as unknown },
			]);
		},
	);

	it('does not take a match about another number for no match, even where the user names 200', async () => {
		serve('GET', OPERATION, { body: { match: 'error', ssn: GIORGOS.ssn } });
		const run = await runNode(validate({ options: { noMatchStatusCodes: '200' } }, continuing), [ELENI]);
		expectErrorItem(run.json[0]?.[0], /different number/);
	});

	it.each(['401', '403', '407', '408', '429', '500', '503', '302', '204', '201', '4xx', '400.5', '600'])(
		'refuses %s as a status of "no match"',
		async (code) => {
			const sent = serve('GET', OPERATION, { status: Number(code) || 500, body: '<html>' });
			const run = await runNode(validate({ options: { noMatchStatusCodes: `400, ${code}` } }, continuing), [ELENI]);
			expectErrorItem(run.json[0]?.[0], /No-Match Status Codes must be 200, or/);
			expect(sent).toEqual([]);
		},
	);

	const said = { title: 'Bad Request', code: 'ssnerr001' };
	it.each<[unknown, object]>([
		[
			{ ...said, message: `No ${ELENI.ssn}`, error: 7, other: 'x', name_gr: 'ΕΛΕΝΗ' },
			{ ...said, message: 'No •••68', error: '7' },
		],
		['<html>no</html>', {}],
		[[], {}],
		[{ title: { deep: 1 }, code: null }, {}],
	])('of the body %j the words of an error are in the details, numbers hidden', async (body, words) => {
		serve('GET', OPERATION, { status: 400, body });
		const run = await runNode(validate({}, continuing), [ELENI]);
		const notice = expect.any(String) as unknown;
		expect(run.json[0]?.[0]?.details).toEqual({ httpStatus: 400, reason: 'couldNotAsk', notice, ...words });
	});

	it('says nothing of an outcome: that is a word about messages', async () => {
		const runs = [
			await runNode(validate({}, continuing), [
				{ ...ELENI, ssn: '' },
				{ ...ELENI, birthDate: 'x' },
			]),
			await runNode(validate({ surname: "={{ $('Nowhere').item.json.x }}" }), [ELENI]),
			await runNode(validate({ options: { concurrency: 0 } }, continuing), [ELENI]),
		];
		expect(runs.map(({ json }) => json[0]?.length ?? 0)).toEqual([2, 0, 1]);
		for (const { stored } of runs) expect(stored).not.toContain('outcome');
	});
});
