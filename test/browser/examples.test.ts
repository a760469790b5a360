import { globSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { eventually } from './browser';
import { readExample } from '../e2e/examples';
import { useEditor } from './editor';

/**
 * Opens the examples in the editor. Only the first example is imported with the menu, because an import takes a full load of
 * the editor.
 */
const editor = useEditor();
const files = globSync('**/*.json', { cwd: 'examples' }).sort();

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}
const boxes = async (parts: Locator): Promise<Box[]> =>
	await Promise.all((await parts.all()).map(async (part) => (await part.boundingBox())!));
const overlap = (one: Box, other: Box): boolean =>
	one.x < other.x + other.width &&
	other.x < one.x + one.width &&
	one.y < other.y + other.height &&
	other.y < one.y + one.height;

describe.each(files)('the example %s', (file) => {
	test('is shown completely, its note is readable, and no node covers the note or another node', async () => {
		const example = readExample(file);
		const { nodes } = example;
		await (file === files[0] ? editor.importExample(file) : editor.open(example));
		await editor.closeMessages();
		await editor.fit();

		const note = editor.part('sticky');
		await note.waitFor();
		await eventually(async () => expect(await editor.part('canvas-node').count()).toBe(nodes.length - 1));
		expect(await note.innerText()).toMatch(/[a-z]{5}[^]*[α-ω]{5}/);
		const [paper] = await boxes(note);
		const [end] = await boxes(note.locator('p, li').last());
		expect(end!.y + end!.height).toBeLessThanOrEqual(paper!.y + paper!.height);

		const cards = await boxes(
			editor.page.locator('[data-test-id="canvas-default-node"], [data-test-id="canvas-trigger-node"]'),
		);
		expect(cards).toHaveLength(nodes.length - 1);
		const all = [paper!, ...cards];
		expect(all.filter((one, index) => all.slice(index + 1).some((other) => overlap(one, other)))).toEqual([]);
	});

	/** Returns `test` for this example, and for the other examples a function that declares no test. */
	const testOf = (one: string) => (file === one ? test : () => undefined);

	testOf('keyword-auto-reply.json')('shows its note, its nodes and a form in the dark theme', async () => {
		await editor.page.emulateMedia({ colorScheme: 'dark' });
		try {
			await editor.fit();
			await editor.part('sticky').waitFor();
			await editor.window.picture('dark canvas');
			await editor.openNode('Reply with grade');
			await editor.part('node-parameters').getByText('Service', { exact: true }).waitFor();
		} finally {
			await editor.window.picture('dark form');
			await editor.page.emulateMedia({ colorScheme: 'light' });
		}
	});

	testOf('more/send-and-wait.json')('has a form that can be filled in at a narrow width', async () => {
		await editor.page.setViewportSize({ width: 800, height: 700 });
		try {
			await editor.fit();
			await editor.openNode('SMS Send');
			await editor.chooseFound('serviceId', '103');
			await editor.chooseFound('messageId', 'Ο κωδικός επαλήθευσης');
			expect(await editor.window.overflow()).toBe(0);
			await editor.window.picture('narrow form');
			await editor.closeNode();
			await editor.node('SMS Send').getByText('send and wait: Ο κωδικός επαλήθευσης').waitFor();
		} finally {
			await editor.page.setViewportSize({ width: 1400, height: 900 });
		}
	});
});
