import type { INodeParameters } from 'n8n-workflow';
import { COMPARED } from '../../nodes/Amka/comparedFields';
import { eventually } from './browser';
import { named, useEditor } from './editor';

/**
 * Tests the nodes' forms in the editor: fields appear and disappear with the choices, lists and placeholders are loaded, hints and
 * options appear. unit/formFields tests which fields belong to which choices.
 */
const editor = useEditor();

const sees = async (...labels: string[]) => await eventually(async () => expect(await editor.labels()).toEqual(labels));

/** Expects that exactly these options are offered, and adds each one with its field. @param lines labels, separated by commas */
async function seesOptions(...lines: string[]): Promise<void> {
	const options = lines.join(', ').split(', ');
	await editor.openOptions();
	expect(await editor.choices()).toEqual(options);
	await editor.page.keyboard.press('Escape');
	for (const option of options) await editor.addOption(option);
	await eventually(async () => expect((await editor.labels()).slice(-options.length)).toEqual(options));
}

describe('the form of AMKA in the editor', () => {
	const open = async (parameters: INodeParameters = {}) =>
		await editor.openRowsInto([{ ssn: '15039904568' }], named('AMKA', editor.world.node('amka', parameters)));
	const person = ['Operation', 'AMKA', 'Birth Date', 'Surname', 'Output'];
	const less = ['Split by Result', 'Options'];

	test('shows Fields in Validate only with the output that needs it, and lists the fields of a record', async () => {
		await open();
		await sees(...person, ...less);
		await editor.seeHint('AMKA', /11 digits/);
		await editor.page.getByText('If empty, the node reads the column ΑΜΚΑ').waitFor();
		await editor.choose('output', 'Selected Fields');
		await sees(...person, 'Fields', ...less);
		await editor.input('fields').click();
		await eventually(async () => expect(await editor.choices()).toContain('Surname, Current, Greek (surname_cur_gr)'));
	});

	test('maps columns by name in Compare, or shows the fields that the user chooses', async () => {
		await open({ operation: 'compare' });
		await editor.part('mapping-mode-select').waitFor();
		await eventually(async () =>
			expect((await editor.labels()).slice(-less.length - 1)).toEqual(['Compare Output', ...less]),
		);
		await editor.chooseMapping('Map Each Column Manually');
		await editor.page.getByText('Add field to send').click();
		const fields = editor.page.getByRole('menuitem').filter({ hasText: '(' });
		await eventually(async () =>
			expect(await fields.allInnerTexts()).toEqual(Object.values(COMPARED).map(({ label }) => label)),
		);
		await fields.filter({ hasText: "Father's Name (Πατρώνυμο)" }).first().click();
		await editor.input('fatherName').waitFor();
		await editor.window.picture('AMKA compare by hand');
	});

	test('asks in Check Number for no data except the number, and for no credential, and offers two options', async () => {
		await open();
		await editor.part('node-credentials-select').waitFor();
		await editor.choose('operation', 'Check Number');
		await sees('Operation', 'AMKA', 'Split by Result', 'Options');
		expect(await editor.part('node-credentials-select').count()).toBe(0);
		await seesOptions('Include Input Fields, Language');
	});
});

