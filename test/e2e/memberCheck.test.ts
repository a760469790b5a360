import { readFileSync } from 'node:fs';
import { people } from '../../sandbox/people';
import { askAgent } from './agent';
import { rowsOf, sheetOf, withPassword } from './desk';
import { FormPage, importExample, save, secretary, type Imported } from './examples';
import { keysStaySecret, useWorld } from './world';

/** Checks `examples/desk/member-check.json` from its form to the returned sheet, and Compare as a tool of an AI agent. */
const world = useWorld();

const shipped = new File([readFileSync('examples/desk/members.xlsx')], 'members.xlsx');
let example: Imported;

beforeAll(async () => {
	example = await importExample(world, 'desk/member-check.json');
	await save(world.n8n, example);
	await world.n8n.publish(example.id);
});
const upload = async (sheet = shipped): Promise<FormPage> =>
	await (await FormPage.open(example.url('Upload sheet'), secretary)).submit(sheet);

const AGREES = 'συμφωνεί';
const DIFFERS = 'διαφέρει';
const INCOMPLETE = 'έχει ελλείψεις';
const NOT_MATCHED = 'δεν ταυτοποιήθηκε';

test('the downloaded sheet shows each kind of difference, and the page counts the checked rows', async () => {
	const last = await upload();
	const [file] = last.downloads;
	const rows = rowsOf(file!.content, { defval: '' });

	expect(file!.fileName).toBe('Έλεγχος μελών.xlsx');
	expect(
		rows.map((row) => [
			row['ΑΜ'],
			row['Αποτέλεσμα'],
			row['Διαφέρει'],
			row['Λείπει από το φύλλο σας'],
			row['Λείπει από το μητρώο'],
		]),
	).toEqual([
		['2019001', AGREES, '', '', ''],
		['2019002', AGREES, '', '', ''],
		['2019003', AGREES, '', '', ''],
		['2019004', DIFFERS, 'Όνομα, Κινητό', '', ''],
		['2019005', INCOMPLETE, '', 'ΑΦΜ, Κινητό', ''],
		['2019006', AGREES, '', '', 'Μητρώνυμο, ΑΔΤ'],
		['2019007', DIFFERS, 'Επώνυμο', '', ''],
		['2019008', AGREES, '', '', ''],
		['2019009', 'έχει αποβιώσει', '', '', ''],
		['2019010', AGREES, '', '', 'Πατρώνυμο, Μητρώνυμο, Φύλο, Κινητό, Τ.Κ.'],
		['2019011', NOT_MATCHED, '', '', ''],
		['2019012', NOT_MATCHED, '', '', ''],
		['2019013', 'δεν ελέγχθηκε', '', '', ''],
	]);
	expect(rows.map((row) => row['Προσοχή']).filter(Boolean)).toEqual([
		'έχει νεότερο ΑΜΚΑ',
		'πλασματική ημερομηνία γέννησης',
		expect.stringMatching(/^Ο ΑΜΚΑ δεν αρχίζει με την ημερομηνία γέννησης που δόθηκε/),
		expect.stringMatching(/^Ο ΑΜΚΑ \d{3}…\d{3} δεν είναι σωστός/),
		expect.stringMatching(/δεν διαβάζεται ως ημερομηνία/),
	]);
	expect([last.title, last.message]).toEqual([
		'Γραμμές που ελέγχθηκαν: 12 από 13',
		expect.stringMatching(/^Κατεβαίνει το φύλλο σας/),
	]);
	// One request for each row with a valid AMKA and date.
	expect(world.sandbox.traffic.calls).toHaveLength(11);
});

test("neither the downloaded sheet nor n8n's database contains data of the registry", async () => {
	const last = await upload();
	const sent = readFileSync('examples/desk/members.xlsx');
	const own = JSON.stringify(rowsOf(sent));
	const sheet = JSON.stringify(rowsOf(last.downloads[0]!.content));
	const stored = JSON.stringify(await world.n8n.executions(example.id));
	// These values are not data of the registry. The requests contained them: the institution's own number, with the zero that the
	// sheet had lost, and its date in another form.
	const asked = people.flatMap(({ amka_in, birth_date }) => [amka_in, birth_date]);
	const values = [...new Set(people.flatMap((record) => Object.values(record)))].filter(
		(value) => value.length > 5 && !asked.includes(value) && !own.includes(value),
	);

	expect(values.length).toBeGreaterThan(20);
	expect(values).toContain('31018599998');
	expect(values.filter((value) => sheet.includes(value) || stored.includes(value))).toEqual([]);
});

