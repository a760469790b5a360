import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const scan = (kind: 'source' | 'packed', folder: string): { files: number; lines: string[] } =>
	JSON.parse(
		execFileSync(process.execPath, [join(__dirname, 'scan.mjs'), kind, folder], {
			encoding: 'utf8',
			// The plugin takes "test", which Jest sets, for a run of its own tests, and judges otherwise then.
			env: { ...process.env, NODE_ENV: 'production' },
		}),
	);

describe('the package as it is published', () => {
	const folder = mkdtempSync(join(tmpdir(), 'amka-sms-'));
	let archive: string;

	beforeAll(() => {
		execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT, stdio: 'ignore' });
		archive = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);
		execFileSync('tar', ['-xzf', archive, '-C', folder]);
	});
	afterAll(() => rmSync(folder, { recursive: true }));

	it('passes the rules by which n8n verifies packages, without an error or a warning', () => {
		const source = scan('source', ROOT);
		expect(source.files).toBeGreaterThan(30);
		expect(source.lines).toEqual([]);
		const packed = scan('packed', join(folder, 'package'));
		expect(packed.files).toBeGreaterThan(30);
		expect(packed.lines).toEqual([]);
	}, 60_000);

	it('is small, and holds dist, README, CHANGELOG and LICENSE alone', () => {
		expect(statSync(archive).size).toBeLessThan(150_000);
		expect(readdirSync(join(folder, 'package')).sort()).toEqual([
			'CHANGELOG.md',
			'LICENSE',
			'README.md',
			'dist',
			'package.json',
		]);
	});

	it('holds every file that its manifest names, and every icon that its nodes name', () => {
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

	it('depends on nothing but n8n', () => {
		expect(manifest).not.toHaveProperty('dependencies');
		expect(manifest).not.toHaveProperty('overrides');
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		expect(manifest.n8n).toMatchObject({ n8nNodesApiVersion: 1, strict: true });
	});
});
