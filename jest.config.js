const common = {
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['ts-jest', { diagnostics: false }] },
	// These folders contain packages too. jest would report two packages of the same name.
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/host/'],
};

/**
 * With these settings the test files of a jest worker share the loaded packages, such as n8n's. Loading takes a third of the
 * time.
 */
const sharingPackages = {
	testEnvironment: require.resolve('./test/jest/environment.js'),
	runtime: require.resolve('./test/jest/runtime.js'),
};

const testsIn = (folder) => ({ ...common, displayName: folder, testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`] });

/** Returns the pattern of the path of an end-to-end test. */
const e2ePattern = (name) => `<rootDir>/test/e2e/${name}\\.test\\.ts$`;

/**
 * Returns a project that runs some end-to-end tests with another version of n8n or zod. `test/e2e/versions.ts` reads that version
 * from the globals.
 */
const e2eWith = (displayName, globals, ...files) => ({
	...testsIn('e2e'),
	displayName,
	globals,
	testMatch: files.map((name) => `<rootDir>/test/e2e/${name}.test.ts`),
});

/** Tests that only `npm run test:slow` runs. */
const slow = ['unit/hostile/longTexts', 'unit/zodVersions'];

/**
 * The projects of jest. `jest --selectProjects unit` runs one of them. scripts/test.mjs defines which programs each of them needs.
 */
module.exports = {
	// This is long enough for a busy computer, and a test that never ends still fails.
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
		// The ignored tests need two workers or two webhook processes, so they run only in queue mode.
		{
			...testsIn('e2e'),
			testPathIgnorePatterns: ['duplicatesRace', 'onceAcrossWorkers', 'severalProcesses'].map(e2ePattern),
		},
		{
			...testsIn('e2e'),
			displayName: 'queue',
			globals: { queueMode: true },
			// These tests do not run in queue mode: `npm start` always uses one process and SQLite, and the tests of the sandbox and
			// of its clients need no n8n.
			testPathIgnorePatterns: ['start', 'sandbox', 'sandboxMemory', 'sandboxHabits', 'clients'].map(e2ePattern),
		},
		e2eWith('n8n 2.20', { n8nHost: '2.20' }, 'host', 'examples'),
		e2eWith('n8n 2.41, zod 4', { zodVersion: 4 }, 'host', 'install'),
	],
};
