import type { INode, INodeParameters } from 'n8n-workflow';
import { builtIn, withRows } from '../e2e/workflows';
import { named, useEditor } from './editor';

/** Runs nodes in the editor, and reads the texts that it shows after a success and after a failure. */
const editor = useEditor();
const person = { ssn: '15039904568', birthDate: '15/3/1999', surname: 'Δοκιμαστικού' };
const text = {
	serviceId: '101',
	messageId: '1',
	recipient: '={{ $json.mobile }}',
	options: { replacements: '["Φυσική", "8"]' },
};

const amka = (parameters: INodeParameters = person) => named('AMKA', editor.world.node('amka', parameters));
const send = (parameters: INodeParameters = {}) =>
	named('SMS Send', editor.world.node('smsSend', { ...text, ...parameters }));

/** Runs a node with these rows. */
async function run(node: INode, ...rows: Array<Record<string, string>>): Promise<void> {
	await editor.openRowsInto(rows, node);
	await editor.execute();
}

/** Expects that the output of the open node shows each text. */
async function reads(...texts: Array<string | RegExp>): Promise<void> {
	for (const part of texts) await editor.output.getByText(part).first().waitFor();
}

describe('the editor shows', () => {
	test('the result of AMKA, and no data of the record', async () => {
		await run(amka(), {});
		await reads('matched', 'true');
		expect(await editor.output.innerText()).not.toContain('ΔΟΚΙΜΑΣΤΙΚΟΥ');
	});

	test('that SMS Send did not send the messages in a list again, and why', async () => {
		const rows = [{ mobile: '6900000001' }, { mobile: '690 000 0001' }, { mobile: '6900000002' }];
		await run(send(), ...rows);
		await reads(
			'2 accepted, 0 rejected, 0 unknown, 1 skipped',
			/1 row was not sent, because the same message went out before/,
		);
		await editor.execute();
		await reads(
			'0 accepted, 0 rejected, 0 unknown, 3 skipped',
			/3 rows were not sent.*set Repeat Key to \{\{ \$today\.toISODate\(\) \}\}/,
		);

		expect(editor.world.sandbox.messages).toHaveLength(2);
	});

	test('that Send and Wait waits, and its result after the report has arrived', async () => {
		Object.assign(editor.world.sandbox.trouble, { reportDelayMs: 3000 });
		await editor.open(
			withRows([{ mobile: '6900000001' }], { ...send({ operation: 'sendAndWait' }), position: [250, 0] }),
		);
		await editor.part('execute-workflow-button').click();
		await editor.node('SMS Send').locator('[class*="_waiting_"]').first().waitFor();
		await editor.window.picture('waiting');
		await editor.part('canvas-node-status-success', editor.node('SMS Send')).waitFor();
		await editor.openNode('SMS Send');
		await reads('delivered', 'true', 'DELIVRD');
	});
});

describe('the editor shows what failed and what to do', () => {
	test('after AMKA got an ambiguous date', async () => {
		await run(amka({ ...person, birthDate: '3/15/99' }), {});
		await reads(/"3\/15\/99" is not a clear date/, /Write the date as text, as in 31\/12\/1999/);
	});

	test('after the platform rejected a message of SMS Send', async () => {
		await run(send({ serviceId: '999' }), { mobile: '6900000001' });
		await reads(
			/The SMS platform refused the message \(E-002: Unknown Service\)/,
			/The message was not accepted, so the item can be sent again/,
		);
	});

	test('after SMS Send got many faulty rows, which are grouped by reason', async () => {
		const rows = ['6900000001', '6.9E9', '', '6.9E9', '2100000000'].map((mobile) => ({ mobile }));
		await run(send(), ...rows);
		await reads(
			/Nothing was sent: 4 of 5 rows contain errors/,
			/rounded the number: 2 items \(item 2, item 4\)/,
			/Correct these rows, or set On Error .* to Continue \(using error output\) to send the others/,
		);

		expect(editor.world.sandbox.messages).toEqual([]);
	});
});

test('a faulty row leaves through the error output, and the next node gets the error and the outcome', async () => {
	const sending: INode = { ...send(), position: [250, 0], onError: 'continueErrorOutput' };
	const workflow = withRows([{ mobile: '6900000001' }, { mobile: '6.9E9' }], sending);
	const [good, bad] = [
		builtIn('n8n-nodes-base.noOp', 'Sent', 1, {}),
		builtIn('n8n-nodes-base.noOp', 'Not sent', 1, {}),
	];
	workflow.nodes.push({ ...good, position: [550, -120] }, { ...bad, position: [550, 120] });
	workflow.connections['SMS Send'] = {
		main: ['Sent', 'Not sent'].map((node) => [{ node, type: 'main', index: 0 }]),
	};
	await editor.open(workflow);
	await editor.part('execute-workflow-button').click();
	await editor.part('canvas-node-status-success', editor.node('Not sent')).waitFor();
	await editor.window.picture('error output');
	await editor.openNode('Not sent');

	await reads('error', 'message', /"6\.9E9" has lost digits, because Excel rounded the number/, 'rejected');
});
