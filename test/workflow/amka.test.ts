import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { encodings } from '../../sandbox/echo';
import { findSecrets } from '../spellings';
import { logLines, runNode, testCredential, type NodeUnderTest } from './engine';
import { serve, type Reply, type Sent } from './wire';

const KEY = 'amka-key-7f3e';
const BASE = 'https://amka.example.gr';
const OPERATION = `${BASE}/api/rest/v1/ssn_validation`;

/** Rows as a form or sheet holds them; numbers are well formed and belong to nobody. */
const ELENI = { ssn: '15039904568', birthDate: '15/03/1999', surname: 'Παπαδοπούλου' };
const MARIA = { ssn: '07090512307', birthDate: '7.9.2005', surname: 'Δοκιμαστική' };
const GIORGOS = { ssn: '31018501234', birthDate: '1985-01-31', surname: 'Παράδειγμας' };

/** A record with every field filled, some codes in Greek letters and some in the Latin letters of the same look. */
const record = (ssn: string): Record<string, string> => ({
	match: 'true',
	ssn,
	amka_in: ssn,
	amka_cur: ssn,
	name_gr: 'ΕΛΕΝΗ',
	name_en: 'ELENI',
	surname_cur_gr: 'ΠΑΠΑΔΟΠΟΥΛΟΥ',
	surname_cur_en: 'PAPADOPOULOU',
	surname_birth_gr: 'ΔΟΚΙΜΑΣΤΙΚΗ',
	surname_birth_en: 'DOKIMASTIKI',
	father_gr: 'ΠΕΤΡΟΣ',
	father_en: 'PETROS',
	mother_gr: 'ΑΝΝΑ',
	mother_en: 'ANNA',
	sex: 'Θ',
	birth_date: '15/03/1999',
	bdate_istrue: '',
	birth_country: 'ΕΛΛΑΔΑ',
	birth_country_code: 'ΕΛ',
	birth_municipality: 'ΔΗΜΟΣ ΔΟΚΙΜΗΣ',
	birth_municipality_greek_code: 'ΔΟΚΙ',
	citizenship: 'ΕΛΛΑΔΑ',
	death_date: '',
	death_note: '',
	id_type: 'T',
	id_num: 'ΑΒ000000',
	id_creation_year: '2015',
	tid: '000000000',
	last_mod_date: '01/02/2020',
	tel1: '2100000000',
	tel2: '',
	address_street: 'ΟΔΟΣ ΔΟΚΙΜΗΣ 1',
	address_town: 'ΔΟΚΙΜΗ',
	address_prefecture: 'ΔΟΚΙ',
	address_zipcode: '00000',
	address_country: 'ΕΛΛΑΔΑ',
	address_country_code: 'ΕΛ',
});

const matches = (request: Sent): Reply => ({ body: record(request.query.ssn ?? '') });

/** A node that reads its person from the row. */
const validate = (parameters: INodeParameters = {}, more: Partial<NodeUnderTest> = {}): NodeUnderTest => ({
	node: 'amka',
	parameters: {
		ssn: '={{ $json.ssn }}',
		birthDate: '={{ $json.birthDate }}',
		surname: '={{ $json.surname }}',
		...parameters,
	},
	credentials: { amkaApi: { baseUrl: BASE, apiKey: KEY } },
	...more,
});

const continuing = { onError: 'continueRegularOutput' } as const;
const splitting = { onError: 'continueErrorOutput' } as const;

/** What a failed row leaves, with nothing in it that could steer it to another branch. */
function expectErrorItem(json: IDataObject | undefined, text: RegExp) {
	expect(Object.keys(json ?? {}).sort()).toEqual(['details', 'error', 'message']);
	expect(json?.error).toMatch(text);
	expect(String(json?.error).length + String(json?.message).length).toBeLessThan(600);
}