describe('the form of SMS Send in the editor', () => {
	const open = async (parameters: INodeParameters = {}) =>
		await editor.openRowsInto([{ mobile: '6900000001' }], named('SMS Send', editor.world.node('smsSend', parameters)));
	const chosen = {
		serviceId: { __rl: true, mode: 'list', value: '101' },
		messageId: { __rl: true, mode: 'list', value: '1' },
	};
	const message = ['Operation', 'Service', 'Message', 'Recipient'];
	const rest = ['If Already Sent', 'Remember For', 'Options'];
	const found = async () => await editor.part('rlc-item').allInnerTexts();

	test('lists each service with an example message, lists messages by their text, and shows a field for each placeholder of the chosen message', async () => {
		await open();
		await sees(...message, ...rest);
		await editor.input('serviceId').click();
		await eventually(async () =>
			expect(await found()).toEqual(
				[
					'101, e.g. Ο βαθμός',
					'102, e.g. Η αίτηση',
					'103, e.g. Ο κωδικός',
					'104, e.g. Δέχεστε',
					'105, e.g. Θα έρθετε',
					'gradeService, e.g. Ο βαθμός',
					'otp, e.g. Ο κωδικός',
					'newsService, e.g. Εγγραφήκατε',
				].map((start) => expect.stringMatching(`^${start} `)),
			),
		);
		await editor.window.picture('form services');
		await editor.part('rlc-search').first().fill('ΕΓΚΡΙΘΗΚΕ');
		await eventually(async () => expect(await found()).toEqual(['102, e.g. Η αίτηση {Αριθμός,1} εγκρίθηκε.']));
		await editor.part('rlc-search').first().fill('');
		await editor.part('rlc-item').filter({ hasText: '101' }).click();
		await editor.chooseFound('messageId', 'Ο βαθμός σας στο μάθημα');
		await sees(...message, 'Mapping Column Mode', ...rest);
		await editor.chooseMapping('Map Each Column Manually');
		await sees(...message, 'Mapping Column Mode', 'Values to Send', 'Μάθημα', 'Βαθμός', ...rest);
		await editor.chooseFound('messageId', 'Δεν βρέθηκε');
		await sees(...message, ...rest);
	});

	test('shows the field Placeholders when a message with placeholders is chosen after a message without any', async () => {
		await open();
		await editor.input('serviceId').click();
		await editor.part('rlc-item').filter({ hasText: '101' }).first().click();
		await editor.chooseFound('messageId', 'Δεν βρέθηκε');
		await sees(...message, ...rest);
		await editor.chooseFound('messageId', 'Ο βαθμός σας στο μάθημα');
		await editor.page.getByText('Placeholders are filled from the columns with these names: Μάθημα, Βαθμός.').waitFor();
		await editor.window.picture('form by columns');
	});

	test('empties Message when another service is chosen, but not when the service comes from an expression', async () => {
		await open();
		await editor.chooseFound('serviceId', '101');
		await editor.chooseFound('messageId', 'Οι βαθμοί της εξεταστικής');
		await editor.chooseFound('serviceId', '102');
		const text = editor.input('messageId').locator('input').last();
		await eventually(async () => expect(await text.inputValue()).toBe(''));
		await editor.execute();
		await editor.page.getByText('Parameter "Message" is required').waitFor();
		expect(editor.world.sandbox.messages).toEqual([]);
		await editor.closeMessages();

		const expressions = { serviceId: '={{ $json.service }}', messageId: '={{ $json.message }}' };
		const send = editor.world.node('smsSend', { ...expressions, recipient: '6900000001' });
		const rows = ['101', '102'].map((service) => ({ service, message: '2' }));
		await editor.openRowsInto(rows, named('SMS Send', send));
		await editor.execute();
		await editor.output.getByText('2 accepted').waitFor();
		await editor.input('messageId').getByText('{{ $json.message }}').waitFor();
	});

	test('does not ask for a recipient in Reply, and a notice explains why', async () => {
		await open();
		await editor.choose('operation', 'Reply');
		await sees('Operation', 'Service', 'Message', ...rest);
		await editor.page.getByText('The reply goes to the person who sent the incoming message').waitFor();
	});

	test('offers twelve options, adds fields for Replacements and Messages per Second, and keeps the decimals of a number', async () => {
		await open(chosen);
		await editor.seeHint(
			'Remember For',
			/remembers that it has sent a message.*If there is no room for another message/,
		);
		await editor.openOptions();
		expect(await editor.choices()).toHaveLength(12);
		await editor.page.keyboard.press('Escape');
		for (const option of ['Replacements', 'Messages per Second']) await editor.addOption(option);
		await editor.input('replacements').waitFor();
		const field = editor.input('messagesPerSecond').locator('input');
		expect(await field.inputValue()).toBe('0');
		// `editor.type` is not used, because it presses the key End, which sets a number field to its greatest value.
		await field.fill('0.5');
		await field.press('Tab');
		await editor.settle();
		expect(await field.inputValue()).toBe('0.5');
	});
});

