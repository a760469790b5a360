import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { logLines, runNode } from '../harness/engine';
import { withoutWaits } from '../harness/send';
import { serve, type Reply } from '../harness/httpServer';
import {
	KEY,
	OPERATION,
	ELENI,
	MARIA,
	GIORGOS,
	record,
	NOTICE,
	credential,
	failsSoon,
	matches,
	validate,
	OUTPUTS,
	continuing,
	splitting,
	people,
	expectErrorItem,
} from '../harness/amka';

describe('invalid input of AMKA', () => {
	const long = 'Α'.repeat(1024 * 1024);
	const deep = JSON.parse('{"a":'.repeat(200) + '1' + '}'.repeat(200)) as IDataObject;

	const notRead = /is not a clear date/;
	it.each<[string, IDataObject, RegExp]>([
		['an empty number', { ssn: '' }, /AMKA is missing/],
		['an apostrophe as number', { ssn: "'" }, /AMKA is missing/],
		['true as number', { ssn: true }, /value in "AMKA" can't be read/],
		['an object as number', { ssn: deep }, /value in "AMKA" can't be read/],
		['a megabyte as number', { ssn: long }, /"AMKA" is too long/],
		['a month-first date', { birthDate: '03/15/1999' }, notRead],
		['a megabyte as date', { birthDate: long }, notRead],
		['an invalid Date', { birthDate: new Date('x') as never }, /Birth Date/],
		['null as date', { birthDate: null }, /The birth date is missing/],
		['a blank surname', { surname: ' \u200b ' }, /The surname is missing/],
		['a list as surname', { surname: ['Δοκιμή'] }, /Surname/],
		['a megabyte as surname', { surname: long }, /"Surname" is too long/],
		['a line break in the surname', { surname: 'Δοκιμή\r\nX-Header: 1' }, /Surname/],
	])(
		'(%s) is an error of its item that names the fault, without a query, and the other item is checked',
		async (_, wrong, text) => {
			const sent = serve('GET', OPERATION, matches);
			const run = await runNode(validate({}, continuing), [{ ...ELENI, ...wrong }, GIORGOS]);
			expect(sent.map(({ query }) => query.ssn)).toEqual([GIORGOS.ssn]);
			expectErrorItem(run.json[0]?.[0], text);
			expect(run.json[0]?.[1]).toMatchObject({ matched: true, ssn: GIORGOS.ssn });
			expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		},
	);

	it('is an error with advice for an AI agent', async () => {
		const run = await runNode(validate({}, { asTool: true }), [{ ...ELENI, birthDate: '03/15/1999' }]);
		expectErrorItem(run.json[0]?.[0], notRead);
		expect(run.json[0]?.[0]?.message).toMatch(/as in 31\/12\/1999/);
	});

	it.each(['ssn', 'surname'] as const)(
		'from an expression for %s that fails on a number is an error, and works after the advised correction',
		async (name) => {
			const rows = [{ ...ELENI, [name]: 15039904568 }, GIORGOS];
			serve('GET', OPERATION, matches);
			const run = async (text: string) =>
				(await runNode(validate({ [name]: `={{ $json.${name}${text}.trim() }}` }, continuing), rows)).json[0]!;
			expectErrorItem((await run(''))[0], /is missing$/);
			expect((await run(''))[0]!.message).toMatch(/correct the expression\. .*\.toString\(\) before \.trim\(\)/);
			expect((await run('.toString()'))[0]).not.toHaveProperty('error');
		},
	);

	it.each<[string, INodeParameters, RegExp]>([
		['an unknown output', { output: "={{ 'Verdict' }}" }, /Output/],
		['fields that are not a list', { output: 'selected', fields: '={{ { name_gr: true } }}' }, /Fields/],
		['a timeout that is too short', { options: { timeout: 0.005 } }, /Timeout must be a number from 0.01 to 3600/],
		['a concurrency of 0', { options: { concurrency: 0 } }, /Concurrency/],
		[
			'a boolean option without a value',
			{ options: { acceptDeceased: '={{ $json.no }}' } },
			/Accept Deceased has no value/,
		],
		['a timeout without a value', { options: { timeout: '={{ $json.no }}' } }, /Timeout has no value/],
		['a concurrency without a value', { options: { concurrency: '={{ $json.no }}' } }, /Concurrency has no value/],
		['an expression that fails', { options: { concurrency: "={{ $('Nowhere').item.json.x }}" } }, /^Concurrency/],
	])('in the parameters (%s) is an error of each item, without a query', async (_, parameters, text) => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate(parameters, continuing), [ELENI, GIORGOS]);
		expect(sent).toEqual([]);
		for (const item of run.json[0]!) expectErrorItem(item, text);
		expect(run.json[0]).toHaveLength(2);
		expect(run.hints).toMatchObject([{ type: 'warning', message: expect.stringContaining('2 failed') as unknown }]);
	});

	it('in an option whose expression fails is an error only of its item, and names the option', async () => {
		const sent = serve('GET', OPERATION, matches);
		const options = { acceptDeceased: "={{ $json.off ? $('Nowhere').item.json.x : 'true' }}" };
		const run = await runNode(validate({ options }, splitting), [ELENI, { ...GIORGOS, off: true }]);
		expect(run.json[0]).toMatchObject([{ matched: true, ssn: ELENI.ssn }]);
		expect(run.json[1]).toMatchObject([{ error: expect.stringMatching(/Accept Deceased/) as unknown }]);
		expect(sent).toHaveLength(1);
	});

	it("such as a spreadsheet's serial number for a day that differs from the AMKA gets advice for the spreadsheet", async () => {
		const run = await runNode(validate({}, continuing), [{ ...ELENI, birthDate: 36235 }]);
		expect(run.json[0]?.[0]?.message).toContain('=TEXT(A2,"dd/mm/yyyy")');
		expect(run.json[0]?.[0]?.message).toContain('=TEXT(A2;"ηη/μμ/εεεε")');
	});

	it("does not include a spreadsheet's serial number for a birth date, if that day agrees with the AMKA", async () => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate(), [
			{ ...ELENI, birthDate: 36234 },
			{ ssn: 1013099997, birthDate: '10959.0', surname: 'Δοκιμή' },
		]);
		expect(sent.map(({ query }) => query.birthdate)).toEqual(['1999-03-15', '1930-01-01']);
		expect(run.json[0]).toMatchObject([{ matched: true }, { matched: true, ssn: '01013099997' }]);
	});
});

