/**
 * `npm run test:mutants` changes one expression at a time and checks whether a test fails. It does so in the files in which
 * an error would accept a wrong key, send a message twice, or report a wrong outcome. For one file: `npm run test:mutants --
 * --mutate lib/texts/redact.ts`.
 */
import jest from './jest.config.js';

const [unit] = jest.projects;
const tests = (folder) => `<rootDir>/test/${folder}/**/*.test.ts`;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: [
		'lib/greek/amkaNumber.ts',
		'nodes/SmsCode/{checkCode,codeLimits,verificationId}.ts',
		'lib/sentMessages/*.ts',
		'lib/smsPlatform/{outcome,quietHours,recipient}.ts',
		'nodes/SmsTrigger/{ipAllowlist,receive}.ts',
		'nodes/SmsSend/{doNotSendTo,messageKey,sendChunks}.ts',
		'lib/smsPlatform/reportSignature.ts',
		'lib/{http/{circuitBreaker,retryPolicy},n8n/workerPool,texts/redact,values/digest}.ts',
	],
	testRunner: 'jest',
	// Stryker adds the projects of jest.config.js, which would run each test once for each project.
	jest: { config: { ...unit, testMatch: [tests('unit'), tests('workflow')], projects: [] } },
	coverageAnalysis: 'perTest',
	// Installed and built files are not copied for each worker.
	ignorePatterns: ['/.node', '/.tmp', '/dist'],
	tempDirName: '.tmp/stryker',
	concurrency: 2,
	dryRunTimeoutMinutes: 20,
	timeoutMS: 20_000,
	reporters: ['clear-text', 'html'],
	htmlReporter: { fileName: '.tmp/mutants.html' },
	thresholds: { break: 85 },
};
