import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode, type NodeUnderTest } from '../harness/engine';
import { serve } from '../harness/wire';
import { OPERATION, ELENI, GIORGOS, record, matches, validate, continuing, people } from './fixtures';

/** A node as it comes from the palette: nothing is filled in. */
const empty = (parameters: INodeParameters = {}, more: Partial<NodeUnderTest> = {}): NodeUnderTest =>
	validate({ ssn: '', birthDate: '', surname: '', ...parameters }, more);
const MAPPED = { compareWith: { mappingMode: 'autoMapInputData', value: null } };

/** A row as an office has it, under other headings. */
const rowOf = ({ ssn, birthDate, surname }: typeof ELENI, more: IDataObject = {}, heads = HEADS): IDataObject => ({
	[heads[0]]: ssn,
	[heads[1]]: birthDate,
	[heads[2]]: surname,
	...more,
});
const HEADS: [string, string, string] = ['ΑΜΚΑ', 'Ημ. γέννησης', 'Επώνυμο'];

describe('columns by name', () => {
	it.each<[string, string, string]>([
		HEADS,
		['Α.Μ.Κ.Α.', 'ΗΜΕΡΟΜΗΝΙΑ ΓΕΝΝΗΣΗΣ', 'ΕΠΙΘΕΤΟ'],
		[' αμκα ', 'Ημ/νία\nγέννησης', 'επωνυμο'],
		['SSN', 'date_of_birth', 'Last-Name'],
		['Αριθμός ΑΜΚΑ', 'Γέννηση', 'Family Name'],
	])('an empty form takes %j, %j and %j', async (...heads) => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(empty(), [rowOf(ELENI, {}, heads), rowOf(GIORGOS, {}, heads)]);
		expect(run.json[0]).toEqual([
			{ matched: true, ssn: ELENI.ssn },
			{ matched: true, ssn: GIORGOS.ssn },
		]);
		expect(sent.map(({ query }) => [query.birthdate, query.surname])).toEqual([
			['1999-03-15', 'ΠΑΠΑΔΟΠΟΥΛΟΥ'],
			['1985-01-31', 'ΠΑΡΑΔΕΙΓΜΑΣ'],
		]);
	});

	it('an expression wins, also one that gives nothing', async () => {
		const sent = serve('GET', OPERATION, matches);
		const rows = [rowOf(ELENI, { other: GIORGOS.ssn, name: 'Άλλο' }), rowOf(ELENI, { other: GIORGOS.ssn })];
		const run = await runNode(empty({ ssn: '={{ $json.other }}', surname: '={{ $json.name }}' }, continuing), rows);
		expect(sent.map(({ query }) => [query.ssn, query.surname])).toEqual([[GIORGOS.ssn, 'ΑΛΛΟ']]);
		expect(run.json[0]?.[1]).toMatchObject({ error: 'The surname is missing', details: { reason: 'emptySurname' } });
	});

	it('an empty cell is empty, whatever other column there is', async () => {
		const rows = [rowOf(ELENI), { ...rowOf(GIORGOS), Επώνυμο: '', 'Επώνυμο μητέρας': 'Άλλη' }];
		serve('GET', OPERATION, matches);
		const run = await runNode(empty({}, continuing), rows);
		expect(run.json[0]?.[1]).toMatchObject({ details: { reason: 'emptySurname' } });
	});

	it('a column that no row has is one fault of every row, in words for people', async () => {
		const row = { Αριθμός: '1', 'Ημ. γέννησης': '1/1/2000', Επώνυμο: 'Δοκιμή' };
		const run = await runNode(empty({ options: { language: 'el' } }, continuing), [row]);
		const notice =
			'Η λίστα δεν έχει στήλη «ΑΜΚΑ». Προσθέστε ή μετονομάστε στήλη. Στήλες της λίστας: Αριθμός, Ημ. γέννησης, Επώνυμο.';
		const error = 'The list has no column "AMKA"';
		expect(run.json[0]?.[0]).toMatchObject({ error, details: { reason: 'missingColumn', notice } });
	});

	it.each<[string, INodeParameters, IDataObject[]]>([
		['a row without a column', {}, [{}]],
		['empty cells, by name', {}, [rowOf({ ssn: '', birthDate: ' ', surname: '' }), { ΑΜΚΑ: null }]],
		['empty cells, by expressions', { ssn: '={{ $json.a }}', birthDate: '={{ $json.b }}' }, [{ a: '' }, { b: null }]],
	])('a list in which nothing is: %s', async (_, parameters, rows) => {
		const run = await runNode(empty(parameters, continuing), rows);
		for (const { details } of run.json[0]!) expect(details).toMatchObject({ reason: 'emptyList' });
		expect(run.json[0]).toHaveLength(rows.length);
	});

	it('a title above the headings', async () => {
		const run = await runNode(empty({}, continuing), [{ Τίτλος: 'ΑΜΚΑ', __EMPTY: 'Επώνυμο', __EMPTY_1: 'Γέννηση' }]);
		const { notice } = run.json[0]![0]!.details as { notice: string };
		expect(notice).toMatch(/Η πρώτη γραμμή του φύλλου πρέπει .* Στήλες της λίστας: Τίτλος, \(χωρίς όνομα\)\. \//);
	});

	it('two columns that differ in a row are an error of that row', async () => {
		serve('GET', OPERATION, matches);
		// A number without its zero is the same number.
		const more = { SSN: ELENI.ssn.replace(/(?=99)/, '-') };
		const rows = [rowOf(ELENI, { Επίθετο: 'Παπαδοπούλου', ...more }), rowOf(GIORGOS, { Επίθετο: 'Άλλος' })];
		const run = await runNode(empty({}, continuing), rows);
		expect(run.json[0]?.[0]).toMatchObject({ matched: true });
		expect(run.json[0]?.[1]).toMatchObject({ details: { reason: 'twoColumns' } });
	});

	it('Check Number takes it too, and a gap is an answer', async () => {
		const run = await runNode(empty({ operation: 'checkNumber' }), [{ ΑΜΚΑ: '01013099997' }, { Άλλο: 1 }]);
		const notice = expect.stringMatching(/Λείπει ο ΑΜΚΑ/) as unknown;
		expect(run.json[0]).toMatchObject([{ valid: true }, { valid: false, reason: 'length', notice }]);
	});

	it('Compare decides once for all rows, and the exact spelling wins', async () => {
		serve('GET', OPERATION, matches);
		const rows = [rowOf(ELENI, { ονομα: 'Άλλη', Όνομα: 'Ελένη' }), rowOf(ELENI, { ονομα: 'Ελένη' })];
		const run = await runNode(empty({ operation: 'compare', ...MAPPED }, continuing), rows);
		expect(run.json[0]).toMatchObject([
			{ agrees: true, same: ['givenName', 'surname'] },
			{ agrees: false, missingHere: ['givenName'], notice: expect.stringContaining('Όνομα') as unknown },
		]);
	});
});

