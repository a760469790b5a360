import type { Locator } from 'playwright-core';
import { publishWithTable, type Imported } from '../e2e/examples';
import { useWorld } from '../e2e/world';
import { messageLines } from '../../sandbox/agreed';
import { eventually, useWindow } from './browser';

/** Uses the page of the sandbox with a real n8n, in which the keyword example answers. */
const window = useWindow(1280, 900);
const world = useWorld();
let replying: Imported;

const part = (id: string): Locator => window.page.locator(`#${id}`);
const choose = async (name: string, value: string) =>
	await window.page.locator(`[name=${name}], #${name}`).selectOption(value);
const phone = (number: string): Locator => window.page.locator(`#phone-list input[value="${number}"]`);

beforeAll(async () => {
	replying = await publishWithTable(world, 'keyword-auto-reply.json');
}, 60_000);

beforeEach(async () => {
	await window.page.setViewportSize({ width: 1280, height: 900 });
	await window.page.goto(world.sandbox.url);
	await window.page.evaluate('localStorage.clear()');
	await window.page.reload();
	await phone('6900000001').waitFor();
});

/** Adds a message that the platform accepted at this time. */
function arrives(recipient: string, text: string, time: number): void {
	const at = new Date(time).toISOString();
	const ids = { serviceId: '101', messageId: '2', dlrUrl: '', smsForwardId: '' };
	world.sandbox.took({ ...ids, recipient, text, takenAt: at, arrivesAt: at, failure: '' });
}

/** Types a text on the chosen phone, and sends it. */
async function texts(text: string): Promise<void> {
	await part('text').fill(text);
	await part('text').press('Enter');
}

/** Registers the URL of the keyword example on the page, as the operator would do. */
async function register(): Promise<void> {
	await part('forward-url').fill(replying.url('SMS Trigger', '/forward'));
	await part('forward-url').press('Enter');
	await window.page.getByText('Registered.', { exact: true }).waitFor();
}

test('a keyword that a user sends from a phone of the page gets a reply on that phone', async () => {
	await register();
	await phone('6900000004').check();
	await part('text').fill('ΒΑ ΦΥΣΙΚΗ');
	await window.page.getByRole('button', { name: 'Send', exact: true }).click();

	const conversation = part('conversation');
	await conversation.getByText('ΒΑ ΦΥΣΙΚΗ').waitFor();
	await conversation.getByText('Passed on and accepted').waitFor();
	await conversation
		.getByText(/βαθμός|Δεν βρέθηκε/)
		.first()
		.waitFor();
	await part('calls').getByText('n8n ← SMS forward').waitFor();
	await part('calls').getByText('n8n → Send SMS').waitFor();
	expect(world.sandbox.accepted('6900000004')).toBe(1);
});

test('one click sends a test message to the Test URL, and the page advises to press Execute step first', async () => {
	await register();
	await part('addresses')
		.getByRole('button', { name: /^Send test message/ })
		.first()
		.click();
	await part('register-result')
		.getByText(/test URL is not active.*Press “Execute step”/)
		.waitFor();
	await window.picture('sandbox test message');
	expect(world.sandbox.texts.at(-1)).toMatchObject({ url: expect.stringContaining('/webhook-test/') as unknown });
});

test('a user can send a message and read the answer with only the keyboard', async () => {
	await register();
	await window.page.reload();
	await phone('6900000001').waitFor();
	const { keyboard } = window.page;
	/** Presses Tab until this element has the focus. */
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
	await keyboard.type('βαθμος');
	await keyboard.press('Enter');

	await part('conversation')
		.getByText(/βαθμός σας στο μάθημα|Δεν βρέθηκε/)
		.first()
		.waitFor();
});

test('the page can be shown in Greek and in English, and remembers the language', async () => {
	await choose('language', 'el');
	await window.page.getByRole('heading', { name: 'Προσομοίωση βλαβών' }).waitFor();
	await part('conversation').getByText('Δεν υπάρχει ακόμη κανένα μήνυμα').waitFor();
	await window.page.reload();
	await window.page.getByRole('heading', { name: 'Τηλέφωνα' }).waitFor();
	expect(await window.page.locator('html').getAttribute('lang')).toBe('el');
	await window.picture('sandbox Greek');
	await choose('language', 'en');
	await window.page.getByRole('heading', { name: 'Phones' }).waitFor();
});