describe('the question', () => {
	it('is the one the interface describes', async () => {
		const sent = serve('GET', OPERATION, matches);
		await runNode(validate(), [ELENI]);
		expect(sent).toEqual([
			{
				method: 'GET',
				url: OPERATION,
				query: { ssn: '15039904568', birthdate: '1999-03-15', surname: 'ΠΑΠΑΔΟΠΟΥΛΟΥ' },
				headers: expect.objectContaining({
					authorization: `Token ${KEY}`,
					accept: expect.stringContaining('application/json'),
				}) as unknown,
				body: '',
			},
		]);
	});

	it.each([
		['a trailing slash', `${BASE}/`],
		['the whole address of the operation', OPERATION],
		['white space around it', ` ${BASE} `],
	])('goes to the right address when the base URL was typed with %s', async (_, baseUrl) => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate({}, { credentials: { amkaApi: { baseUrl, apiKey: KEY } } }), [ELENI]);
		expect(sent).toHaveLength(1);
		expect(run.json[0]).toMatchObject([{ matched: true }]);
	});

	it.each([
		['Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ'],
		['Μάιος', 'ΜΑΙΟΣ'],
		['Μαΐου', 'ΜΑΪΟΥ'],
		['Ευφυΐα', 'ΕΥΦΥΪΑ'],
		['ραφτόπουλος-Δοκιμής', 'ΡΑΦΤΟΠΟΥΛΟΣ-ΔΟΚΙΜΗΣ'],
		["  d'Example  Smith ", "D'EXAMPLE SMITH"],
		['Παπα\u0301ς', 'ΠΑΠΑΣ'],
		['΄Αννινος', 'ΑΝΝΙΝΟΣ'],
		['\u1ffdΕλατος-\u00b4Οψης', 'ΕΛΑΤΟΣ-ΟΨΗΣ'],
		['ΔΟΚΙΜΗ & ΥΙΟΣ+', 'ΔΟΚΙΜΗ & ΥΙΟΣ+'],
	])('has the surname %s in capitals without tonos', async (surname, expected) => {
		const sent = serve('GET', OPERATION, matches);
		await runNode(validate(), [{ ...ELENI, surname }]);
		expect(sent.map(({ query }) => query.surname)).toEqual([expected]);
	});

	it('has the surname as typed where the user wants that', async () => {
		const sent = serve('GET', OPERATION, matches);
		await runNode(validate({ capitaliseSurname: false }), [ELENI]);
		expect(sent[0]?.query.surname).toBe('Παπαδοπούλου');
	});

	it.each([
		['an ISO date', '1999-03-15'],
		['an ISO date-time without zone', '1999-03-15T00:00:00'],
		['midnight UTC', '1999-03-15T00:00:00.000Z'],
		['a time stamp of a database', '1999-03-15 00:00:00+02'],
		['midnight in Athens, with its offset', '1999-03-15T00:00:00.000+02:00'],
		['late in the evening far west', '1999-03-15T23:30:00-08:00'],
		['D/M/YYYY', '15/3/1999'],
		['D-M-YYYY', '15-03-1999'],
		['D.M.YYYY', '15.3.1999'],
		['full-width digits', '１５/０３/１９９９'],
		['spaces and a zero-width space around', ' 15/03/1999\u200b '],
	])('has the birth date of %s, not shifted', async (_, birthDate) => {
		const sent = serve('GET', OPERATION, matches);
		await runNode(validate(), [{ ...ELENI, birthDate }]);
		expect(sent.map(({ query }) => query.birthdate)).toEqual(['1999-03-15']);
	});

	it.each([
		['a Date a spreadsheet made', '={{ $json.birthDate }}'],
		['a Date an expression made', "={{ new Date('1999-03-15') }}"],
		['a Date of midnight in Athens', "={{ DateTime.fromISO('1999-03-15').toJSDate() }}"],
		['n8n\'s own toDateTime()', "={{ '1999-03-15'.toDateTime() }}"],
		['a luxon DateTime in another zone', "={{ DateTime.fromISO('1999-03-15T23:00', { zone: 'America/New_York' }) }}"],
	])('has the birth date of %s, not shifted', async (_, birthDate) => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate({ birthDate }), [{ ...ELENI, birthDate: new Date('1999-03-15') as never }]);
		expect(run.error?.message).toBeUndefined();
		expect(sent.map(({ query }) => query.birthdate)).toEqual(['1999-03-15']);
	});

	it('is read day first, in every time zone', async () => {
		const sent = serve('GET', OPERATION, matches);
		for (const timezone of ['Pacific/Kiritimati', 'America/Los_Angeles']) {
			await runNode(validate({}, { timezone }), [
				{ ...ELENI, birthDate: '04/03/1999' },
				{ ...ELENI, birthDate: '1999-03-04T00:00:00.000Z' },
				{ ...ELENI, birthDate: new Date('1999-03-04') as never },
			]);
		}
		expect(sent.map(({ query }) => query.birthdate)).toEqual(Array(6).fill('1999-03-04'));
	});
});

