import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { FormPage, importExample, pathOfTable, rowsOfTable, save, secretary, type Imported } from './examples';
import { until } from './n8n';
import type { World } from './world';

// n8n uses this library to read and write spreadsheets.
const { CFB, read, utils, write } = createRequire(join(process.cwd(), 'host/package.json'))('@e965/xlsx') as {
	read(content: Buffer): { SheetNames: string[]; Sheets: Record<string, object> };
	write(book: object, options: object): Buffer;
	CFB: {
		write(file: object, options: object): Buffer;
		utils: { cfb_new(): object; cfb_add(file: object, name: string, content: Buffer): void };
	};
	utils: {
		sheet_to_json(sheet: object, options?: object): Array<Record<string, unknown>>;
		json_to_sheet(rows: object[]): object;
	};
};

/**
 * Returns the rows of the first sheet of a file.
 * @param options of the library: `defval` is the value of empty cells, which are omitted by default
 */
export const rowsOf = (content: Buffer, options: { defval?: string } = {}): Array<Record<string, unknown>> => {
	const { SheetNames, Sheets } = read(content);
	return utils.sheet_to_json(Sheets[SheetNames[0]!]!, options);
};

/** Returns a file with one sheet. @param name the file name without its extension */
export const sheetIn = (bookType: 'xlsx' | 'xls' | 'ods', name: string, ...rows: object[]): File => {
	const book = { SheetNames: ['1'], Sheets: { '1': utils.json_to_sheet(rows) } };
	return new File([new Uint8Array(write(book, { bookType, type: 'buffer' }))], `${name}.${bookType}`);
};
export const sheetOf = (name: string, ...rows: object[]): File => sheetIn('xlsx', name, ...rows);

/** A file that the library recognises as a sheet with a password. */
export const withPassword = (() => {
	const file = CFB.utils.cfb_new();
	CFB.utils.cfb_add(file, '/EncryptionInfo', Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]));
	CFB.utils.cfb_add(file, '/EncryptedPackage', Buffer.alloc(16));
	return new Uint8Array(CFB.write(file, { type: 'buffer' }));
})();

/** The sheet of the example: three valid rows, one row without a grade, and one row with a landline. */
export const shipped = new File([readFileSync('examples/grades.xlsx')], 'grades.xlsx');

/** Returns `count` valid rows, each with a different mobile number. */
export const grades = (course: string, count: number) =>
	Array.from({ length: count }, (_, index) => ({
		Κινητό: `69001${String(index).padStart(5, '0')}`,
		Μάθημα: course,
		Βαθμός: 5,
	}));

/** Choices on the page with the review. */
export const answers = {
	send: 'Αποστολή τώρα',
	tomorrow: 'Αποστολή αύριο στις 9:00',
	chosen: 'Αποστολή την ημέρα και την ώρα που επιλέγω παρακάτω',
};

/** Returns a suffix for the names of a new copy. */
const newCopy = (): string => `-${randomUUID().slice(0, 8)}`;

/** The five examples of `examples/desk` for sending a list. An office uses them with four forms. */
export class Desk {
	private subscriptions?: Promise<Imported>;

	private constructor(
		private readonly world: World,
		/** The suffix of the names of its data tables. */
		private tables: string,
		/** The workflow that reviews and sends, and the four workflows with a form. */
		readonly sender: Imported,
		readonly lists: Imported,
		readonly results: Imported,
		readonly resending: Imported,
		readonly cancelling: Imported,
	) {}

	/** Imports the examples and sets them up as their notes tell an admin. */
	static async open(world: World): Promise<Desk> {
		const copy = newCopy();
		const desk = await Desk.import(world, copy, copy);
		await world.changeSmsPlatform({ dlrUrl: desk.results.url('Reports', '/dlr') });
		await desk.publish();
		return desk;
	}

