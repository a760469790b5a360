import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { secretary } from '../e2e/examples';

/** Folder for pictures: one picture after each test, and further pictures that a test takes. */
export const pictures = '.tmp/pictures';
// The time limit is long, because the machine may be busy. A test whose expected state never comes still fails.
const assertionTimeoutMs = 20_000;

/** Repeats an assertion until it succeeds. Throws its last failure after the time limit. */
export async function eventually<T>(assertion: () => Promise<T>): Promise<T> {
	for (const deadline = Date.now() + assertionTimeoutMs; ; ) {
		try {
			return await assertion();
		} catch (error) {
			if (Date.now() > deadline) throw error;
			await sleep(50);
		}
	}
}

/**
 * The browser window of a test file, which is closed after the last test of the file. After each test, even a failed test, a
 * picture of the window is stored under the name of the test.
 */
export class Window {
	page!: Page;
	context!: BrowserContext;
	private browser!: Browser;

	/** @param width in CSS pixels, like `height` @param scale the number of picture pixels for each CSS pixel, in both directions */
	async open(width = 1400, height = 900, scale = 1): Promise<void> {
		mkdirSync(pictures, { recursive: true });
		this.browser = await chromium.launch({
			executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
			// The browser must also run as root, and must not call services of its vendor.
			args: [
				'--no-sandbox',
				'--disable-gpu',
				'--disable-quic',
				'--no-first-run',
				'--disable-background-networking',
				'--disable-component-update',
				'--disable-sync',
			],
		});
		this.context = await this.browser.newContext({
			viewport: { width, height },
			deviceScaleFactor: scale,
			colorScheme: 'light',
			reducedMotion: 'reduce',
			locale: 'en-GB',
		});
		this.page = await this.context.newPage();
		this.page.setDefaultTimeout(assertionTimeoutMs);
	}

	/** Opens a form with the login of the secretary, which the browser remembers. With a login, it does not cache pages. */
	async openForm(address: string): Promise<void> {
		await this.context.setHTTPCredentials({ username: secretary.user, password: secretary.password });
		await this.page.goto(address);
	}

	async close(): Promise<void> {
		await this.browser?.close();
	}

	/** @param name the file name without its extension */
	async picture(name: string): Promise<void> {
		const file = `${name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 120)}.png`;
		await this.page.screenshot({ path: join(pictures, file), animations: 'disabled' });
	}

	/** Submits the open form of n8n. */
	async submit(): Promise<void> {
		await this.page.locator('#submit-btn').click();
	}

	/** Returns by how many pixels the page is wider than the window. With 0 the page does not scroll sideways. */
	async overflow(): Promise<number> {
		return await this.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
	}
}

/** Declares a window for this test file. Call it before `useWorld`, so that the window closes before n8n stops. */
export function useWindow(width?: number, height?: number, scale?: number): Window {
	const window = new Window();
	beforeAll(async () => await window.open(width, height, scale), 60_000);
	afterEach(async () => await window.picture(expect.getState().currentTestName!));
	afterAll(async () => await window.close());
	return window;
}
