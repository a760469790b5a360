import { simplify } from '../../../nodes/Amka/simplify';
import { logLines, type NodeUnderTest, runNode } from '../harness/engine';
import { serve } from '../harness/httpServer';
import {
	BASE,
	continuing,
	ELENI,
	expectErrorItem,
	failsSoon,
	GIORGOS,
	KEY,
	MARIA,
	matches,
	NOTICE,
	OPERATION,
	OUTPUTS,
	people,
	record,
	splitting,
	validate,
} from '../harness/amka';

describe('the request to the registry', () => {
	it('has the documented form', async () => {
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
					'content-type': 'application/json',
				}) as unknown,
				body: '',
			},
		]);
	});

	it.each([
		["  d'Example  Smith ", "D'EXAMPLE SMITH"],
		['ραφτόπουλος-Δοκιμής', 'ΡΑΦΤΟΠΟΥΛΟΣ-ΔΟΚΙΜΗΣ'],
		['ΔΟΚΙΜΗ & ΥΙΟΣ+', 'ΔΟΚΙΜΗ & ΥΙΟΣ+'],
		// U+2013, en dash.
		['Παραδείγματος–Δοκιμής', 'ΠΑΡΑΔΕΙΓΜΑΤΟΣ-ΔΟΚΙΜΗΣ'],
		['Παραδείγματος  –  Δοκιμής', 'ΠΑΡΑΔΕΙΓΜΑΤΟΣ-ΔΟΚΙΜΗΣ'],
		['Παραδείγματος - Δοκιμής', 'ΠΑΡΑΔΕΙΓΜΑΤΟΣ-ΔΟΚΙΜΗΣ'],
		['Παραδείγματος - - Δοκιμής', 'ΠΑΡΑΔΕΙΓΜΑΤΟΣ-ΔΟΚΙΜΗΣ'],
		// U+00A0, no-break space, and U+2014, em dash.
		['Παραδείγματος\u00a0\u2014\u00a0Δοκιμής', 'ΠΑΡΑΔΕΙΓΜΑΤΟΣ-ΔΟΚΙΜΗΣ'],
		// U+2011, no-break hyphen, and U+2212, minus sign.
		['Παραδείγματος\u2011Δοκιμής\u2212Επινόησης', 'ΠΑΡΑΔΕΙΓΜΑΤΟΣ-ΔΟΚΙΜΗΣ-ΕΠΙΝΟΗΣΗΣ'],
		['Παραδείγματος\u00a0\u2003Δοκιμής', 'ΠΑΡΑΔΕΙΓΜΑΤΟΣ ΔΟΚΙΜΗΣ'],
	])('has the surname %s in capitals without tonos', async (surname, expected) => {
		const sent = serve('GET', OPERATION, matches);
		await runNode(validate(), [{ ...ELENI, surname }]);
		expect(sent.map(({ query }) => query.surname)).toEqual([expected]);
	});

	it.each([
		['a Date of a spreadsheet', '={{ $json.birthDate }}'],
		["n8n's own toDateTime()", "={{ '1999-03-15'.toDateTime() }}"],
		['a luxon DateTime in another zone', "={{ DateTime.fromISO('1999-03-15T23:00', { zone: 'America/New_York' }) }}"],
	])('has the same day as %s', async (_, birthDate) => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate({ birthDate }), [{ ...ELENI, birthDate: new Date('1999-03-15') as never }]);
		expect(run.error?.message).toBeUndefined();
		expect(sent.map(({ query }) => query.birthdate)).toEqual(['1999-03-15']);
	});

	it("has the birth date as the day in the workflow's time zone, both for a Date and for its JSON text", async () => {
		const sent = serve('GET', OPERATION, matches);
		const midnight = new Date('1999-03-14T22:00:00.000Z');
		const rows = [
			{ ...ELENI, birthDate: midnight as never },
			{ ...ELENI, birthDate: midnight.toJSON(), surname: 'Άλλη' },
		];
		for (const timezone of ['Europe/Athens', 'America/New_York']) await runNode(validate({}, { timezone }), rows);
		expect(sent.map(({ query }) => query.birthdate)).toEqual(['1999-03-15', '1999-03-15', '1999-03-14', '1999-03-14']);
	});

	it('has the key without the spaces and invisible characters that were pasted with it', async () => {
		const sent = serve('GET', OPERATION, matches);
		await runNode(validate({}, { credentials: { amkaApi: { baseUrl: BASE, apiKey: `\u200b ${KEY}\n` } } }), [ELENI]);
		expect(sent[0]?.headers.authorization).toBe(`Token ${KEY}`);
	});

	it.each([
		['', /API Key is empty/],
		['κλειδί', /API Key contains/],
	])('is not sent with the key %j', async (apiKey, text) => {
		const sent = serve('GET', OPERATION, matches);
		const credentials = { amkaApi: { baseUrl: BASE, apiKey } };
		const run = await runNode(validate({}, { ...continuing, credentials }), [ELENI]);
		expect(sent).toEqual([]);
		expectErrorItem(run.json[0]?.[0], text);
	});
});