describe('bad input', () => {
	const long = 'Α'.repeat(1024 * 1024);
	const deep = JSON.parse('{"a":'.repeat(200) + '1' + '}'.repeat(200)) as IDataObject;

	it.each<[string, IDataObject, RegExp]>([
		['a wrong check digit', { ssn: '01013099999' }, /AMKA.*check digit/is],
		['another wrong check digit', { ssn: '21068302673' }, /AMKA.*check digit/is],
		['an impossible date in the number', { ssn: '31029900011' }, /AMKA.*date/is],
		['another impossible date', { ssn: '12345678903' }, /AMKA.*date/is],
		['eleven zeros', { ssn: '00000000000' }, /AMKA.*date/is],
		['a number that lost its zero', { ssn: 1013099997 }, /AMKA.*zero/is],
		['too few digits', { ssn: '150399' }, /AMKA.*11/is],
		['letters', { ssn: '1503990456Α' }, /AMKA.*characters/is],
		['no number', { ssn: '' }, /AMKA/],
		['null as number', { ssn: null }, /AMKA/],
		['42 as number', { ssn: 42 }, /AMKA.*11/is],
		['a list as number', { ssn: [] }, /AMKA/],
		['an object as number', { ssn: deep }, /AMKA/],
		['a megabyte as number', { ssn: long }, /AMKA/],
		['a missing number', { ssn: undefined }, /AMKA/],
		['a month-first date', { birthDate: '03/15/1999' }, /Birth Date/],
		['a two-digit year', { birthDate: '15/03/99' }, /Birth Date/],
		['a day that does not exist', { birthDate: '30/02/1999' }, /Birth Date/],
		['29 February of a common year', { birthDate: '29/02/1999' }, /Birth Date/],
		['a day count', { birthDate: 36234 }, /Birth Date/],
		['a day count as text', { birthDate: '36234' }, /Birth Date/],
		['mixed separators', { birthDate: '15/03-1999' }, /Birth Date/],
		['a date and more', { birthDate: '15/03/1999 or so' }, /Birth Date/],
		['an invalid Date', { birthDate: new Date('x') as never }, /Birth Date/],
		['no date', { birthDate: '' }, /Birth Date/],
		['null as date', { birthDate: null }, /Birth Date/],
		['a list as date', { birthDate: ['1999-03-15'] }, /Birth Date/],
		['an object as date', { birthDate: deep }, /Birth Date/],
		['a megabyte as date', { birthDate: long }, /Birth Date/],
		['no surname', { surname: '' }, /Surname/],
		['a blank surname', { surname: ' \u200b ' }, /Surname/],
		['null as surname', { surname: null }, /Surname/],
		['a list as surname', { surname: ['Δοκιμή'] }, /Surname/],
		['an object as surname', { surname: deep }, /Surname/],
		['a megabyte as surname', { surname: long }, /Surname/],
		['a line break in the surname', { surname: 'Δοκιμή\r\nX-Header: 1' }, /Surname/],
	])('%s is refused with the name of the parameter, nothing is asked, the other row goes on', async (_, wrong, text) => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate({}, continuing), [{ ...ELENI, ...wrong }, GIORGOS]);
		expect(sent.map(({ query }) => query.ssn)).toEqual([GIORGOS.ssn]);
		expectErrorItem(run.json[0]?.[0], text);
		expect(run.json[0]?.[1]).toMatchObject({ matched: true, ssn: GIORGOS.ssn });
		expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it.each<[string, INodeParameters, RegExp]>([
		['an output that is none', { output: 'Verdict' }, /Output/],
		['fields that are no list', { output: 'selected', fields: 'name_gr' }, /Fields/],
	])('%s is refused before anything is asked', async (_, parameters, text) => {
		const sent = serve('GET', OPERATION, matches);
		const values = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, `={{ ${JSON.stringify(value)} }}`]));
		const run = await runNode(validate(values, continuing), [ELENI]);
		expect(sent).toEqual([]);
		expectErrorItem(run.json[0]?.[0], text);
	});

	it('says of a day count what to do in the spreadsheet', async () => {
		const run = await runNode(validate({}, continuing), [{ ...ELENI, birthDate: 36234 }]);
		expect(run.json[0]?.[0]?.message).toContain('format the column as text');
	});

	it.each<[string, INodeParameters, RegExp]>([
		['a status that is none', { noMatchStatusCodes: '400, x' }, /No-Match Status Codes/],
		['a time-out of 0', { timeout: 0 }, /Timeout/],
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

	it('is sent all the same where the user switched the check off', async () => {
		const sent = serve('GET', OPERATION, { body: { match: 'false' } });
		const run = await runNode(validate({ options: { checkNumberFirst: false } }), [{ ...ELENI, ssn: '01013099999' }]);
		expect(sent.map(({ query }) => query.ssn)).toEqual(['01013099999']);
		expect(run.json[0]).toMatchObject([{ matched: false, ssn: '01013099999' }]);
	});

	it('never repeats a whole number in what a user reads', async () => {
		const run = await runNode(validate({}, continuing), [{ ...ELENI, ssn: '01013099999' }]);
		expect(JSON.stringify(run.json)).not.toContain('01013099999');
	});
});

