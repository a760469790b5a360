import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The clock of a whole n8n, which a test moves while n8n runs: Debian's faketime library reads from a file how far it is ahead. */
export class Clock {
	private readonly folder = mkdtempSync(join(tmpdir(), 'clock-'));
	private readonly file = join(this.folder, 'ahead');

	constructor() {
		this.ahead(0);
	}

	/** Environment variables for n8n. @throws {Error} where the library is missing */
	get settings(): Record<string, string> {
		const library = process.env.N8N_E2E_FAKETIME;
		if (!library)
			throw new Error('A clock can be moved with Debian\'s package "faketime", by npm run test:e2e -- <file>');
		// n8n's timers go on as they are.
		return {
			LD_PRELOAD: library,
			FAKETIME_TIMESTAMP_FILE: this.file,
			FAKETIME_NO_CACHE: '1',
			FAKETIME_DONT_FAKE_MONOTONIC: '1',
		};
	}

	/** @param hours from now on, beyond the time that it is */
	ahead(hours: number): void {
		writeFileSync(this.file, `+${hours}h\n`);
	}

	remove(): void {
		rmSync(this.folder, { recursive: true });
	}
}
