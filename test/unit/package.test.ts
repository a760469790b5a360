import { execFileSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
/** The folders from which the package is built. */
const BUILT_FROM = ['nodes', 'lib', 'credentials', 'icons', 'scripts'];
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Lints the packed files as n8n's package scanner does. */
const scan = (folder: string): { files: number; lines: string[] } =>
	JSON.parse(
		execFileSync(process.execPath, [join(__dirname, 'scan.mjs'), folder], {
			encoding: 'utf8',
			// n8n's ESLint plugin has other rules while NODE_ENV is "test", which jest sets.
			env: { ...process.env, NODE_ENV: 'production' },
		}),
	);

describe('the published package', () => {
	const folder = mkdtempSync(join(tmpdir(), 'amka-sms-'));
	let archive: string;

	const page = readFileSync(join(ROOT, 'docs/admin.md'), 'utf8');
	/** The commands of docs/admin.md: they clone the repository and pack it, and install the file on a server or in Docker. */
	const [clone, onServer, inDocker] = [...page.matchAll(/```sh\n([^]*?)\n```/g)].map(([, commands]) => commands!);
	/** The commands that run in the clone. The first line makes the clone, for which the test has a copy. */
	const inClone = clone!.split('\n').slice(1).join('\n');

	/** Packs a fresh copy of the repository, in which nothing was built yet. */
	beforeAll(() => {
		const copy = join(folder, 'copy');
		for (const name of readdirSync(ROOT)) {
			const isWanted = BUILT_FROM.includes(name) || (name !== '.git' && statSync(join(ROOT, name)).isFile());
			if (isWanted) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
		}
		symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(copy, 'node_modules'));
		// npm reads only the settings of the repository's .npmrc, not those of the user.
		const env = { ...process.env, npm_config_userconfig: '/dev/null' };
		execFileSync('sh', ['-ec', inClone], { cwd: copy, env, stdio: 'ignore' });
		archive = join(copy, readdirSync(copy).find((name) => name.endsWith('.tgz'))!);
		execFileSync('tar', ['-xzf', archive, '-C', folder]);
	}, 120_000);
	afterAll(() => rmSync(folder, { recursive: true }));

	it("passes n8n's rules for verified packages, without an error or a warning", () => {
		const packed = scan(join(folder, 'package'));
		expect(packed.files).toBeGreaterThan(30);
		expect(packed.lines).toEqual([]);
	}, 60_000);

	it("is installed into n8n's folder and removed from it by the commands of docs/admin.md, even if the home directory has a folder node_modules", () => {
		const home = join(folder, 'home');
		// Because of this folder, npm would install into the home directory if the command had no `--prefix`.
		mkdirSync(join(home, 'node_modules'), { recursive: true });
		const commands = onServer!.replace(/\/path\/to\/\S+/, archive);
		const env = { ...process.env, HOME: home, npm_config_offline: 'true', npm_config_audit: 'false' };
		execFileSync('sh', ['-ec', commands], { cwd: home, env, stdio: 'ignore' });
		expect(readdirSync(join(home, '.n8n/nodes/node_modules'))).toContain(manifest.name);

		const [uninstall] = /npm uninstall [^`]+/.exec(page)!;
		execFileSync('sh', ['-ec', uninstall], { cwd: join(home, '.n8n/nodes'), env, stdio: 'ignore' });
		expect(existsSync(join(home, '.n8n/nodes/node_modules', manifest.name))).toBe(false);
	}, 60_000);

	it('is installed in Docker by the same commands as on a server', () => {
		expect(inDocker).toContain(`'${onServer!.replaceAll('\n', ' && ').replace('/path/to/', '/tmp/')}'`);
	});

	it('is smaller than 200 kB, and contains only dist, README, CHANGELOG, LICENSE and package.json', () => {
		expect(statSync(archive).size).toBeLessThan(200_000);
		expect(readdirSync(join(folder, 'package')).sort()).toEqual([
			'CHANGELOG.md',
			'LICENSE',
			'README.md',
			'dist',
			'package.json',
		]);
	});

	it('contains every node and credential that its manifest names, with their icons, and a file with the name and categories of each node', () => {
		const packed = (path: string) => readFileSync(join(folder, 'package', path));
		for (const path of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
			const code = packed(path).toString();
			for (const [, icon] of code.matchAll(/file:([^']+\.svg)/g)) {
				expect(packed(join(path, '..', icon!)).length).toBeGreaterThan(100);
			}
		}
		for (const path of manifest.n8n.nodes) {
			const codex = JSON.parse(packed(path.replace(/\.js$/, '.json')).toString());
			expect(codex.node).toBe(
				`${manifest.name}.${path.match(/(\w+)\.node\.js$/)[1].replace(/^./, (c: string) => c.toLowerCase())}`,
			);
		}
	});

	it('has no script that npm would run automatically, because .npmrc switches such scripts off', () => {
		const byItself = /^(pre|post|prepare$|install$|dependencies$)/;
		expect(Object.keys(manifest.scripts).filter((name) => byItself.test(name))).toEqual([]);
	});

	it('depends on nothing but n8n', () => {
		expect(manifest).not.toHaveProperty('dependencies');
		expect(manifest).not.toHaveProperty('overrides');
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		expect(manifest.n8n).toMatchObject({ n8nNodesApiVersion: 1 });
	});
});

it('npm runs no install scripts of dependencies in this repository, because the script of one dependency accepts only pnpm', () => {
	const folder = mkdtempSync(join(tmpdir(), 'amka-sms-install-'));
	mkdirSync(join(folder, 'dependency'));
	const write = (file: string, content: object) => writeFileSync(join(folder, file), JSON.stringify(content));
	write('package.json', { dependencies: { dependency: 'file:dependency' } });
	write('dependency/package.json', { name: 'dependency', version: '1.0.0', scripts: { preinstall: 'exit 1' } });
	cpSync(join(ROOT, '.npmrc'), join(folder, '.npmrc'));
	const { npm_config_ignore_scripts: _, ...env } = process.env;
	const offline = { ...env, npm_config_userconfig: '/dev/null', npm_config_offline: 'true' };
	const npm = (command: string) => execFileSync('npm', [command], { cwd: folder, env: offline, stdio: 'ignore' });
	npm('install');
	npm('ci');
	expect(readdirSync(join(folder, 'node_modules'))).toContain('dependency');
	rmSync(folder, { recursive: true });
});
