import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './setup.mjs';

/**
 * Runs npm scripts, and then jest. The scripts run at the same time, because each uses only one core. jest runs alone, because it
 * uses all cores.
 * @param env the environment variables for the scripts and jest
 * @param scripts the names of scripts in package.json. If one fails, jest is not run
 * @param jestArguments the arguments for jest
 * @returns {Promise<number>} the exit code of the first script that failed, or of jest
 */
export async function runTests(env, scripts, jestArguments) {
	const codes = await Promise.all(scripts.map(async (script) => await run('npm', ['run', '--silent', script], env)));
	scripts.forEach((script, index) => codes[index] !== 0 && console.error(`npm run ${script} failed.`));
	return codes.find((code) => code !== 0) ?? (await runJest(env, jestArguments));
}

export const terminationSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs jest in its own process group, to which all processes belong that the tests start. At the end all of them are killed,
 * also if the user interrupts the tests.
 */
const runJest = (env, args) =>
	new Promise((resolve, reject) => {
		/** The folder for prepared home folders of n8n, which the test files share (see test/e2e/n8n.ts). */
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
				// The process group has no process any more.
			}
		};
		// This process passes each signal on, and waits until the tests have ended.
		for (const signal of terminationSignals) process.removeAllListeners(signal).on(signal, toAll);
		child.on('error', reject).on('close', (code) => {
			toAll('SIGKILL');
			rmSync(homes, { recursive: true, force: true });
			resolve(code ?? 1);
		});
	});
