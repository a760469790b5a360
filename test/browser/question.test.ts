import { importExample, save, secretary } from '../e2e/examples';
import { until } from '../e2e/n8n';
import { useEditor } from './editor';

/**
 * An admin imports, sets up and uses the example of a question to a list. The second test uses the forms of three other
 * examples. Both use a separate n8n, because in a shared n8n the editor would choose a login that another test has created.
 */
const editor = useEditor({});

/** Returns the Production URL that the panel of the open trigger shows. */
async function productionUrl(ending: RegExp): Promise<string> {
	const panel = editor.part('node-parameters');
	await editor.part('radio-button-production', panel).click();
	return (await panel.getByText(ending).first().innerText()).replace(/\s/g, '');
}

/** Takes pictures of the page on a desktop and on a phone, and expects that it does not scroll sideways. */
async function look(name: string): Promise<void> {
	for (const [width, height] of [
		[1400, 900],
		[390, 844],
	] as const) {
		await editor.page.setViewportSize({ width, height });
		await editor.window.picture(`${name} ${width}`);
		expect(await editor.window.overflow()).toBe(0);
	}
	await editor.page.setViewportSize({ width: 1400, height: 900 });
}

test('a user sets up and uses the question example in at most twenty clicks or entries, sees the counts of the replies, and sends a reminder (n8n has two SMS Platform credentials, and no login yet)', async () => {
	const { n8n, sandbox } = editor.world;
	const own = 'Γραμματεία Φυσικής';
	await n8n.addCredential('smsPlatformApi', editor.world.smsPlatformApi(), own);
	const open = async (file: string) => {
		await editor.importExample(file);
		await editor.closeMessages();
		await editor.fit();
	};
	const choose = async (node: string, message = '') => {
		await editor.openNode(node);
		await editor.chooseCredential(own);
		if (message !== '') {
			await editor.chooseFound('serviceId', '105');
			await editor.chooseFound('messageId', message);
		}
		await editor.closeNode();
	};
	await open('desk/question-replies.json');
	await choose('Reply', 'Η απάντησή σας');
	await editor.openNode('SMS Trigger');
	await editor.chooseCredential(own);
	await editor.openAddresses();
	sandbox.settings.forwardUrl = await productionUrl(/\/forward$/);
	await editor.closeNode();
	await editor.publish();
	await editor.closeMessages();
	await open('desk/question.json');
	await editor.window.picture('question canvas');
	await choose('Review', 'Θα έρθετε');
	await choose('Send');
	await editor.openNode('Ask');
	const login = await editor.beginCredential();
	await editor.type('user', secretary.user, login);
	await editor.type('password', secretary.password, login);
	await editor.saveCredential();
	const ask = await productionUrl(/\/form\//);
	await editor.closeNode();
	// n8n chooses the only login automatically.
	await editor.openNode('Answers');
	const answers = await productionUrl(/\/form\//);
	await editor.closeNode();
	await editor.publish();
	const { page, window } = editor;
	const press = async (what: string) => {
		editor.actions.push(what);
		await window.submit();
	};

	await window.openForm(ask);
	await look('question upload');
	editor.actions.push('choose the sheet', 'type the name');
	await page.locator('input[type=file]').setInputFiles('examples/desk/question.xlsx');
	await page.locator('input[type=text]').fill('Ορκωμοσία Ιουλίου');
	await press('check');
	await page.getByText('Θα έρθετε στην ορκωμοσία').first().waitFor();
	await look('question review');
	expect(sandbox.messages).toEqual([]);
	const sheet = page.waitForEvent('download');
	await press('send');
	expect((await sheet).suggestedFilename()).toBe('Ορκωμοσία Ιουλίου.xlsx');
	await page.getByText('Στάλθηκαν: 5').waitFor();
	await look('question sent');
	for (const [phone, text] of [
		['6900000001', 'ΟΡΚ ΝΑΙ'],
		['6900000002', 'ορκ όχι'],
		['6900000003', 'ΟΡΚ τι ώρα;'],
	] as const)
		await sandbox.forward(phone, text);
	await until('each answer has a reply', () => sandbox.messages.length === 8);
	await window.openForm(answers);
	await press('show');
	await page.getByText('Δεν απάντησαν ακόμη').first().waitFor();
	await look('question answers');
	expect(await page.locator('table').nth(1).innerText()).toMatch(
		/^ΝΑΙ\s\S+\s1\s+ΟΧΙ\s\S+\s1\s+Άλλη απάντηση\s\S+\s1\s+Δεν απάντησαν ακόμη\s\S+\s2$/,
	);
	expect(editor.actions.length).toBeLessThanOrEqual(20);

	await page.getByText('Υπενθύμιση σε όσους δεν απάντησαν', { exact: true }).click();
	await window.submit();
	await page.getByText('Στάλθηκαν: 2').waitFor();
	await look('question reminded');
	expect(sandbox.messages.slice(8).map(({ recipient }) => recipient)).toEqual(['6900000004', '6900000005']);
}, 240_000);

test('the forms of the examples enrolment.json, member-check.json and question-to-one.json fit a desktop and a phone, and a page after a mistake links back to its form', async () => {
	const { world, page, window } = editor;
	for (const [file, form] of [
		['enrolment.json', 'Enrolment form'],
		['desk/member-check.json', 'Upload sheet'],
		['more/question-to-one.json', 'Ask somebody'],
	] as const) {
		const imported = await importExample(world, file);
		await save(world.n8n, imported);
		await world.n8n.publish(imported.id);
		await window.openForm(imported.url(form));
		await look(`${form} form`);
		if (file === 'enrolment.json') {
			const fill = async (surname: string) => {
				for (const [index, value] of ['15039904568', '1999-03-15', surname, '6900000004'].entries())
					await page.locator(`[name=field-${index}]`).fill(value);
				await window.submit();
			};
			await fill('Dokimastikou');
			await page.getByText('Start again').waitFor();
			await look('enrolment not matched');
			await page.getByText('Start again').click();
			await page.locator('[name=field-3]').waitFor();
			await fill('Δοκιμαστικού');
			await page.getByText('An SMS was sent').waitFor();
			await look('enrolment code');
			await page.getByText('No SMS, or wrong mobile number?').click();
			await page.locator('[name=field-3]').waitFor();
			await fill('Δοκιμαστικού');
			await page.locator('[name=field-0]').waitFor();
			await page.getByText('An SMS was sent').waitFor();
			await look('enrolment new SMS');
		}
		if (file === 'desk/member-check.json') {
			await page
				.locator('input[type=file]')
				.setInputFiles({ name: 'members.docx', mimeType: 'application/msword', buffer: Buffer.from('PK') });
			await window.submit();
			await page.getByText('Άλλο φύλλο').waitFor();
			await look('member check not checked');
			await page.getByText('Άλλο φύλλο').click();
			await page.locator('input[type=file]').setInputFiles('examples/desk/members.xlsx');
			await window.submit();
			await page.getByText('Γραμμές που ελέγχθηκαν: 12 από 13').waitFor();
			await look('member check done');
		}
		if (file === 'more/question-to-one.json') {
			await page.locator('[name=field-0]').fill('6900000004');
			await page.locator('[name=field-1]').fill('τη θέση');
			await window.submit();
			await page.getByText('η ερώτηση στέλνεται').waitFor();
			await look('question to one sent');
		}
	}
}, 180_000);
