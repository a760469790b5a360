import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './setup.mjs';

/**
 * Runs npm scripts side by side, then jest: each of these uses one core, and jest all of them.
 * @param env the environment of all of them
 * @param scripts names in package.json
 * @param jestArguments jest's command line
 * @returns {Promise<number>} the first failure's exit code, or jest's
 */
export async function runTests(env, scripts, jestArguments) {
	const codes = await Promise.all(scripts.map(async (script) => await run('npm', ['run', '--silent', script], env)));
	scripts.forEach((script, index) => codes[index] !== 0 && console.error(`npm run ${script} failed.`));
	return codes.find((code) => code !== 0) ?? (await runJest(env, jestArguments));
}

export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** With everything that the tests start in one group, so that nothing outlives them, also when they are interrupted. */
const runJest = (env, args) =>
	new Promise((resolve, reject) => {
		/** For the home that each n8n of this run begins with (test/e2e/n8n.ts). */
		const homes = mkdtempSync(join(tmpdir(), 'n8n-e2e-homes-'));
		const child = spawn('node', ['node_modules/jest/bin/jest.js', ...args], {
			cwd: root,
			env: { ...env, N8N_E2E_HOMES: homes },
			stdio: ['ignore', 'inherit', 'inherit'],
			detached: true,
		});
		const toAll = (signal) => {
			try {
				process.kill(-child.pid, signal);
			} catch {
				// None of them is left.
			}
		};
		// Until they have ended, this process has nothing else to do with a signal.
		for (const signal of endingSignals) process.removeAllListeners(signal).on(signal, toAll);
		child.on('error', reject).on('close', (code) => {
			toAll('SIGKILL');
			rmSync(homes, { recursive: true, force: true });
			resolve(code ?? 1);
		});
	});
