import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

/*
 * The rules by which n8n checks community packages (@n8n/scan-community-package). They come from the two plugins that n8n's
 * scanner uses, with the same exceptions. In published files, comments that switch rules off have no effect, as in the scanner.
 */
const published = ['nodes/**/*.ts', 'lib/**/*.ts', 'credentials/**/*.ts', 'package.json', 'nodes/**/*.json'];

export default tseslint.config(
	{ ignores: ['dist/', 'host/', '.node/', '.tmp/', 'examples/', 'package-lock.json'] },
	{ files: published, linterOptions: { noInlineConfig: true }, extends: [n8nCommunityNodesPlugin.configs.recommended], rules: { 'no-console': 'error' } },
	{ plugins: { 'n8n-nodes-base': n8nNodesBase } },
	{
		files: ['package.json'],
		rules: n8nNodesBase.configs.community.rules,
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts', 'lib/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{ files: ['**/*.json'], languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } } },
	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.recommended],
		rules: {
			'prefer-const': 'error',
			eqeqeq: 'error',
			'@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_$', argsIgnorePattern: '^_$' }],
		},
	},
	{
		// A value from a request or an expression may be an object, which JavaScript would convert to "[object Object]". `toText` in
		// lib/ converts any value to a readable text.
		files: ['nodes/**/*.ts', 'lib/**/*.ts', 'credentials/**/*.ts'],
		languageOptions: { parserOptions: { projectService: true } },
		rules: { '@typescript-eslint/no-base-to-string': ['error', { checkUnknown: true }] },
	},
	{
		files: ['sandbox/**/*.ts', 'test/**/*.ts'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
);
