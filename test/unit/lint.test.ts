import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/** Runs ESLint on a text as if it were the content of a file. Returns the ids of the rules that it breaks. */
function lint(file: string, text: string): string[] {
	const [{ messages }] = JSON.parse(run(['--stdin', '--stdin-filename', file, '--format', 'json'], text));
	return messages.map(({ ruleId }: { ruleId: string }) => ruleId);
}

/** Runs ESLint, which exits with 1 if it finds errors. The plugin has other rules while NODE_ENV is "test". */
function run(options: string[], input = ''): string {
	const eslint = join(ROOT, 'node_modules/eslint/bin/eslint.js');
	const env = { ...process.env, NODE_ENV: 'production' };
	try {
		return execFileSync(process.execPath, [eslint, ...options], { cwd: ROOT, env, input, encoding: 'utf8' });
	} catch (error) {
		return (error as { stdout: string }).stdout;
	}
}

describe('the rules of n8n for published code', () => {
	it('reject a forbidden import and global in lib', () => {
		const text = "import { readFileSync } from 'node:fs';\nexport const read = () => readFileSync(process.argv[0]!);\n";
		expect(lint('lib/http/cancel.ts', text)).toEqual(
			expect.arrayContaining([
				'@n8n/community-nodes/no-restricted-imports',
				'@n8n/community-nodes/no-restricted-globals',
			]),
		);
	});

	it('are the same in lib and nodes', () => {
		const rulesOf = (file: string) => JSON.parse(run(['--print-config', file])).rules as object;
		expect(rulesOf('lib/http/cancel.ts')).toEqual(rulesOf('nodes/Amka/verdict.ts'));
	});
});