describe('an AMKA number with a wrong check digit', () => {
	it('is not queried with any output, does not stop the run, and needs no credential', async () => {
		const sent = serve('GET', OPERATION, { body: { match: 'false' } });
		const nobody = { ...ELENI, ssn: '01013099999' };
		const notice = expect.stringContaining('010…999 δεν είναι σωστός') as unknown;
		const answer = { matched: false, ssn: '01013099999', reason: 'checkDigit', notice };
		for (const output of OUTPUTS) {
			const without = await runNode(validate({ output }, { credentials: { amkaApi: new Error('is down') } }), [nobody]);
			expect([without.json, without.decryptions]).toEqual([[[answer]], []]);
		}
		expect(sent).toEqual([]);
		const run = await runNode(validate(), [nobody, ELENI]);
		expect(run.json).toEqual([[answer, { matched: false, ssn: ELENI.ssn, notice: NOTICE }]]);
	});
});

describe("the registry's answer", () => {
	withoutWaits();

	it('yes or no gives a result, and any other answer is an error that quotes it without long numbers', async () => {
		serve('GET', OPERATION, (_, index) => ({
			body: { match: ['no', ' TRUE ', `ναι ${GIORGOS.ssn}`][index], code: 'ssnerr001' },
		}));
		const run = await runNode(validate({ options: { concurrency: 1 } }, continuing), [ELENI, MARIA, GIORGOS]);
		expect(run.json[0]).toMatchObject([
			{ matched: false, ssn: ELENI.ssn, notice: NOTICE },
			{ matched: true, ssn: MARIA.ssn },
			{ details: { httpStatus: 200, code: 'ssnerr001', reason: 'couldNotAsk' } },
		]);
		expectErrorItem(run.json[0]?.[2], /neither true nor false: "ναι •••34"/);
	});

	it.each(['verdict', 'simplified', 'selected'])(
		'"no match" gives only the result, without data of the record (output %s)',
		async (output) => {
			serve('GET', OPERATION, { body: { ...record(ELENI.ssn), amka_cur: '02058401528', match: 'false' } });
			const run = await runNode(validate({ output, fields: ['name_gr'] }), [ELENI]);
			expect(run.json).toEqual([[{ matched: false, ssn: ELENI.ssn, notice: NOTICE }]]);
		},
	);

	const undocumented = /not with the documented/;
	const broken = { body: '{"match":"tr', headers: { 'content-type': 'application/json' } };
	const addIt = (status: number) =>
		new RegExp(
			`^If your service answers like this .*, add ${status} to No-Match Status Codes in the credential\\. Otherwise [a-z]`,
		);
	const checkKey = /^Check the key in the credential/;
	const failures: Array<[string, Reply, RegExp, advice?: RegExp]> = [
		['401', { status: 401, body: { detail: 'bad token' } }, /key/i, checkKey],
		['403', { status: 403, body: { title: 'x', code: 1 } }, /rejected the key, or a proxy in front of it/, checkKey],
		['400', { status: 400, body: { match: 'false' } }, /400/, addIt(400)],
		['404', { status: 404, body: 'not here' }, /404/, addIt(404)],
		['422', { status: 422 }, /422/, addIt(422)],
		['429', failsSoon(429), /429/],
		['500', { ...failsSoon(500), body: { match: 'true' } }, /500/],
		['201', { status: 201, body: { match: 'true' } }, /201/],
		['a redirect', { status: 302, headers: { location: 'https://other.example.gr/' } }, /redirect/i],
		['a page', { body: '<html>maintenance</html>' }, undocumented],
		['broken JSON', broken, undocumented],
		['a list', { body: [{ match: 'true' }] }, undocumented],
		['an object without a verdict', { body: { status: 'up' } }, undocumented],
		['a verdict that is no text', { body: { match: { deep: 'true' } } }, undocumented],
		['a megabyte of text', { body: 'x'.repeat(1024 * 1024) }, undocumented],
		['an empty body', { body: '' }, /without a record/],
		['an empty object', { body: {} }, /without a record/, addIt(200)],
		['another number', { body: { ...record(GIORGOS.ssn) } }, /a different number/],
		['a mismatch for another number', { body: { match: 'false', ssn: GIORGOS.ssn } }, /a different number/],
		['two numbers', { body: { match: 'true', ssn: ELENI.ssn, amka_in: GIORGOS.ssn } }, /a different number/],
		['an answer that drips for ever', { body: '{"match":"true"}', dripMs: 300 }, /in time/],
		['silence', { delayMs: 5_000, body: { match: 'true' } }, /in time/],
		['a refused connection', { cut: 'ECONNREFUSED' }, /ECONNREFUSED/],
		[
			'an untrusted certificate',
			{ cut: 'SELF_SIGNED_CERT_IN_CHAIN' },
			/certificate/i,
			/Ignore SSL Issues \(Insecure\)/,
		],
	];

	it('that is missing or is not a valid yes or no is an error with advice for each kind of failure, never a result', async () => {
		// Each person of the run gets another answer. The rejected key comes last, because it ends a run.
		const rows = people(failures.length).reverse();
		serve('GET', OPERATION, ({ query: { surname } }) => failures[surname!.length - 1]![1]);
		const run = await runNode(validate({ options: { timeout: 1, concurrency: 50 } }, continuing), rows);
		failures.forEach(([name, , text, advice = /./], index) => {
			const json = run.json[0]?.[failures.length - 1 - index];
			expectErrorItem(json, text);
			expect(json?.message).toMatch(advice);
			expect([name, JSON.stringify(json).includes(ELENI.ssn)]).toEqual([name, false]);
		});
		expect(run.stored).not.toContain(KEY);
		expect(logLines.join('\n')).not.toContain(KEY);
	}, 30_000);

	it.each(failures.filter(([name]) => ['403', 'a page'].includes(name)))(
		'%s ends a run under On Error Stop with the same error text as in the item',
		async (_, reply) => {
			serve('GET', OPERATION, reply);
			const run = await runNode(validate({}, continuing), [ELENI]);
			const stopped = await runNode(validate(), [ELENI]);
			expect(stopped.status).toBe('error');
			expect(stopped.error?.message).toBe(run.json[0]?.[0]?.error);
			expect(stopped.error?.description).toBe(run.json[0]?.[0]?.message);
		},
	);

	it('with a status code means "no match" only if it is one of the No-Match Status Codes', async () => {
		serve('GET', OPERATION, (_, index) => ({ status: [400, 404, 422][index], body: { title: 'x' } }));
		const node = { ...splitting, credentials: credential('400, 404') };
		const run = await runNode(validate({ output: 'record', options: { concurrency: 1 } }, node), [
			ELENI,
			MARIA,
			GIORGOS,
		]);
		expect(run.json[0]).toEqual([ELENI, MARIA].map(({ ssn }) => ({ matched: false, ssn, notice: NOTICE })));
		expect(run.json[1]).toMatchObject([{ error: expect.stringContaining('422') as unknown }]);
	});

	it.each<unknown>([null, { match: 'error' }, { title: 'Error', code: 'ssnerr001' }])(
		'HTTP 200 with %j means "no match" if 200 is a No-Match Status Code, but a page, the record of another number or a yes does not',
		async (body) => {
			serve('GET', OPERATION, (_, index) => ({
				body: [body, '<html>maintenance</html>', { match: 'error', ssn: MARIA.ssn }, { match: 'true' }][index],
			}));
			const node = { ...splitting, credentials: credential('200') };
			const run = await runNode(validate({ options: { concurrency: 1 } }, node), [
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
				{ error: expect.stringContaining('not with the documented') as unknown },
				{ error: expect.stringContaining('a different number') as unknown },
			]);
		},
	);

	it.each<[number, IDataObject]>([
		[200, { match: null, ssn: GIORGOS.ssn }],
		[200, { amka_in: GIORGOS.ssn }],
		[404, { title: 'x', ssn: GIORGOS.ssn }],
	])('HTTP %i with %j is an error, because it is about another number', async (status, body) => {
		serve('GET', OPERATION, { status, body });
		const node = { ...continuing, credentials: credential('200, 404') };
		const run = await runNode(validate({}, node), [ELENI]);
		expectErrorItem(run.json[0]?.[0], /a different number/);
		expect(run.json[0]?.[0]?.details).toMatchObject({ httpStatus: status, reason: 'couldNotAsk' });
	});

	it('is an error if it is an HTML page with a No-Match Status Code, because a proxy or another server has sent it', async () => {
		serve('GET', OPERATION, (_, index) => ({ status: 404, body: ['', { title: 'x' }, ' <h1>Not Found</h1>'][index] }));
		const node = { ...continuing, credentials: credential('404') };
		const run = await runNode(validate({ options: { concurrency: 1 } }, node), [ELENI, MARIA, GIORGOS]);
		expect(run.json[0]).toMatchObject([{ matched: false }, { matched: false }, { details: { reason: 'couldNotAsk' } }]);
		expect(run.json[0]![2]!.message).toMatch(/^Check the Base URL(?!.*add 404)/);
	});

	it.each(['401', '403', '407', '408', '429', '500', '503', '302', '204', '201', '4xx', '400.5', '600'])(
		'cannot mean "no match" with the status %s, which is an error in No-Match Status Codes',
		async (code) => {
			const sent = serve('GET', OPERATION, { status: Number(code) || 500, body: '<html>' });
			const run = await runNode(validate({}, { ...continuing, credentials: credential(`400, ${code}`) }), [ELENI]);
			expectErrorItem(run.json[0]?.[0], /No-Match Status Codes in the credential may contain only 200 and/);
			expect(sent).toEqual([]);
		},
	);

	const said = { title: 'Bad Request', code: 'ssnerr001' };
	it.each<[unknown, object]>([
		[
			{ ...said, message: `No ${ELENI.ssn}`, error: 7, other: 'x', name_gr: 'ΕΛΕΝΗ' },
			{ ...said, message: 'No •••68', error: '7' },
		],
		[
			{
				message: `echo ${Buffer.from(`GET /?ssn=${ELENI.ssn}`).toString('base64')} ${Buffer.from(ELENI.ssn).toString('base64url')}`,
			},
			{ message: 'echo ••• •••' },
		],
		[{ code: 'SSN_VALIDATION_FAILED_400' }, { code: 'SSN_VALIDATION_FAILED_400' }],
		[{ title: { deep: 1 }, code: null }, {}],
	])(
		'with the body %j has the texts of its error fields in the details of its item, with long numbers redacted',
		async (body, words) => {
			serve('GET', OPERATION, { status: 400, body });
			const run = await runNode(validate({}, continuing), [ELENI]);
			const notice = expect.any(String) as unknown;
			expect(run.json[0]?.[0]?.details).toEqual({ httpStatus: 400, row: 1, reason: 'couldNotAsk', notice, ...words });
		},
	);
});

it('an error of AMKA never has the field `outcome`, which only messages have', async () => {
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
