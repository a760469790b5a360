import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { resourceMappingOf, runNode, type NodeUnderTest } from '../harness/engine';
import { serve } from '../harness/httpServer';
import {
	OPERATION,
	ELENI,
	MARIA,
	GIORGOS,
	record,
	NOTICE,
	matches,
	validate,
	continuing,
	splitting,
	expectErrorItem,
} from '../harness/amka';

/** Returns a node that compares each row, by its column names or by the given fields. */
const compare = (fields?: IDataObject, parameters: INodeParameters = {}, more: Partial<NodeUnderTest> = {}) =>
	validate({ operation: 'compare', compareWith: mapper(fields) as never, ...parameters }, more);
const mapper = (value?: IDataObject) =>
	value === undefined
		? { mappingMode: 'autoMapInputData', value: null }
		: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] };

/** Data of `record` in the formats that a sheet may have, and two columns that are not compared. */
const EQUAL = {
	...{ Όνομα: 'Ελένη', Πατρώνυμο: 'Πέτρος', 'Τ.Κ.': 0, Κινητό: '', Τηλέφωνο: '+30 210 000 0000', ΑΦΜ: 0 },
	...{ Τμήμα: 'Φυσικής', ΑΜ: 7 },
};

describe('the field Compare With', () => {
	it('lists each field that can be compared, without a query to the registry', async () => {
		const { fields, emptyFieldsNotice } = await resourceMappingOf('amka', 'mapComparedFields', {});
		expect(emptyFieldsNotice).toMatch(
			/^The node compares the columns that have one of these names: Όνομα, Επώνυμο, .*, ΑΔΤ, ΑΦΜ, /,
		);
		expect(fields.map(({ id }) => id)).toEqual([
			...['givenName', 'surname', 'birthSurname', 'fatherName', 'motherName', 'sex', 'idNumber', 'taxId', 'phone'],
			...['street', 'town', 'prefecture', 'postalCode', 'country', 'citizenship', 'birthCountry', 'birthMunicipality'],
			...['givenNameLatin', 'surnameLatin', 'birthSurnameLatin', 'fatherNameLatin', 'motherNameLatin'],
		]);
		for (const { displayName } of fields) expect(displayName).toMatch(/^[A-Z][^(]+ \([Α-ΩΌΆ][^)]+\)$/u);
	});
});

describe('Compare with Map Automatically', () => {
	it('compares the columns with known names, and ignores others', async () => {
		serve('GET', OPERATION, matches);
		const run = await runNode(compare(), [{ ...ELENI, ...EQUAL }]);
		const same = ['givenName', 'surname', 'fatherName', 'taxId', 'phone', 'postalCode'];
		const rest = { differs: [], missingHere: [], missingThere: [] };
		expect(run.json).toEqual([[{ matched: true, ssn: ELENI.ssn, agrees: true, same, ...rest }]]);
	});

	it("returns the names of different and missing fields, and stores no value of the registry in n8n's execution data", async () => {
		serve('GET', OPERATION, matches);
		const row = { Όνομα: 'Άννα', Μητρώνυμο: '-', Πόλη: null, Νομός: 'Δοκίμης', 'Όνομα πατρός': 'ΠΕΤΡΟΥ' };
		const run = await runNode(compare(), [{ ...ELENI, ...row }]);
		const lists = { differs: ['givenName', 'fatherName'], missingHere: ['motherName', 'town'] };
		expect(run.json[0]).toMatchObject([{ agrees: false, ...lists, same: ['surname', 'prefecture'] }]);
		for (const personal of ['ΑΝΝΑ', 'ΠΕΤΡΟΣ', 'ΑΒ000000', 'ΟΔΟΣ', '2100000000', 'ΕΛΕΝΗ'])
			expect(run.stored).not.toContain(personal);
	});

	it.each<[string, IDataObject, RegExp]>([
		['two columns for one field', { Πατρώνυμο: 'Α', 'Όνομα πατρός': 'Α' }, /"Father's Name": Πατρώνυμο, Όνομα πατρός/],
		['a value that is an object', { Όνομα: { first: 'Ελένη' } }, /value in "Given Name" can't be read/],
		['a value that is too long', { Όνομα: 'Ε'.repeat(1001) }, /"Given Name" is too long/],
	])('treats %s as an error of the item, without a query', async (_, columns, text) => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(compare(undefined, {}, continuing), [{ ...ELENI, ...columns }, GIORGOS]);
		expectErrorItem(run.json[0]?.[0], text);
		expect(sent.map(({ query }) => query.ssn)).toEqual([GIORGOS.ssn]);
	});

	it('returns an error that names the columns in the list if the list has no column to compare', async () => {
		const { surname, ...others } = ELENI;
		const run = await runNode(compare(undefined, { surname }, continuing), [{ ...others, '6912345678': 'x' }]);
		expectErrorItem(run.json[0]?.[0], /The list has no column "Given Name, Surname or another detail"/);
		expect(run.json[0]?.[0]?.message).toMatch(/The list has these columns: ssn, birthDate, 691…678$/);
		expect(run.json[0]?.[0]?.details).toMatchObject({ reason: 'missingColumn' });
	});
});

