/**
 * `npm run release:dry`: does all steps of a release except publishing. It checks that version, changelog and tag agree and that
 * the packed file has the right contents. Then n8n's own installer installs the file in a new n8n. All temporary files are
 * deleted at the end.
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

/** Prints the condition if it is true. @throws {Error} if it is false */
function check(condition, isTrue) {
	if (!isTrue) throw new Error(`This is not true: ${condition}`);
	console.log(`  ✓ ${condition}`);
}

function checkVersion() {
	console.log(`Release of ${name} ${version}, tag v${version}`);
	check('everything is committed', git('status', '--porcelain') === '');
	check('package-lock.json has the same version', JSON.parse(readRoot('package-lock.json')).version === version);
	check(`the first section of CHANGELOG.md is ${version}`, /^## (\S+)/m.exec(readRoot('CHANGELOG.md'))?.[1] === version);
	const tagged = git('tag', '--points-at', 'HEAD').split('\n');
	check(`the tag v${version} does not exist, or is on this commit`, tagged.includes(`v${version}`) || git('tag', '--list', `v${version}`) === '');
}

/** Packs the package and checks the contents of the file. @returns {string} the path of the file */
function pack(folder, env) {
	const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
	const [{ filename, files, size }] = Object.values(JSON.parse(execFileSync('npm', args, { cwd: root, env, encoding: 'utf8' })));
	for (const { path, size: bytes } of files) console.log(`    ${String(bytes).padStart(7)}  ${path}`);
	const paths = files.map(({ path }) => path);
	check(`${files.length} files in ${Math.round(size / 1024)} kB (at most 200,000 bytes)`, size < 200_000);
	check(
		'the file contains only dist, README, CHANGELOG, LICENSE and package.json',
		paths.every((path) => path.startsWith('dist/') || ['README.md', 'CHANGELOG.md', 'LICENSE', 'package.json'].includes(path)),
	);
	const named = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	check(`the file contains the ${named.length} nodes and credentials of package.json`, named.every((path) => paths.includes(path)));
	return join(folder, filename);
}

/** Starts a simulated npm registry that offers this package, as npm's registry would after the release. */
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
 * Creates a program `npm` that calls the real npm with the URL of the simulated registry. This is necessary because n8n without
 * a licence always names npm's own registry on the command line.
 * @returns {string} the folder of the program
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

/** Installs the package in a new n8n, with the requests that *Settings → Community nodes → Install* sends. */
async function installByN8n(file, folder, env) {
	const { app, url: registry } = await startRegistry(file);
	const home = join(folder, 'home');
	mkdirSync(home);
	const npmFirst = { ...env, PATH: `${npmOf(registry, folder, env)}${delimiter}${env.PATH}` };
	// With these variables n8n's requests to other computers fail. If its request to the registry fails, it continues with npm.
	const closed = { HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' };
	const { child: n8n, url } = await startN8n(await freePort(), home, folder, npmFirst, closed);
	try {
		const editor = new Editor(url);
		await until('n8n is ready', async () => await editor.isReady(), 90_000);
		await editor.signIn();
		const installed = await editor.rest('POST', '/community-packages', { name });
		check(`n8n's installer has installed ${installed.packageName} ${installed.installedVersion}`, installed.installedVersion === version);
		const nodes = installed.installedNodes.map((node) => node.name);
		check(`n8n has loaded the nodes: ${nodes.join(', ')}`, nodes.length === manifest.n8n.nodes.length);
		const nodeInfos = installed.installedNodes.map(({ type, latestVersion }) => ({ name: type, version: latestVersion }));
		const descriptions = await editor.rest('POST', '/node-types', { nodeInfos });
		const types = [...new Set(descriptions.flatMap(({ credentials = [] }) => credentials.map((credential) => credential.name)))];
		// n8n saves only credentials of types that it knows.
		for (const type of types) await editor.rest('POST', '/credentials', { name: type, type, data: {} });
		check(`n8n knows the credential types: ${types.join(', ')}`, types.length === manifest.n8n.credentials.length);
		await editor.rest('DELETE', `/community-packages?name=${name}`);
		check('n8n has removed the package again', (await editor.rest('GET', '/community-packages')).length === 0);
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
	console.log(`Nothing has been published. To publish, run: git tag v${version} && git push origin v${version}`);
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
