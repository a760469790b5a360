import type { INodeParameters } from 'n8n-workflow';
import { RECORD_FIELDS } from '../../nodes/Amka/registry';
import { eventually } from './browser';
import { named, useEditor } from './editor';

/** The forms ask for what the choices need, and for nothing else. */
const editor = useEditor();

const sees = async (...labels: string[]) => await eventually(async () => expect(await editor.labels()).toEqual(labels));

/** Adds every option there is, and sees each with its field. */
async function seesOptions(...options: string[]): Promise<void> {
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
	const less = ['Split by Result', 'Capitalise Surname', 'Options'];

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
		await eventually(async () => expect(await editor.choices()).toEqual(
			Object.entries(RECORD_FIELDS)
				.map(([field, meaning]) => `${meaning} (${field})`)
				.sort(),
		));
	});

	test('what every field of Validate wants, and its options', async () => {
		await open();
		await editor.seeHint('AMKA', /11 digits.*zero that a spreadsheet lost/);
		await editor.seeHint('Birth Date', /D\/M\/YYYY.*day first.*as it is written/);
		await editor.seeHint('Surname', /Greek letters/);
		await editor.seeHint('Capitalise Surname', /without tonos/);
		await seesOptions('Check Number First', 'Concurrency', 'No-Match Status Codes', 'Retries', 'Timeout');
	});

	test('Check Number asks for the number alone, and for no credential', async () => {
		await open();
		await editor.part('node-credentials-select').waitFor();
		await editor.choose('operation', 'Check Number');
		await sees('Operation', 'AMKA', 'Split by Result');
		expect(await editor.part('node-credentials-select').count()).toBe(0);
	});
});

describe('SMS Send', () => {
	const open = async (parameters: INodeParameters = {}) =>
		await editor.openRowsInto([{ mobile: '6900000001' }], named('SMS Send', editor.world.node('smsSend', parameters)));
	const message = ['Operation', 'Service ID', 'Message ID', 'Recipient', 'Specify Replacements'];

	test('Send has the report address, Send and Wait has not', async () => {
		await open();
		await sees(...message, 'Replacements', 'Delivery Report URL', 'Options');
		expect(await editor.page.getByText('The workflow pauses until the report comes').count()).toBe(0);
		await editor.choose('operation', 'Send and Wait for Delivery Report');
		await sees(...message, 'Replacements', 'Options');
		await editor.page.getByText('The workflow pauses until the report comes').waitFor();
	});

	test('replacements as fields, each with its value, or as JSON', async () => {
		await open();
		const add = editor.page.getByRole('button', { name: 'Add replacement' });
		await add.click();
		await add.click();
		await sees(...message, 'Replacements', 'Value', 'Value', 'Delivery Report URL', 'Options');
		await editor.choose('specifyReplacements', 'Using JSON');
		await sees(...message, 'Replacements (JSON)', 'Delivery Report URL', 'Options');
	});

	const both = ['Dry Run', 'Duplicate Key', 'Message Text', 'Normalise Recipient', 'Reference', 'Retries', 'Skip Duplicates', 'SMS Forward ID', 'Timeout'];
	const sorted = (...options: string[]) =>
		options.sort((one, other) => one.localeCompare(other, 'en', { sensitivity: 'base' }));

	test('what every field of Send wants, and its options', async () => {
		await open();
		await editor.seeHint('Service ID', /operator/);
		await editor.seeHint('Message ID', /predefined message/);
		await editor.seeHint('Recipient', /\+30/);
		await editor.seeHint('Replacements', /position 1/);
		await editor.seeHint('Delivery Report URL', /SMS Trigger/);
		await seesOptions(...sorted(...both, 'Concurrency', 'Messages per Second'));
	});

	test('the options of Send and Wait', async () => {
		await open({ operation: 'sendAndWait' });
		await seesOptions(...sorted(...both, 'Max Wait (Minutes)'));
	});
});

describe('SMS Trigger', () => {
	const open = async (parameters: INodeParameters = {}) => {
		await editor.open({ name: 'trigger', nodes: [named('SMS Trigger', editor.world.node('smsTrigger', parameters))], connections: {}, settings: {} });
		await editor.openNode('SMS Trigger');
	};
	const [forward, report] = [/ends in \/forward to the operator/, /ends in \/dlr into the Delivery Report URL/];

	test('both events: all fields, both addresses and where they go', async () => {
		await open();
		await sees('Start On', 'Keywords', 'Respond', 'Accept Unsigned Reports', 'Options');
		await editor.page.getByText(forward).waitFor();
		await editor.page.getByText(report).waitFor();
	});

	test('without reports: nothing about them', async () => {
		await open();
		await editor.choose('events', 'Delivery Report');
		await sees('Start On', 'Keywords', 'Output for Each Keyword', 'Respond', 'Options');
		expect(await editor.page.getByText(report).count()).toBe(0);
	});

	test('without messages: nothing about them', async () => {
		await open();
		await editor.choose('events', 'Message');
		await sees('Start On', 'Accept Unsigned Reports', 'Options');
		expect(await editor.page.getByText(forward).count()).toBe(0);
	});

	test('what every field wants, and the options', async () => {
		await open();
		await editor.seeHint('Start On', /first output.*second/);
		await editor.seeHint('Keywords', /commas.*look-alike/);
		await editor.seeHint('Respond', /answer/);
		await editor.seeHint('Accept Unsigned Reports', /no signature/);
		await seesOptions('HTTP Method', 'Ignore Duplicates', 'IP Allowlist');
	});
});