describe('the output of Validate', () => {
	it("is only the result by default, and n8n's execution data has no data of the registry", async () => {
		serve('GET', OPERATION, matches);
		const run = await runNode(validate(), [ELENI]);
		expect(run.json).toEqual([[{ matched: true, ssn: ELENI.ssn }]]);
		expect(run.stored).toContain(ELENI.ssn);
		for (const personal of ['ΕΛΕΝΗ', 'ΠΕΤΡΟΣ', 'ΑΒ000000', 'ΟΔΟΣ', '2100000000'])
			expect(run.stored).not.toContain(personal);
	});

	it.each([
		['simplified', { matched: true, ssn: ELENI.ssn, ...simplify(record(ELENI.ssn), ELENI.ssn) }],
		['record', { matched: true, ...record(ELENI.ssn) }],
		['selected', { matched: true, ssn: ELENI.ssn, sex: 'Θ', tel2: '' }],
	])('with Output set to %s contains exactly the documented fields', async (output, expected) => {
		serve('GET', OPERATION, matches);
		const run = await runNode(validate({ output, ...(output === 'selected' && { fields: ['sex', 'tel2'] }) }), [ELENI]);
		expect(run.json).toEqual([[expected]]);
	});

	it('is a successful item even if the record has fields named `error` or `matched`', async () => {
		const more = { error: 'none', details: 'x', matched: 'nonsense', pairedItem: 7, new_field: 'x' };
		serve('GET', OPERATION, { body: { ...record(ELENI.ssn), ...more } });
		const run = await runNode(validate({ output: 'record' }, splitting), [ELENI]);
		expect(run.json[0]).toMatchObject([{ matched: true, ssn: ELENI.ssn, new_field: 'x' }]);
	});

	it.each([
		['record', {}],
		['selected', { fields: "={{ ['error', 'matched', 'name_gr', 'constructor'] }}" }],
	])(
		'takes only one query with Retry On Fail if the record has a field named `error` (Output set to %s)',
		async (output, more) => {
			const sent = serve('GET', OPERATION, { body: { ...record(ELENI.ssn), error: 'none', matched: 'x' } });
			const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
			const run = await runNode(validate({ output, ...more }, retrying), [ELENI]);
			expect(sent).toHaveLength(1);
			expect(run.json[0]).toMatchObject([{ matched: true, ssn: ELENI.ssn, name_gr: 'ΕΛΕΝΗ', registryError: 'none' }]);
			expect(Object.keys(run.json[0]![0]!)).not.toContain('constructor');
		},
	);

	it('has the requested number if the record does not contain it', async () => {
		serve('GET', OPERATION, { body: { match: 'true', ssn: '', name_gr: 'ΕΛΕΝΗ' } });
		for (const output of ['record', 'selected']) {
			const run = await runNode(validate({ output, fields: ['ssn', 'name_gr'] }), [ELENI]);
			expect(run.json[0]).toMatchObject([{ matched: true, ssn: ELENI.ssn, name_gr: 'ΕΛΕΝΗ' }]);
		}
	});

	it('has the chosen fields, given as a list or as text with commas', async () => {
		serve('GET', OPERATION, matches);
		for (const fields of ["={{ 'tid, sex' }}", ['tid', 'sex']]) {
			const run = await runNode(validate({ output: 'selected', fields }), [ELENI]);
			expect(run.json).toEqual([[{ matched: true, ssn: ELENI.ssn, sex: 'Θ', tid: '000000000' }]]);
		}
	});
});

