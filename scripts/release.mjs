/**
 * `npm run release:dry` does everything of a release except the publishing. It checks that version, changelog and tag agree
 * and that the packed file has the right contents, and lets n8n's own installer install it into a fresh n8n. It leaves no
 * files behind.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort, until } from './n8n.js';
import { ensureDependencies, ensureHost, ensureNode24, root, run } from './setup.mjs';
import { startN8n } from './start/children.mjs';
import { Editor } from './start/editor.mjs';

const readRoot = (file) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(readRoot('package.json'));
const { name, version } = manifest;
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** Prints a condition that holds. @throws {Error} if it does not hold */
function check(what, holds) {
	if (!holds) throw new Error(`Not so: ${what}`);
	console.log(`  ✓ ${what}`);
}

function checkVersion() {
	console.log(`Release of ${name} ${version}, tag v${version}`);
	check('everything is committed', git('status', '--porcelain') === '');
	check('package-lock.json has the same version', JSON.parse(readRoot('package-lock.json')).version === version);
	check(`CHANGELOG.md has a section ${version}, and it is the first`, /^## (\S+)/m.exec(readRoot('CHANGELOG.md'))?.[1] === version);
	const tagged = git('tag', '--points-at', 'HEAD').split('\n');
	check(`the tag v${version} is free, or on this commit`, tagged.includes(`v${version}`) || git('tag', '--list', `v${version}`) === '');
}

/** @returns {string} the packed file */
function pack(folder, env) {
	const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
	const [{ filename, files, size }] = Object.values(JSON.parse(execFileSync('npm', args, { cwd: root, env, encoding: 'utf8' })));
	for (const { path, size: bytes } of files) console.log(`    ${String(bytes).padStart(7)}  ${path}`);
	const paths = files.map(({ path }) => path);
	check(`${files.length} files in ${Math.round(size / 1024)} kB`, size < 200_000);
	check(
		'dist, README, CHANGELOG, LICENSE and package.json alone',
		paths.every((path) => path.startsWith('dist/') || ['README.md', 'CHANGELOG.md', 'LICENSE', 'package.json'].includes(path)),
	);
	const named = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	check(`the ${named.length} files that package.json names to n8n`, named.every((path) => paths.includes(path)));
	return join(folder, filename);
}

/** Starts a registry that answers as npm's would after publishing this package, from the packed file. */
async function startRegistry(file) {
	const { fastify } = await import('fastify');
	const content = readFileSync(file);
	const app = fastify();
	app.get(`/${name}`, ({ host }) => {
		const dist = {
			tarball: `http://${host}/file.tgz`,
			integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
		};
		return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
	});
	app.get('/file.tgz', (_, reply) => reply.type('application/octet-stream').send(content));
	const url = await app.listen({ host: '127.0.0.1', port: 0 });
	return { app, url };
}

/**
 * Makes an npm that asks our registry in place of npm's. Without a licence n8n uses only npm's registry.
 * @returns {string} its folder
 */
function npmOf(registry, folder, env) {
	const npm = execFileSync('sh', ['-c', 'command -v npm'], { env, encoding: 'utf8' }).trim();
	const bin = join(folder, 'bin');
	mkdirSync(bin);
	writeFileSync(
		join(bin, 'npm'),
		`#!/bin/sh
for arg do
	shift
	case $arg in --registry=*) arg=--registry=${registry} ;; esac
	set -- "$@" "$arg"
done
exec '${npm}' "$@"
`,
	);
	chmodSync(join(bin, 'npm'), 0o755);
	return bin;
}

/** Installs the package as Settings, Community nodes, Install does in a fresh n8n. */
async function installByN8n(file, folder, env) {
	const { app, url: registry } = await startRegistry(file);
	const home = join(folder, 'home');
	mkdirSync(home);
	const npmFirst = { ...env, PATH: `${npmOf(registry, folder, env)}${delimiter}${env.PATH}` };
	// No request leaves this computer. n8n goes on with npm if its own request fails.
	const closed = { HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' };
	const { child: n8n, url } = await startN8n(await freePort(), home, folder, npmFirst, closed);
	try {
		const editor = new Editor(url);
		await until('n8n is ready', async () => await editor.isReady(), 90_000);
		await editor.signIn();
		const installed = await editor.rest('POST', '/community-packages', { name });
		check(`n8n's installer has installed ${installed.packageName} ${installed.installedVersion}`, installed.installedVersion === version);
		const nodes = installed.installedNodes.map((node) => node.name);
		check(`n8n has its nodes: ${nodes.join(', ')}`, nodes.length === manifest.n8n.nodes.length);
		const nodeInfos = installed.installedNodes.map(({ type, latestVersion }) => ({ name: type, version: latestVersion }));
		const descriptions = await editor.rest('POST', '/node-types', { nodeInfos });
		const types = [...new Set(descriptions.flatMap(({ credentials = [] }) => credentials.map((credential) => credential.name)))];
		// n8n saves only credentials of types that it knows.
		for (const type of types) await editor.rest('POST', '/credentials', { name: type, type, data: {} });
		check(`and its credential types: ${types.join(', ')}`, types.length === manifest.n8n.credentials.length);
		await editor.rest('DELETE', `/community-packages?name=${name}`);
		check('and it takes the package away again', (await editor.rest('GET', '/community-packages')).length === 0);
	} finally {
		await n8n.end();
		await app.close();
	}
}

const env = await ensureNode24();
await ensureDependencies(env);
await ensureHost(env);
const folder = mkdtempSync(join(tmpdir(), 'release-'));
try {
	checkVersion();
	if ((await run('npm', ['run', '--silent', 'build'], env)) !== 0) throw new Error('The build failed.');
	await installByN8n(pack(folder, env), folder, env);
	console.log(`Nothing is published: git tag v${version} && git push origin v${version} does that.`);
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
