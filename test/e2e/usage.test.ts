import { rowsOf } from './desk';
import { FormPage, importExample, readExample, rowsOfTable, save, secretary, type Imported } from './examples';
import { until } from './n8n';
import { keysStaySecret, useWorld } from './world';

/**
 * Checks `examples/desk/usage.json`: it counts lists every night, keeps the counts after the messages are deleted, and shows
 * them on a page.
 */
const world = useWorld();
jest.setTimeout(120_000);

let example: Imported;
let table: string;
beforeAll(async () => {
	example = await importExample(world, 'desk/usage.json');
	example.workflow.settings = { executionOrder: 'v1', saveDataSuccessExecution: 'none' };
	await save(world.n8n, example);
	await world.n8n.publish(example.id);
});

/** Runs the nightly count. */
async function count(): Promise<void> {
	const { n8n } = world;
	const executionId = await n8n.begin(example.id, 'Every night');
	await until('the lists are counted', async () => {
		const [run] = await n8n.query<{ status: string }>('SELECT status FROM execution_entity WHERE id = ?', executionId);
		if (run?.status === 'error') throw new Error('The workflow failed.');
		return run?.status === 'success';
	});
}

/** Returns the table of counts: a row for each list, month and service. */
async function counted(): Promise<unknown[][]> {
	const rows = await rowsOfTable(world.n8n, example.table('amka-sms-usage'));
	const columns = ['list', 'month', 'serviceId', 'messages', 'segments', 'delivered', 'open'];
	return rows
		.map((row) => columns.map((column) => row[column]))
		.sort((one, other) => (String(one) < String(other) ? -1 : 1));
}

/** Opens the page with the counts, or the page that reports that nothing was counted. */
const page = async (): Promise<FormPage> => await (await FormPage.open(example.url('Usage'), secretary)).submit();

let messages = 0;
/** Returns the rows that the desk stores for the messages in a list and their delivery reports. */
function rowsOfList(
	list: string,
	sentAt: string,
	number: number,
	{ segments = 1, delivered = 0, serviceId = '105' } = {},
) {
	return Array.from({ length: number }, (_, index) => {
		const reference = `amka-usage-${++messages}`;
		const recipient = `6900${String(messages).padStart(6, '0')}`;
		const message = { list, reference, recipient, serviceId, messageId: '1', text: 'Ο βαθμός σας είναι 8', segments };
		const report = { reference, recipient, serviceId, status: 'DELIVERED', reportedAt: sentAt };
		return [
			{ ...message, state: 'onItsWay', sentAt, attempts: 1 },
			...(index < delivered ? [{ ...report, state: 'delivered', delivered: true, final: true }] : []),
		];
	}).flat();
}

const rows = async (method: string, path: string, body?: object) =>
	await world.n8n.rest(method, `${table}${path}`, body);
const keep = async (...all: object[][]) => await rows('POST', '/insert', { data: all.flat() });
const deleteRows = async (columnName: string, value: string) => {
	const filter = JSON.stringify({ type: 'and', filters: [{ columnName, condition: 'like', value }] });
	await rows('DELETE', `/rows?filter=${encodeURIComponent(filter)}`);
};

test('the page of the usage asks for a login', async () => {
	expect((await fetch(example.url('Usage'))).status).toBe(401);
});

test('the page states when lists are counted, if there is no count and no table of messages', async () => {
	await count();
	const empty = await page();

	expect(empty.title).toBe('Δεν υπάρχουν ακόμη στοιχεία χρήσης');
	expect(empty.text).toMatch(/Τα μηνύματα των λιστών μετριούνται κάθε νύχτα/);
	expect(empty.links).toEqual([expect.stringMatching(/form\/who-got-it/)]);
});

