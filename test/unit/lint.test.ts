import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/**
 * Lints forbidden code as if it were a file of lib/ and a file of nodes/. It runs in a separate process, because n8n's plugin has
 * other rules while NODE_ENV is "test".
 */
const PROGRAM = `
	const { ESLint } = require('eslint');
	// Only n8n's rules are tested. They need no type information.
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
	/** The IDs of the rules that the code breaks. */
	broken: string[];
	rules: object;
}

it("n8n's lint rules for published code reject a forbidden import and a forbidden global, both in lib/ and in nodes/", () => {
	const env = { ...process.env, NODE_ENV: 'production' };
	const output = execFileSync(process.execPath, ['-e', PROGRAM], { cwd: ROOT, env, encoding: 'utf8' });
	const [lib, nodes] = JSON.parse(output) as [Examined, Examined];
	const restricted = ['no-restricted-imports', 'no-restricted-globals'].map((rule) => `@n8n/community-nodes/${rule}`);
	expect(lib.broken).toEqual(expect.arrayContaining(restricted));
	expect(lib).toEqual(nodes);
});
