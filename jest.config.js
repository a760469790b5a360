const common = {
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['ts-jest', { diagnostics: false }] },
	// The build's output holds the same package name a second time.
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/host/'],
};

/** Four kinds of tests, each run by its name: `jest --selectProjects unit`. */
module.exports = {
	projects: ['unit', 'workflow', 'e2e', 'browser'].map((name) => ({
		...common,
		displayName: name,
		testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	})),
};
