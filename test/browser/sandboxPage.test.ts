import type { Locator } from 'playwright-core';
import type { Imported } from '../e2e/examples';
import { useWorld } from '../e2e/world';
import { eventually, useWindow } from './browser';
import { publishKeywordReply } from './keywordReply';

/** The sandbox's page with a real n8n behind it, in which the example of the keyword replies. */
const window = useWindow(1280, 900);
const world = useWorld();
let replying: Imported;

const part = (id: string): Locator => window.page.locator(`#${id}`);
const choose = async (name: string, value: string) => await window.page.locator(`[name=${name}], #${name}`).selectOption(value);
const phone = (number: string): Locator => window.page.locator(`#phone-list input[value="${number}"]`);

beforeAll(async () => {
	replying = await publishKeywordReply(world);
}, 60_000);

beforeEach(async () => {
	await window.page.setViewportSize({ width: 1280, height: 900 });
	await window.page.goto(world.sandbox.url);
	await window.page.evaluate('localStorage.clear()');
	await window.page.reload();
	await phone('6900000001').waitFor();
});

/** Does the operator's part on the page. */
async function register(): Promise<void> {
	await part('forward-url').fill(replying.url('SMS Trigger', '/forward'));
	await part('forward-url').press('Enter');
	await window.page.getByText('Registered.', { exact: true }).waitFor();
}

test('a keyword from a phone, and the reply arrives on that phone', async () => {
	await register();
	await phone('6900000004').check();
	await part('text').fill('ΒΑ ΦΥΣΙΚΗ');
	await window.page.getByRole('button', { name: 'Send', exact: true }).click();

	const conversation = part('conversation');
	await conversation.getByText('ΒΑ ΦΥΣΙΚΗ').waitFor();
	await conversation.getByText('Passed on and accepted').waitFor();
	await conversation.getByText(/βαθμός|Δεν βρέθηκε/).waitFor();
	await part('calls').getByText('n8n ← SMS forward').waitFor();
	await part('calls').getByText('n8n → Send SMS').waitFor();
	expect(world.sandbox.accepted('6900000004')).toBe(1);
});

test('by the keyboard alone: from the first Tab to the answer', async () => {
	await register();
	await window.page.reload();
	await phone('6900000001').waitFor();
	const { keyboard } = window.page;
	/** Tabs on until the focus is there. */
	const tabTo = async (what: Locator) => {
		for (let presses = 0; presses < 40; presses++) {
			await keyboard.press('Tab');
			if (await what.evaluate((element: { matches(selector: string): boolean }) => element.matches(':focus'))) return;
		}
		throw new Error('Forty Tabs did not reach it');
	};
	await tabTo(window.page.locator('.skip'));
	await window.picture('sandbox skip link');
	await keyboard.press('Enter');
	await tabTo(phone('6900000001'));
	await keyboard.press('ArrowDown');
	expect(await phone('6900000002').isChecked()).toBe(true);
	await tabTo(part('text'));
	await keyboard.type('βοηθεια');
	await keyboard.press('Enter');

	await part('conversation').getByText('Για τον βαθμό σας στείλτε ΒΑ').waitFor();
});

test('in Greek and in English, and it remembers which', async () => {
	await choose('language', 'el');
	await window.page.getByRole('heading', { name: 'Διακόπτες δυσκολιών' }).waitFor();
	await part('conversation').getByText('Κανένα μήνυμα ακόμη').waitFor();
	await window.page.reload();
	await window.page.getByRole('heading', { name: 'Τηλέφωνα' }).waitFor();
	expect(await window.page.locator('html').getAttribute('lang')).toBe('el');
	await window.picture('sandbox Greek');
	await choose('language', 'en');
	await window.page.getByRole('heading', { name: 'Phones' }).waitFor();
});

test('no label is left without words, in either language', async () => {
	for (const language of ['el', 'en']) {
		await choose('language', language);
		for (const node of await window.page.locator('[data-word]').all()) {
			expect((await node.textContent())!.trim()).not.toMatch(/^(undefined)?$/);
		}
	}
});

test('its switches: trouble is named at the top, reaches n8n, and is ended there', async () => {
	await register();
	await choose('reportError', '27');
	await choose('answer', 'refuse');
	await eventually(async () => expect(await part('alarm').innerText()).toMatch(/Answer: refuse.*Delivery: fails/));
	await part('text').fill('ΒΑ ΦΥΣΙΚΗ');
	await part('text').press('Enter');
	await part('calls').locator('details.bad').first().waitFor();
	await window.picture('sandbox trouble');
	expect(world.sandbox.accepted('6900000001')).toBe(0);

	await part('alarm').getByRole('button').click();
	await part('alarm').waitFor({ state: 'hidden' });
	expect(world.sandbox.trouble).toMatchObject({ answer: 'normal', reportError: '' });
});

test('a text without a known keyword, and one with no address registered, say what became of them', async () => {
	await part('text').fill('ΚΑΛΗΜΕΡΑ');
	await part('text').press('Enter');
	await part('conversation').getByText(/No service has this keyword/).waitFor();
	await part('text').fill('ΒΑ ΦΥΣΙΚΗ');
	await part('text').press('Enter');
	await part('conversation').getByText(/no forward address is registered/i).waitFor();
});

test('somebody is added to the registry', async () => {
	await window.page.locator('#add-person').locator('xpath=ancestor::details').locator('summary').click();
	const fill = async (name: string, value: string) => await window.page.locator(`#add-person [name=${name}]`).fill(value);
	await fill('amka', '01019000016');
	await fill('birthDate', '1990-01-01');
	await fill('surname', 'ΔΟΚΙΜΑΣΤΟΥ');
	await fill('name', 'ΠΛΑΣΤΗ');
	await fill('mobile', '6911111111');
	await window.page.locator('#add-person button').click();
	await part('people-rows').getByRole('cell', { name: 'ΔΟΚΙΜΑΣΤΟΥ', exact: true }).waitFor();
	await phone('6911111111').waitFor();
});

test.each(['el', 'en'])('narrow (%s): nothing scrolls sideways, light and dark', async (language) => {
	await choose('language', language);
	for (const width of [390, 320]) {
		await window.page.setViewportSize({ width, height: 844 });
		expect(await window.overflow()).toBe(0);
	}
	await window.page.setViewportSize({ width: 390, height: 844 });
	await window.picture(`sandbox narrow ${language}`);
	await choose('theme', 'dark');
	expect(await window.overflow()).toBe(0);
	await part('people').scrollIntoViewIfNeeded();
});

test('dark, in a wide window', async () => {
	await register();
	await choose('theme', 'dark');
	await part('text').fill('ΒΑ ΦΥΣΙΚΗ');
	await part('text').press('Enter');
	await part('conversation').getByText(/βαθμός|Δεν βρέθηκε/).waitFor();
	expect(await window.overflow()).toBe(0);
});
