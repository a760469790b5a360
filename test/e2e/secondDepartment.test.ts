import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, choose, counts, Desk, grades, newest, send, sheetOf } from './desk';
import { until } from './n8n';
import { keysStaySecret, useWorld } from './world';

/** Follows the sections "A second department" and "A second text" of docs/admin.md. */
const world = useWorld();

const lawKey = 'key-of-the-law-department-8c51';
const folder = mkdtempSync(join(tmpdir(), 'second-department-'));
let desk: Desk;

beforeAll(async () => {
	desk = await Desk.open(world);
	const [, commands] = /### A second department[^]*?```sh\n([^]*?)```/.exec(readFileSync('docs/admin.md', 'utf8'))!;
	cpSync('examples/desk', folder, { recursive: true });
	execFileSync('sh', ['-e', '-c', commands!], { cwd: folder });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Opens the copies of the second department. @param change does step 3 of the page */
const openLaw = async (change: (department: Desk) => void): Promise<Desk> =>
	await Desk.secondDepartment(world, join(folder, 'law'), '-law', change);

/** Writes the URL for reports into the nodes that send. */
function nameReports({ sender, resending, results }: Desk): void {
	for (const { parameters } of [...sender.workflow.nodes, ...resending.workflow.nodes]) {
		if (parameters.operation === 'send')
			Object.assign(parameters.options as object, { dlrUrl: results.url('Reports', '/dlr') });
	}
}

const unpublish = async (department: Desk): Promise<void> => {
	for (const { id } of department.workflows) await world.n8n.rest('POST', `/workflows/${id}/deactivate`);
};
const delivered = async (department: Desk, list: string, count: number) =>
	await until(`${count} are delivered`, async () => counts(await department.whoGotIt(), list)['Παραδόθηκαν'] === count);
const texts = () => world.sandbox.messages.map(({ text }) => text).sort();

test('the copied files have no form and no table of the first department, except the table of people who texted ΣΤΟΠ', () => {
	for (const file of ['check-and-send', 'send-a-list', 'who-got-it', 'send-again', 'cancel-a-list', 'usage']) {
		const copy = readFileSync(join(folder, 'law', `${file}.json`), 'utf8');
		const names = [...copy.matchAll(/(?<=\.\.\/form\/|"path": ")[a-z-]+|\bamka-sms-[a-z-]+/g)].map(([name]) => name);
		expect(names.length).toBeGreaterThan(2);
		expect(new Set(names.filter((name) => !name.endsWith('-law')))).toEqual(
			new Set(file === 'check-and-send' || file === 'send-again' ? ['amka-sms-subscribers'] : []),
		);
	}
});

test('two departments with one credential see only their own lists and reports, and lists of one name do not replace each other', async () => {
	const law = await openLaw(nameReports);
	const planned = await send(await desk.review(sheetOf('Ιανουάριος', ...grades('Άλγεβρα', 2))), answers.tomorrow);
	expect(planned.title).toMatch(/^Θα σταλούν/);
	const review = await law.review(sheetOf('Ιανουάριος', ...grades('Δίκαιο', 3)));
	expect(review.text).not.toMatch(/αντικαθιστά/);
	expect((await send(review)).title).toBe('Στάλθηκαν: 3');
	await delivered(law, 'Ιανουάριος', 3);
	expect(await law.listsNamed('Ιανουάριος')).toMatchObject([{ state: 'sent', sent: 3 }]);
	expect(await desk.listsNamed('Ιανουάριος')).toMatchObject([{ state: 'scheduled' }]);
	expect((await desk.whoGotIt()).text).not.toMatch(/3 από 3/);
	expect((await law.whoGotIt()).links.every((link) => link.endsWith('-law'))).toBe(true);

	const same = sheetOf('Κοινή', ...grades('Κοινό', 2));
	await send(await desk.review(same));
	await delivered(desk, 'Κοινή', 2);
	expect((await law.whoGotIt()).text).not.toMatch(/Κοινή/);
	expect((await send(await law.review(same))).title).toBe('Στάλθηκαν: 2');
	expect(texts().filter((text) => text.includes('Κοινό'))).toHaveLength(4);
	await unpublish(law);
}, 120_000);

test('a department with its own credential sends, sends again and gets reports through its own platform', async () => {
	const platform = await world.anotherSandbox();
	Object.assign(platform.settings, { institution: 'law-university', preSharedKey: lawKey });
	const values = {
		...world.smsPlatformApi(),
		baseUrl: platform.url,
		institution: 'law-university',
		preSharedKey: lawKey,
	};
	const credential = await world.n8n.addCredential('smsPlatformApi', values, 'Law');
	const law = await openLaw(({ workflows }) => {
		for (const { credentials } of workflows.flatMap(({ workflow }) => workflow.nodes))
			if (credentials?.smsPlatformApi) credentials.smsPlatformApi = credential;
	});
	const dlrUrl = law.results.url('Reports', '/dlr');
	const update = { name: 'Law', type: 'smsPlatformApi', data: { ...values, dlrUrl } };
	await world.n8n.rest('PATCH', `/credentials/${credential.id}`, update);

	Object.assign(platform.trouble, { reportError: '27' });
	expect((await send(await law.review(sheetOf('Νομική', ...grades('Ποινικό', 2))))).title).toBe('Στάλθηκαν: 2');
	await until('both are not delivered', async () => counts(await law.whoGotIt(), 'Νομική')['Δεν παραδόθηκαν'] === 2);
	Object.assign(platform.trouble, { reportError: '' });
	expect((await law.sendAgain()).title).toBe('Στάλθηκαν ξανά: 2');
	await delivered(law, 'Νομική', 2);
	expect(platform.messages).toHaveLength(4);
	expect(world.sandbox.messages).toEqual([]);
	await unpublish(law);
}, 120_000);

test('for a second text, copies of two files are enough, and a message that was not delivered is sent again once, with the second text', async () => {
	const second = await desk.secondText(({ workflow }) => {
		const { parameters } = workflow.nodes.find(({ name }) => name === 'Review')!;
		Object.assign(parameters, {
			serviceId: { __rl: true, mode: 'id', value: '102' },
			messageId: { __rl: true, mode: 'id', value: '1' },
		});
	});
	Object.assign(world.sandbox.trouble, { reportError: '27' });
	const list = [1, 2].map((number) => ({ Κινητό: `691110000${number}`, Αριθμός: number }));
	expect((await send(await second.review(sheetOf('Σίτιση', ...list)))).title).toBe('Στάλθηκαν: 2');
	expect(texts()).toEqual(['Η αίτηση 1 εγκρίθηκε.', 'Η αίτηση 2 εγκρίθηκε.']);
	await until('both are not delivered', async () => counts(await desk.whoGotIt(), 'Σίτιση')['Δεν παραδόθηκαν'] === 2);
	Object.assign(world.sandbox.trouble, { reportError: '' });
	const [one, other] = [await desk.whoGotNothing(), await desk.whoGotNothing()];
	await Promise.all([choose(one, newest(one)), choose(other, newest(other))]);
	await delivered(desk, 'Σίτιση', 2);
	expect(texts()).toEqual([1, 1, 2, 2].map((number) => `Η αίτηση ${number} εγκρίθηκε.`));
}, 120_000);

keysStaySecret(world, lawKey);
