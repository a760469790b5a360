import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

/*
 * The rules that n8n uses to verify community packages (@n8n/scan-community-package), built from the two plugins
 * that the scanner uses, with its own exceptions. Comments that switch rules off are ignored, as the scanner does.
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
		// A value from outside may be an object that has no text of its own. `toText` in lib/ turns it into text.
		files: ['nodes/**/*.ts', 'lib/**/*.ts', 'credentials/**/*.ts'],
		languageOptions: { parserOptions: { projectService: true } },
		rules: { '@typescript-eslint/no-base-to-string': ['error', { checkUnknown: true }] },
	},
	{
		files: ['sandbox/**/*.ts', 'test/**/*.ts'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
);