test('the count of three months has a row for each list, month and service, and no phone number or text', async () => {
	const { parameters } = readExample('desk/who-got-it.json').nodes.find(({ name }) => name === 'Table')!;
	const { column } = parameters.columns as unknown as { column: object[] };
	const { id: project } = await world.n8n.rest<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${project}/data-tables`;
	const name = example.table('amka-sms-messages');
	const { id } = await world.n8n.rest<{ id: string }>('POST', tables, { name, columns: column });
	table = `${tables}/${id}`;
	await count();
	expect(await counted()).toEqual([]);

	await keep(
		rowsOfList('Βαθμοί, 10/09/2026', '2026-09-10T09:00:00.000Z', 30, { segments: 2, delivered: 20 }),
		rowsOfList('Πρόγραμμα', '2026-10-05T09:00:00.000Z', 5, { serviceId: '106', delivered: 5 }),
		rowsOfList('Βαθμοί, 30/10/2026', '2026-10-30T09:00:00.000Z', 10),
		// In the time zone of Greece this is in November.
		rowsOfList('Βαθμοί, 30/10/2026', '2026-10-31T22:30:00.000Z', 3),
		[{ list: 'Βαθμοί, 30/10/2026', recipient: '210…000', state: 'notSent', notice: 'Σταθερό τηλέφωνο.' }],
		[{ list: 'Μόνο λάθη', recipient: '210…000', state: 'notSent', notice: 'Σταθερό τηλέφωνο.' }],
	);
	await count();

	expect(await counted()).toEqual([
		['Βαθμοί, 10/09/2026', '2026-09', '105', 30, 60, 20, 10],
		['Βαθμοί, 30/10/2026', '2026-10', '105', 10, 10, 0, 10],
		['Βαθμοί, 30/10/2026', '2026-11', '105', 3, 3, 0, 3],
		['Πρόγραμμα', '2026-10', '106', 5, 5, 5, 0],
	]);
	const columns = Object.keys((await rowsOfTable(world.n8n, example.table('amka-sms-usage')))[0]!);
	expect(columns).not.toEqual(expect.arrayContaining([expect.stringMatching(/recipient|text$|mobile|reference/)]));
});

test('the page shows the counts by month and service, also as a sheet and after a restart', async () => {
	await world.n8n.restart();
	const shown = await page();

	expect(shown.text).toMatch(/09\/2026 105 30 60 20 10\/2026 105 10 10 0 10\/2026 106 5 5 5 11\/2026 105 3 3 0/);
	expect(shown.text).toMatch(/Σύνολο 48 78 25/);
	expect(shown.text).toMatch(/Δεν μετριούνται οι ερωτήσεις, οι απαντήσεις που στέλνετε με SMS, τα νέα και οι κωδικοί/);
	const last = await shown.submit();
	const [file] = last.downloads;
	expect(file!.fileName).toBe('Χρήση SMS.xlsx');
	expect(rowsOf(file!.content)[0]).toEqual({
		Μήνας: '2026-09',
		Υπηρεσία: '105',
		Μηνύματα: 30,
		SMS: 60,
		'Χωρίς γνωστό κείμενο': 0,
		Παραδόθηκαν: 20,
		'Παραδόθηκαν εν μέρει': 0,
		'Δεν παραδόθηκαν': 0,
		'Άγνωστο αν στάλθηκαν': 0,
		'Χωρίς τελική αναφορά': 10,
	});
	expect(rowsOf(file!.content)).toHaveLength(4);
	expect(last.links).toEqual([example.url('Usage')]);
	await until('no execution of the page is kept', async () => {
		const kept = await world.n8n.query(
			'SELECT id FROM execution_entity WHERE "workflowId" = ? AND mode = ? AND "deletedAt" IS NULL',
			...[example.id, 'webhook'],
		);
		return kept.length === 0;
	});
});

test('a later count replaces the count of a list as long as its rows exist, and the count is kept after the rows are deleted', async () => {
	await count();
	const before = await counted();
	expect(before).toHaveLength(4);

	// The list has another message on another day.
	const [later] = rowsOfList('Πρόγραμμα', '2026-10-20T09:00:00.000Z', 1, { serviceId: '106' });
	await keep([later!]);
	await count();
	const after = before.with(3, ['Πρόγραμμα', '2026-10', '106', 6, 6, 5, 1]);
	expect(await counted()).toEqual(after);

	// A part of this list is deleted, and another list completely.
	await deleteRows('sentAt', '2026-10-05%');
	await deleteRows('list', 'Βαθμοί, 10/09/2026');
	await count();
	expect(await counted()).toEqual(after);

	await deleteRows('serviceId', '%');
	await deleteRows('list', '%');
	await count();
	expect(await counted()).toEqual(after);
	expect((await page()).text).toMatch(/Σύνολο 49 79 25/);
});

keysStaySecret(world);
