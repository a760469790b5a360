/** Builds the package, and installs the packed file in n8n's folder, as n8n installs a community package. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packAndInstall } from '../n8n.js';
import { root, runQuietly, step } from '../setup.mjs';
import { fingerprint } from './state.mjs';

const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Returns the folder in which n8n has installed this package. @param home the N8N_USER_FOLDER */
export const installedIn = (home) => join(home, '.n8n', 'nodes', 'node_modules', name);

/** Builds and installs the package, unless it is installed from the current sources. @param home the N8N_USER_FOLDER */
export async function installPackage(home, state, env) {
	const hash = fingerprint('nodes', 'lib', 'credentials', 'icons', 'package.json', 'gulpfile.js', 'tsconfig.json', 'tsconfig.build.json');
	if (state.package === hash && existsSync(join(installedIn(home), 'package.json'))) return;

	await step('Building the package', 5, () => runQuietly('npm', ['run', '--silent', 'build'], root, env));
	await step('Installing it into n8n', 2, async () => {
		for (const old of readdirSync(home).filter((file) => file.endsWith('.tgz'))) rmSync(join(home, old));
		await packAndInstall(home, { env });
	});
	state.save({ package: hash });
}

/** Compiles the sandbox, which is TypeScript, into `.tmp/sandbox` if its sources have changed. */
export async function compileSandbox(state, env) {
	const hash = fingerprint('sandbox', 'tsconfig.json');
	if (state.sandbox === hash && existsSync(join(root, '.tmp/sandbox/main.js'))) return;
	await step('Compiling the sandbox', 2, () =>
		runQuietly('node', ['node_modules/typescript/bin/tsc', '-p', 'sandbox/tsconfig.json'], root, env),
	);
	state.save({ sandbox: hash });
}
