import { withRows } from '../e2e/workflows';
import { useEditor } from './editor';

/** A first workflow from nothing but the mouse and the keyboard. */
const editor = useEditor();

/** The middle of what is found there. */
async function middle(part: ReturnType<typeof editor.part>): Promise<[number, number]> {
	const { x, y, width, height } = (await part.boundingBox())!;
	return [x + width / 2, y + height / 2];
}

/** Presses on one place, moves as a hand does, and lets go on another. */
async function drag(from: [number, number], to: [number, number]): Promise<void> {
	const { mouse } = editor.page;
	await mouse.move(...from);
	await mouse.down();
	await mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 5 });
	await mouse.move(...to, { steps: 5 });
	await mouse.up();
}

test('AMKA is dragged in, connected, filled in and run; SMS Send follows it and reaches the phone', async () => {
	await editor.open(withRows([{ αμκα: '15039904568', κινητό: '690 000 0001' }]));

	await editor.openNodePanel();
	await editor.search('αμκα');
	await editor.found('AMKA').click();
	await editor.window.picture('by hand actions');
	const [x, y] = await middle(editor.part('canvas-trigger-node'));
	await drag(await middle(editor.action('Validate a person against the registry')), [x + 260, y]);
	await editor.part('ndv').waitFor();
	await editor.type('ssn', '15039904568');
	await editor.type('birthDate', '15/3/1999');
	await editor.type('surname', 'Δοκιμαστικού');
	await editor.closeNode();

	await drag(
		await middle(editor.part('canvas-node-output-handle', editor.node('Start'))),
		await middle(editor.part('canvas-node-input-handle', editor.node('AMKA'))),
	);
	await editor.openNode('AMKA');
	await editor.output.getByText('No output data').waitFor();
	await editor.execute();
	await editor.output.getByText('matched').first().waitFor();
	await editor.output.getByText('ΔΟΚΙΜΑΣΤΙΚΟΥ').first().waitFor();
	await editor.window.picture('by hand AMKA ran');
	await editor.closeNode();

	// The plus at the end of a node adds the next one, connected.
	await editor.part('canvas-handle-plus', editor.node('AMKA')).click();
	await editor.search('μήνυμα');
	await editor.found('SMS Send').click();
	await editor.action('Send a message to each row').click();
	await editor.part('ndv').waitFor();
	await editor.type('serviceId', '101');
	await editor.type('messageId', '1');
	await editor.type('recipient', '+30 690 000 0001');
	for (const value of ['Φυσική', '8']) {
		await editor.page.getByRole('button', { name: 'Add replacement' }).click();
		await editor.input('value').last().locator('input').fill(value);
	}
	await editor.closeNode();
	await editor.part('execute-workflow-button').click();
	await editor.part('canvas-node-status-success', editor.node('SMS Send')).waitFor();

	expect(editor.world.sandbox.messages).toMatchObject([
		{ recipient: '6900000001', text: 'Ο βαθμός σας στο μάθημα Φυσική είναι 8' },
	]);
});
