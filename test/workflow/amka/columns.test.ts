import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode, type NodeUnderTest } from '../harness/engine';
import { serve } from '../harness/httpServer';
import { OPERATION, ELENI, GIORGOS, matches, validate, continuing } from '../harness/amka';

/** Returns a node whose fields for the person are empty. */
const empty = (parameters: INodeParameters = {}, more: Partial<NodeUnderTest> = {}): NodeUnderTest =>
	validate({ ssn: '', birthDate: '', surname: '', ...parameters }, more);
const MAPPED = { compareWith: { mappingMode: 'autoMapInputData', value: null } };

/** Returns a row with the headings that offices use. */
const rowOf = ({ ssn, birthDate, surname }: typeof ELENI, more: IDataObject = {}, heads = HEADS): IDataObject => ({
	[heads[0]]: ssn,
	[heads[1]]: birthDate,
	[heads[2]]: surname,
	...more,
});
const HEADS: [string, string, string] = ['ΑΜΚΑ', 'Ημ. γέννησης', 'Επώνυμο'];

describe('AMKA with empty fields finds its values by column name:', () => {
	it.each<[string, string, string]>([
		HEADS,
		['Α.Μ.Κ.Α.', 'ΗΜΕΡΟΜΗΝΙΑ ΓΕΝΝΗΣΗΣ', 'ΕΠΙΘΕΤΟ'],
		[' αμκα ', 'Ημ/νία\nγέννησης', 'επωνυμο'],
		['SSN', 'date_of_birth', 'Last-Name'],
		['Αριθμός ΑΜΚΑ', 'Γέννηση', 'Family Name'],
		['ΑΜΚΑ', 'Ημ. γεννήσεως', 'Επώνυμο'],
		['ΑΜΚΑ', 'Ημερ/νία γέννησης', 'Επώνυμο'],
	])('it reads the columns %j, %j and %j', async (...heads) => {
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

	it('an expression has precedence over the column, even if the expression returns no value for some items', async () => {
		const sent = serve('GET', OPERATION, matches);
		const rows = [rowOf(ELENI, { other: GIORGOS.ssn, name: 'Άλλο' }), rowOf(ELENI, { other: GIORGOS.ssn })];
		const run = await runNode(empty({ ssn: '={{ $json.other }}', surname: '={{ $json.name }}' }, continuing), rows);
		expect(sent.map(({ query }) => [query.ssn, query.surname])).toEqual([[GIORGOS.ssn, 'ΑΛΛΟ']]);
		expect(run.json[0]?.[1]).toMatchObject({ error: 'The surname is missing', details: { reason: 'emptySurname' } });
	});

	it('an empty cell is a missing value, even if another column has a similar name', async () => {
		const rows = [rowOf(ELENI), { ...rowOf(GIORGOS), Επώνυμο: '', 'Επώνυμο μητέρας': 'Άλλη' }];
		serve('GET', OPERATION, matches);
		const run = await runNode(empty({}, continuing), rows);
		expect(run.json[0]?.[1]).toMatchObject({ details: { reason: 'emptySurname' } });
	});

	it('a missing column is an error of each item, and the notice names the columns in the list', async () => {
		const row = { Αριθμός: '1', 'Ημ. γέννησης': '1/1/2000', Επώνυμο: 'Δοκιμή' };
		const run = await runNode(empty({ options: { language: 'el' } }, continuing), [row, row]);
		const notice =
			'Η λίστα δεν έχει στήλη «ΑΜΚΑ». Προσθέστε τη στήλη ή, αν υπάρχει με άλλο όνομα, μετονομάστε την. Στήλες της λίστας: Αριθμός, Ημ. γέννησης, Επώνυμο.';
		const error = 'The list has no column "AMKA"';
		const item = { error, details: { reason: 'missingColumn', notice } };
		expect(run.json[0]).toMatchObject([item, item]);
	});

	it.each<[string, INodeParameters, IDataObject[]]>([
		['with no columns', {}, [{}]],
		['with empty cells', {}, [rowOf({ ssn: '', birthDate: ' ', surname: '' }), { ΑΜΚΑ: null }]],
		[
			'with expressions that return only empty cells',
			{ ssn: '={{ $json.a }}', birthDate: '={{ $json.b }}' },
			[{ a: '' }, { b: null }],
		],
	])('a list %s gives the reason emptyList', async (_, parameters, rows) => {
		const run = await runNode(empty(parameters, continuing), rows);
		for (const { details } of run.json[0]!) expect(details).toMatchObject({ reason: 'emptyList' });
		expect(run.json[0]).toHaveLength(rows.length);
	});

	it('two columns for the same field with different values are an error of the item', async () => {
		serve('GET', OPERATION, matches);
		// Two columns with the same number in different formats are accepted.
		const more = { SSN: ELENI.ssn.replace(/(?=99)/, '-') };
		const rows = [rowOf(ELENI, { Επίθετο: 'Παπαδοπούλου', ...more }), rowOf(GIORGOS, { Επίθετο: 'Άλλος' })];
		const run = await runNode(empty({}, continuing), rows);
		expect(run.json[0]?.[0]).toMatchObject({ matched: true });
		expect(run.json[0]?.[1]).toMatchObject({ details: { reason: 'twoColumns' } });
	});

	it('Check Number also finds the column, and an item without the column gets a result', async () => {
		const run = await runNode(empty({ operation: 'checkNumber' }), [{ ΑΜΚΑ: '01013099997' }, { Άλλο: 1 }]);
		const notice = expect.stringMatching(/Λείπει ο ΑΜΚΑ/) as unknown;
		expect(run.json[0]).toMatchObject([{ valid: true }, { valid: false, reason: 'length', notice }]);
	});

	it('Compare chooses the same column for all items, and prefers the exact spelling', async () => {
		serve('GET', OPERATION, matches);
		const rows = [rowOf(ELENI, { ονομα: 'Άλλη', Όνομα: 'Ελένη' }), rowOf(ELENI, { ονομα: 'Ελένη' })];
		const run = await runNode(empty({ operation: 'compare', ...MAPPED }, continuing), rows);
		expect(run.json[0]).toMatchObject([
			{ agrees: true, same: ['givenName', 'surname'] },
			{ agrees: false, missingHere: ['givenName'], notice: expect.stringContaining('Όνομα') as unknown },
		]);
	});

	it.each(['ssn', 'birthDate', 'surname'])(
		'an expression for %s that is empty for every item is an error that names the field; if the field is left empty, as advised, the column is found',
		async (name) => {
			const sent = serve('GET', OPERATION, matches);
			const rows = [rowOf(ELENI, { other: null }), rowOf(GIORGOS)];
			const run = await runNode(empty({ [name]: '={{ $json.other }}' }, continuing), rows);
			expect(sent).toEqual([]);
			const label = { ssn: 'AMKA', birthDate: 'Birth Date', surname: 'Surname' }[name]!;
			const field = { ssn: 'ΑΜΚΑ', birthDate: 'Ημερομηνία γέννησης', surname: 'Επώνυμο' }[name]!;
			const error = `The expression in ${label} returned no value`;
			const columns = 'ΑΜΚΑ, Ημ. γέννησης, Επώνυμο, other';
			const message = `Correct the expression, or leave the field empty, so that the node finds the column by its name. The list has these columns: ${columns}`;
			const notice = `Για το «${field}» δεν βρέθηκε τιμή σε καμία γραμμή. Πείτε στον διαχειριστή ποιες στήλες έχει η λίστα: ${columns}.`;
			const item = { error, message, details: { reason: 'missingColumn', notice } };
			expect(run.json[0]).toMatchObject([item, item]);

			// Following the advice, the field is left empty.
			expect((await runNode(empty(), rows)).json[0]).toMatchObject([{ matched: true }, { matched: true }]);
		},
	);

	it('an expression that returns an empty text, as forms do, counts as an empty cell', async () => {
		const run = await runNode(empty({ surname: '={{ $json.other }}' }, continuing), [rowOf(ELENI, { other: '' })]);
		expect(run.json[0]).toMatchObject([{ details: { reason: 'emptySurname' } }]);
	});

	it("an AI agent's tool gives a result for a missing number instead of an error about columns", async () => {
		const parameters = { operation: 'checkNumber', ssn: '={{ $json.other }}' };
		const run = await runNode(empty(parameters, { asTool: true }), [rowOf(ELENI)]);
		const task = run.run.data.resultData.runData.Node?.[0];
		expect(task?.data?.ai_tool?.[0]).toMatchObject([{ json: { valid: false, reason: 'length' } }]);
	});

	it('Compare recognises the same headings as SMS Send, and several phone columns', async () => {
		serve('GET', OPERATION, matches);
		const phones = { 'Κινητό (69...)': '6911111111', '«Τηλέφωνο» *': '210 0000000', 'Α.Φ.Μ.:': 0 };
		const run = await runNode(empty({ operation: 'compare', ...MAPPED }), [rowOf(ELENI, phones)]);
		expect(run.json[0]).toMatchObject([{ agrees: true, same: ['surname', 'taxId', 'phone'] }]);
	});
});