describe('a birth date that differs from the number', () => {
	const row = { ...ELENI, birthDate: '16/03/1999' };

	it.each(['simplified', 'record', 'selected'])('is asked, and is a warning in %s', async (output) => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate({ output }), [row, ELENI]);
		expect(sent.map(({ query }) => query.birthdate)).toEqual(['1999-03-16', '1999-03-15']);
		expect(run.json[0]?.[0]).toMatchObject({ matched: true, warning: expect.stringMatching(/birth date/i) as unknown });
		expect(run.json[0]?.[1]).not.toHaveProperty('warning');
	});

	it('is a warning too where a number that breaks the rules is asked all the same', async () => {
		serve('GET', OPERATION, { body: { match: 'false' } });
		const wrongCheckDigit = { ...row, ssn: '15039904560' };
		const run = await runNode(validate({ options: { checkNumberFirst: false } }), [wrongCheckDigit, { ...wrongCheckDigit, ...ELENI, ssn: '15039904560' }]);
		expect(run.json[0]).toMatchObject([{ matched: false, warning: expect.stringMatching(/birth date/i) as unknown }, { matched: false }]);
		expect(run.json[0]?.[1]).not.toHaveProperty('warning');
	});
});

describe('the output', () => {
	it('is simplified by default: English names, ISO dates, decoded codes, absent fields left out', async () => {
		serve('GET', OPERATION, matches);
		const run = await runNode(validate(), [ELENI]);
		expect(run.json).toEqual([
			[
				{
					matched: true,
					ssn: ELENI.ssn,
					currentSsn: ELENI.ssn,
					ssnChanged: false,
					givenName: 'ΕΛΕΝΗ',
					givenNameLatin: 'ELENI',
					surname: 'ΠΑΠΑΔΟΠΟΥΛΟΥ',
					surnameLatin: 'PAPADOPOULOU',
					birthSurname: 'ΔΟΚΙΜΑΣΤΙΚΗ',
					birthSurnameLatin: 'DOKIMASTIKI',
					fatherName: 'ΠΕΤΡΟΣ',
					fatherNameLatin: 'PETROS',
					motherName: 'ΑΝΝΑ',
					motherNameLatin: 'ANNA',
					sex: 'female',
					birthDate: '1999-03-15',
					birthDateIsFictitious: false,
					birthCountry: 'ΕΛΛΑΔΑ',
					birthMunicipality: 'ΔΗΜΟΣ ΔΟΚΙΜΗΣ',
					citizenship: 'ΕΛΛΑΔΑ',
					deceased: false,
					idDocument: { type: 'police identity card', number: 'ΑΒ000000', year: '2015' },
					taxId: '000000000',
					phones: ['2100000000'],
					address: {
						street: 'ΟΔΟΣ ΔΟΚΙΜΗΣ 1',
						town: 'ΔΟΚΙΜΗ',
						prefecture: 'ΔΟΚΙ',
						postalCode: '00000',
						country: 'ΕΛΛΑΔΑ',
					},
					lastModified: '2020-02-01',
				},
			],
		]);
	});

	it.each([
		[{ sex: 'Α' }, { sex: 'male' }],
		[{ sex: 'A' }, { sex: 'male' }],
		[{ sex: 'X' }, { sex: 'X' }],
		[{ id_type: 'Ο' }, { idDocument: { type: expect.stringMatching(/expatriate/i) as unknown } }],
		[{ id_type: 'O' }, { idDocument: { type: expect.stringMatching(/expatriate/i) as unknown } }],
		[{ id_type: 'Ψ' }, { idDocument: { type: 'Ψ' } }],
		[{ bdate_istrue: 'Π' }, { birthDateIsFictitious: true }],
		[{ death_note: 'Λ', death_date: '02/01/2021' }, { deceased: true, deathDate: '2021-01-02' }],
		[{ death_note: 'Θ' }, { deceased: true }],
		[{ amka_cur: '02058401528' }, { ssnChanged: true, currentSsn: '02058401528', ssn: ELENI.ssn }],
	])('decodes %j', async (given, expected) => {
		serve('GET', OPERATION, { body: { ...record(ELENI.ssn), ...given } });
		const run = await runNode(validate(), [ELENI]);
		expect(run.json[0]?.[0]).toMatchObject(expected);
	});

	it('takes a record that holds nothing but its verdict', async () => {
		serve('GET', OPERATION, { body: { match: 'true' } });
		const run = await runNode(validate(), [ELENI]);
		const [item] = run.json[0] ?? [];
		expect(item).toMatchObject({ matched: true, ssn: ELENI.ssn });
		expect(Object.values(item ?? {})).not.toContainEqual('');
		expect(item).not.toHaveProperty('givenName');
	});

	it.each([
		['verdict', { matched: true, ssn: ELENI.ssn }],
		['record', { matched: true, ...record(ELENI.ssn) }],
		['selected', { matched: true, ssn: ELENI.ssn, sex: 'Θ', tel2: '' }],
	])('%s holds exactly what it promises', async (output, expected) => {
		serve('GET', OPERATION, matches);
		const run = await runNode(validate({ output, ...(output === 'selected' && { fields: ['sex', 'tel2'] }) }), [ELENI]);
		expect(run.json).toEqual([[expected]]);
	});

	it('keeps unknown fields of a record', async () => {
		serve('GET', OPERATION, { body: { ...record(ELENI.ssn), new_field: 'x' } });
		const run = await runNode(validate({ output: 'record' }), [ELENI]);
		expect(run.json[0]?.[0]?.new_field).toBe('x');
	});

	it.each([{ error: 'none', details: 'x' }, { matched: 'nonsense' }, { pairedItem: 7 }])(
		'stays a success item with a boolean verdict when the registry adds %j',
		async (more) => {
			serve('GET', OPERATION, { body: { ...record(ELENI.ssn), ...more } });
			const run = await runNode(validate({ output: 'record' }, splitting), [ELENI]);
			expect(run.json[0]).toMatchObject([{ matched: true, ssn: ELENI.ssn }]);
		},
	);

	it.each([
		['record', {}],
		['selected', { fields: "={{ ['error', 'matched', 'name_gr', 'constructor'] }}" }],
	])('asks once, even with Retry On Fail, when a record has a field of the name "error" (%s)', async (output, more) => {
		const sent = serve('GET', OPERATION, { body: { ...record(ELENI.ssn), error: 'none', matched: 'x' } });
		const run = await runNode(
			validate({ output, ...more }, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }),
			[ELENI],
		);
		expect(sent).toHaveLength(1);
		expect(run.json[0]).toMatchObject([{ matched: true, ssn: ELENI.ssn, name_gr: 'ΕΛΕΝΗ', registryError: 'none' }]);
		expect(Object.keys(run.json[0]![0]!)).not.toContain('constructor');
	});

	it.each([null, '', undefined])('has the number that was asked about where the record has %p', async (ssn) => {
		serve('GET', OPERATION, { body: { match: 'true', ssn, name_gr: 'ΕΛΕΝΗ' } });
		for (const output of ['record', 'selected']) {
			const run = await runNode(validate({ output, fields: ['ssn', 'name_gr'] }), [ELENI]);
			expect(run.json[0]).toMatchObject([{ matched: true, ssn: ELENI.ssn, name_gr: 'ΕΛΕΝΗ' }]);
		}
	});

	it('of "verdict" leaves no personal data in the stored execution', async () => {
		serve('GET', OPERATION, matches);
		const run = await runNode(validate({ output: 'verdict' }), [ELENI]);
		expect(run.stored).toContain(ELENI.ssn);
		for (const personal of ['ΕΛΕΝΗ', 'ΠΕΤΡΟΣ', 'ΑΒ000000', 'ΟΔΟΣ', '2100000000']) expect(run.stored).not.toContain(personal);
	});
});