describe('the item has a warning directly after the result', () => {
	const warned = async (row: object, output: string) => {
		const run = await runNode(validate({ output }), [row as never]);
		const json = run.json[0]?.[0] ?? {};
		expect(Object.keys(json).slice(0, 3)).toEqual(['matched', 'ssn', 'warning']);
		expect(json.matched).toBe(true);
		expect(json).not.toHaveProperty('notice');
		return String(json.warning);
	};

	it.each(OUTPUTS)('for faults in number, date and surname together (output %s)', async (output) => {
		const sent = serve('GET', OPERATION, matches);
		const warning = await warned({ ssn: 1013099997, birthDate: '2/1/1930', surname: 'Papadopoulou' }, output);
		expect(warning).toMatch(
			/^The AMKA had lost its leading zero[^.]*\.[^.]*\. The birth date differs.*no Greek letter/,
		);
		const { ssn, birthdate, surname } = sent[0]!.query;
		expect([ssn, birthdate, surname]).toEqual(['01013099997', '1930-01-02', 'PAPADOPOULOU']);
	});

	it.each([
		[{ ...ELENI, birthDate: '16/03/1999' }, /^The birth date differs/],
		[{ ...ELENI, surname: 'Papadopoulou' }, /^The surname has no Greek letter/],
		[
			{ ssn: '1013099997', birthDate: '1/1/1930', surname: 'Δοκιμή' },
			/^The AMKA had lost its leading zero[^.]*\.[^.]*\.$/,
		],
	])('for one fault: %j', async (row, text) => {
		serve('GET', OPERATION, matches);
		expect(await warned(row, 'verdict')).toMatch(text);
		expect((await runNode(validate(), [ELENI])).json[0]?.[0]).not.toHaveProperty('warning');
	});

	it('for a surname with letters of both alphabets', async () => {
		const sent = serve('GET', OPERATION, matches);
		expect(await warned({ ...ELENI, surname: 'ΠAΠΑΔΟΠΟΥΛΟΥ' }, 'verdict')).toMatch(/mixes Greek and Latin/);
		expect(sent[0]?.query.surname).toBe('ΠAΠΑΔΟΠΟΥΛΟΥ');
	});

	it('for a newer number, without that number; the simplified output contains the number', async () => {
		serve('GET', OPERATION, { body: { ...record(ELENI.ssn), amka_cur: '02058401528' } });
		expect(await warned(ELENI, 'verdict')).toMatch(/newer AMKA/);
		const run = await runNode(validate(), [ELENI]);
		expect(run.stored).not.toContain('02058401528');
		const simplified = await runNode(validate({ output: 'simplified' }), [ELENI]);
		expect(simplified.json[0]).toMatchObject([{ ssnChanged: true, currentSsn: '02058401528' }]);
	});
});

it('an answer of the registry with unreadable letters causes a warning', async () => {
	const latin = Buffer.from(`{"match":"true","ssn":"${ELENI.ssn}","name_gr":"\xc5\xcb\xc5\xcd\xc7"}`, 'latin1');
	serve('GET', OPERATION, { body: latin, headers: { 'content-type': 'application/json' } });
	const warning = expect.stringMatching(/could not be read/) as unknown;
	expect((await runNode(validate(), [ELENI])).json).toEqual([[{ matched: true, ssn: ELENI.ssn, warning }]]);
});

const rows = [ELENI, MARIA, { ...GIORGOS, surname: '' }, GIORGOS, { ...ELENI, ssn: '150399' }];
/** Simulates a registry in which Maria does not match. */
const registry = () =>
	serve('GET', OPERATION, (request) =>
		request.query.ssn === MARIA.ssn ? { body: { match: 'false' } } : matches(request),
	);
const pairs = (outputs: Array<Array<{ pairedItem?: unknown }>>) =>
	outputs.map((items) => items.map(({ pairedItem }) => (pairedItem as { item: number }).item));

