import type { INodeParameters } from 'n8n-workflow';
import { COMPARED } from '../../nodes/Amka/compareFields';
import { RECORD_FIELDS } from '../../nodes/Amka/registry';
import { eventually } from './browser';
import { named, useEditor } from './editor';

/** The forms ask for what the choices need, and for nothing else. */
const editor = useEditor();

const sees = async (...labels: string[]) => await eventually(async () => expect(await editor.labels()).toEqual(labels));

/** Adds every option there is, and sees each with its field. @param lines of labels with commas between them */
async function seesOptions(...lines: string[]): Promise<void> {
	const options = lines.join(', ').split(', ');
	await editor.openOptions();
	expect(await editor.choices()).toEqual(options);
	await editor.page.keyboard.press('Escape');
	for (const option of options) await editor.addOption(option);
	await eventually(async () => expect((await editor.labels()).slice(-options.length)).toEqual(options));
}

describe('AMKA', () => {
	const open = async (parameters: INodeParameters = {}) =>
		await editor.openRowsInto([{ ssn: '15039904568' }], named('AMKA', editor.world.node('amka', parameters)));
	const person = ['Operation', 'AMKA', 'Birth Date', 'Surname', 'Output'];
	const less = ['Split by Result', 'Options'];

	test('Validate, with each output', async () => {
		await open();
		await sees(...person, ...less);
		for (const output of ['Full Record', 'Simplified', 'Verdict Only']) {
			await editor.choose('output', output);
			await sees(...person, ...less);
		}
		await editor.choose('output', 'Selected Fields');
		await sees(...person, 'Fields', ...less);
		await editor.input('fields').click();
		await eventually(async () =>
			expect(await editor.choices()).toEqual(
				Object.entries(RECORD_FIELDS)
					.map(([field, meaning]) => `${meaning} (${field})`)
					.sort(),
			),
		);
	});

	test('what every field of Validate wants, and its options', async () => {
		await open();
		await editor.seeHint('AMKA', /11 digits.*Left empty: the column ΑΜΚΑ/);
		await editor.seeHint('Birth Date', /Day first.*Left empty: the column Ημερομηνία γέννησης/);
		await editor.seeHint('Surname', /Greek letters.*Left empty: the column Επώνυμο/);
		await seesOptions('Accept Deceased, Concurrency, Include Input Fields, Language, Timeout');
	});

	test('Compare takes columns by their names, or the fields that are chosen of those that an institution may hold', async () => {
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
		await seesOptions('Accept Deceased, Concurrency, Include Input Fields, Language, Show Registry Values, Timeout');
	});

	test('Check Number asks for the number alone, and for no credential', async () => {
		await open();
		await editor.part('node-credentials-select').waitFor();
		await editor.choose('operation', 'Check Number');
		await sees('Operation', 'AMKA', 'Split by Result', 'Options');
		expect(await editor.part('node-credentials-select').count()).toBe(0);
		await seesOptions('Include Input Fields, Language');
	});
});