test('the downloaded sheet has dates as day/month/year, and numbers with the leading zeros that the uploaded sheet had lost', async () => {
	const person = {
		ΑΜΚΑ: 5069903176,
		Επώνυμο: 'ΔΟΚΙΜΑΣΤΙΚΟΣ',
		'Ημ. γέννησης': new Date(Date.UTC(1999, 5, 5)),
		ΑΦΜ: '098765432',
	};
	const [row] = rowsOf((await upload(sheetOf('members', person))).downloads[0]!.content);

	expect(row).toMatchObject({
		ΑΜΚΑ: '05069903176',
		'Ημ. γέννησης': '05/06/1999',
		ΑΦΜ: '098765432',
		Αποτέλεσμα: AGREES,
	});
});

test.each<[string, File, RegExp]>([
	[
		'a Word document',
		new File(['PK'], 'members.docx'),
		/δεν είναι \.xlsx, \.xls ή \.ods\. Ανοίξτε το και αποθηκεύστε το ως \.xlsx/,
	],
	[
		'a .csv file that the browser did not reject',
		new File(['ΑΜΚΑ;Επώνυμο\n'], 'members.csv'),
		/αποθηκεύστε το ως \.xlsx/,
	],
	[
		'a PDF that was renamed to .xlsx',
		new File(['%PDF-1.4'], 'members.xlsx'),
		/καμία γραμμή με στοιχεία|δεν έχει στήλη/,
	],
	['a sheet with a password', new File([withPassword], 'members.xlsx'), /χωρίς κωδικό πρόσβασης/],
	[
		'a title above the headings',
		sheetOf(
			'members',
			{ 'Μέλη του συλλόγου': 'ΑΜΚΑ', __EMPTY: 'Επώνυμο' },
			{ 'Μέλη του συλλόγου': '05069903176', __EMPTY: 'ΔΟΚΙΜΑΣΤΙΚΟΣ' },
		),
		/Διαγράψτε τις γραμμές πάνω από τις επικεφαλίδες,.*Μέλη του συλλόγου/,
	],
])('after the upload of %s, the page gives advice and a link to the form', async (_, file, words) => {
	const last = await upload(file);

	expect(last.title).toBe('Δεν ελέγχθηκε τίποτα');
	expect(last.text).toMatch(words);
	expect((await last.again()).text).toBe(last.text);
	const [, link] = /<a href="([^"]*form\/[^"]*)"/.exec(last.html)!;
	expect(new URL(link!, example.url('Upload sheet')).href).toBe(example.url('Upload sheet'));
	expect(world.sandbox.traffic.calls).toEqual([]);
});

test('if the registry answers HTTP 503, the page counts the checked rows, and the sheet names the registry in the eleven rows that it did not answer', async () => {
	Object.assign(world.sandbox.trouble, { answer: '503' });
	const last = await upload();
	const rows = rowsOf(last.downloads[0]!.content);

	expect(last.title).toBe('Γραμμές που ελέγχθηκαν: 1 από 13');
	expect(rows.filter((row) => /μητρώο/.test(String(row['Προσοχή'])))).toHaveLength(11);
});

test("an AI agent that uses Compare gets the names of the differing fields, and none of the registry's values", async () => {
	const node = world.node('amka', {
		operation: 'compare',
		ssn: '17060002510',
		birthDate: '2000-06-17',
		surname: 'Δοκιμαστικός',
		compareWith: {
			mappingMode: 'defineBelow',
			value: { givenName: 'Υπόδειγμας', fatherName: 'Υποθετικός', taxId: "={{ '' }}" },
			matchingColumns: [],
			schema: [],
		},
		splitByResult: true,
	});
	const [execution, answers] = await askAgent(world.n8n, { ...node, type: `${node.type}Tool` });

	expect(execution.status).toBe('success');
	expect(JSON.parse(answers[0]!)).toEqual([
		expect.objectContaining({
			matched: true,
			agrees: false,
			same: ['fatherName'],
			differs: ['givenName'],
			missingHere: ['taxId'],
			missingThere: [],
		}),
	]);
	expect(answers[0]).not.toContain('ΠΑΡΑΔΕΙΓΜΑΣ');
});

test("a forged link that sets the form's hidden field can add nothing to the page", async () => {
	const link = `${example.url('Upload sheet')}?form=${encodeURIComponent('x"><img src="https://example.gr/{{ 40000 * 20000 + 7 }}">')}`;
	const page = await (await FormPage.open(link, secretary)).submit(new File(['no sheet'], 'members.docx'));
	expect(page.title).toBe('Δεν ελέγχθηκε τίποτα');
	expect(page.html).not.toMatch(/<img|example\.gr|800000007/);
});

keysStaySecret(world);
