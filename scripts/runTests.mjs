import { run } from './setup.mjs';

/**
 * Runs npm scripts one after the other, then jest; ends the process with the first failure's code, or with jest's.
 * What the command was given on its command line goes to jest.
 * @param env the environment of all of them
 * @param scripts names in package.json
 * @param jestArguments what chooses the tests
 */
export async function runTests(env, scripts, jestArguments) {
	for (const script of scripts) {
		const code = await run('npm', ['run', '--silent', script], env);
		if (code !== 0) {
			console.error(`npm run ${script} failed.`);
			process.exit(code);
		}
	}
	process.exit(await run('node', ['node_modules/jest/bin/jest.js', ...jestArguments, ...process.argv.slice(2)], env));
}