describe('SMS Send', () => {
	const open = async (parameters: INodeParameters = {}) =>
		await editor.openRowsInto([{ mobile: '6900000001' }], named('SMS Send', editor.world.node('smsSend', parameters)));
	const chosen = {
		serviceId: { __rl: true, mode: 'list', value: '101' },
		messageId: { __rl: true, mode: 'list', value: '1' },
	};
	const message = ['Operation', 'Service', 'Message', 'Recipient'];
	const rest = ['If Already Sent', 'Remember For', 'Options'];
	const found = async () => await editor.part('rlc-item').allInnerTexts();

	test('a service is known by its id and a message, a message by its text; its placeholders become fields', async () => {
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
					'newsService, e.g. Γραφτήκατε',
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

	test('a message with placeholders after one without: by its columns too', async () => {
		await open();
		await editor.input('serviceId').click();
		await editor.part('rlc-item').filter({ hasText: '101' }).first().click();
		await editor.chooseFound('messageId', 'Δεν βρέθηκε');
		await sees(...message, ...rest);
		await editor.chooseFound('messageId', 'Ο βαθμός σας στο μάθημα');
		await editor.page.getByText('Filled from the columns of these names: Μάθημα, Βαθμός.').waitFor();
		await editor.window.picture('form by columns');
	});

	test.each([
		['Reply', ['Service', 'Message', ...rest], 'The reply goes to whoever sent the incoming message'],
		['Review a List', [...message.slice(1), ...rest.slice(0, 2), 'Review Output', 'Options'], 'Nothing is sent.'],
		// Sent again each time, so there is nothing to remember.
		[
			'Send and Wait for Delivery Report',
			[...message.slice(1), 'If Already Sent', 'Options'],
			'nobody can approve anything by SMS',
		],
		['Who Got It', ['Output', 'List', 'Options'], 'It sends nothing.'],
	])('%s asks for what it needs, and its notice says what it is for', async (operation, labels, notice) => {
		await open();
		await editor.choose('operation', operation);
		await sees('Operation', ...labels);
		await editor.page.getByText(notice).waitFor();
	});

	const sorted = (...lines: string[]) =>
		lines
			.join(', ')
			.split(', ')
			.sort((one, other) => one.localeCompare(other, 'en', { sensitivity: 'base', ignorePunctuation: true }));
	const all = 'Allow Empty Values, Duplicate Key, Reference, Replacements, Timeout';
	const rows = 'Concurrency, Delivery Report URL, Include Input Fields, Messages per Second, No Delivery Report';

	test('what every field of Send wants, and its options', async () => {
		await open(chosen);
		await editor.seeHint('Service', /Messages in the credential/);
		await editor.seeHint('Message', /predefined message/);
		await editor.seeHint('Recipient', /Left empty: the column Κινητό/);
		await editor.seeHint('If Already Sent', /sent the same message to the same person lately/);
		await editor.seeHint('Remember For', /sends nothing again.*lowering it forgets/);
		await editor.seeHint('Options', /whole run/);
		await seesOptions(...sorted(all, rows, 'Do Not Send To', 'Language'));
	});

	test.each([
		['reply', [all, rows]],
		['review', [all, 'Concurrency, Do Not Send To, Include Input Fields, Language']],
		['sendAndWait', [all, 'Language', 'Max Wait (Minutes)']],
		['followUp', ['Answers, Answer Within (Days), Include Unknown, Language, Late After (Hours)', 'Only Unanswered']],
	])('the options of %s', async (operation, options) => {
		await open({ operation });
		await seesOptions(...sorted(...options));
	});

	test('a number stands there as it was typed, with its fraction', async () => {
		await open();
		await editor.addOption('Messages per Second');
		const field = editor.input('messagesPerSecond').locator('input');
		expect(await field.inputValue()).toBe('0');
		// Not key by key: in a field for numbers the key End means the greatest.
		await field.fill('0.5');
		await field.press('Tab');
		await editor.settle();
		expect(await field.inputValue()).toBe('0.5');
	});
});

describe('SMS Code', () => {
	const open = async () =>
		await editor.openRowsInto([{ mobile: '6900000001' }], named('SMS Code', editor.world.node('smsCode', {})));
	const code = ['Operation', 'Service', 'Message', 'Recipient'];

	test('Send Code fills in the code by itself, and has fields for the other placeholders', async () => {
		await open();
		await sees(...code, 'Options');
		await editor.chooseFound('serviceId', 'otp');
		await editor.chooseFound('messageId', 'Ο κωδικός σας είναι');
		// The message takes the code alone, so nothing else is asked for.
		await sees(...code, 'Options');
		expect(await editor.page.getByText('is not known').count()).toBe(0);
		await editor.window.picture('form code');
		await editor.chooseFound('serviceId', '101');
		await editor.chooseFound('messageId', 'Ο βαθμός σας στο μάθημα');
		await sees(...code, 'Mapping Column Mode', 'Options');
		await editor.chooseMapping('Map Each Column Manually');
		await sees(...code, 'Mapping Column Mode', 'Values to Send', 'Βαθμός', 'Options');
		await seesOptions(
			'Code Length, Code Position, Concurrency, Delivery Report URL, Language, Max Attempts, Max Codes per Hour',
			'No Delivery Report, Purpose, Replacements, Timeout, Valid (Minutes)',
		);
	});

	test('Check Code asks for the id and the code, and has two outputs', async () => {
		await open();
		await editor.choose('operation', 'Check Code');
		await sees('Operation', 'Verification ID', 'Code', 'Options');
		await editor.seeHint('Code', /as it was typed in/);
		await editor.window.picture('form check code');
		await editor.closeNode();
		for (const output of ['Verified', 'Not Verified'])
			await editor.node('SMS Code').getByText(output, { exact: true }).waitFor();
	});
});

describe('SMS Trigger', () => {
	const open = async (parameters: INodeParameters = {}) => {
		await editor.open({
			name: 'trigger',
			nodes: [named('SMS Trigger', editor.world.node('smsTrigger', parameters))],
			connections: {},
			settings: {},
		});
		await editor.openNode('SMS Trigger');
	};
	const [forward, report] = [/ends in \/forward to the operator/, /ends in \/dlr into the Delivery Report URL/];
	const outputs = async (...labels: string[]) => {
		for (const label of labels) await editor.node('SMS Trigger').getByText(label, { exact: true }).waitFor();
		expect(await editor.part('canvas-node-output-handle', editor.node('SMS Trigger')).count()).toBe(labels.length);
	};

	test('both events: all fields, both addresses and where they go, two outputs', async () => {
		await open();
		await sees('Start On', 'Keywords', 'Respond', 'Accept Unsigned Reports', 'Options');
		await editor.page.getByText(forward).waitFor();
		await editor.page.getByText(report).waitFor();
		await editor.closeNode();
		await outputs('Message', 'Report');
	});

	test('messages alone: nothing about reports; the same two outputs, or one for each keyword', async () => {
		await open();
		await editor.choose('events', 'Delivery Report');
		await sees('Start On', 'Keywords', 'Output for Each Keyword', 'Respond', 'Options');
		expect(await editor.page.getByText(report).count()).toBe(0);
		await editor.page.keyboard.press('Escape');
		await editor.closeNode();
		await outputs('Message', 'Report');
		await editor.openNode('SMS Trigger');
		await editor.type('keywords', 'ΒΑ, ΣΙΤΙΣΗ, ΒΟΗΘΕΙΑ');
		await editor.flip('keywordOutputs');
		await editor.closeNode();
		await outputs('ΒΑ', 'ΣΙΤΙΣΗ', 'ΒΟΗΘΕΙΑ');
		await editor.window.picture('keyword outputs');
	});

	test('reports alone: nothing about messages', async () => {
		await open();
		await editor.choose('events', 'Message');
		await sees('Start On', 'Accept Unsigned Reports', 'Options');
		expect(await editor.page.getByText(forward).count()).toBe(0);
		await editor.page.getByText('Reports come out of the second output').waitFor();
	});

	test('what every field wants, and the options', async () => {
		await open();
		await editor.seeHint('Start On', /first output.*second/);
		await editor.seeHint('Keywords', /commas.*look-alike/);
		await editor.seeHint('Respond', /answer/);
		await editor.seeHint('Accept Unsigned Reports', /no signature/);
		await seesOptions('HTTP Method, IP Allowlist, Refuse with Status 200');
	});
});
