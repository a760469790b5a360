import { selfSignedCertificate } from '../../sandbox/certificate';
import { withRows } from '../e2e/workflows';
import { named, useEditor } from './editor';

/** Both credentials filled in by hand, and what stands there after the test that n8n makes when they are saved. */
const editor = useEditor();
// Each test ends with the form open, which would stay open over the next workflow.
afterEach(async () => {
	await editor.page.keyboard.press('Escape');
	await editor.part('credential-edit-dialog').waitFor({ state: 'hidden' });
});

describe.each([
	['amkaApi', 'amka', 'apiKey'],
	['smsPlatformApi', 'smsSend', 'preSharedKey'],
] as const)('%s', (type, node, key) => {
	/** Opens a node that has no credential, and begins a new one there. */
	async function begin(): Promise<void> {
		const { credentials: _, ...without } = named('Node', editor.world.node(node, {}));
		await editor.open(withRows([{}], { ...without, position: [250, 0] }));
		await editor.openNode('Node');
		await editor.part('node-credentials-select').click();
		await editor.part('node-credentials-select-item-new').click();
		await editor.part('credential-edit-dialog').waitFor();
	}

	/** Types what differs from the right values and saves, which tests it too. Messages are left out where a test brings none. */
	async function fillIn(changes: Record<string, string | boolean>): Promise<void> {
		const { messages: _, ...needed } = editor.world[type]();
		for (const [name, value] of Object.entries({ ...needed, ...changes })) {
			// The node behind the form has a field for its own report address too.
			if (typeof value === 'string') await editor.type(name, value, editor.part('credential-edit-dialog'));
			else if (value) await editor.input(name).locator('.el-switch').click();
		}
		await editor.settle();
		await editor.page.getByRole('button', { name: 'Save' }).click();
	}

	/** A credential that works is taken at once, and its form says so when it is opened again. */
	async function works(): Promise<void> {
		await editor.part('credential-edit-dialog').waitFor({ state: 'hidden' });
		await editor.part('credential-edit-button').click();
		await editor.page.getByText('Connection tested successfully').filter({ visible: true }).waitFor();
	}

	/** n8n has one sentence for every failure; what this package says stands behind More details. */
	async function failsWith(...texts: RegExp[]): Promise<void> {
		await editor.page.getByText('Couldn’t connect with these settings').waitFor();
		// Once opened they stay so.
		const more = editor.page.getByText('More details');
		if (await more.isVisible()) await more.click();
		for (const text of texts) await editor.page.getByText(text).waitFor();
	}

	test('works, and the form explains before that what its test can show', async () => {
		await begin();
		await editor.page.getByText(/^The connection test/).waitFor();
		await fillIn({});
		await works();

		expect(editor.world.sandbox.messages).toEqual([]);
	});

	test('fails with a wrong key', async () => {
		await begin();
		await fillIn({ [key]: 'wrong' });
		await failsWith(/rejected the (key|institution or its pre-shared key)/, /Check (the key|both) in the credential/);
	});

	test('rejects an untrusted certificate, and accepts it if the user allows that', async () => {
		const { url: baseUrl } = await editor.world.anotherSandbox(selfSignedCertificate());
		await begin();
		await fillIn({ baseUrl });
		await failsWith(/certificate is not trusted/, /switch on "Ignore SSL Issues \(Insecure\)"/);
		await editor.window.picture(`credential ${type} certificate`);
		await fillIn({ baseUrl, allowUnauthorizedCerts: true });
		await works();
	});

	// What is agreed with the operator stands in the platform's credential alone. Only its key signs addresses that outlive it.
	if (type === 'amkaApi') return;

	test('asks for the day of the change if a previous key is filled in', async () => {
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
