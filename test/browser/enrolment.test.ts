import { lengthenPeriod } from '../e2e/codes';
import { importExample, save } from '../e2e/examples';
import { until } from '../e2e/n8n';
import { useWorld } from '../e2e/world';
import { useWindow } from './browser';

/** The enrolment example as a person goes through it: n8n's own pages, in a browser. */
const window = useWindow(500, 900);
const world = useWorld();

test('a wrong code first, then the one on the phone, and enrolled', async () => {
	const enrolment = await importExample(world, 'enrolment.json');
	lengthenPeriod(enrolment);
	await save(world.n8n, enrolment);
	await world.n8n.publish(enrolment.id);
	const { page } = window;

	await page.goto(enrolment.url('Enrolment form'));
	for (const [index, value] of ['15039904568', '1999-03-15', 'Δοκιμαστικού', '690 000 0005'].entries()) {
		await page.locator(`[name="field-${index}"]`).fill(value);
	}
	await window.submit();
	await page.getByText(/SMS/).first().waitFor();
	await until('the code is on the phone', () => world.sandbox.messages.length > 0);
	const { recipient, text } = world.sandbox.messages.at(-1)!;
	const code = /(\d{6})\D*$/.exec(text)![1]!;
	expect(recipient).toBe('6900000005');

	const typed = page.locator('[name="field-0"]');
	await typed.fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'));
	await window.submit();
	await page.getByText(/You have 2 attempts left/).waitFor();
	await window.picture('enrolment wrong code');
	expect(await page.content()).not.toContain(code);

	await typed.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
	await window.submit();
	await page.getByText(/You are enrolled/).waitFor();
	expect(world.sandbox.messages).toHaveLength(1);
});
