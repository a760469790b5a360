/*
 * Lints as n8n's scanner of community packages does (@n8n/scan-community-package): comments that switch rules off
 * are ignored; the source gets all rules, the packed files those that make sense of compiled code. Prints what it
 * found, warnings too, as a JSON list of lines. A program of its own, because its plugins are ES modules.
 *
 * Arguments: "source" or "packed", and the folder.
 */
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { ESLint } from 'eslint';
import { defineConfig } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const [, , kind, folder] = process.argv;
const patterns = {
	source: ['package.json', 'nodes/**/*.{ts,json}', 'lib/**/*.ts', 'credentials/**/*.ts'],
	packed: ['**/*.js', 'package.json'],
};
const off = (...rules) => Object.fromEntries(rules.map((rule) => [`n8n-nodes-base/${rule}`, 'off']));

const eslint = new ESLint({
	cwd: folder,
	allowInlineConfig: false,
	overrideConfigFile: true,
	overrideConfig: defineConfig(
		n8nCommunityNodesPlugin.configs.recommended,
		{ rules: { 'no-console': 'error' }, plugins: { 'n8n-nodes-base': n8nNodesBase } },
		{ files: ['package.json'], rules: n8nNodesBase.configs.community.rules },
		{
			files: ['**/credentials/**/*.ts'],
			rules: {
				...n8nNodesBase.configs.credentials.rules,
				...off('cred-class-field-documentation-url-miscased', 'cred-class-field-type-options-password-missing'),
			},
		},
		{
			files: ['**/nodes/**/*.ts', '**/lib/**/*.ts'],
			rules: {
				...n8nNodesBase.configs.nodes.rules,
				...off(
					'node-class-description-inputs-wrong-regular-node',
					'node-class-description-outputs-wrong',
					'node-param-type-options-max-value-present',
				),
			},
		},
		{ files: ['**/*.{ts,json}'], languageOptions: { parser: tseslint.parser } },
	),
});
const results = await eslint.lintFiles(patterns[kind]);
const lines = results.flatMap(({ filePath, messages }) =>
	messages.map(({ line, ruleId, message }) => `${filePath.slice(folder.length + 1)}:${line} ${ruleId} ${message}`),
);
process.stdout.write(JSON.stringify({ files: results.length, lines }));
