import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode } from '../harness/engine';
import { serve } from '../harness/wire';
import {
	continuing,
	ELENI,
	expectErrorItem,
	GIORGOS,
	matches,
	NOTICE,
	OPERATION,
	OUTPUTS,
	splitting,
	validate,
} from './fixtures';

describe('bad input', () => {
	const long = 'Α'.repeat(1024 * 1024);
	const deep = JSON.parse('{"a":'.repeat(200) + '1' + '}'.repeat(200)) as IDataObject;

	const notRead = /can't be read as a date for certain/;
	it.each<[string, IDataObject, RegExp]>([
		['no number', { ssn: '' }, /AMKA is missing/],
		['null as number', { ssn: null }, /AMKA is missing/],
		['a missing number', { ssn: undefined }, /AMKA is missing/],
		['an apostrophe as number', { ssn: "'" }, /AMKA is missing/],
		['a blank number', { ssn: ' \u200b' }, /AMKA is missing/],
		['true as number', { ssn: true }, /value in "AMKA" can't be read/],
		['a list as number', { ssn: [] }, /value in "AMKA" can't be read/],
		['an object as number', { ssn: deep }, /value in "AMKA" can't be read/],
		['a megabyte as number', { ssn: long }, /"AMKA" is too long/],
		['a month-first date', { birthDate: '03/15/1999' }, notRead],
		['a day count of another day', { birthDate: 36235 }, notRead],
		['a day count as text', { birthDate: '36235' }, notRead],
		['a megabyte as date', { birthDate: long }, notRead],
		['an invalid Date', { birthDate: new Date('x') as never }, /Birth Date/],
		['no date', { birthDate: '' }, /The birth date is missing/],
		['null as date', { birthDate: null }, /The birth date is missing/],
		['a list as date', { birthDate: ['1999-03-15'] }, /Birth Date/],
		['an object as date', { birthDate: deep }, /Birth Date/],
		['no surname', { surname: '' }, /The surname is missing/],
		['a blank surname', { surname: ' \u200b ' }, /The surname is missing/],
		['null as surname', { surname: null }, /The surname is missing/],
		['a list as surname', { surname: ['Δοκιμή'] }, /Surname/],
		['an object as surname', { surname: deep }, /Surname/],
		['a megabyte as surname', { surname: long }, /"Surname" is too long/],
		['a line break in the surname', { surname: 'Δοκιμή\r\nX-Header: 1' }, /Surname/],
	])(
		'%s is refused with the name of the parameter, nothing is asked, the other row goes on',
		async (_, wrong, text) => {
			const sent = serve('GET', OPERATION, matches);
			const run = await runNode(validate({}, continuing), [{ ...ELENI, ...wrong }, GIORGOS]);
			expect(sent.map(({ query }) => query.ssn)).toEqual([GIORGOS.ssn]);
			expectErrorItem(run.json[0]?.[0], text);
			expect(run.json[0]?.[1]).toMatchObject({ matched: true, ssn: GIORGOS.ssn });
			expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		},
	);

	it.each<[string, INodeParameters, RegExp]>([
		['an output that is none', { output: "={{ 'Verdict' }}" }, /Output/],
		['fields that are no list', { output: 'selected', fields: '={{ { name_gr: true } }}' }, /Fields/],
	])('%s is refused before anything is asked', async (_, parameters, text) => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate(parameters, continuing), [ELENI]);
		expect(sent).toEqual([]);
		expectErrorItem(run.json[0]?.[0], text);
	});

	it('says of a day count what to do in the spreadsheet', async () => {
		const run = await runNode(validate({}, continuing), [{ ...ELENI, birthDate: 36235 }]);
		expect(run.json[0]?.[0]?.message).toContain('=TEXT(A2;"dd/mm/yyyy")');
		expect(run.json[0]?.[0]?.message).toContain('=TEXT(A2;"ηη/μμ/εεεε")');
	});

	it('takes a day count that the number proves', async () => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate(), [
			{ ...ELENI, birthDate: 36234 },
			{ ssn: 1013099997, birthDate: '10959.0', surname: 'Δοκιμή' },
		]);
		expect(sent.map(({ query }) => query.birthdate)).toEqual(['1999-03-15', '1930-01-01']);
		expect(run.json[0]).toMatchObject([{ matched: true }, { matched: true, ssn: '01013099997' }]);
	});

	it.each<[string, INodeParameters, RegExp]>([
		['a status that is none', { noMatchStatusCodes: '400, x' }, /No-Match Status Codes/],
		['a time-out of 0', { timeout: 0 }, /Timeout/],
		['a time-out that the form does not take', { timeout: 0.005 }, /Timeout must be a number from 0.01 to 3600/],
		['a concurrency of 0', { concurrency: 0 }, /Concurrency/],
		['half a concurrency', { concurrency: 1.5 }, /Concurrency/],
	])('%s in the options is refused before anything is asked', async (_, options, text) => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate({ options }, splitting), [ELENI, GIORGOS]);
		expect(sent).toEqual([]);
		expect(run.json[0]).toEqual([]);
		expect(run.json[1]).toHaveLength(2);
		expect(run.json[1]?.[0]?.error).toMatch(text);
	});
});

