import { sheetOf } from '../e2e/desk';
import { withRows } from '../e2e/workflows';
import { eventually } from './browser';
import { middle, useEditor } from './editor';

/** Builds workflows in the editor with only the mouse and the keyboard. The titles count actions as `Editor.actions` does. */
const editor = useEditor();
beforeEach(() => {
	editor.actions = [];
});

test('a user builds a workflow from an empty canvas that sends the grades of an uploaded sheet, in nine actions, without typing a placeholder or an ID', async () => {
	const sheet = sheetOf(
		'grades',
		{ Κινητό: '690 000 0001', Μάθημα: 'Φυσική', Βαθμός: 8 },
		{ Κινητό: '6900000002', Μάθημα: 'Χημεία', Βαθμός: 9 },
	);
	const file = { name: sheet.name, mimeType: sheet.type, buffer: Buffer.from(await sheet.arrayBuffer()) };
	await editor.openNew();

	await editor.add('form', 'n8n Form', 'On new n8n Form event');
	await editor.type('formTitle', 'Βαθμοί');
	await editor.addFormElement();
	await editor.type('fieldLabel', 'data');
	await editor.choose('fieldType', 'File');
	await editor.closeNode();
	await editor.add('extract', 'Extract from File', 'Extract From XLSX', 'On form submission');
	await editor.closeNode();
	await editor.add('μήνυμα', 'SMS Send', 'Send message', 'Extract from File');
	await editor.chooseFound('messageId', 'Ο βαθμός σας στο μάθημα');
	await editor.page.getByText('Placeholders are filled from the columns with these names: Μάθημα, Βαθμός.').waitFor();
	await editor.window.picture('by hand message of all services');
	const opened = editor.window.context.waitForEvent('page');
	await editor.execute();
	expect(editor.actions).toHaveLength(9);
	expect(editor.ownActions).toHaveLength(3);

	const form = await opened;
	await form.locator('input[type=file]').setInputFiles(file);
	await form.locator('#submit-btn').click();
	await editor.output.getByText('2 accepted').waitFor();
	await editor.window.picture('by hand grades form');
	await form.close();
	await editor.closeNode();
	await editor.fit();
	expect(editor.world.sandbox.messages).toMatchObject([
		{ recipient: '6900000001', text: 'Ο βαθμός σας στο μάθημα Φυσική είναι 8' },
		{ recipient: '6900000002', text: 'Ο βαθμός σας στο μάθημα Χημεία είναι 9' },
	]);
});

test('a user builds a workflow from an empty canvas that answers two keywords with different texts, in eight actions on nodes of this package, plus Publish', async () => {
	await editor.openNew();

	await editor.add('λέξη-κλειδί', 'SMS Trigger');
	await editor.page.getByText('To get an output for each keyword').waitFor();
	await editor.choose('events', 'Delivery Report');
	await editor.page.keyboard.press('Escape');
	await editor.type('keywords', 'ΒΑ, ΒΟΗΘΕΙΑ');
	await editor.flip('keywordOutputs');
	await editor.openAddresses();
	await editor.page.getByText('Production URL', { exact: true }).click();
	const address = await editor.page
		.getByText(/^http.*\/forward$/)
		.filter({ visible: true })
		.innerText();
	await editor.closeNode();

	await editor.add('απάντηση', 'SMS Send', 'Reply to message', 'SMS Trigger', 1);
	await editor.chooseFound('messageId', 'Για τους βαθμούς σας');
	await editor.window.picture('by hand reply form');
	await editor.closeNode();
	await editor.add('απάντηση', 'SMS Send', 'Reply to message', 'SMS Trigger', 0);
	await editor.chooseFound('messageId', 'Δεν βρέθηκε');
	await editor.closeNode();
	await editor.publish();

	expect(editor.actions).toHaveLength(9);
	expect(editor.ownActions).toHaveLength(8);
	// The operator of the platform would register this URL.
	editor.world.sandbox.settings.forwardUrl = address.trim();
	// n8n opens the URL a moment after it has reported that the workflow is published.
	await eventually(async () =>
		expect(await editor.world.sandbox.forward('6900000004', 'βοηθεια')).toMatchObject({
			status: 200,
			answer: { result: '0' },
		}),
	);
	await eventually(async () =>
		expect(editor.world.sandbox.messages).toMatchObject([
			{ recipient: '6900000004', text: 'Για τους βαθμούς σας στείλτε ΒΑ.' },
		]),
	);
	expect(await editor.world.sandbox.forward('6900000005', 'ΒΑ Φυσική')).toMatchObject({
		status: 200,
		answer: { result: '0' },
	});
	await eventually(async () => expect(editor.world.sandbox.messages).toHaveLength(2));
	expect(editor.world.sandbox.messages[1]).toMatchObject({
		recipient: '6900000005',
		text: expect.stringContaining('Δεν βρέθηκε') as unknown,
	});
	await editor.closeMessages();
});

