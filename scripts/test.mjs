/** `npm test`: lint, types, build, then the unit and workflow tests, with zod 3.25 and with zod 4. Further arguments go to jest. */
import { runTests } from './runTests.mjs';
import { ensureDependencies, ensureNode24 } from './setup.mjs';

const env = await ensureNode24();
await ensureDependencies(env);
process.exitCode = await runTests(env, ['lint', 'typecheck', 'build'], [
	'--selectProjects',
	'unit',
	'workflow',
	'unit, zod 4',
	'workflow, zod 4',
]);