test('simulated faults are named at the top of the page, apply to a request of n8n, and can be ended at the top of the page', async () => {
	await register();
	await choose('reportError', '27');
	await choose('answer', 'refuse');
	await eventually(async () => expect(await part('alarm').innerText()).toMatch(/Answer: rejected.*Delivery: fails/));
	await texts('ΒΑ ΦΥΣΙΚΗ');
	await part('calls').locator('details.bad').first().waitFor();
	await window.picture('sandbox trouble');
	expect(world.sandbox.accepted('6900000001')).toBe(0);

	await part('alarm').getByRole('button').click();
	await part('alarm').waitFor({ state: 'hidden' });
	expect(world.sandbox.trouble).toMatchObject({ answer: 'normal', reportError: '' });
});

test('the phone shows why an SMS was not forwarded: an unknown keyword, or no URL registered for the keyword', async () => {
	await texts('ΚΑΛΗΜΕΡΑ');
	await part('conversation')
		.getByText(/No service has this keyword/)
		.waitFor();
	await texts('ΒΑ ΦΥΣΙΚΗ');
	await part('conversation')
		.getByText(/no URL is registered for ΒΑ.*register it/i)
		.waitFor();
});

test('a keyword that the user adds has its own URL, and the keywords of the example keep their URLs', async () => {
	await register();
	const mine = `${world.n8n.url}/webhook-test/0000-mine/forward`;
	await part('forward-keyword').fill('ΔΟΚΙΜΗ');
	await part('forward-url').fill(mine);
	await window.page.getByRole('button', { name: 'Register', exact: true }).click();
	await part('addresses').getByText(mine).waitFor();
	// No editor listens for a test event at this URL.
	await window.page.getByRole('button', { name: 'ΔΟΚΙΜΗ', exact: true }).click();
	await part('text').press('Enter');
	await part('conversation')
		.getByText(/test URL is not active.*Execute step/)
		.waitFor();
	await texts('BA physics');
	await part('conversation').getByText('Passed on and accepted').waitFor();

	await window.page.getByRole('button', { name: 'Remove: ΔΟΚΙΜΗ' }).click();
	await eventually(async () => expect(world.sandbox.settings.keywordUrls).toEqual({}));
});

test('the phone shows that no server answers at the registered URL', async () => {
	await part('forward-url').fill('http://127.0.0.1:9/webhook/x/forward');
	await part('forward-url').press('Enter');
	await texts('ΒΑ');
	await part('conversation')
		.getByText(/No server answers at 127\.0\.0\.1:9.*sends the SMS to n8n again/)
		.waitFor();
});

test('the page has buttons that copy both keys and the list of messages for the credentials', async () => {
	await window.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.sandbox.url });
	const copied = async (id: string): Promise<string> => {
		const button = window.page.locator(`[data-copy="${id}"]`);
		await button.click();
		await window.page.locator(`[data-copy="${id}"]:text("Copied")`).waitFor();
		return await window.page.evaluate<string>('navigator.clipboard.readText()');
	};
	expect(await copied('api-key')).toBe(world.sandbox.settings.apiKey);
	expect(await copied('shared-key')).toBe(world.sandbox.settings.preSharedKey);
	expect((await copied('message-lines')).split('\n')).toEqual(messageLines());
});

test("fields of the page set when the platform gives up and how often it repeats a request, and put the institution's name before the keyword", async () => {
	await register();
	await choose('giveUpAfterMs', '1000');
	await choose('callsAgain', '5');
	await eventually(async () =>
		expect(await part('alarm').innerText()).toMatch(/Gives up.*1 s.*Sends a request again.*five times/),
	);
	expect(world.sandbox.trouble).toMatchObject({ giveUpAfterMs: 1000, callsAgain: 5 });
	await choose('prefix', 'dropped');
	await window.page.getByRole('button', { name: 'ΒΑ', exact: true }).click();
	expect(await part('text').inputValue()).toBe('UNI ΒΑ ');
});

test('the page shows the phone with its text field and the list of requests without scrolling', async () => {
	for (const id of ['text', 'log-title', 'calls']) {
		const box = await part(id).boundingBox();
		expect(box!.y + Math.min(box!.height, 100)).toBeLessThan(900);
	}
});