describe('a number that belongs to nobody', () => {
	it.each<[unknown, string]>([
		['01013099999', 'checkDigit'],
		['31029900011', 'date'],
		[42, 'length'],
		['1503990456Α', 'characters'],
	])('is not asked about: %j is not matched, for %s', async (ssn, reason) => {
		const sent = serve('GET', OPERATION, matches);
		for (const output of OUTPUTS) {
			const run = await runNode(validate({ output }), [{ ...ELENI, ssn: ssn as string }]);
			const notice = expect.stringMatching(/^[^/]*ΑΜΚΑ .* The AMKA /) as unknown;
			expect(run.json).toEqual([[{ matched: false, ssn: String(ssn), reason, notice }]]);
		}
		expect(sent).toEqual([]);
	});

	it('stops no run, needs no credential, and no reason stands where a person only does not match', async () => {
		serve('GET', OPERATION, { body: { match: 'false' } });
		const nobody = { ...ELENI, ssn: '01013099999' };
		const notice = expect.stringContaining('010…999 has a mistake') as unknown;
		const answer = { matched: false, ssn: '01013099999', reason: 'checkDigit', notice };
		const run = await runNode(validate(), [nobody, ELENI]);
		expect(run.json).toEqual([[answer, { matched: false, ssn: ELENI.ssn, notice: NOTICE }]]);
		const without = await runNode(validate({}, { credentials: { amkaApi: new Error('the store is down') } }), [nobody]);
		expect([without.json, without.decryptions]).toEqual([[[answer]], []]);
	});
});

describe('an option whose expression', () => {
	const rows = [ELENI, { ...GIORGOS, off: true }];

	it.each([
		['acceptDeceased', /Accept Deceased/],
		['timeout', /Timeout/],
		['retries', /Retries/],
		['noMatchStatusCodes', /No-Match Status Codes/],
	])('fails takes its own row alone, by its name: %s', async (name, text) => {
		const sent = serve('GET', OPERATION, matches);
		const fallback = name === 'acceptDeceased' ? 'true' : name === 'noMatchStatusCodes' ? "'404'" : '1';
		const options = { [name]: `={{ $json.off ? $('Nowhere').item.json.x : ${fallback} }}` };
		const run = await runNode(validate({ options }, splitting), rows);
		expect(run.json[0]).toMatchObject([{ matched: true, ssn: ELENI.ssn }]);
		expect(run.json[1]).toMatchObject([{ error: expect.stringMatching(text) as unknown }]);
		expect(sent).toHaveLength(1);
	});

	it.each([
		['acceptDeceased', '={{ $json.missing }}', /Accept Deceased has no value/],
		['acceptDeceased', "={{ 'maybe' }}", /Accept Deceased must be true or false/],
		['timeout', '={{ $json.missing }}', /Timeout has no value/],
		['retries', '={{ $json.missing }}', /Retries has no value/],
		['concurrency', '={{ $json.missing }}', /Concurrency has no value/],
	])('gives nothing that can be meant is an error, never its default: %s, %s', async (name, value, text) => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate({ options: { [name]: value } }, continuing), [ELENI]);
		expect(sent).toEqual([]);
		expectErrorItem(run.json[0]?.[0], text);
	});

	it('fails for the whole run is one error of every row, counted in the summary', async () => {
		const sent = serve('GET', OPERATION, matches);
		const options = { concurrency: "={{ $('Nowhere').item.json.x }}" };
		const run = await runNode(validate({ options }, continuing), rows);
		expect(sent).toEqual([]);
		const error = expect.stringMatching(/^Concurrency/) as unknown;
		expect(run.json[0]).toMatchObject([{ error }, { error }]);
		expect(run.hints).toMatchObject([{ type: 'warning', message: expect.stringContaining('2 failed') as unknown }]);
	});
});
