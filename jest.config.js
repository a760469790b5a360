const common = {
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['ts-jest', { diagnostics: false }] },
	// The build's output holds the same package name a second time.
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/host/'],
};

const testsIn = (folder) => ({ ...common, displayName: folder, testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`] });

/** The tests of a folder with zod 4 under the nodes. */
const withZod4 = (folder) => ({
	...testsIn(folder),
	displayName: `${folder}, zod 4`,
	resolver: '<rootDir>/test/zod4.js',
	globals: { zodVersion: 4 },
	// They know no schema.
	testPathIgnorePatterns: ['unit/package', 'workflow/engine'],
});

/** End-to-end tests of the nodes in another surrounding. The examples use versions of n8n's own nodes that n8n 1 lacks. */
const nodesIn = (displayName, globals, ...more) => ({
	...testsIn('e2e'),
	displayName,
	globals,
	testMatch: ['amka', 'circle', 'credentials', 'install', 'send', 'sendAndWait', 'trigger', ...more].map(
		(file) => `<rootDir>/test/e2e/${file}.test.ts`,
	),
});

/** Each is run by its name: `jest --selectProjects unit`. */
module.exports = {
	projects: [
		...['unit', 'workflow', 'e2e', 'browser'].map(testsIn),
		...['unit', 'workflow'].map(withZod4),
		nodesIn('n8n 1.123', { n8nHost: '1.123' }),
		nodesIn('n8n 2.20', { n8nHost: '2.20' }, 'examples', 'scale'),
		nodesIn('e2e, zod 4', { zodVersion: 4 }),
	],
};
