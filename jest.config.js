const common = {
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['ts-jest', { diagnostics: false }] },
	// The build's output holds the same package name a second time.
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/host/'],
};

const testsIn = (folder) => ({ ...common, displayName: folder, testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`] });

const file = (name) => `<rootDir>/test/e2e/${name}\\.test\\.ts$`;

/** Some end-to-end tests in another surrounding, which `test/e2e/versions.ts` reads from the globals. */
const e2eWith = (displayName, globals, ...files) => ({
	...testsIn('e2e'),
	displayName,
	globals,
	testMatch: files.map((name) => `<rootDir>/test/e2e/${name}.test.ts`),
});

/** What `npm test` leaves to `npm run test:slow`. */
const slow = ['unit/hostile/longTexts', 'unit/zodVersions'];

/** Each is run by its name: `jest --selectProjects unit`. What each needs stands in scripts/test.mjs. */
module.exports = {
	// A busy machine takes its time; what hangs still fails.
	testTimeout: 30_000,
	projects: [
		{ ...testsIn('unit'), testPathIgnorePatterns: slow.map((name) => `<rootDir>/test/${name}\\.test\\.ts$`) },
		{ ...common, displayName: 'slow', testMatch: slow.map((name) => `<rootDir>/test/${name}.test.ts`) },
		testsIn('workflow'),
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
