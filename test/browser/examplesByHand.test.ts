import { counts, send, shipped } from '../e2e/desk';
import { FormPage, secretary } from '../e2e/examples';
import { until } from '../e2e/n8n';
import { useEditor } from './editor';

/**
 * An admin sets up three examples of the desk by hand: credential, service and message. The test uses a separate n8n, because
 * in a shared n8n the editor would choose a login that another test has created.
 */
const editor = useEditor({});

/** Returns the Production URL that the panel of the open trigger shows. */
async function productionUrl(ending: RegExp): Promise<string> {
	const panel = editor.part('node-parameters');
	await editor.part('radio-button-production', panel).click();
	return (await panel.getByText(ending).first().innerText()).replace(/\s/g, '');
}

test('a user sets up three examples of examples/desk in eighteen clicks or entries, and can use them (n8n has two SMS Platform credentials, and no login yet)', async () => {
	const { n8n } = editor.world;
	const own = 'Γραμματεία Φυσικής';
	await n8n.addCredential('smsPlatformApi', editor.world.smsPlatformApi(), own);

	await editor.importExample('desk/check-and-send.json');
	await editor.closeMessages();
	await editor.fit();
	await editor.openNode('Review');
	await editor.chooseCredential(own);
	await editor.chooseFound('serviceId', '101');
	await editor.chooseFound('messageId', 'Ο βαθμός σας στο μάθημα');
	await editor.closeNode();
	for (const node of ['Checked rows', 'Send']) {
		await editor.openNode(node);
		await editor.chooseCredential(own);
		await editor.closeNode();
	}
	await editor.publish();
	await editor.closeMessages();

	await editor.importExample('desk/send-a-list.json');
	await editor.closeMessages();
	await editor.fit();
	await editor.openNode('Check');
	await editor.chooseFound('workflowId', 'Έλεγχος και αποστολή λίστας');
	await editor.closeNode();
	await editor.openNode('Upload');
	const login = await editor.beginCredential();
	await editor.type('user', secretary.user, login);
	await editor.type('password', secretary.password, login);
	await editor.saveCredential();
	const upload = await productionUrl(/\/form\//);
	await editor.closeNode();
	await editor.publish();
	await editor.closeMessages();

	await editor.importExample('desk/who-got-it.json');
	await editor.closeMessages();
	await editor.fit();
	// n8n chooses the only login automatically.
	await editor.openNode('Who got it');
	const whoGotIt = await productionUrl(/\/form\//);
	await editor.closeNode();
	await editor.openNode('Reports');
	await editor.chooseCredential(own);
	await editor.openAddresses();
	const reports = await productionUrl(/\/dlr$/);
	await editor.part('credential-edit-button').click();
	await editor.type('dlrUrl', reports, editor.part('credential-edit-dialog'));
	await editor.saveCredential();
	await editor.closeNode();
	await editor.publish();
	expect(editor.actions).toHaveLength(18);

	await send(await (await FormPage.open(upload, secretary)).submit(shipped, ''));
	expect(editor.world.sandbox.messages).toHaveLength(3);
	await editor.world.sandbox.settled();
	await until('the delivery reports are stored', async () => {
		const page = await (await FormPage.open(whoGotIt, secretary)).submit();
		return counts(page)['Παραδόθηκαν'] === 3;
	});
}, 180_000);
