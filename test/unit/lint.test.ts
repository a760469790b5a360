import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/**
 * Lints a forbidden text as a file of lib and as a file of nodes. It runs in a process of its own, because n8n's plugin has other
 * rules while NODE_ENV is "test".
 */
const PROGRAM = `
	const { ESLint } = require('eslint');
	// Without type information, which these rules do not need.
	const ruleFilter = ({ ruleId }) => ruleId.startsWith('@n8n/');
	const languageOptions = { parserOptions: { projectService: false } };
	const eslint = new ESLint({ ruleFilter, overrideConfig: { languageOptions } });
	const text = "import { readFileSync } from 'node:fs';\\nexport const read = () => readFileSync(process.argv[0]!);\\n";
	const examine = async (filePath) => {
		const [{ messages }] = await eslint.lintText(text, { filePath });
		const { rules } = await eslint.calculateConfigForFile(filePath);
		return { broken: messages.map(({ ruleId }) => ruleId), rules };
	};
	(async () => {
		const files = ['lib/http/cancel.ts', 'nodes/Amka/verdict.ts'];
		console.log(JSON.stringify(await Promise.all(files.map(examine))));
	})();
`;

interface Examined {
	/** The ids of the rules that the text breaks. */
	broken: string[];
	rules: object;
}

it("n8n's rules for published code reject a forbidden import and global, and are the same in lib and nodes", () => {
	const env = { ...process.env, NODE_ENV: 'production' };
	const output = execFileSync(process.execPath, ['-e', PROGRAM], { cwd: ROOT, env, encoding: 'utf8' });
	const [lib, nodes] = JSON.parse(output) as [Examined, Examined];
	const restricted = ['no-restricted-imports', 'no-restricted-globals'].map((rule) => `@n8n/community-nodes/${rule}`);
	expect(lib.broken).toEqual(expect.arrayContaining(restricted));
	expect(lib).toEqual(nodes);
});
