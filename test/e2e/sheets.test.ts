import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { utils, write, type WorkBook, type WorkSheet } from 'xlsx';
import { outputs } from './n8n';
import { builtIn, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Checks Review and Compare with sheets as offices write them, which n8n's own Extract from File reads. */
const world = useWorld();

const bookOf = (sheet: WorkSheet): WorkBook => ({ SheetNames: ['Φύλλο1'], Sheets: { Φύλλο1: sheet } });
const file = (sheet: WorkSheet, bookType: 'xlsx' | 'biff8' | 'ods' = 'xlsx'): string =>
	(write(bookOf(sheet), { bookType, type: 'buffer' }) as Buffer).toString('base64');
/** Makes a sheet. @param rows the first row contains the headings */
const sheetOf = (...rows: unknown[][]): WorkSheet => utils.aoa_to_sheet(rows);

/** Returns the items at the first output of a node of this package, for the rows of a file. */
async function read(
	data: string,
	type: 'smsSend' | 'amka',
	parameters: INodeParameters,
	extract: INodeParameters = { operation: 'xlsx' },
): Promise<IDataObject[]> {
	const toFile = builtIn('n8n-nodes-base.convertToFile', 'File', 1.1, {
		operation: 'toBinary',
		sourceProperty: 'data',
		binaryPropertyName: 'data',
		options: { dataIsBase64: true },
	});
	const rows = { ...builtIn('n8n-nodes-base.extractFromFile', 'Rows', 1.1, extract), alwaysOutputData: true };
	const execution = await world.n8n.execute(withRows([{ data }], toFile, rows, world.node(type, parameters)));
	return outputs(execution, type)[0]!.map(({ json }) => json);
}
interface Review {
	messages: number;
	people: number;
	faulty: number;
	listFault?: { reason: string; notice: string };
	faults: Array<{ reason: string; rows: number; notice: string; examples: number[] }>;
	doubts: Array<{ kind: string; rows: number; examples: number[] }>;
	samples: Array<{ recipient: string; text: string }>;
	html: string;
}
const review = async (data: string, extract?: INodeParameters): Promise<Review> => {
	const parameters = { operation: 'review', serviceId: '101', messageId: '1', recipient: '' };
	return (await read(data, 'smsSend', parameters, extract))[0] as unknown as Review;
};

const row = (index: number): unknown[] => [String(6_900_000_000 + index), 'Φυσική', 8];
const HEADS = ['Κινητό', 'Μάθημα', 'Βαθμός'];

describe('Review of a sheet', () => {
	test.each([
		['headings in capitals, without accents', ['ΚΙΝΗΤΟ', 'ΜΑΘΗΜΑ', 'ΒΑΘΜΟΣ']],
		['headings with a line break and spaces at the end', ['Κινητό\nτηλέφωνο ', ' Μάθημα', 'Βαθμός  ']],
		['headings with an abbreviation', ['Κινητό τηλ.', 'Μάθημα', 'Βαθμός']],
		['headings in English', ['Mobile Phone', 'Μάθημα', 'Βαθμός']],
		['a heading for a phone that need not be a mobile', ['ΤΗΛ.', 'Μάθημα', 'Βαθμός']],
	])('finds the column of the recipient in a sheet with %s', async (_, heads) => {
		expect(await review(file(sheetOf(heads, row(1), row(2))))).toMatchObject({ messages: 2, faulty: 0 });
	});

	test('reports one fault of the list, not one fault for each row, if no heading is that of the recipient', async () => {
		const heads = ['Αριθμός', 'Μάθημα', 'Βαθμός'];
		const found = await review(file(sheetOf(heads, ...Array.from({ length: 300 }, (_, index) => row(index)))));
		expect(found).toMatchObject({ messages: 0, faulty: 300, listFault: { reason: 'missingColumn' } });
		expect(found.listFault!.notice).toContain('Στήλες της λίστας: Αριθμός, Μάθημα, Βαθμός');
	});

	test('reports one fault of the list if no heading is that of a placeholder', async () => {
		const found = await review(file(sheetOf(['Κινητό', 'Μάθημα'], ...Array(20).fill(['6900000001', 'Φυσική']))));
		expect(found).toMatchObject({ messages: 0, listFault: { reason: 'missingColumn' } });
		expect(found.listFault!.notice).toContain('«Βαθμός»');
	});

	test('reports the columns that it found if a title in merged cells stands above the headings', async () => {
		const sheet = sheetOf(['Βαθμολογία Ιανουαρίου'], HEADS, row(1));
		sheet['!merges'] = [{ s: { r: 0, c: 0 }, e: { r: 0, c: 2 } }];
		const found = await review(file(sheet));
		expect(found.listFault).toMatchObject({
			reason: 'missingColumn',
			notice: expect.stringContaining('Βαθμολογία Ιανουαρίου') as unknown,
		});
	});

	test('reports a warning with the row if Excel has changed a grade to a date', async () => {
		const found = await review(file(sheetOf(HEADS, row(1), ['6900000002', 'Φυσική', 46_150])));
		expect(found).toMatchObject({ messages: 2, doubts: [{ kind: 'looksLikeDate', rows: 1, examples: [3] }] });
	});

	test("does not use the parent's mobile if the cell of the person's own mobile is empty", async () => {
		const heads = ['Κινητό', 'Κινητό γονέα', 'Μάθημα', 'Βαθμός'];
		const found = await review(
			file(sheetOf(heads, ['6900000001', '6911111111', 'Φ', 8], [null, '6922222222', 'Φ', 8])),
		);
		expect(found).toMatchObject({ messages: 1, faults: [{ reason: 'emptyRecipient', rows: 1, examples: [3] }] });
		expect(found.samples.map(({ recipient }) => recipient)).toEqual(['6900000001']);
	});

	test('reads phone numbers that are numbers or text, and reports a number whose digits are lost, and a landline', async () => {
		const numbers = [6_900_000_001, '690 000 0002', "'6900000003", '6.9E+9', 2_101_234_567];
		const found = await review(file(sheetOf(HEADS, ...numbers.map((number) => [number, 'Φυσική', 8]))));
		expect(found.samples.map(({ recipient }) => recipient)).toEqual(['6900000001', '6900000002', '6900000003']);
		expect(found.faults.map(({ reason }) => reason).sort()).toEqual(['digitsLost', 'landline']);
		// The page uses the words of an office, not those of n8n.
		expect(found.html).toContain('Το 210…567 είναι σταθερό τηλέφωνο. Γράψτε ένα κινητό (69…).');
		expect(found.html).not.toMatch(/expression|Recipient:/);
	});

	test('reads the cells of a hidden column', async () => {
		const sheet = sheetOf(HEADS, row(1));
		sheet['!cols'] = [{ hidden: true }, {}, {}];
		expect(await review(file(sheet))).toMatchObject({ messages: 1, faulty: 0 });
	});

	test('ignores rows whose cells are all empty', async () => {
		expect(await review(file(sheetOf(HEADS, row(1), [], [], row(2))))).toMatchObject({ messages: 2, faulty: 0 });
	});
});

describe('Review', () => {
	test.each([
		['an empty sheet', file(sheetOf([]))],
		['a sheet with headings only', file(sheetOf(HEADS))],
	])('of %s reports one fault of the list', async (_, data) => {
		expect(await review(data)).toMatchObject({ messages: 0, listFault: { reason: 'emptyList' } });
	});

	test('reads an .xls file', async () => {
		const found = await review(file(sheetOf(HEADS, row(1)), 'biff8'), { operation: 'xls' });
		expect(found.samples).toMatchObject([{ text: 'Ο βαθμός σας στο μάθημα Φυσική είναι 8' }]);
	});

	test('reads an .ods file', async () => {
		const found = await review(file(sheetOf(HEADS, row(1)), 'ods'), { operation: 'ods' });
		expect(found.samples).toMatchObject([{ text: 'Ο βαθμός σας στο μάθημα Φυσική είναι 8' }]);
	});

	test("reads a .csv file in UTF-8, and names the found columns for a file in windows-1253, which n8n can't read", async () => {
		const text = `${HEADS.join(';')}\n6900000001;Φυσική;8\n`;
		const extract = { operation: 'csv', options: { delimiter: ';' } };
		const found = await review(Buffer.from(text).toString('base64'), extract);
		expect(found.samples).toMatchObject([{ text: 'Ο βαθμός σας στο μάθημα Φυσική είναι 8' }]);

		// In windows-1253 the codes of the Greek letters of this text are 0x2d0 lower than in Unicode.
		const old = [...text].map((letter) => letter.codePointAt(0)!).map((code) => (code < 128 ? code : code - 0x2d0));
		const unread = await review(Buffer.from(old).toString('base64'), extract);
		expect(unread).toMatchObject({ messages: 0, listFault: { reason: 'missingColumn' } });
		expect(unread.listFault!.notice).toContain('\ufffd');
	});

	test('reads a sheet with 5,000 rows', async () => {
		const rows = Array.from({ length: 5_000 }, (_, index) => row(index));
		expect(await review(file(sheetOf(HEADS, ...rows)))).toMatchObject({ messages: 5_000, people: 5_000, faulty: 0 });
	});
});

test('Compare restores the lost leading zero of an AMKA, and reads the headings that an office uses', async () => {
	const heads = ['Α.Μ.Κ.Α.', 'ΗΜ/ΝΙΑ ΓΕΝΝΗΣΗΣ', 'ΕΠΩΝΥΜΟ', 'Όνομα'];
	const rows = [
		[1_013_099_997, '1/1/1930', 'Δοκιμή', 'Α'],
		['15039904568', 36_234, 'Δοκιμαστικού', 'Β'],
		['15039904568', 'χθες', 'Δοκιμαστικού', 'Β'],
	];
	const out = await read(file(sheetOf(heads, ...rows)), 'amka', {
		...{ operation: 'compare', ssn: '', birthDate: '', surname: '', compareOutput: 'sheet' },
		compareWith: { mappingMode: 'autoMapInputData', value: null },
	});
	expect(out.map((each) => [each['Α.Μ.Κ.Α.'], each['Αποτέλεσμα']])).toEqual([
		['01013099997', expect.any(String)],
		['15039904568', expect.stringMatching(/διαφέρει|συμφωνεί|έχει ελλείψεις/)],
		['15039904568', 'δεν ελέγχθηκε'],
	]);
	expect(Object.keys(out[0]!)).toEqual([
		...heads,
		...['Αποτέλεσμα', 'Διαφέρει', 'Λείπει από το φύλλο σας', 'Λείπει από το μητρώο', 'Προσοχή'],
	]);
});

keysStaySecret(world);
