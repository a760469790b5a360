import type { INode, INodeParameters } from 'n8n-workflow';
import { builtIn, withRows } from '../e2e/workflows';
import { named, useEditor } from './editor';

/** Runs by hand: what a person reads in the editor when it went well, and when it did not. */
const editor = useEditor();
const person = { ssn: '15039904568', birthDate: '15/3/1999', surname: 'Δοκιμαστικού' };
const text = {
	serviceId: '101',
	messageId: '1',
	recipient: '={{ $json.mobile }}',
	replacements: { values: [{ value: 'Φυσική' }, { value: '8' }] },
};

const amka = (parameters: INodeParameters = person) => named('AMKA', editor.world.node('amka', parameters));
const send = (parameters: INodeParameters = {}) => named('SMS Send', editor.world.node('smsSend', { ...text, ...parameters }));

/** Runs one node on these rows. */
async function run(node: INode, ...rows: Array<Record<string, string>>): Promise<void> {
	await editor.openRowsInto(rows, node);
	await editor.execute();
}

/** Reads the open node's output: every text is there, and nothing of a whole number or a key. */
async function reads(...texts: Array<string | RegExp>): Promise<void> {
	for (const part of texts) await editor.output.getByText(part).first().waitFor();
}

describe('well', () => {
	test('AMKA: the verdict and the record in plain names', async () => {
		await run(amka(), {});
		await reads('matched', 'true', 'ΔΟΚΙΜΑΣΤΙΚΟΥ', '1999-03-15');
	});

	test('AMKA: no match is an answer, not an error', async () => {
		await run(amka({ ...person, surname: 'Υποθετικού' }), {});
		await reads('matched', 'false');
	});

	test('AMKA: another birth date than the number says is warned of', async () => {
		await run(amka({ ...person, birthDate: '16/3/1999' }), {});
		await reads('warning', /first six digits/);
	});

	test('SMS Send: a report that could not come from outside is warned of', async () => {
		await run(send({ dlrUrl: 'http://localhost:5678/webhook/x/dlr' }), { mobile: '6900000001' });
		await reads(/Delivery reports will not arrive.*localhost.*Set WEBHOOK_URL/, 'accepted', 'true');
	});

	test('SMS Send: of many rows stands above them how they went', async () => {
		await run(send(), { mobile: '6900000001' }, { mobile: '6900000002' });
		await reads('2 taken, 0 rejected, 0 unknown, 0 skipped as duplicates');
	});

	test('SMS Send: a dry run sends nothing and says so', async () => {
		await run(send({ options: { dryRun: true } }), { mobile: '6900000001' }, { mobile: '6900000002' });
		await reads('2 checked, nothing sent, 0 rejected, 0 unknown, 0 skipped as duplicates');

		expect(editor.world.sandbox.messages).toEqual([]);
	});

	test('SMS Send and Wait: waits, and goes on when the report has come', async () => {
		Object.assign(editor.world.sandbox.trouble, { reportDelayMs: 3000 });
		await editor.open(withRows([{ mobile: '6900000001' }], { ...send({ operation: 'sendAndWait' }), position: [250, 0] }));
		await editor.part('execute-workflow-button').click();
		await editor.node('SMS Send').locator('[class*="_waiting_"]').first().waitFor();
		await editor.window.picture('waiting');
		await editor.part('canvas-node-status-success', editor.node('SMS Send')).waitFor();
		await editor.openNode('SMS Send');
		await reads('delivered', 'true', 'DELIVRD');
	});
});

describe('not well: what failed, which value, and what to do', () => {
	test('AMKA: a mistyped number', async () => {
		await run(amka({ ...person, ssn: '15039904569' }), {});
		await reads(/AMKA is not a valid number: its check digit is wrong/, /Correct the number|Check/);
		expect(await editor.output.innerText()).not.toContain('15039904569');
	});

	test('AMKA: a date that could be two', async () => {
		await run(amka({ ...person, birthDate: '3/15/99' }), {});
		await reads(/Birth Date is not a date that can be read for certain/, /Use YYYY-MM-DD or D\/M\/YYYY/);
	});

	test('AMKA: an outage is no verdict', async () => {
		Object.assign(editor.world.sandbox.trouble, { answer: '500' });
		await run(amka(), {});
		await reads(/The AMKA service .*500/);
		expect(await editor.output.getByText('matched').count()).toBe(0);
	});

	test('AMKA: a key that was taken back', async () => {
		editor.world.sandbox.settings.apiKey = 'another';
		await run(amka(), {});
		await reads(/The AMKA service rejected the key \(HTTP 40[13]\)/, /Check the key in the credential/);
	});

	test('SMS Send: what the platform refuses', async () => {
		await run(send({ serviceId: '999' }), { mobile: '6900000001' });
		await reads(/The SMS platform refused the message \(E-002: Unknown Service\)/, /Service ID 999, Message ID 1/);
	});

	test('SMS Send: one bad row among good ones', async () => {
		await run(send(), { mobile: '6900000001' }, { mobile: '6.9E9' });
		await reads(/Recipient is a number that a spreadsheet shortened/, /Format the column as text.*It was item 1; 1 message was taken/);
	});

	test('SMS Send: an answer that was lost', async () => {
		Object.assign(editor.world.sandbox.trouble, { answer: 'cutAfter' });
		await run(send(), { mobile: '6900000001' });
		await reads(/The connection to the SMS platform broke before its answer/, /may or may not have been sent. Ask/);
	});

	test('SMS Send: replacements that do not fit', async () => {
		await run(send({ options: { messageText: 'Ο βαθμός σας είναι {Βαθμός,1}' } }), { mobile: '6900000001' });
		await reads(/Replacements do not fit the Message Text: the message text takes 1 replacement, and there are 2/, /Add or remove replacements/);
	});
});

test('a bad row leaves on the error output, and can be read behind it', async () => {
	const sending: INode = { ...send(), position: [250, 0], onError: 'continueErrorOutput' };
	const workflow = withRows([{ mobile: '6900000001' }, { mobile: '6.9E9' }], sending);
	const [good, bad] = [builtIn('n8n-nodes-base.noOp', 'Sent', 1, {}), builtIn('n8n-nodes-base.noOp', 'Not sent', 1, {})];
	workflow.nodes.push({ ...good, position: [550, -120] }, { ...bad, position: [550, 120] });
	workflow.connections['SMS Send'] = {
		main: ['Sent', 'Not sent'].map((node) => [{ node, type: 'main', index: 0 }]),
	};
	await editor.open(workflow);
	await editor.part('execute-workflow-button').click();
	await editor.part('canvas-node-status-success', editor.node('Not sent')).waitFor();
	await editor.window.picture('error output');
	await editor.openNode('Not sent');

	await reads('error', 'message', /Recipient is a number that a spreadsheet shortened/, 'rejected');
});