describe('a sheet of a comparison', () => {
	const compared = (rows: IDataObject[], parameters: INodeParameters = {}, more: Partial<NodeUnderTest> = {}) =>
		runNode(empty({ operation: 'compare', compareOutput: 'sheet', ...MAPPED, ...parameters }, more), rows);

	it('has every column of the list, and behind them what was found, a row with a fault too', async () => {
		serve('GET', OPERATION, ({ query }) => ({
			body: { ...record(query.ssn ?? ''), ...(query.surname === 'ΑΛΛΗ' && { match: 'false' }) },
		}));
		const run = await compared([
			rowOf(ELENI, { Όνομα: 'Ελένη', ΑΦΜ: '000000000' }),
			rowOf(ELENI, { Όνομα: 'Μαρία' }),
			rowOf({ ...ELENI, surname: 'Άλλη' }, { Όνομα: 'Ε', Πατρώνυμο: '', ΑΦΜ: '1', Σημείωση: 'x' }),
			rowOf({ ...ELENI, ssn: '15039904560' }),
			rowOf({ ...ELENI, birthDate: 'χθες' }),
		]);
		expect(run.status).toBe('success');
		const [first] = run.json[0]!;
		expect(Object.keys(first!)).toEqual([
			...['ΑΜΚΑ', 'Ημ. γέννησης', 'Επώνυμο', 'Όνομα', 'Πατρώνυμο', 'ΑΦΜ', 'Σημείωση'],
			...['Αποτέλεσμα', 'Διαφέρει', 'Λείπει από εσάς', 'Λείπει από το μητρώο', 'Προσοχή'],
		]);
		expect(run.json[0]!.map((row) => [row.Αποτέλεσμα, row.Διαφέρει, row['Λείπει από εσάς'], row.Προσοχή])).toEqual([
			['ελλιπές', '', 'Πατρώνυμο', ''],
			['διαφέρει', 'Όνομα', 'Πατρώνυμο, ΑΦΜ', ''],
			['δεν ταυτοποιήθηκε', '', '', ''],
			['δεν ταυτοποιήθηκε', '', '', expect.stringMatching(/^Ο ΑΜΚΑ 150…560 έχει κάποιο λάθος:/)],
			[
				...['δεν ελέγχθηκε', '', ''],
				'Το «χθες» δεν διαβάζεται με βεβαιότητα ως ημερομηνία. Γράψτε την ως κείμενο, όπως 31/12/1999.',
			],
		]);
	});

	it('gives a lost zero back, replaces what an earlier sheet says, and speaks English where asked', async () => {
		serve('GET', OPERATION, matches);
		const before = { Result: 'agrees', Differs: 'x', Note: 'old' };
		const row = { ΑΜΚΑ: 1013099997, 'Ημ. γέννησης': '1/1/1930', Επώνυμο: 'Παπαδοπούλου', ...before };
		const run = await compared([row], { options: { language: 'en' } });
		expect(run.json[0]).toEqual([
			{
				...{ ΑΜΚΑ: '01013099997', 'Ημ. γέννησης': '1/1/1930', Επώνυμο: 'Παπαδοπούλου' },
				...{ Result: 'agrees', Differs: '', 'Missing Here': '', 'Missing There': '', Note: '' },
			},
		]);
	});

	it('keeps columns of the list that are called as ours in the other language, and says why nobody was found', async () => {
		serve('GET', OPERATION, { body: { match: 'false' } });
		const lost = { ΑΜΚΑ: 1013099997, 'Ημ. γέννησης': '01/01/30' };
		const own = { Result: 'pass', Note: 'x' };
		const run = await compared([rowOf({ ...ELENI, surname: 'Papadopoulou' }, own), { ...lost, Επώνυμο: 'Άλλη' }]);
		expect(run.json[0]).toMatchObject([
			{ ...own, Αποτέλεσμα: 'δεν ταυτοποιήθηκε', Προσοχή: 'το επώνυμο δεν έχει μόνο ελληνικά γράμματα' },
			{ ΑΜΚΑ: '01013099997', Αποτέλεσμα: 'δεν ελέγχθηκε' },
		]);
	});

	it('names a field as the list does, also where it is mapped by hand', async () => {
		serve('GET', OPERATION, matches);
		const value = { fatherName: "={{ $json['Όνομα πατρός'] }}" };
		const compareWith = { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] };
		const run = await compared([rowOf(ELENI, { 'Όνομα πατρός': 'Άλλος' })], { compareWith });
		expect(run.json[0]).toMatchObject([{ Διαφέρει: 'Όνομα πατρός' }]);
	});

	it('is an error where no row at all could be asked', async () => {
		serve('GET', OPERATION, { status: 401, body: {} });
		expect((await compared([rowOf(ELENI)])).status).toBe('error');
		const rows = await compared([rowOf(ELENI, { Όνομα: 'Ελένη' })], {}, continuing);
		const notice = expect.stringContaining('η υπηρεσία δεν δέχεται το κλειδί') as unknown;
		expect(rows.json[0]).toMatchObject([{ details: { reason: 'couldNotAsk', notice } }]);
	});
});
