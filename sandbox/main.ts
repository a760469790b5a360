import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageLines, type Settings } from './agreed';
import { startSandbox } from './server';

/**
 * Runs the sandbox as a separate process: `node main.js PORT DATABASE`. Messages arrive after two seconds, and failed calls are
 * repeated for six minutes. The database keeps all data. The process ends on SIGINT or SIGTERM, or when the process that
 * started it has ended.
 */

/** The message that tells the parent process whether the sandbox has started. */
export type StartMessage = { url: string; settings: Settings; messages: string } | { error: string; code: string };

const tellParent = (message: StartMessage): void => void process.send?.(message);

async function main(): Promise<void> {
	const [port, database] = process.argv.slice(2) as [string, string];
	mkdirSync(dirname(database), { recursive: true });
	const sandbox = await startSandbox(Number(port), undefined, {
		database,
		trouble: { reportDelayMs: 2000 },
		retryMs: [2_000, 5_000, 15_000, 60_000, 300_000],
	});

	const end = (): void => void sandbox.close().then(() => process.exit(0));
	for (const signal of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(signal, end);
	tellParent({ url: sandbox.url, settings: sandbox.settings, messages: messageLines().join('\n') });
}

main().catch((error: NodeJS.ErrnoException) => {
	console.error(error);
	tellParent({ error: error.message, code: error.code ?? '' });
	process.exitCode = 1;
	process.disconnect?.();
});