describe('the form of SMS Code in the editor', () => {
	const open = async () =>
		await editor.openRowsInto([{ mobile: '6900000001' }], named('SMS Code', editor.world.node('smsCode', {})));
	const code = ['Operation', 'Service', 'Message', 'Recipient'];

	test('shows in Send Code a field for each placeholder except the placeholder of the code', async () => {
		await open();
		await sees(...code, 'Options');
		await editor.chooseFound('serviceId', 'otp');
		await editor.chooseFound('messageId', 'Ο κωδικός σας είναι');
		// The message contains only the code, so no further field is shown.
		await sees(...code, 'Options');
		expect(await editor.page.getByText('is not known').count()).toBe(0);
		await editor.window.picture('form code');
		await editor.chooseFound('serviceId', '101');
		await editor.chooseFound('messageId', 'Ο βαθμός σας στο μάθημα');
		await sees(...code, 'Mapping Column Mode', 'Options');
		await editor.chooseMapping('Map Each Column Manually');
		await sees(...code, 'Mapping Column Mode', 'Values to Send', 'Βαθμός', 'Options');
	});

	test('asks in Check Code for the verification ID and the code, and the node has two outputs', async () => {
		await open();
		await editor.choose('operation', 'Check Code');
		await sees('Operation', 'Verification ID', 'Code', 'Options');
		await editor.seeHint('Code', /The code that the person typed/);
		await editor.window.picture('form check code');
		await editor.closeNode();
		for (const output of ['Verified', 'Not Verified'])
			await editor.node('SMS Code').getByText(output, { exact: true }).waitFor();
	});
});

describe('the form of SMS Trigger in the editor', () => {
	const open = async (parameters: INodeParameters = {}) => {
		await editor.open({
			name: 'trigger',
			nodes: [named('SMS Trigger', editor.world.node('smsTrigger', parameters))],
			connections: {},
			settings: {},
		});
		await editor.openNode('SMS Trigger');
	};
	const [forward, report] = [
		/Give this URL and your keywords to the operator/,
		/Delivery Report URL in the credential is empty/,
	];
	const outputs = async (...labels: string[]) => {
		for (const label of labels) await editor.node('SMS Trigger').getByText(label, { exact: true }).waitFor();
		expect(await editor.part('canvas-node-output-handle', editor.node('SMS Trigger')).count()).toBe(labels.length);
	};

	test('shows, with both events chosen, all fields and options, a notice about each URL, and two outputs', async () => {
		await open();
		await sees('Start On', 'Keywords', 'Respond', 'Accept Unsigned Reports', 'Options');
		await editor.page.getByText(forward).waitFor();
		await editor.page.getByText(report).waitFor();
		await editor.seeHint('Keywords', /commas.*look-alike/);
		await seesOptions('HTTP Method, IP Allowlist, Refuse with Status 200');
		await editor.closeNode();
		await outputs('Message', 'Report');
	});

	test('shows, with only incoming SMS chosen, nothing about reports, and one output, or an output for each keyword', async () => {
		await open();
		await editor.choose('events', 'Delivery Report');
		await sees('Start On', 'Keywords', 'Output for Each Keyword', 'Respond', 'Options');
		expect(await editor.page.getByText(report).count()).toBe(0);
		await editor.page.keyboard.press('Escape');
		await editor.closeNode();
		await outputs('Message');
		await editor.openNode('SMS Trigger');
		await editor.type('keywords', 'ΒΑ, ΣΙΤΙΣΗ, ΒΟΗΘΕΙΑ');
		await editor.flip('keywordOutputs');
		await editor.closeNode();
		await outputs('ΒΑ', 'ΣΙΤΙΣΗ', 'ΒΟΗΘΕΙΑ');
		await editor.window.picture('keyword outputs');
	});
});