describe('matched, not matched, and could not ask', () => {
	it.each(['false', '', 'no', 'TRUE', 'true!'])('a match of "%s" is no match', async (match) => {
		serve('GET', OPERATION, { body: { match } });
		for (const output of ['simplified', 'verdict', 'record', 'selected']) {
			const run = await runNode(validate({ output }), [ELENI]);
			expect(run.json[0]).toMatchObject([{ matched: false, ssn: ELENI.ssn }]);
		}
	});

	it('gives nothing of another person away when it does not match', async () => {
		serve('GET', OPERATION, { body: { ...record(ELENI.ssn), match: 'false' } });
		const simplified = await runNode(validate(), [ELENI]);
		expect(simplified.json).toEqual([[{ matched: false, ssn: ELENI.ssn }]]);
		const selected = await runNode(validate({ output: 'selected', fields: ['name_gr'] }), [ELENI]);
		expect(selected.json).toEqual([[{ matched: false, ssn: ELENI.ssn }]]);
	});

	const failures: Array<[string, Reply, RegExp]> = [
		['401', { status: 401, body: { detail: 'bad token' } }, /key/i],
		['403', { status: 403, body: { title: 'x', code: 1 } }, /key/i],
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
		['broken JSON', { body: '{"match":"tr', headers: { 'content-type': 'application/json' } }, /other than the documented/],
		['null', { body: null }, /without a record/],
		['a list', { body: [{ match: 'true' }] }, /other than the documented/],
		['42', { body: 42 }, /other than the documented/],
		['an empty object', { body: {} }, /without a record/],
		['an empty list', { body: [] }, /without a record/],
		['an object without a verdict', { body: { status: 'up' } }, /other than the documented/],
		['a verdict that is no text', { body: { match: { deep: 'true' } } }, /other than the documented/],
		['a megabyte of text', { body: 'x'.repeat(1024 * 1024) }, /other than the documented/],
		['405', { status: 405 }, /no such address.*405/],
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
		const options = { timeout: 0.1 };
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

	it('never takes its key to another address', async () => {
		serve('GET', OPERATION, { status: 302, headers: { location: 'https://other.example.gr/' } });
		const elsewhere = serve('GET', 'https://other.example.gr/', { body: { match: 'true' } });
		await runNode(validate({}, continuing), [ELENI]);
		expect(elsewhere).toEqual([]);
	});

	it.each(Object.entries(encodings))('keeps its key out of a record that holds the request as %s', async (_, encode) => {
		serve('GET', OPERATION, ({ query, headers }) => ({
			body: {
				...record(query.ssn ?? ''),
				address_street: encode(JSON.stringify(headers)),
				request: { headers, lines: [encode(`Authorization: ${headers.authorization}`)], [encode(KEY)]: '' },
			},
		}));
		for (const output of ['record', 'simplified', 'selected', 'verdict']) {
			const run = await runNode(validate({ output, fields: ['address_street', 'ssn'] }), [ELENI]);
			expect(run.json[0]?.[0]).toMatchObject({ matched: true, ssn: ELENI.ssn });
			expect(findSecrets(run.stored, [KEY])).toEqual([]);
		}
	});

	it('changes nothing of a record for the sake of a short key, and still hides the header that carries it', async () => {
		serve('GET', OPERATION, ({ query, headers }) => ({ body: { ...record(query.ssn ?? ''), seen: headers.authorization } }));
		const credentials = { amkaApi: { baseUrl: BASE, apiKey: 'true' } };
		const run = await runNode(validate({ output: 'record' }, { credentials }), [ELENI]);
		expect(run.json[0]?.[0]).toEqual({ ...record(ELENI.ssn), seen: '•••', matched: true });
	});

	it('takes the statuses the user names for "no match", and no others', async () => {
		serve('GET', OPERATION, (_, index) => ({ status: [400, 404, 500][index], body: { title: 'x' } }));
		const run = await runNode(
			validate({ options: { noMatchStatusCodes: '400, 404', concurrency: 1 } }, splitting),
			[ELENI, MARIA, GIORGOS],
		);
		expect(run.json[0]).toEqual([
			{ matched: false, ssn: ELENI.ssn },
			{ matched: false, ssn: MARIA.ssn },
		]);
		expect(run.json[1]).toMatchObject([{ error: expect.stringContaining('500') as unknown }]);
	});

	it.each(['', null, {}, []])('takes 200 with %j for no match where the user names 200, and a page not', async (body) => {
		serve('GET', OPERATION, (_, index) => ({ body: [body, '<html>maintenance</html>', { match: 'true' }][index] }));
		const options = { noMatchStatusCodes: '200', concurrency: 1 };
		const run = await runNode(validate({ options }, splitting), [ELENI, MARIA, GIORGOS]);
		expect(run.json[0]).toMatchObject([{ matched: false, ssn: ELENI.ssn }, { matched: true, ssn: GIORGOS.ssn }]);
		expect(run.json[1]).toMatchObject([{ error: expect.stringContaining('other than the documented') as unknown }]);
	});

	it('names the option where a service says nothing', async () => {
		serve('GET', OPERATION, { body: {} });
		const run = await runNode(validate({}, continuing), [ELENI]);
		expect(run.json[0]?.[0]?.message).toContain('add 200 to the option "No-Match Status Codes"');
	});

	it('invents no field of a record where a status alone says "no match"', async () => {
		serve('GET', OPERATION, { status: 400, body: { title: 'x' } });
		const run = await runNode(validate({ output: 'record', options: { noMatchStatusCodes: '400' } }), [ELENI]);
		expect(run.json[0]).toEqual([{ matched: false, ssn: ELENI.ssn }]);
	});

	it.each([401, 403])('a refused key stays an error even where the user names %d', async (status) => {
		serve('GET', OPERATION, { status });
		const run = await runNode(validate({ options: { noMatchStatusCodes: `400, ${status}` } }, continuing), [ELENI]);
		expect(run.json[0]?.[0]).not.toHaveProperty('matched');
		expect(run.json[0]?.[0]).toHaveProperty('error');
	});
});

describe('many rows', () => {
	const rows = [ELENI, { ...MARIA, ssn: '07090512308' }, GIORGOS, MARIA];

	it('keeps order and origin, however late an answer comes', async () => {
		serve('GET', OPERATION, (request, index) => ({ ...matches(request), delayMs: [60, 5, 30][index] ?? 0 }));
		const run = await runNode(validate({ output: 'verdict' }, continuing), rows);
		expect(run.json[0]?.map(({ ssn }) => ssn)).toEqual([ELENI.ssn, undefined, GIORGOS.ssn, MARIA.ssn]);
		expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect(run.origins).toEqual([rows]);
	});

	it('splits failed rows off with the row they came from', async () => {
		serve('GET', OPERATION, matches);
		const run = await runNode(validate({ output: 'verdict' }, splitting), rows);
		expect(run.json[0]?.map(({ ssn }) => ssn)).toEqual([ELENI.ssn, GIORGOS.ssn, MARIA.ssn]);
		expect(run.json[1]).toMatchObject([{ ...rows[1], error: expect.stringMatching(/AMKA/) as unknown }]);
		expect(run.origins).toEqual([[rows[0], rows[2], rows[3]], [rows[1]]]);
	});

	it('stops at the first failure where the node is set to stop, and says which row it was', async () => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate({ options: { concurrency: 1 } }), rows);
		expect(run.status).toBe('error');
		expect(run.outputs).toEqual([]);
		expect(run.error).toMatchObject({ message: expect.stringMatching(/AMKA/) as unknown, context: { itemIndex: 1 } });
		expect(sent).toHaveLength(1);
	});

	it.each([
		[{}, 5],
		[{ concurrency: 2 }, 2],
	])('has with %j at most %d questions under way', async (options, most) => {
		let inFlight = 0;
		let highest = 0;
		serve('GET', OPERATION, async (request) => {
			highest = Math.max(highest, ++inFlight);
			await new Promise((resolve) => setTimeout(resolve, 100));
			inFlight--;
			return matches(request);
		});
		await runNode(validate({ options }), Array(12).fill(ELENI) as IDataObject[]);
		expect(highest).toBe(most);
	});

	it('reads the credential once', async () => {
		serve('GET', OPERATION, matches);
		const run = await runNode(validate(), [ELENI, MARIA, GIORGOS]);
		expect(run.decryptions).toEqual(['amkaApi']);
	});

	it('makes an error item of every row when the credential cannot be read', async () => {
		const run = await runNode(
			validate({}, { ...splitting, credentials: { amkaApi: new Error('the store is down') } }),
			[ELENI, GIORGOS],
		);
		expect(run.json[0]).toEqual([]);
		expect(run.json[1]).toMatchObject([{ error: 'the store is down' }, { error: 'the store is down' }]);
	});

	it('makes an error item of a row whose expression fails', async () => {
		serve('GET', OPERATION, matches);
		const run = await runNode(
			validate({ surname: "={{ $json.surname === 'Δοκιμαστική' ? $('Nowhere').item.json.x : $json.surname }}" }, splitting),
			[ELENI, MARIA],
		);
		expect(run.json[0]).toMatchObject([{ ssn: ELENI.ssn }]);
		expect(run.json[1]).toMatchObject([{ ssn: MARIA.ssn, error: expect.any(String) as unknown }]);
	});

	it('asks again with Retry On Fail, as long as the service is out', async () => {
		const sent = serve('GET', OPERATION, (request, index) => (index < 2 ? { status: 503 } : matches(request)));
		const run = await runNode(
			validate({ output: 'verdict' }, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }),
			[ELENI],
		);
		expect(run.json).toEqual([[{ matched: true, ssn: ELENI.ssn }]]);
		expect(sent).toHaveLength(3);
	});

	it('answers no rows with no items', async () => {
		const run = await runNode(validate(), []);
		expect([run.status, run.outputs]).toEqual(['success', []]);
	});
});