	/**
	 * Imports the examples for a second department.
	 * @param folder the absolute path of its files, in which the forms and the tables have other names
	 * @param word the suffix of these names
	 * @param change does what docs/admin.md says, before the workflows are published
	 */
	static async secondDepartment(
		world: World,
		folder: string,
		word: string,
		change: (department: Desk) => void,
	): Promise<Desk> {
		const department = await Desk.import(world, '', '', folder);
		department.tables = word;
		change(department);
		await department.publish();
		return department;
	}

	/** Copies two workflows for a second message, which `change` chooses, as docs/admin.md says. */
	async secondText(change: (sender: Imported) => void): Promise<Desk> {
		const { world, results, resending, cancelling, tables } = this;
		const [sender, lists] = await Desk.importLists(world, newCopy(), tables, 'desk');
		change(sender);
		const copy = new Desk(world, tables, sender, lists, results, resending, cancelling);
		await copy.publish();
		return copy;
	}

	private static async importLists(world: World, copy: string, tables: string, folder: string) {
		const sender = await importExample(world, `${folder}/check-and-send.json`, copy, undefined, tables);
		return [sender, await importExample(world, `${folder}/send-a-list.json`, copy, sender, tables)] as const;
	}

	private static async import(world: World, copy: string, tables: string, folder = 'desk'): Promise<Desk> {
		const [sender, lists] = await Desk.importLists(world, copy, tables, folder);
		const results = await importExample(world, `${folder}/who-got-it.json`, copy, undefined, tables);
		const resending = await importExample(world, `${folder}/send-again.json`, copy, undefined, tables);
		const cancelling = await importExample(world, `${folder}/cancel-a-list.json`, copy, undefined, tables);
		return new Desk(world, tables, sender, lists, results, resending, cancelling);
	}

	private async publish(): Promise<void> {
		for (const imported of this.workflows) {
			await save(this.world.n8n, imported);
			await this.world.n8n.publish(imported.id);
		}
	}

	/** The five workflows. */
	get workflows(): Imported[] {
		return [this.sender, this.lists, this.results, this.resending, this.cancelling];
	}

	/** Uploads a sheet. @returns the page with the review, or the last page if nothing would be sent */
	async review(sheet: File, list = ''): Promise<FormPage> {
		return await (await FormPage.open(this.lists.url('Upload'), secretary)).submit(sheet, list);
	}

	/** Opens the form Who Got It. @returns the page with the counts, or the last page if there is no list */
	async whoGotIt(): Promise<FormPage> {
		return await (await FormPage.open(this.results.url('Who got it'), secretary)).submit();
	}

	/** Opens the form that sends a list again. @returns the page that asks for the list */
	async whoGotNothing(): Promise<FormPage> {
		return await (await FormPage.open(this.resending.url('Send again to whom?'), secretary)).submit();
	}

	/** Sends a list again to the people who did not get it. @param list by default the newest list @returns the last page */
	async sendAgain(list?: string): Promise<FormPage> {
		return await choose(await this.whoGotNothing(), list);
	}

	/** Opens the form that cancels a list. @returns its second page, or its last page if no list is open */
	async openLists(): Promise<FormPage> {
		return await (await FormPage.open(this.cancelling.url('Cancel a list'), secretary)).submit();
	}

	/** Cancels an open list. @param name the beginning of its name @returns the last page */
	async cancel(name: string): Promise<FormPage> {
		const page = await this.openLists();
		const [option] = new RegExp(`${name}, [^<>"]*, αρ\\. \\d+`).exec(page.html)!;
		return await page.submit([option]);
	}

	/** Returns the rows of the table of lists whose name begins with `name`, the oldest first. */
	async listsNamed(name: string): Promise<Array<Record<string, unknown>>> {
		const rows = await rowsOfTable(this.world.n8n, `amka-sms-lists${this.tables}`);
		return rows.filter(({ list }) => String(list).startsWith(name));
	}

