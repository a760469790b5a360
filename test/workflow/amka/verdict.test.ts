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
	record,
	splitting,
	validate,
} from './fixtures';

describe('matched, not matched, and could not ask', () => {
	it.each(['false', ' FALSE', '0', 'no', 'No '])('a match of "%s" is no match', async (match) => {
		serve('GET', OPERATION, { body: { match } });
		for (const output of ['simplified', 'verdict', 'record', 'selected']) {
			const run = await runNode(validate({ output }), [ELENI]);
			expect(run.json[0]).toMatchObject([{ matched: false, ssn: ELENI.ssn, notice: NOTICE }]);
		}
	});

	it.each(['true', ' TRUE ', 'True'])('a match of "%s" is a match', async (match) => {
		serve('GET', OPERATION, { body: { match } });
		const run = await runNode(validate(), [ELENI]);
		expect(run.json).toEqual([[{ matched: true, ssn: ELENI.ssn }]]);
	});

	it.each(['', 'error', 'true!', '1', 1, 'yes', 'ναι'])('a match of %j is an error that names it', async (match) => {
		serve('GET', OPERATION, { body: { match, code: 'ssnerr001' } });
		const run = await runNode(validate({}, continuing), [ELENI]);
		expectErrorItem(run.json[0]?.[0], new RegExp(`neither true nor false: "${match}"`));
		expect(run.json[0]?.[0]?.details).toMatchObject({ httpStatus: 200, code: 'ssnerr001', reason: 'couldNotAsk' });
	});

	it('hides numbers in such a match', async () => {
		serve('GET', OPERATION, { body: { match: `unknown ${ELENI.ssn}` } });
		const run = await runNode(validate({}, continuing), [ELENI]);
		expect(run.json[0]?.[0]?.error).toMatch(/"unknown •••68"/);
	});

	it('gives nothing of another person away when it does not match', async () => {
		serve('GET', OPERATION, { body: { ...record(ELENI.ssn), match: 'false' } });
		const simplified = await runNode(validate({ output: 'simplified' }), [ELENI]);
		expect(simplified.json).toEqual([[{ matched: false, ssn: ELENI.ssn, notice: NOTICE }]]);
		const selected = await runNode(validate({ output: 'selected', fields: ['name_gr'] }), [ELENI]);
		expect(selected.json).toEqual([[{ matched: false, ssn: ELENI.ssn, notice: NOTICE }]]);
	});

	const failures: Array<[string, Reply, RegExp]> = [
		['401', { status: 401, body: { detail: 'bad token' } }, /key/i],
		[
			'403',
			{ status: 403, body: { title: 'x', code: 1 } },
			/rejected the key, or a proxy before it refused the request \(HTTP 403\)/,
		],
		['a proxy (403)', { status: 403, body: '<html>Forbidden</html>' }, /proxy before it/],
		['a proxy (407)', { status: 407 }, /proxy.*asks for a login/i],
		['400', { status: 400, body: { match: 'false' } }, /400/],
		['404', { status: 404, body: 'not here' }, /404/],
		['429', { status: 429 }, /429/],
		['500', { status: 500, body: { match: 'true' } }, /500/],
		['503', { status: 503 }, /503/],
		['201', { status: 201, body: { match: 'true' } }, /201/],
		['204', { status: 204 }, /204/],
		['a redirect', { status: 302, headers: { location: 'https://other.example.gr/' } }, /redirect/i],
		['a page', { body: '<html>maintenance</html>' }, /other than the documented/],
		['an empty body', { body: '' }, /without a record/],
		[
			'broken JSON',
			{ body: '{"match":"tr', headers: { 'content-type': 'application/json' } },
			/other than the documented/,
		],
		['null', { body: null }, /without a record/],
		['a list', { body: [{ match: 'true' }] }, /other than the documented/],
		['42', { body: 42 }, /other than the documented/],
		['an empty object', { body: {} }, /without a record/],
		['an empty list', { body: [] }, /without a record/],
		['an object without a verdict', { body: { status: 'up' } }, /other than the documented/],
		['a verdict that is no text', { body: { match: { deep: 'true' } } }, /other than the documented/],
		['a verdict that is null', { body: { match: null } }, /other than the documented/],
		['another number', { body: { ...record(GIORGOS.ssn) } }, /different number/],
		['a mismatch for another number', { body: { match: 'false', ssn: GIORGOS.ssn } }, /different number/],
		['two numbers', { body: { match: 'true', ssn: ELENI.ssn, amka_in: GIORGOS.ssn } }, /different number/],
		['a megabyte of text', { body: 'x'.repeat(1024 * 1024) }, /other than the documented/],
		['405', { status: 405 }, /no such URL.*405/],
		['an answer that drips for ever', { body: '{"match":"true"}', dripMs: 30 }, /in time/],
		['TLS that fails', { cut: 'EPROTO' }, /encrypted connection/],
		['something else than HTTP', { cut: 'HPE_INVALID_CONSTANT' }, /other than HTTP/],
		['a refused connection', { cut: 'ECONNREFUSED' }, /ECONNREFUSED/],
		['an unknown host', { cut: 'ENOTFOUND' }, /ENOTFOUND/],
		['a cut connection', { cut: 'ECONNRESET' }, /ECONNRESET/],
		['an untrusted certificate', { cut: 'SELF_SIGNED_CERT_IN_CHAIN' }, /certificate/i],
		['silence', { delayMs: 5_000, body: { match: 'true' } }, /in time/],
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

	it.each([401, 403])('says of HTTP %i to check the key', async (status) => {
		serve('GET', OPERATION, { status });
		const run = await runNode(validate({}, continuing), [ELENI]);
		expect(run.json[0]?.[0]?.message).toMatch(/^Check the key in the credential/);
	});

	it('names the option that trusts any certificate', async () => {
		serve('GET', OPERATION, { cut: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
		const run = await runNode(validate({}, continuing), [ELENI]);
		expect(run.json[0]?.[0]?.message).toContain('Ignore SSL Issues (Insecure)');
	});

	it.each([400, 404, 422])('names the option for services that say "no match" with HTTP %i', async (status) => {
		serve('GET', OPERATION, { status });
		const run = await runNode(validate({}, continuing), [ELENI]);
		expect(run.json[0]?.[0]?.message).toContain(`add ${status} to the option "No-Match Status Codes"`);
	});

	it('takes the statuses the user names for "no match", and no others', async () => {
		serve('GET', OPERATION, (_, index) => ({ status: [400, 404, 422][index], body: { title: 'x' } }));
		const run = await runNode(validate({ options: { noMatchStatusCodes: '400, 404', concurrency: 1 } }, splitting), [
			ELENI,
			MARIA,
			GIORGOS,
		]);
		expect(run.json[0]).toEqual([
			{ matched: false, ssn: ELENI.ssn, notice: NOTICE },
			{ matched: false, ssn: MARIA.ssn, notice: NOTICE },
		]);
		expect(run.json[1]).toMatchObject([{ error: expect.stringContaining('422') as unknown }]);
	});

	it.each<[body: unknown]>([
		[null],
		[{}],
		[[]],
		[{ match: 'error' }],
		[{ match: null }],
		[{ title: 'Error', code: 'ssnerr001' }],
	])('takes 200 with %j for no match where the user names 200, and another body not', async (body) => {
		serve('GET', OPERATION, (_, index) => ({ body: [body, '<html>maintenance</html>', '', { match: 'true' }][index] }));
		const options = { noMatchStatusCodes: '200', concurrency: 1 };
		const run = await runNode(validate({ options }, splitting), [ELENI, MARIA, { ...ELENI, surname: 'Άλλη' }, GIORGOS]);
		expect(run.json[0]).toMatchObject([
			{ matched: false, ssn: ELENI.ssn },
			{ matched: true, ssn: GIORGOS.ssn },
		]);
		expect(run.json[1]).toMatchObject([
			{ error: expect.stringContaining('other than the documented') as unknown },
			{ error: expect.stringContaining('without a record') as unknown },
		]);
	});

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

	it('gives the words of an error body in the details, numbers hidden, and of a match nothing of them', async () => {
		const body = {
			title: 'Bad Request',
			code: 'ssnerr001',
			message: `No ${ELENI.ssn}`,
			error: 7,
			other: 'x',
			name_gr: 'ΕΛΕΝΗ',
		};
		serve('GET', OPERATION, { status: 400, body });
		const run = await runNode(validate({}, continuing), [ELENI]);
		expect(run.json[0]?.[0]?.details).toMatchObject({
			httpStatus: 400,
			title: 'Bad Request',
			code: 'ssnerr001',
			message: 'No •••68',
			error: '7',
		});
	});

	it.each([['<html>no</html>'], [[]], [{ title: { deep: 1 }, code: null }]])(
		'has no words of the body %j',
		async (body) => {
			serve('GET', OPERATION, { status: 400, body });
			const run = await runNode(validate({}, continuing), [ELENI]);
			expect(run.json[0]?.[0]?.details).toEqual({
				httpStatus: 400,
				reason: 'couldNotAsk',
				notice: expect.any(String) as unknown,
			});
		},
	);

	it('says nothing of an outcome: that is a word about messages', async () => {
		const run = await runNode(validate({}, continuing), [
			{ ...ELENI, ssn: '' },
			{ ...ELENI, birthDate: 'x' },
		]);
		expect(run.json[0]).toMatchObject([{ details: {} }, { details: {} }]);
		expect(JSON.stringify(run.json)).not.toContain('outcome');
		const unreadable = await runNode(validate({ surname: "={{ $('Nowhere').item.json.x }}" }), [ELENI]);
		expect(unreadable.stored).not.toContain('outcome');
		const ofTheRun = await runNode(validate({ options: { concurrency: 0 } }, continuing), [ELENI]);
		expect(ofTheRun.json[0]).toMatchObject([{ details: {}, error: expect.stringContaining('Concurrency') as unknown }]);
		expect(ofTheRun.stored).not.toContain('outcome');
	});

	it('names the option where a service says nothing', async () => {
		serve('GET', OPERATION, { body: {} });
		const run = await runNode(validate({}, continuing), [ELENI]);
		expect(run.json[0]?.[0]?.message).toContain('add 200 to the option "No-Match Status Codes"');
	});

	it('invents no field of a record where a status alone says "no match"', async () => {
		serve('GET', OPERATION, { status: 400, body: { title: 'x' } });
		const run = await runNode(validate({ output: 'record', options: { noMatchStatusCodes: '400' } }), [ELENI]);
		expect(run.json[0]).toEqual([{ matched: false, ssn: ELENI.ssn, notice: NOTICE }]);
	});

	it('an answer that repeats no number is about the one that was asked', async () => {
		serve('GET', OPERATION, { body: { match: 'true', ssn: '', amka_in: null } });
		const run = await runNode(validate(), [ELENI]);
		expect(run.json).toEqual([[{ matched: true, ssn: ELENI.ssn }]]);
	});
});