describe('checkNumber', () => {
	const check = (more: Partial<NodeUnderTest> = {}): NodeUnderTest => ({
		node: 'amka',
		parameters: { operation: 'checkNumber', ssn: '={{ $json.ssn }}' },
		...more,
	});

	it.each<[unknown, IDataObject]>([
		['01013099997', { valid: true, birthDayAndMonth: '01/01', sex: 'male' }],
		['31018501234', { valid: true, birthDayAndMonth: '31/01', sex: 'male' }],
		['15039904568', { valid: true, birthDayAndMonth: '15/03', sex: 'female' }],
		['07090512307', { valid: true, birthDayAndMonth: '07/09', sex: 'female' }],
		['29020000013', { valid: true, birthDayAndMonth: '29/02', sex: 'male' }],
		['01013099999', { valid: false, reason: 'checkDigit' }],
		['31029900011', { valid: false, reason: 'date' }],
		['00000000000', { valid: false, reason: 'date' }],
		['1013099997', { valid: false, reason: 'leadingZero' }],
		['150399', { valid: false, reason: 'length' }],
		['1503990456Α', { valid: false, reason: 'characters' }],
		['', { valid: false, reason: 'length' }],
	])('of %j', async (ssn, expected) => {
		const run = await runNode(check(), [{ ssn: ssn as string }]);
		expect(run.json).toEqual([[{ ssn, ...expected }]]);
	});

	it('takes a number for the text it was', async () => {
		const run = await runNode(check(), [{ ssn: 15039904568 }, { ssn: 1013099997 }]);
		expect(run.json[0]).toMatchObject([
			{ ssn: '15039904568', valid: true },
			{ ssn: '1013099997', valid: false, reason: 'leadingZero' },
		]);
	});

	it('needs no credential and no network, and keeps the origin of each row', async () => {
		const rows = [{ ssn: '15039904568' }, { ssn: 'x' }];
		const run = await runNode(check(), rows);
		expect(run.decryptions).toEqual([]);
		expect(run.origins).toEqual([rows]);
	});

	it.each([[[]], [{ deep: { er: 1 } }], [true], [null], [undefined], ['9'.repeat(1024 * 1024)]])(
		'never calls hostile values valid (%#)',
		async (ssn) => {
			const run = await runNode(check(continuing), [{ ssn: ssn as never }, { ssn: '15039904568' }]);
			expect(run.json[0]).toHaveLength(2);
			expect(run.json[0]?.[0]?.valid).not.toBe(true);
			expect(run.json[0]?.[1]?.valid).toBe(true);
		},
	);
});