	/** Sends ΣΤΟΠ from a phone to the example of subscriptions, waits for its reply, and removes the reply. */
	async leave(mobile: string): Promise<void> {
		const { sandbox, n8n } = this.world;
		this.subscriptions ??= importExample(this.world, 'desk/subscriptions.json', this.tables);
		const subscriptions = await this.subscriptions;
		await n8n.publish(subscriptions.id);
		sandbox.settings.forwardUrl = subscriptions.url('SMS Trigger', '/forward');
		const before = sandbox.messages.length;
		await sandbox.forward(mobile, 'ΣΤΟΠ');
		await until('the SMS has a reply', () => sandbox.messages.length > before);
		sandbox.messages.splice(before);
	}

	/** Adds a row by hand to the table of people who want no messages, as docs/build-a-list.md says. */
	async exclude(mobile: string): Promise<void> {
		const path = await pathOfTable(this.world.n8n, `amka-sms-subscribers${this.tables}`);
		const row = { mobile, leftAt: new Date().toISOString() };
		await this.world.n8n.rest('POST', `${path}/insert`, { data: [row] });
	}

	/** Changes the sending times of the messages of a list in their table, as if they had been sent `hours` hours ago. */
	async age(name: string, hours: number): Promise<void> {
		const path = await pathOfTable(this.world.n8n, `amka-sms-messages${this.tables}`);
		const sentAt = new Date(Date.now() - hours * 3_600_000).toISOString();
		await this.world.n8n.rest('PATCH', `${path}/rows`, {
			filter: { type: 'and', filters: [{ columnName: 'list', condition: 'like', value: `${name}, %` }] },
			data: { sentAt },
		});
	}

	/** Returns the rows of the table for a list. @param name the file name without its extension */
	async table(name: string): Promise<Array<Record<string, unknown>>> {
		const rows = await rowsOfTable(this.world.n8n, `amka-sms-messages${this.tables}`);
		return rows.filter(({ list }) => String(list).startsWith(`${name}, `));
	}
}

/** Returns the day and the hour that the page with the review offers by default. */
const untouched = (page: FormPage): string[] =>
	[...page.html.matchAll(/<select[^]*?<\/select>/g)].map(([select]) =>
		/<option[^>]*selected[^>]*>([^<]*)</.exec(select)![1]!.trim(),
	);

/** Submits the page with the review. @returns the last page */
export const send = async (page: FormPage, when = answers.send): Promise<FormPage> =>
	await page.submit(undefined, [when], ...untouched(page));

/** Returns the counts of a list by their labels. @param list the beginning of its name; by default the newest list */
export const counts = (page: FormPage, list = ''): Record<string, number> => {
	const [, table = ''] = new RegExp(`<h3>${list}[^<]*</h3><table>([^]*?)</table>`).exec(page.html) ?? [];
	return Object.fromEntries(
		[...table.matchAll(/<td>([^<]*)(?:<br \/>[^<]*)?<\/td><td><b>(\d+)/g)].map(([, word, count]) => [
			word,
			Number(count),
		]),
	);
};

/** Returns the name of the newest list on the page with the counts. */
export const newest = (page: FormPage): string => /<h3>([^<]*)<\/h3>/.exec(page.html)![1]!;

/** Chooses a list on the page with the counts. @param list by default the newest list @returns the last page */
export const choose = async (page: FormPage, list = newest(page), ...before: undefined[]): Promise<FormPage> => {
	// If there are many lists, the field for the list comes before the counts.
	const isFirst = page.html.indexOf('<select') < page.html.indexOf('<table');
	return await page.submit(...before, ...(isFirst ? [list, undefined] : [undefined, list]));
};

/** Requests the sheet of a list on the page *Ποιος το έλαβε;* (Who Got It). @returns the page that downloads it */
export const sheetPage = async (page: FormPage, list?: string): Promise<FormPage> =>
	await choose(page, list, undefined);

/** Returns the mobile number and the state of each row of the downloaded sheet. */
export const outcome = (page: FormPage): unknown[][] =>
	rowsOf(page.downloads[0]!.content).map((row) => [row['Κινητό'], row['Κατάσταση']]);
