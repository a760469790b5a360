import { selfSignedCertificate } from '../../sandbox/certificate';
import { withRows } from '../e2e/workflows';
import { named, useEditor } from './editor';

/** Fills in both credentials by hand, and reads the result of the connection test that n8n runs when they are saved. */
const editor = useEditor();
// Each test ends with an open form, which would cover the next workflow.
afterEach(async () => {
	await editor.page.keyboard.press('Escape');
	await editor.part('credential-edit-dialog').waitFor({ state: 'hidden' });
});

describe.each([
	['amkaApi', 'amka', 'apiKey'],
	['smsPlatformApi', 'smsSend', 'preSharedKey'],
] as const)('the form of the credential %s', (type, node, key) => {
	/** Opens a node that has no credential, and opens the form of a new credential there. */
	async function begin(): Promise<void> {
		const { credentials: _, ...without } = named('Node', editor.world.node(node, {}));
		await editor.open(withRows([{}], { ...without, position: [250, 0] }));
		await editor.openNode('Node');
		await editor.part('node-credentials-select').click();
		await editor.part('node-credentials-select-item-new').click();
		await editor.part('credential-edit-dialog').waitFor();
	}

	/**
	 * Fills in the right values with these changes, and saves, which also tests the credential. Messages stays empty by default.
	 */
	async function fillIn(changes: Record<string, string | boolean>): Promise<void> {
		const { messages: _, ...needed } = editor.world[type]();
		for (const [name, value] of Object.entries({ ...needed, ...changes })) {
			// The node behind the form also has a field for a Delivery Report URL, so only the form is searched for the field.
			if (typeof value === 'string') await editor.type(name, value, editor.part('credential-edit-dialog'));
			else if (value) await editor.input(name).locator('.el-switch').click();
		}
		await editor.settle();
		await editor.page.getByRole('button', { name: 'Save' }).click();
	}

	/** Expects that n8n accepts the credential, and that its form states this when it is opened again. */
	async function works(): Promise<void> {
		await editor.part('credential-edit-dialog').waitFor({ state: 'hidden' });
		await editor.part('credential-edit-button').click();
		await editor.page.getByText('Connection tested successfully').filter({ visible: true }).waitFor();
	}

	/**
	 * Expects a failed test with these texts. n8n shows one sentence for all failures, and this package's text behind More
	 * details.
	 */
	async function failsWith(...texts: RegExp[]): Promise<void> {
		await editor.page.getByText('Couldn’t connect with these settings').waitFor();
		// The details stay open after they were opened once.
		const more = editor.page.getByText('More details');
		if (await more.isVisible()) await more.click();
		for (const text of texts) await editor.page.getByText(text).waitFor();
	}

	test('explains what the connection test can prove, and then accepts right values', async () => {
		await begin();
		await editor.page.getByText(/^The connection test/).waitFor();
		await fillIn({});
		await works();

		expect(editor.world.sandbox.messages).toEqual([]);
	});

	test('shows that the connection test fails with a wrong key', async () => {
		await begin();
		await fillIn({ [key]: 'wrong' });
		await failsWith(/rejected the (key|institution or its pre-shared key)/, /Check (the key|both) in the credential/);
	});

	test('shows that an untrusted certificate is rejected, and accepted with Ignore SSL Issues', async () => {
		const { url: baseUrl } = await editor.world.anotherSandbox(selfSignedCertificate());
		await begin();
		await fillIn({ baseUrl });
		await failsWith(/certificate is not trusted/, /switch on "Ignore SSL Issues \(Insecure\)"/);
		await editor.window.picture(`credential ${type} certificate`);
		await fillIn({ baseUrl, allowUnauthorizedCerts: true });
		await works();
	});

	// Only the SMS Platform credential has a previous key, because its key signs URLs that stay valid after a change of the key.
	if (type === 'amkaApi') return;

	test('reports an error about a previous key without the day of the change, and accepts the key with that day', async () => {
		await begin();
		await editor.input('keyChangedOn').waitFor();
		await fillIn({ previousPreSharedKey: 'the-key-before' });
		await failsWith(/Key Changed On is missing/);
		await editor.window.picture(`credential ${type} key changed`);
		await fillIn({ previousPreSharedKey: 'the-key-before', keyChangedOn: '2026-01-31 00:00:00' });
		await works();

		await editor.input('previousPreSharedKey').waitFor();
		expect(await editor.input('keyChangedOn').locator('input').inputValue()).toContain('2026-01-31');
	});
});
