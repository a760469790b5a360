/**
 * `npm run test:mutants` changes one expression at a time, and checks whether a test fails then. It does this in the files where
 * an error could accept a wrong key, send a message twice, or report a wrong outcome. To test one file, run `npm run test:mutants
 * -- --mutate lib/texts/redact.ts`.
 */
import jest from './jest.config.js';

const [unit] = jest.projects;
const tests = (folder) => `<rootDir>/test/${folder}/**/*.test.ts`;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: [
		'lib/greek/amkaNumber.ts',
		'nodes/SmsCode/{checkCode,codeState,verificationId}.ts',
		'lib/sentMessages/*.ts',
		'lib/smsPlatform/{outcome,quietHours,recipient}.ts',
		'nodes/SmsTrigger/{ipAllowlist,receive}.ts',
		'nodes/SmsSend/{doNotSendTo,messageKey,sendChunks}.ts',
		'lib/smsPlatform/reportSignature.ts',
		'lib/{http/{circuitBreaker,retryPolicy},n8n/workerPool,texts/redact,values/digest}.ts',
	],
	testRunner: 'jest',
	// `projects` is empty, because Stryker would run each test once for each project of jest.config.js.
	jest: { config: { ...unit, testMatch: [tests('unit'), tests('workflow')], projects: [] } },
	coverageAnalysis: 'perTest',
	// Stryker copies the repository for each worker. These folders are not needed in the copies.
	ignorePatterns: ['/.node', '/.tmp', '/dist'],
	tempDirName: '.tmp/stryker',
	concurrency: 2,
	dryRunTimeoutMinutes: 20,
	timeoutMS: 20_000,
	reporters: ['clear-text', 'html'],
	htmlReporter: { fileName: '.tmp/mutants.html' },
	thresholds: { break: 85 },
};
