import { withRows } from '../e2e/workflows';
import { useEditor, type NodeName } from './editor';

/** Tests that the editor's panel finds each node by a few words. browser/findWords tests more words. */
const editor = useEditor();

const list = (...lines: string[]) => lines.join(', ').split(', ');
const words: Record<NodeName, string[]> = {
	AMKA: list('ΑΜΚΑ, μητρώο, ελεγχος'),
	'SMS Send': list('ΜΉΝΥΜΑ, bulk sms, υπενθυμιση'),
	'SMS Results': list('ποιος το πήρε, DLR, delivery report'),
	'SMS Code': list('ΚΩΔΙΚΟΣ, επιβεβαίωση κινητού, OTP'),
	'SMS Trigger': list('sms, λέξη-κλειδί, delivery report'),
};

/** Types words into the open panel, one after the other. @returns the words that did not find the node */
async function inVain(node: NodeName, typed = words[node]): Promise<string[]> {
	const missing: string[] = [];
	for (const word of typed) {
		// The results of the previous word must disappear first.
		await editor.search('ωψωψ');
		await editor.found(node).waitFor({ state: 'hidden' });
		await editor.search(word);
		const found = editor.found(node).waitFor({ timeout: 3000 });
		await found.catch(() => missing.push(word));
	}
	return missing;
}

describe('the search for the next node of a workflow', () => {
	beforeAll(async () => {
		await editor.open(withRows([{}]));
		await editor.openNodePanel();
	}, 30_000);

	test.each(['AMKA', 'SMS Send', 'SMS Results', 'SMS Code', 'SMS Trigger'] as const)(
		'finds %s',
		async (node) => {
			expect(await inVain(node)).toEqual([]);
		},
		180_000,
	);
});

describe('the search for the first node on an empty canvas', () => {
	beforeAll(async () => {
		await editor.openNew();
		await editor.openNodePanel();
	}, 30_000);

	test('finds SMS Trigger', async () => {
		expect(await inVain('SMS Trigger', ['SMS', 'μηνυμα'])).toEqual([]);
	}, 180_000);

	test('lists SMS Trigger under this name, and after a click on it, Add to workflow adds it to the canvas', async () => {
		await editor.search('λέξη-κλειδί');
		expect(await editor.found('SMS Trigger').innerText()).toMatch(/^SMS Trigger/);
		await editor.window.picture('find SMS Trigger');
		await editor.found('SMS Trigger').click();
		await editor.page.getByRole('button', { name: 'Add to workflow' }).click();
		await editor.part('ndv').waitFor();
		await editor.closeNode();

		expect(await editor.node('SMS Trigger').count()).toBe(1);
	});
});

test('the panel lists Reply among the operations of SMS Send', async () => {
	await editor.open(withRows([{}]));
	await editor.openNodePanel();
	await editor.search('απάντηση');
	await editor.found('SMS Send').click();
	await editor.action('Send message').waitFor();
	await editor.action('Reply to message').waitFor();
	await editor.action('Send message and wait for report').waitFor();
});
