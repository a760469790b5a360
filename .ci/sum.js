/** Prints a summary of `.ci/run`: the slowest test files, the time of each step, and the line `N passed, N failed`. */
const { readdirSync, readFileSync } = require('node:fs');
const { relative } = require('node:path');

const folder = '.tmp/ci';
const files = readdirSync(folder);
const results = files.filter((file) => file.endsWith('.json')).map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')));

const slowest = results
	.flatMap(({ testResults }) => testResults)
	.map(({ name, startTime, endTime }) => ({ file: relative('test', name), seconds: Math.round((endTime - startTime) / 1000) }))
	.sort((a, b) => b.seconds - a.seconds);
for (const { file, seconds } of slowest.slice(0, 15)) console.log(`${String(seconds).padStart(4)} s  ${file}`);
console.log(readFileSync(`${folder}/times`, 'utf8').trim());

const sum = (field) => results.reduce((total, result) => total + result[field], 0);
const passed = sum('numPassedTests');
// A step can fail without a failed test, for example by lint, a build, or a file that does not load. That counts as a failure.
const failedSteps = files.filter((file) => file.endsWith('.failed')).length;
const failed = Math.max(sum('numFailedTests') + sum('numRuntimeErrorTestSuites'), failedSteps);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || (results.length > 0 && passed === 0) ? 1 : 0;