describe('the fields of Compare With that the user fills in', () => {
	it('are the only compared fields, even if their expressions return empty values', async () => {
		serve('GET', OPERATION, matches);
		const fields = {
			...{ givenName: '={{ $json.first }}', motherName: '={{ $json.missing }}', sex: 'Θήλυ', fatherName: '' },
			...{ town: null, phone: "={{ ['6900000000', '2100000000'] }}" },
		};
		const run = await runNode(compare(fields), [{ ...ELENI, first: 'ΕΛΕΝΗ' }]);
		const lists = { same: ['givenName', 'sex', 'phone'], differs: [], missingHere: ['motherName'], missingThere: [] };
		expect(run.json[0]).toMatchObject([{ agrees: false, ...lists }]);
	});

	it.each([[{}], [{ givenName: '', sex: null, unknown: 'x' }]])(
		'need at least one value: %j is an error of the item',
		async (fields) => {
			const sent = serve('GET', OPERATION, matches);
			const run = await runNode(compare(fields, {}, continuing), [ELENI]);
			expectErrorItem(run.json[0]?.[0], /Compare With has no field to compare/);
			expect(sent).toEqual([]);
		},
	);

	it('are an error of the item if their expression fails', async () => {
		const run = await runNode(compare({ givenName: "={{ $('Nowhere').item.json.x }}" }, {}, continuing), [ELENI]);
		expectErrorItem(run.json[0]?.[0], /Compare With can't be read/);
	});
});

describe('the option Show Registry Values', () => {
	it("adds the registry's values of fields that differ or are missing in the row", async () => {
		serve('GET', OPERATION, matches);
		const row = { ...ELENI, ...EQUAL, Όνομα: 'Άννα', Οδός: '' };
		const run = await runNode(compare(undefined, { options: { showRegistryValues: true } }), [row]);
		expect(run.json[0]?.[0]?.registry).toEqual({ givenName: 'ΕΛΕΝΗ', street: 'ΟΔΟΣ ΔΟΚΙΜΗΣ 1' });
		expect(run.stored).not.toContain('ΠΕΤΡΟΣ');
	});

	it('is an error if its expression returns no value', async () => {
		const options = { showRegistryValues: '={{ $json.missing }}' };
		const run = await runNode(compare({ sex: 'Θ' }, { options }, continuing), [ELENI]);
		expectErrorItem(run.json[0]?.[0], /Show Registry Values has no value/);
	});
});

describe('the outputs of AMKA with Split by Result', () => {
	const died = (ssn: string) => ({ ...record(ssn), death_note: 'Θ' });

	it('are, in Compare, one output for people whose data agrees, and one output for other people', async () => {
		serve('GET', OPERATION, ({ query: { ssn = '' } }) => ({
			body: ssn === MARIA.ssn ? { match: 'false' } : ssn === GIORGOS.ssn ? died(ssn) : record(ssn),
		}));
		const rows = [
			{ ...ELENI, first: 'Ελένη' },
			{ ...ELENI, first: 'Άννα' },
			MARIA,
			{ ...GIORGOS, first: 'Ελένη' },
			{ ...ELENI, ssn: '150399' },
			{ ...ELENI, birthDate: 'x' },
		];
		const run = await runNode(compare({ givenName: '={{ $json.first }}' }, { splitByResult: true }, splitting), rows);
		expect(run.json[0]).toMatchObject([{ agrees: true }]);
		expect(run.json[1]).toMatchObject([
			{ matched: true, agrees: false, differs: ['givenName'] },
			{ matched: false, agrees: false, notice: NOTICE },
			{ matched: true, agrees: false, deceased: true, reason: 'deceased', same: ['givenName'] },
			{ matched: false, agrees: false, reason: 'length' },
		]);
		expect(run.json[2]).toMatchObject([{ error: expect.stringContaining('is not a clear date') as unknown }]);
		expect(run.hints[0]?.message).toMatch(/^1 agree, 2 do not agree, 2 not matched, 1 failed/);
	});

	it("are chosen, in Validate, by the node's own reason, not by a field `reason` of the record", async () => {
		serve('GET', OPERATION, ({ query }) => ({ body: { ...record(query.ssn ?? ''), reason: 'renewed' } }));
		const run = await runNode(validate({ output: 'record', splitByResult: true }), [ELENI]);
		expect(run.json).toMatchObject([[{ matched: true, reason: 'renewed' }], []]);
	});

	it('cannot, in Compare, be combined with Always Output Data', async () => {
		const node = compare({ sex: 'Θ' }, { splitByResult: true }, { alwaysOutputData: true, ...continuing });
		const run = await runNode(node, [ELENI]);
		expect(JSON.stringify(run.json)).toContain('puts an empty item into the output Agrees');
	});
});

it('Compare queries a person once, even if two rows have different data to compare', async () => {
	const sent = serve('GET', OPERATION, matches);
	const rows = ['Ελένη', 'Άννα', 'Ελένη'].map((first) => ({ ...ELENI, first }));
	const run = await runNode(compare({ givenName: '={{ $json.first }}' }), rows);
	expect(run.json[0]?.map(({ agrees }) => agrees)).toEqual([true, false, true]);
	expect(sent).toHaveLength(1);
});

describe('Include Input Fields', () => {
	const columns = { ...ELENI, ssn: '15039904568 ', ΑΜ: 7, warning: 'old', error: 'old', agrees: true, reason: 'old' };

	it.each<[string, NodeUnderTest, IDataObject]>([
		['validate', validate({ options: { includeInputFields: true } }), { matched: true }],
		['compare', compare({ sex: 'Θ' }, { options: { includeInputFields: true } }), { matched: true, agrees: true }],
		['checkNumber', validate({ operation: 'checkNumber', options: { includeInputFields: true } }), { valid: true }],
	])(
		'puts the columns of the row before the fields of the node in %s, and the fields of the node have precedence',
		async (_, node, answer) => {
			serve('GET', OPERATION, matches);
			const run = await runNode(node, [columns]);
			const [item] = run.json[0]!;
			const { birthDate, surname, ssn } = ELENI;
			expect(item).toMatchObject({ surname, birthDate, ΑΜ: 7, ssn, ...answer });
			expect(Object.keys(item!).slice(0, 4)).toEqual(['ssn', 'birthDate', 'surname', 'ΑΜ']);
			for (const name of ['warning', 'error', 'reason']) expect(item).not.toHaveProperty(name);
		},
	);

	it('keeps the columns of a failed item in its details, and the item stays an error', async () => {
		const node = validate({ options: { includeInputFields: true } }, continuing);
		const run = await runNode(node, [{ ...columns, birthDate: 'x' }]);
		expectErrorItem(run.json[0]?.[0], /is not a clear date/);
		const input = { ssn: columns.ssn, birthDate: 'x', surname: ELENI.surname, ΑΜ: 7 };
		expect(run.json[0]?.[0]?.details).toMatchObject({ input });
	});

	it('omits the columns if it is off', async () => {
		serve('GET', OPERATION, matches);
		expect((await runNode(validate(), [columns])).json[0]?.[0]).not.toHaveProperty('ΑΜ');
	});

	it('is an error if its expression returns no value', async () => {
		const node = validate({ options: { includeInputFields: '={{ $json.missing }}' } }, continuing);
		expectErrorItem((await runNode(node, [columns])).json[0]?.[0], /Include Input Fields has no value/);
	});

	it('does not let a column named `agrees` or `matched` change the result', async () => {
		serve('GET', OPERATION, { body: { match: 'false' } });
		const node = compare({ sex: 'Θ' }, { splitByResult: true, options: { includeInputFields: true } });
		const run = await runNode(node, [{ ...ELENI, agrees: true, matched: true }]);
		expect(run.json).toMatchObject([[], [{ matched: false, agrees: false }]]);
	});
});

/** Returns a row with the headings that an office uses. */
const rowOf = ({ ssn, birthDate, surname }: typeof ELENI, more: IDataObject = {}): IDataObject => ({
	...{ ΑΜΚΑ: ssn, 'Ημ. γέννησης': birthDate, Επώνυμο: surname },
	...more,
});

describe('the sheet of Compare', () => {
	const compared = (rows: IDataObject[], parameters: INodeParameters = {}, more: Partial<NodeUnderTest> = {}) =>
		runNode(
			compare(undefined, { ssn: '', birthDate: '', surname: '', compareOutput: 'sheet', ...parameters }, more),
			rows,
		);

	it('has all columns in the list, followed by the result columns, in each row, even in a faulty one', async () => {
		serve('GET', OPERATION, ({ query }) => ({
			body: { ...record(query.ssn ?? ''), ...(query.surname === 'ΑΛΛΗ' && { match: 'false' }) },
		}));
		const run = await compared([
			rowOf(ELENI, { Όνομα: 'Ελένη', ΑΦΜ: '000000000' }),
			rowOf(ELENI, { Όνομα: 'Μαρία' }),
			rowOf({ ...ELENI, surname: 'Άλλη' }, { Όνομα: 'Ε', Πατρώνυμο: '', ΑΦΜ: '1', Σημείωση: 'x' }),
			rowOf({ ...ELENI, ssn: '15039904560' }),
			rowOf({ ...ELENI, birthDate: 'χθες' }),
			{ ...rowOf(ELENI), ΑΜΚΑ: { toString: 1 } as never },
		]);
		expect(run.status).toBe('success');
		for (const row of run.json[0]!)
			expect(Object.keys(row)).toEqual([
				...['ΑΜΚΑ', 'Ημ. γέννησης', 'Επώνυμο', 'Όνομα', 'Πατρώνυμο', 'ΑΦΜ', 'Σημείωση'],
				...['Αποτέλεσμα', 'Διαφέρει', 'Λείπει από το φύλλο σας', 'Λείπει από το μητρώο', 'Προσοχή'],
			]);
		expect(
			run.json[0]!.map((row) => [row.Αποτέλεσμα, row.Διαφέρει, row['Λείπει από το φύλλο σας'], row.Προσοχή]),
		).toEqual([
			['έχει ελλείψεις', '', 'Πατρώνυμο', ''],
			['διαφέρει', 'Όνομα', 'Πατρώνυμο, ΑΦΜ', ''],
			['δεν ταυτοποιήθηκε', '', '', ''],
			['δεν ταυτοποιήθηκε', '', '', expect.stringMatching(/^Ο ΑΜΚΑ 150…560 δεν είναι σωστός:/)],
			[
				...['δεν ελέγχθηκε', '', ''],
				'Το «χθες» δεν διαβάζεται ως ημερομηνία. Γράψτε την ημερομηνία ως κείμενο, όπως 31/12/1999.',
			],
			['δεν ελέγχθηκε', '', '', expect.stringMatching(/^Η τιμή στο «ΑΜΚΑ» δεν διαβάζεται/)],
		]);
	});

	it.each(['el', 'en'])('reports an unknown note about a death in the language %s', async (language) => {
		serve('GET', OPERATION, ({ query }) => ({ body: { ...record(query.ssn ?? ''), death_note: 'Ζ' } }));
		const run = await compared([rowOf(ELENI, { Όνομα: 'Ελένη' })], { options: { language } });
		expect(run.json[0]).toMatchObject([
			language === 'el'
				? {
						Αποτέλεσμα: 'συμφωνεί',
						Προσοχή: 'ο κωδικός που γράφει το μητρώο για τον θάνατο δεν αναγνωρίζεται: ελέγξτε αν το πρόσωπο ζει',
					}
				: {
						Result: 'agrees',
						Note: "the registry's note on a death has an unknown code: check whether the person is alive",
					},
		]);
	});

	it('restores a lost leading zero, replaces the result columns of an earlier sheet, and is in English if set', async () => {
		serve('GET', OPERATION, matches);
		const before = { Result: 'agrees', Differs: 'x', Note: 'old' };
		const row = { ΑΜΚΑ: 1013099997, 'Ημ. γέννησης': '1/1/1930', Επώνυμο: 'Παπαδοπούλου', ...before };
		const run = await compared([row], { options: { language: 'en' } });
		expect(run.json[0]).toEqual([
			{
				...{ ΑΜΚΑ: '01013099997', 'Ημ. γέννησης': '01/01/1930', Επώνυμο: 'Παπαδοπούλου' },
				...{ Result: 'agrees', Differs: '', 'Missing in the Sheet': '', 'Missing in the Registry': '', Note: '' },
			},
		]);
	});

	it('keeps a column Αποτέλεσμα of the list, and gives its own column another name', async () => {
		serve('GET', OPERATION, matches);
		const run = await compared([rowOf(ELENI, { Όνομα: 'Ελένη', Αποτέλεσμα: 'εισήχθη' })]);
		expect(run.json[0]).toMatchObject([{ Αποτέλεσμα: 'εισήχθη', 'Αποτέλεσμα (ΑΜΚΑ)': 'συμφωνεί', Διαφέρει: '' }]);
	});

	it('shows a serial number of a spreadsheet as a date only if the heading is about a date', async () => {
		serve('GET', OPERATION, matches);
		const dates = { 'Ημ/νία εγγραφής': 45566, 'Enrolment date': '2024-10-01T00:00:00.000Z', Κωδικός: 45566 };
		const shown = { 'Ημ/νία εγγραφής': '01/10/2024', 'Enrolment date': '01/10/2024', Κωδικός: 45566 };
		const run = await compared([rowOf(ELENI, { Όνομα: 'Ελένη', ...dates })]);
		expect(run.json[0]).toMatchObject([
			{ 'Ημ. γέννησης': expect.stringMatching(/^..\/..\/....$/) as unknown, ...shown },
		]);
	});

	it('keeps columns that have the name of a result column in the other language, and explains why a person was not found', async () => {
		serve('GET', OPERATION, { body: { match: 'false' } });
		const lost = { ΑΜΚΑ: 1013099997, 'Ημ. γέννησης': '01/01/30' };
		const own = { Result: 'pass', Note: 'x' };
		const run = await compared([rowOf({ ...ELENI, surname: 'Papadopoulou' }, own), { ...lost, Επώνυμο: 'Άλλη' }]);
		expect(run.json[0]).toMatchObject([
			{
				...{ ...own, Αποτέλεσμα: 'δεν ταυτοποιήθηκε' },
				Προσοχή: 'Το επώνυμο έχει λατινικά γράμματα. Γράψτε το με ελληνικά, όπως στην ταυτότητα',
			},
			{ ΑΜΚΑ: '01013099997', Αποτέλεσμα: 'δεν ελέγχθηκε' },
		]);
	});

	it('names a field by the heading of the list, even if the field is mapped manually', async () => {
		serve('GET', OPERATION, matches);
		const value = { fatherName: "={{ $json['Όνομα πατρός'] }}" };
		const compareWith = { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] };
		const run = await compared([rowOf(ELENI, { 'Όνομα πατρός': 'Άλλος' })], { compareWith });
		expect(run.json[0]).toMatchObject([{ Διαφέρει: 'Όνομα πατρός' }]);
	});

	it('is an error if no row was checked', async () => {
		serve('GET', OPERATION, { status: 401, body: {} });
		expect((await compared([rowOf(ELENI)])).status).toBe('error');
		// An invalid number gets a result without a query. So there is a sheet, which reports that the other rows were not checked.
		const nobody = rowOf({ ...ELENI, ssn: '15039904560' });
		const both = await compared([rowOf(ELENI), nobody]);
		expect(both.json[0]!.map((row) => row.Αποτέλεσμα)).toEqual(['δεν ελέγχθηκε', 'δεν ταυτοποιήθηκε']);
		const rows = await compared([rowOf(ELENI, { Όνομα: 'Ελένη' })], {}, continuing);
		const notice = expect.stringContaining('η υπηρεσία δεν δέχεται το κλειδί') as unknown;
		expect(rows.json[0]).toMatchObject([{ details: { reason: 'setting', notice } }]);
	});

	it('writes dates as day/month/year, also in its texts, and keeps leading zeros', async () => {
		serve('GET', OPERATION, matches);
		const dates = [36234, '36234.0', '1999-03-14T22:00:00.000Z', '15.3.1999', 36235, 'χθες', ''];
		const run = await compared(
			dates.map((date) => rowOf({ ...ELENI, birthDate: date as string }, { ΑΦΜ: '000000000' })),
		);
		const day = '15/03/1999';
		expect(run.json[0]!.map((row) => row['Ημ. γέννησης'])).toEqual([day, day, day, day, '16/03/1999', 'χθες', '']);
		expect(run.json[0]!.map(({ ΑΦΜ }) => ΑΦΜ)).toEqual(dates.map(() => '000000000'));
		expect(run.json[0]![4]).toMatchObject({
			Αποτέλεσμα: 'δεν ελέγχθηκε',
			Προσοχή: expect.stringMatching(
				/^Η ημερομηνία γέννησης στο κελί \(16\/03\/1999, που το Excel αποθήκευσε ως αριθμό\)/,
			) as unknown,
		});
	});
});
