import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { builtIn, chain } from '../e2e/workflows';
import { named, useEditor } from './editor';

/*
 * Follows the advice for an admin in the editor by hand, and tests that it works. The tests take pictures of results at two
 * widths, for a visual review.
 */
const editor = useEditor();
beforeEach(() => void (editor.world.sandbox.messages.length = 0));

const grade = 'Ο βαθμός σας στο μάθημα';
const send = (parameters: INodeParameters = {}, changes: Partial<INode> = {}): INode =>
	named('SMS Send', {
		...editor.world.node('smsSend', {
			serviceId: '101',
			messageId: '1',
			recipient: '',
			placeholders: { mappingMode: 'autoMapInputData', value: null },
			...parameters,
		}),
		...changes,
	});
const student = (index: number, changes: IDataObject = {}): IDataObject => ({
	Κινητό: String(6_900_000_000 + index),
	Μάθημα: 'Φυσική',
	Βαθμός: 8,
	...changes,
});
const students = (count: number): IDataObject[] => Array.from({ length: count }, (_, index) => student(index + 1));

/** Runs the open node, and expects these texts about its run. */
async function executeAndRead(...texts: Array<string | RegExp>): Promise<void> {
	await editor.execute();
	for (const text of texts) await editor.output.getByText(text).first().waitFor();
}

/** Takes pictures of the result at the widths of a desktop and a phone. */
async function look(name: string): Promise<void> {
	await editor.window.picture(`advice ${name} 1400`);
	await editor.page.setViewportSize({ width: 390, height: 844 });
	await editor.window.picture(`advice ${name} 390`);
	await editor.page.setViewportSize({ width: 1400, height: 900 });
}

const phones = (): string[] => editor.world.sandbox.messages.map(({ recipient }) => recipient);

test('a landline among sixty rows stops the run before a message is sent; with On Error set to Continue, as the error advises, the other rows are sent', async () => {
	const rows = students(60);
	rows[4] = student(5, { Κινητό: '2100000000' });
	await editor.openRowsInto(rows, send());
	await executeAndRead(/Nothing was sent: 1 of 60 rows contains an error/, /item 5 .*set On Error .* to Continue/);
	await look('landline stop');
	expect(phones()).toEqual([]);

	await editor.setOnError('Continue (using error output)');
	await executeAndRead('59 accepted, 1 rejected, 0 unknown, 0 skipped');
	await look('landline continue');
	expect(phones()).toHaveLength(59);
});

test('a message is not sent again after Remember For is changed to a longer time', async () => {
	await editor.openRowsInto(students(10), send());
	await executeAndRead('10 accepted, 0 rejected, 0 unknown, 0 skipped');
	await editor.choose('rememberFor', 'A Week');
	await executeAndRead('0 accepted, 0 rejected, 0 unknown, 10 skipped');
	await look('remember for');
	expect(phones()).toHaveLength(10);
});

test('with the date as Repeat Key, as the hint advises, a list is sent again, but not twice on the same day', async () => {
	await editor.openRowsInto(students(3), send());
	await executeAndRead('3 accepted, 0 rejected, 0 unknown, 0 skipped');
	await executeAndRead(/3 rows were not sent.*set Repeat Key to \{\{ \$today\.toISODate\(\) \}\}/);
	await look('again skipped');
	await editor.addOption('Repeat Key');
	await editor.paste('repeatKey', '{{ $today.toISODate() }}');
	await executeAndRead('3 accepted, 0 rejected, 0 unknown, 0 skipped');
	await look('again sent');
	await executeAndRead('0 accepted, 0 rejected, 0 unknown, 3 skipped');
	expect(phones()).toHaveLength(6);
});

test('the form and the canvas show that If Already Sent is set to Send Again', async () => {
	await editor.openRowsInto(students(1), send());
	await editor.choose('ifAlreadySent', 'Send Again');
	await editor.page.getByText(/Nothing protects against duplicates/).waitFor();
	await look('send again');
	await editor.closeNode();
	await editor.node('SMS Send').getByText('send again').waitFor();
	await look('send again canvas');
});

test('an expression in a field that is set to Fixed is an error, and works after the switch to Expression, as the error advises', async () => {
	const value = { Μάθημα: '{{ $json.Μάθημα }}', Βαθμός: '8' };
	await editor.openRowsInto(students(1), send({ placeholders: { mappingMode: 'defineBelow', value } }));
	await executeAndRead(/has program code in place of a value/, /If the field is set to Fixed, switch it to Expression/);
	await look('fixed');
	expect(phones()).toEqual([]);
	await editor.switchToExpression('Μάθημα');
	await executeAndRead(`${grade} Φυσική είναι 8`);
	await look('expression');
	expect(editor.world.sandbox.messages).toMatchObject([{ text: `${grade} Φυσική είναι 8` }]);
});

test('an expression with a missing column is an error, and works with a column that the error names', async () => {
	await editor.openRowsInto(students(2), send({ recipient: '={{ $json.Mobile }}' }));
	await executeAndRead(/expression in Recipient returned no value/, /Κινητό, Μάθημα, Βαθμός/);
	await look('no column');
	expect(phones()).toEqual([]);
	await editor.paste('recipient', '{{ $json.Κινητό }}');
	await executeAndRead('2 accepted, 0 rejected, 0 unknown, 0 skipped');
	await look('column');
	expect(phones()).toHaveLength(2);
});

test('the output of SMS Send shows the same text as the phone, also if the form does not show the text', async () => {
	await editor.openRowsInto(students(1), send());
	await executeAndRead(`${grade} Φυσική είναι 8`);
	await look('text');
	expect(await editor.labels()).not.toContain('Message Text');
	expect(editor.world.sandbox.messages).toMatchObject([{ text: `${grade} Φυσική είναι 8` }]);
});

test('a removed placeholder field can be added again with the button that the error names, and then the message is sent', async () => {
	await editor.openRowsInto(students(1), send());
	await editor.chooseMapping('Map Each Column Manually');
	await editor.type('Μάθημα', 'Φυσική');
	await editor.page.locator('[data-test-id="remove-field-button-Βαθμός"]').click();
	await executeAndRead(
		/"Βαθμός" has no value/,
		/Placeholders has no field for this value: press "Add placeholder to send"/,
	);
	await look('removed field');
	expect(phones()).toEqual([]);
	await editor.page.getByRole('button', { name: 'Add placeholder to send' }).click();
	await editor.type('Βαθμός', '8');
	await executeAndRead(`${grade} Φυσική είναι 8`);
	expect(phones()).toHaveLength(1);
});

test("the first result of the search for SMS tools of an AI agent shows a warning that this node can't collect approvals, and a further result is SMS Send Tool", async () => {
	const chat = builtIn('@n8n/n8n-nodes-langchain.chatTrigger', 'Chat', 1.4, {});
	const agent = builtIn('@n8n/n8n-nodes-langchain.agent', 'Agent', 3, {});
	const openTools = async () => {
		await editor.open(chain('agent', chat, { ...agent, position: [300, 0] }));
		await editor.part('canvas-handle-plus', editor.node('Agent')).last().click();
		await editor.search('SMS');
		// The panel shows recommended nodes until the search has found something.
		await editor.page.getByText('AI Agent Tool', { exact: true }).waitFor({ state: 'hidden' });
	};
	await openTools();
	await look('tools');
	await editor.part('item-iterator-item').first().click();
	await editor.page.getByText(/this node can't collect approvals/).waitFor();
	await look('approval');

	await openTools();
	await editor.part('item-iterator-item').filter({ hasText: 'SMS Send Tool' }).first().click();
	await editor.input('messageId').waitFor();
	await look('tool');
});