test('a user builds a workflow from an empty canvas that checks a person in the registry, sends a code and verifies it, in seven actions on nodes of this package', async () => {
	await editor.openNew();

	await editor.add('form', 'n8n Form', 'On new n8n Form event');
	await editor.type('formTitle', 'Εγγραφή');
	for (const label of ['ΑΜΚΑ', 'Ημερομηνία γέννησης', 'Επώνυμο', 'Κινητό']) await editor.addFormField(label);
	await editor.closeNode();
	await editor.add('αμκα', 'AMKA', 'Validate person', 'On form submission');
	await editor.ensureCredential('AMKA (sandbox)');
	await editor.window.picture('by hand enrolment AMKA');
	await editor.closeNode();
	await editor.add('κωδικός', 'SMS Code', 'Send code', 'AMKA');
	await editor.chooseFound('messageId', 'Ο κωδικός επαλήθευσης');
	await editor.window.picture('by hand enrolment code');
	await editor.closeNode();
	await editor.add('form', 'n8n Form', 'Next Form Page', 'SMS Code');
	await editor.addFormField('code');
	await editor.closeNode();
	await editor.fit();
	await editor.add('κωδικός', 'SMS Code', 'Check code', 'Form');
	// While these fields are empty, they show both expressions as examples.
	await editor.paste('code', '{{ $json.code }}');
	await editor.paste('verificationId', "{{ $('SMS Code').item.json.verificationId }}");
	const opened = editor.window.context.waitForEvent('page');
	await editor.execute();
	expect(editor.ownActions).toHaveLength(7);

	const form = await opened;
	const answers = ['15039904568', '15/3/1999', 'Δοκιμαστικού', '690 000 0001'];
	for (const [index, answer] of answers.entries()) await form.locator('input[type=text]').nth(index).fill(answer);
	await form.locator('#submit-btn').click();
	await eventually(async () => expect(editor.world.sandbox.messages).toHaveLength(1));
	const { recipient, text } = editor.world.sandbox.messages[0]!;
	expect(recipient).toBe('6900000001');
	await form.getByText('code', { exact: true }).waitFor();
	await form.locator('input[type=text]').fill(/\d{6}/.exec(text)![0]);
	await form.locator('#submit-btn').click();
	await editor.output.getByText('verified').first().waitFor();
	await editor.window.picture('by hand enrolment verified');
	await form.close();
	await editor.closeNode();
	await editor.fit();
}, 180_000);

test('a user adds AMKA by dragging, connects it, fills it in and runs it, and the SMS Send node after it sends a message', async () => {
	await editor.open(withRows([{ αμκα: '15039904568', κινητό: '690 000 0001' }]));

	await editor.openNodePanel();
	await editor.search('αμκα');
	await editor.found('AMKA').click();
	await editor.window.picture('by hand actions');
	const [x, y] = await middle(editor.part('canvas-trigger-node'));
	await editor.drag(await middle(editor.action('Validate person')), [x + 260, y]);
	await editor.part('ndv').waitFor();
	await editor.type('ssn', '15039904568');
	await editor.type('birthDate', '15/3/1999');
	await editor.type('surname', 'Δοκιμαστικού');
	await editor.closeNode();

	await editor.drag(
		await middle(editor.part('canvas-node-output-handle', editor.node('Start'))),
		await middle(editor.part('canvas-node-input-handle', editor.node('AMKA'))),
	);
	await editor.openNode('AMKA');
	await editor.output.getByText('No output data').waitFor();
	await editor.execute();
	await editor.output.getByText('matched').first().waitFor();
	await editor.window.picture('by hand AMKA ran');
	await editor.closeNode();

	await editor.add('μήνυμα', 'SMS Send', 'Send message', 'AMKA');
	await editor.chooseFound('serviceId', '101');
	await editor.chooseFound('messageId', 'Ο βαθμός σας στο μάθημα');
	await editor.chooseMapping('Map Each Column Manually');
	await editor.type('Μάθημα', 'Φυσική');
	await editor.type('Βαθμός', '8');
	// This field is filled in last, because a tip covers the fields below the field in which a user types.
	await editor.type('recipient', '+30 690 000 0001');
	await editor.closeNode();
	await editor.part('execute-workflow-button').click();
	await editor.part('canvas-node-status-success', editor.node('SMS Send')).waitFor();

	expect(editor.world.sandbox.messages).toMatchObject([
		{ recipient: '6900000001', text: 'Ο βαθμός σας στο μάθημα Φυσική είναι 8' },
	]);
});
