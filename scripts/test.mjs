/** `npm test`: lint, types, build, then the unit and workflow tests. Further arguments go to jest. */
import { ensureDependencies, ensureNode24, run } from './setup.mjs';

const env = await ensureNode24();
await ensureDependencies(env);

for (const script of ['lint', 'typecheck', 'build']) {
	const code = await run('npm', ['run', '--silent', script], env);
	if (code !== 0) {
		console.error(`npm run ${script} failed.`);
		process.exit(code);
	}
}
process.exit(
	await run(
		'node',
		['node_modules/jest/bin/jest.js', '--selectProjects', 'unit', 'workflow', ...process.argv.slice(2)],
		env,
	),
);
