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

/** The end-to-end tests on the n8n of a folder below host. */
const onHost = (n8nHost) => ({ ...testsIn('e2e'), displayName: `n8n ${n8nHost}`, globals: { n8nHost } });

/** Each is run by its name: `jest --selectProjects unit`. */
module.exports = {
	projects: [
		...['unit', 'workflow', 'e2e', 'browser'].map(testsIn),
		...['unit', 'workflow'].map(withZod4),
		...['1.123', '2.20'].map(onHost),
	],
};
