const common = {
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['ts-jest', { diagnostics: false }] },
	// The build's output holds the same package name a second time.
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/host/'],
};

const testsIn = (folder) => ({ ...common, displayName: folder, testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`] });

/** The end-to-end tests on the n8n of a folder below host. */
const onHost = (n8nHost) => ({ ...testsIn('e2e'), displayName: `n8n ${n8nHost}`, globals: { n8nHost } });

/** Each is run by its name: `jest --selectProjects unit`. */
module.exports = {
	projects: [
		...['unit', 'workflow', 'e2e', 'browser'].map(testsIn),
		...['1.123', '2.20'].map(onHost),
	],
};
