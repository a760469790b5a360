import { readFileSync } from 'node:fs';
import { Desk, rowsOf, send } from './desk';
import { FormPage, importExample, save, secretary, type Imported } from './examples';
import { keysStaySecret, useWorld } from './world';

/** Uploads files of LibreOffice Calc, with Greek regional settings, and exports of old systems to the forms of the examples. */
const world = useWorld();

let desk: Desk;
let check: Imported;

beforeAll(async () => {
	desk = await Desk.open(world);
	check = await importExample(world, 'desk/member-check.json');
	await save(world.n8n, check);
	await world.n8n.publish(check.id);
});

const file = (name: string): File => new File([new Uint8Array(readFileSync(`test/fixtures/sheets/${name}`))], name);
const checked = async (name: string): Promise<Array<Record<string, unknown>>> => {
	const page = await (await FormPage.open(check.url('Upload sheet'), secretary)).submit(file(name));
	return rowsOf(page.downloads[0]!.content);
};

describe.each([
	['xlsx', 'ods'],
	['ods', 'xlsx'],
])('a list of grades that LibreOffice Calc has saved as .%s', (ending, other) => {
	test('gets a review with faults, warnings and row numbers; afterwards the returned sheet has dates, and both this sheet and the list in the other format count as sent', async () => {
		// A separate copy of the examples, with its own record of sent messages.
		const own = await Desk.open(world);
		const page = await own.review(file(`grades.${ending}`));
		expect(page.text).toMatch(/Μηνύματα που θα σταλούν 4 /);
		for (const line of [
			// The number was 6,91E+09 in a .csv file, so it may be the number of another person.
			/τελειώνει σε έξι μηδενικά.*? Γραμμή 6 \(6910000000\): 691…000/,
			/σταθερό τηλέφωνο\. Γράψτε ένα κινητό \(69…\)\. Γραμμή 5 /,
			/«Βαθμός» δεν έχει τιμή.*? Γραμμή 8 \(6900000106\)/,
			/ποσοστά.*? Γραμμή 7 \(6900000105\): 0,85/,
			/Δεν αρκεί να αλλάξετε τη μορφή του κελιού.*? Γραμμή 3 \(6900000102\): 7,33333333333333/,
		])
			expect(page.text).toMatch(line);

		const last = await send(page);
		const rows = rowsOf(last.downloads[0]!.content, { defval: '' });
		expect(new Set(rows.map((row) => row['Ημ. εξέτασης']))).toEqual(new Set(['31/01/2026']));
		if (ending === 'ods') expect(rows[0]).toMatchObject({ Εγγραφή: '01/10/2020' });
		// The first column contains numbers. The page shows its name Α/Α, so that nobody takes the 3 for the number of a row.
		expect(last.text).toMatch(/σταθερό τηλέφωνο[^(]*\(69…\)\. \(1: Α\/Α 3\)/);
		// Mobile numbers are text, so that a spreadsheet does not shorten them. Only the landline and the number that causes a
		// warning are numbers.
		expect(rows.map((row) => row[Object.keys(row)[1]!])).toEqual([
			...['6900000101', '+30 690 000 0102', 2_100_000_000, 6_910_000_000, '6900000105', '6900000106'],
		]);
		const back = new File([new Uint8Array(last.downloads[0]!.content)], 'back.xlsx');
		for (const again of [file(`grades.${other}`), back])
			expect((await own.review(again)).text).toMatch(/Έχουν ήδη σταλεί 4 Γραμμές με λάθη 2 /);
	});
});

describe.each(['html.xls', 'text.xls'])('a file that an old system has exported, %s,', (name) => {
	test('is read with the decimal comma of a grade', async () => {
		expect((await desk.review(file(name))).text).toContain('Ο βαθμός σας στο μάθημα Φυσική είναι 8,5 ');
	});

	test('is read with leading zeros, and with the day before the month in a birth date', async () => {
		const [row] = await checked(name);
		expect(row).toMatchObject({ ΑΜΚΑ: '05069903176', 'Ημ. γέννησης': '05/06/1999', ΑΦΜ: '098765432' });
		expect(row!['Αποτέλεσμα']).not.toMatch(/^δεν/);
	});
});

test('a file in windows-1253 is read after it was saved as an .xlsx, as the page advises', async () => {
	const page = await desk.review(file('windows-1253.xls'));
	expect(page.text).toContain('ανοίξτε το αρχείο στο Excel, αποθηκεύστε το ως .xlsx');
	const { text } = await desk.review(file('windows-1253.xlsx'));
	expect(text).toMatch(/Φυσική είναι 8,5 .*Φυσική είναι 10,25 /);
});

test('Compare returns the dates of an .ods file as day/month/year, under any heading', async () => {
	expect(await checked('members.ods')).toMatchObject([
		{ 'Α.Μ.Κ.Α.': '05069903176', 'Ημ/νία\nγέννησης': '05/06/1999', Εγγραφή: '01/10/2020', ΑΦΜ: '098765432' },
	]);
});

keysStaySecret(world);
