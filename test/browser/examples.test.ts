import { globSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { eventually } from './browser';
import { readExample } from '../e2e/examples';
import { useEditor } from './editor';

/** The examples as they look in the editor: the first by its own import, which takes a whole load of it, the others as stored. */
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

describe.each(files)('%s', (file) => {
	test('is imported in full: its note is readable, and no node covers another', async () => {
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

	/** With what has just come in. */
	const testOf = (one: string) => (file === one ? test : () => undefined);

	testOf('keyword-auto-reply.json')('dark: the note, the nodes and their forms', async () => {
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

	testOf('more/send-and-wait.json')('a narrow window: the form can be filled in', async () => {
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