describe('Split by Result', () => {
	it('sends matches to the first output, other people to the second, and failed queries to the error output', async () => {
		registry();
		const run = await runNode(validate({ splitByResult: true }, splitting), rows);
		const [eleni, giorgos] = [ELENI, GIORGOS].map(({ ssn }) => ({ matched: true, ssn }));
		const maria = { matched: false, ssn: MARIA.ssn, notice: NOTICE };
		const nobody = { matched: false, ssn: '150399', reason: 'length', notice: expect.any(String) as unknown };
		const failed = expect.objectContaining({
			error: expect.stringMatching(/surname is missing/) as unknown,
		}) as unknown;
		expect(run.json).toEqual([[eleni, giorgos], [maria, nobody], [failed]]);
		expect(run.origins).toEqual([[rows[0], rows[3]], [rows[1], rows[4]], [rows[2]]]);
	});

	it('never sends a failed query to Matched if there is no error output', async () => {
		registry();
		const run = await runNode(validate({ splitByResult: true }, continuing), rows);
		expect(pairs(run.outputs).map(String)).toEqual(['0,3', '1,2,4']);
		expect(run.json[1]?.[1]).toMatchObject({ error: expect.stringMatching(/surname is missing/) as unknown });
	});

	it('has, in Check Number, an output for valid numbers and an output for other numbers', async () => {
		const parameters = { operation: 'checkNumber', ssn: '={{ $json.ssn }}', splitByResult: true };
		const run = await runNode({ node: 'amka', parameters }, [{ ssn: ELENI.ssn }, { ssn: '' }, { ssn: 1013099997 }]);
		const [no, lost] = ['length', 'leadingZero'].map((reason) => ({ valid: false, reason }));
		expect(run.json).toMatchObject([[{ valid: true }], [no, lost]]);
	});

	it('cannot be combined with Always Output Data, which would send an empty item to Matched', async () => {
		const asked = registry();
		const refused = await runNode(validate({ splitByResult: true }, { alwaysOutputData: true }), [MARIA]);
		expect(refused.error?.message).toMatch(/Always Output Data must be off for Split by Result/);
		expect(asked).toEqual([]);
		const whole = await runNode(validate({}, { alwaysOutputData: true }), [MARIA]);
		expect(whole.json).toEqual([[{ matched: false, ssn: MARIA.ssn, notice: NOTICE }]]);
	});

	it("sends every item of an AI agent's tool to the first output", async () => {
		registry();
		const run = await runNode(validate({ splitByResult: true }, { asTool: true }), [MARIA]);
		const task = run.run.data.resultData.runData.Node?.[0];
		expect(task?.data?.ai_tool?.map((items) => items?.map(({ json }) => json))).toEqual([
			[{ matched: false, ssn: MARIA.ssn, notice: NOTICE }],
		]);
	});
});

describe('Check Number', () => {
	const check = (more: Partial<NodeUnderTest> = {}): NodeUnderTest => ({
		node: 'amka',
		parameters: { operation: 'checkNumber', ssn: '={{ $json.ssn }}', splitByResult: false },
		...more,
	});

	it('validates the digits without a credential and without a query', async () => {
		const rows = [{ ssn: '01013099997' }, { ssn: '15039904568' }, { ssn: '01013099999' }];
		const run = await runNode(check(), rows);
		const notice = expect.stringMatching(/ΑΜΚΑ/) as unknown;
		expect(run.json).toEqual([
			[
				{ ssn: '01013099997', valid: true, birthDayAndMonth: '01/01', sex: 'male' },
				{ ssn: '15039904568', valid: true, birthDayAndMonth: '15/03', sex: 'female' },
				{ ssn: '01013099999', valid: false, reason: 'checkDigit', notice },
			],
		]);
		expect(run.decryptions).toEqual([]);
		expect(run.origins).toEqual([rows]);
	});

	it('never returns `valid: true` for lists, objects, booleans, missing values or extremely long texts', async () => {
		const hostile = [[], { deep: { er: 1 } }, true, null, undefined, '9'.repeat(1024 * 1024)];
		const rows = [...hostile.map((ssn) => ({ ssn: ssn as never })), { ssn: '15039904568' }];
		const run = await runNode(check(continuing), rows);
		expect(run.json[0]?.map(({ valid }) => valid === true)).toEqual([...hostile.map(() => false), true]);
	});

	it('shows a summary of valid, invalid and failed items above the output', async () => {
		const run = await runNode(check(continuing), [{ ssn: '15039904568' }, { ssn: 'x' }, { ssn: [] }]);
		const message =
			'1 valid, 1 not valid, 1 failed. The value in "AMKA" can\'t be read: 1 item (item 3). Empty the cell, and type the value again';
		expect(run.hints).toMatchObject([{ message, type: 'warning' }]);
	});
});

