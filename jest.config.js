const common = {
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['ts-jest', { diagnostics: false }] },
	// The output of the build has a second package of the same name.
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/host/'],
};

/** The test files of a worker share the packages, n8n among them. Loading them for each file took a third of the time. */
const sharingPackages = {
	testEnvironment: require.resolve('./test/jest/environment.js'),
	runtime: require.resolve('./test/jest/runtime.js'),
};

const testsIn = (folder) => ({ ...common, displayName: folder, testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`] });

const file = (name) => `<rootDir>/test/e2e/${name}\\.test\\.ts$`;

/**
 * Returns a project that runs some end-to-end tests in another environment. `test/e2e/versions.ts` reads it from the globals.
 */
const e2eWith = (displayName, globals, ...files) => ({
	...testsIn('e2e'),
	displayName,
	globals,
	testMatch: files.map((name) => `<rootDir>/test/e2e/${name}.test.ts`),
});

/** Tests that only `npm run test:slow` runs. */
const slow = ['unit/hostile/longTexts', 'unit/zodVersions'];

/** The projects. Each runs by its name: `jest --selectProjects unit`. scripts/test.mjs says what each needs. */
module.exports = {
	// Enough for a busy machine. A test that hangs still fails.
	testTimeout: 30_000,
	projects: [
		{
			...testsIn('unit'),
			...sharingPackages,
			testPathIgnorePatterns: slow.map((name) => `<rootDir>/test/${name}\\.test\\.ts$`),
		},
		{ ...common, displayName: 'slow', testMatch: slow.map((name) => `<rootDir>/test/${name}.test.ts`) },
		{ ...testsIn('workflow'), ...sharingPackages },
		{ ...testsIn('browser'), testPathIgnorePatterns: ['<rootDir>/test/browser/pictures\\.test\\.ts$'] },
		// `npm run pictures` makes the pictures of the documentation.
		{ ...common, displayName: 'pictures', testMatch: ['<rootDir>/test/browser/pictures.test.ts'] },
		// These are about two workers, or two webhook processes, which only queue mode has.
		{ ...testsIn('e2e'), testPathIgnorePatterns: ['duplicatesRace', 'onceAcrossWorkers', 'severalProcesses'].map(file) },
		{
			...testsIn('e2e'),
			displayName: 'queue',
			globals: { queueMode: true },
			// `npm start` is one n8n on SQLite, the sandbox's own tests are without n8n, and the clock is moved for one process.
			testPathIgnorePatterns: ['start', 'sandbox', 'sandboxMemory', 'sandboxHabits', 'clients'].map(file),
		},
		e2eWith('n8n 2.20', { n8nHost: '2.20' }, 'host', 'examples'),
		e2eWith('n8n 2.41, zod 4', { zodVersion: 4 }, 'host', 'install'),
	],
};