test('the page shows the latest 300 messages and how many it leaves out, and then does not say "No messages yet" on a phone that has none of the 300', async () => {
	for (let number = 1; number <= 305; number++) arrives('6900000001', `SMS ${number}`, Date.now() - 1_000_000 + number);
	await part('conversation')
		.getByText(/latest 300.*not shown: 5\./)
		.waitFor();
	expect(await part('conversation').locator('li').nth(1).innerText()).toMatch(/^SMS 6\n/);
	await phone('6900000002').check();
	await eventually(async () => expect(await part('conversation').innerText()).not.toMatch(/No messages yet/));
});

test('the page can add a person to the simulated registry', async () => {
	await window.page.locator('#add-person').locator('xpath=ancestor::details').locator('summary').click();
	const fill = async (name: string, value: string) =>
		await window.page.locator(`#add-person [name=${name}]`).fill(value);
	await fill('amka', '01019000016');
	await fill('birthDate', '1990-01-01');
	await fill('surname', 'ΔΟΚΙΜΑΣΤΟΥ');
	await fill('name', 'ΠΛΑΣΤΗ');
	await fill('mobile', '6911111111');
	await window.page.locator('#add-person button').click();
	await part('people-rows').getByRole('cell', { name: 'ΔΟΚΙΜΑΣΤΟΥ', exact: true }).waitFor();
	await phone('6911111111').waitFor();
});

test.each(['el', 'en'])(
	'the page does not scroll sideways on a narrow screen, in the light and the dark theme (%s)',
	async (language) => {
		await choose('language', language);
		for (const width of [390, 320]) {
			await window.page.setViewportSize({ width, height: 844 });
			expect(await window.overflow()).toBe(0);
		}
		await window.page.setViewportSize({ width: 390, height: 844 });
		await window.picture(`sandbox narrow ${language}`);
		await window.page.emulateMedia({ colorScheme: 'dark' });
		expect(await window.overflow()).toBe(0);
		await part('people').scrollIntoViewIfNeeded();
		await window.picture(`sandbox dark ${language}`);
		await window.page.emulateMedia({ colorScheme: 'light' });
	},
);

test('the phone shows a button for each answer to a question, which sends this answer from the phone', async () => {
	const question = 'Δέχεστε τη θέση; Απαντήστε με SMS: ΑΠ 4719 ΝΑΙ ή ΑΠ 4719 ΟΧΙ.';
	arrives('6900000002', question, Date.now());
	arrives('6900000002', 'Για τους βαθμούς σας στείλτε ΒΑ.', Date.now() + 1);
	await phone('6900000002').check();
	const buttons = part('conversation').getByRole('button');
	await buttons.first().waitFor();
	expect(await buttons.allInnerTexts()).toEqual(['ΑΠ 4719 ΝΑΙ', 'ΑΠ 4719 ΟΧΙ']);
	await window.picture('sandbox question');
	await buttons.first().click();

	await eventually(async () =>
		expect(world.sandbox.texts).toMatchObject([{ msisdn: '6900000002', text: 'ΑΠ 4719 ΝΑΙ', keyword: 'ΑΠ' }]),
	);
});

test('on a narrow screen the count of unread messages covers no digit of a phone number, and the list of requests shows five requests until Show all requests is pressed', async () => {
	await window.page.setViewportSize({ width: 380, height: 800 });
	for (let number = 0; number < 120; number++) arrives('6900000002', 'SMS', Date.now());
	for (let number = 0; number < 8; number++) await fetch(`${world.sandbox.url}/sendSMS`, { method: 'POST' });
	const badge = window.page.locator('#phone-list .unread');
	await badge.waitFor();
	const digits = await window.page.locator('label:has(.unread) > span').first().boundingBox();
	const [box, label] = [await badge.boundingBox(), await window.page.locator('label:has(.unread)').boundingBox()];
	expect(box!.x).toBeGreaterThanOrEqual(digits!.x + digits!.width);
	expect(box!.x + box!.width).toBeLessThanOrEqual(label!.x + label!.width);

	const calls = part('calls').locator('> li:visible');
	await eventually(async () => expect(await calls.count()).toBe(5));
	await window.page.getByRole('button', { name: 'Show all requests' }).click();
	expect(await calls.count()).toBe(8);
	expect(await window.overflow()).toBe(0);
});