describe('the items of Validate', () => {
	const rows = [ELENI, { ...MARIA, surname: '' }, GIORGOS, MARIA];

	it('keep their order and the links to their input items, even if an answer is late', async () => {
		serve('GET', OPERATION, (request, index) => ({ ...matches(request), delayMs: [60, 5, 30][index] ?? 0 }));
		const run = await runNode(validate({ output: 'verdict' }, continuing), rows);
		expect(run.json[0]?.map(({ ssn }) => ssn)).toEqual([ELENI.ssn, undefined, GIORGOS.ssn, MARIA.ssn]);
		expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect(run.origins).toEqual([rows]);
	});

	it('stop at the first failure under On Error Stop, and the error names the item', async () => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate({ options: { concurrency: 1 } }), rows);
		expect(run.status).toBe('error');
		expect(run.outputs).toEqual([]);
		expect(run.error).toMatchObject({
			message: expect.stringMatching(/surname is missing/) as unknown,
			context: { details: { row: 2 } },
		});
		expect(sent).toHaveLength(1);
		expect(run.error?.description).toContain(
			'Of 4 rows: 1 matched, 0 not matched, 1 failed, 2 not tried. The surname is missing: 1 item (item 2 (…307))',
		);
	});

	it('get a summary in the error that ends the run, even if that error has no advice', async () => {
		const run = await runNode(validate({}, { credentials: { amkaApi: new Error('the store is down') } }), [
			ELENI,
			MARIA,
		]);
		expect(run.error?.message).toBe('the store is down');
		expect(run.error?.description).toMatch(/^Of 2 rows: 0 matched/);
	});

	it.each([
		[{}, 5],
		[{ concurrency: 2 }, 2],
	])('with the options %j have at most %d queries in progress', async (options, most) => {
		let inFlight = 0;
		let highest = 0;
		serve('GET', OPERATION, async (request) => {
			highest = Math.max(highest, ++inFlight);
			await new Promise((resolve) => setTimeout(resolve, 100));
			inFlight--;
			return matches(request);
		});
		await runNode(validate({ options }), people(12));
		expect(highest).toBe(most);
	});

	it('cause one read of the credential, and are all errors if it cannot be read', async () => {
		serve('GET', OPERATION, matches);
		expect((await runNode(validate(), [ELENI, MARIA, GIORGOS])).decryptions).toEqual(['amkaApi']);
		const credentials = { amkaApi: new Error('the store is down') };
		const run = await runNode(validate({}, { ...splitting, credentials }), [ELENI, GIORGOS]);
		expect(run.json[0]).toEqual([]);
		expect(run.json[1]).toMatchObject([{ error: 'the store is down' }, { error: 'the store is down' }]);
	});

	it('include an error item for each item whose expression fails', async () => {
		serve('GET', OPERATION, matches);
		const surname = "={{ $json.surname === 'Δοκιμαστική' ? $('Nowhere').item.json.x : $json.surname }}";
		const run = await runNode(validate({ surname }, splitting), [ELENI, MARIA]);
		expect(run.json[0]).toMatchObject([{ ssn: ELENI.ssn }]);
		const error = expect.stringMatching(/^Surname can't be read/) as unknown;
		expect(run.json[1]).toMatchObject([{ ssn: MARIA.ssn, error }]);
	});

	it('give an empty output if there are none in the input', async () => {
		const run = await runNode(validate(), []);
		expect([run.status, run.outputs]).toEqual(['success', []]);
	});

	it('get a summary of the results above the output, which is a warning if some failed', async () => {
		serve('GET', OPERATION, (request) =>
			request.query.ssn === MARIA.ssn ? { body: { match: 'false' } } : matches(request),
		);
		const more = [{ surname: '' }, { ssn: '150399' }, { birthDate: 'x' }].map((wrong) => ({ ...ELENI, ...wrong }));
		const run = await runNode(validate({}, continuing), [...rows, ...more]);
		const message = `2 matched, 2 not matched, 3 failed. The surname is missing: 2 items (item 2 (…307), item 5 (…568)). Write it in Greek letters. "x" is not a clear date: 1 item (item 7 (…568)). Write the date as text, as in 31/12/1999`;
		expect(run.hints).toEqual([{ message, type: 'warning', location: 'outputPane' }]);
	});

	it('get a summary without warning if all succeeded, and a single item gets none', async () => {
		serve('GET', OPERATION, matches);
		const { hints } = await runNode(validate(), [ELENI, MARIA]);
		expect(hints).toEqual([{ message: '2 matched, 0 not matched, 0 failed', type: 'info', location: 'outputPane' }]);
		expect((await runNode(validate(), [ELENI])).hints).toEqual([]);
	});

	it('get a summary even if the only item failed', async () => {
		const [hint, ...more] = (await runNode(validate({}, continuing), [{ ...ELENI, surname: '{{ $json.x }}' }])).hints;
		expect(hint).toMatchObject({
			type: 'warning',
			message: expect.stringMatching(
				/^0 matched, 0 not matched, 1 failed\. "Surname" has program code .*set to Fixed/,
			) as unknown,
		});
		expect(more).toEqual([]);
	});

	it('get one summary of an outage, with the failed items but without whole AMKA numbers', async () => {
		serve('GET', OPERATION, failsSoon(500));
		const run = await runNode(validate({}, continuing), [ELENI, MARIA, GIORGOS]);
		expect(run.hints[0]?.message).toBe(
			'0 matched, 0 not matched, 3 failed. The AMKA service answered with HTTP 500: 3 items (item 1 (…568), item 2 (…307), item 3 (…234)). Try again later. If the error persists, ask the operator of the service',
		);
		for (const { ssn } of [ELENI, MARIA, GIORGOS])
			expect(JSON.stringify([run.json, run.hints, logLines])).not.toContain(ssn);
	});
});
