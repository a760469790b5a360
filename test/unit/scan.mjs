/*
 * Lints the packed files as n8n's scanner of community packages does (@n8n/scan-community-package): comments that switch
 * rules off are ignored, and compiled code gets the rules that make sense for it. `npm run lint` lints the source with the
 * scanner's other rules. Prints errors and warnings as a JSON list of lines. It is a separate program, because its plugins are
 * ES modules.
 *
 * Argument: the folder.
 */
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { ESLint } from 'eslint';
import { defineConfig } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const [, , folder] = process.argv;

const eslint = new ESLint({
	cwd: folder,
	allowInlineConfig: false,
	overrideConfigFile: true,
	overrideConfig: defineConfig(
		n8nCommunityNodesPlugin.configs.recommended,
		{ rules: { 'no-console': 'error' }, plugins: { 'n8n-nodes-base': n8nNodesBase } },
		{ files: ['package.json'], rules: n8nNodesBase.configs.community.rules },
		{ files: ['**/*.json'], languageOptions: { parser: tseslint.parser } },
	),
});
const results = await eslint.lintFiles(['**/*.js', 'package.json']);
const lines = results.flatMap(({ filePath, messages }) =>
	messages.map(({ line, ruleId, message }) => `${filePath.slice(folder.length + 1)}:${line} ${ruleId} ${message}`),
);
process.stdout.write(JSON.stringify({ files: results.length, lines }));
