/** Builds the package and installs it into n8n's home from the packed file, as n8n installs one. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, step } from '../setup.mjs';
import { fingerprint } from './state.mjs';

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Does nothing where the same sources are installed. @param home the N8N_USER_FOLDER */
export async function installPackage(home, state, env) {
	const made = fingerprint('nodes', 'credentials', 'icons', 'package.json', 'gulpfile.js', 'tsconfig.json', 'tsconfig.build.json');
	const nodes = join(home, '.n8n', 'nodes');
	const installed = join(nodes, 'node_modules', name);
	if (state.package === made && existsSync(join(installed, 'package.json'))) return;

	await step('Building the package', 'npm', ['run', '--silent', 'build'], root, env);
	mkdirSync(nodes, { recursive: true });
	for (const old of readdirSync(nodes).filter((file) => file.endsWith('.tgz'))) rmSync(join(nodes, old));
	await step('Packing it', 'npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', nodes], root, env);
	// Under a name of its own, because npm takes a file of the same name for what it has installed.
	const packed = join(nodes, `${name}-${version}-${made}.tgz`);
	renameSync(join(nodes, `${name}-${version}.tgz`), packed);

	if (!existsSync(join(nodes, 'package.json'))) {
		writeFileSync(join(nodes, 'package.json'), '{ "name": "installed-nodes", "private": true }\n');
	}
	rmSync(installed, { recursive: true, force: true });
	await step(
		'Installing it into n8n',
		'npm',
		['install', '--legacy-peer-deps', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', packed],
		nodes,
		env,
	);
	state.keep({ package: made });
}

/** Compiles the sandbox, which is TypeScript, into `.tmp/sandbox`, where its sources have changed. */
export async function compileSandbox(state, env) {
	const made = fingerprint('sandbox', 'tsconfig.json');
	if (state.sandbox === made && existsSync(join(root, '.tmp/sandbox/main.js'))) return;
	await step(
		'Compiling the sandbox',
		'node',
		['node_modules/typescript/bin/tsc', '-p', 'sandbox/tsconfig.json'],
		root,
		env,
	);
	state.keep({ sandbox: made });
}