describe('the test of the credential', () => {
	const test = async (reply: Reply, more: IDataObject = {}) => {
		const sent = serve('GET', OPERATION, reply);
		const result = await testCredential('amkaApi', { baseUrl: BASE, apiKey: KEY, ...more } as never);
		expect(result.message).not.toContain(KEY);
		return { ...result, sent };
	};

	it('succeeds when the service answers and takes the key, and asks for no real person', async () => {
		const { status, sent } = await test({ body: { match: 'false' } });
		expect(status).toBe('OK');
		expect(sent).toMatchObject([{ headers: { authorization: `Token ${KEY}` } }]);
		const { ssn } = sent[0]!.query;
		const run = await runNode({ node: 'amka', parameters: { operation: 'checkNumber', ssn: ssn! } }, [{}]);
		expect(run.json[0]).toMatchObject([{ valid: false }]);
	});

	it.each<[string, Reply, RegExp]>([
		['a host that cannot be reached', { cut: 'ECONNREFUSED' }, /reach/i],
		['an unknown host', { cut: 'ENOTFOUND' }, /reach/i],
		['an untrusted certificate', { cut: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /Ignore SSL Issues/],
		['a wrong base address', { status: 404 }, /address|Base URL/i],
		['another server', { body: '<html>hello</html>' }, /Base URL/i],
		['a refused key (401)', { status: 401 }, /key/i],
		['a refused key (403)', { status: 403 }, /key/i],
		['an outage', { status: 500 }, /500/],
		['a port that expects http', { cut: 'EPROTO' }, /http or https/],
		['a port that expects https, as a web server says it', { status: 400, body: '<html>The plain HTTP request was sent to HTTPS port</html>' }, /Base URL/],
	])('tells %s apart', async (_, reply, text) => {
		const { status, message } = await test(reply);
		expect(status).toBe('Error');
		expect(message).toMatch(text);
	});

	it.each<[string, Reply]>([
		['refuses the question itself', { status: 400, body: { title: 'x' } }],
		['says nothing', { body: {} }],
	])('does not claim more than it knows where the service %s', async (_, reply) => {
		const { status, message } = await test(reply);
		expect(status).toBe('OK');
		expect(message).toMatch(/confirm/i);
	});

	it('sends a key that was pasted with white space around it as it is meant', async () => {
		const { status, sent } = await test({ body: { match: 'false' } }, { apiKey: ` ${KEY}\u200b\n` });
		expect(status).toBe('OK');
		expect(sent).toMatchObject([{ headers: { authorization: `Token ${KEY}` } }]);
	});

	it.each(['', 'amka', 'ftp://amka.example.gr', 'javascript:alert(1)'])('refuses the base URL "%s"', async (baseUrl) => {
		const result = await testCredential('amkaApi', { baseUrl, apiKey: KEY });
		expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(/Base URL/) as unknown });
	});
});
