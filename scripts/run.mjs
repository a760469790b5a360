/**
 * `node scripts/run.mjs PROGRAM ARGUMENTS`: runs a program from `node_modules`. `npm run build`, `lint` and `typecheck` use it,
 * because it installs missing dependencies first. So each of them works in a new clone.
 */
import { join } from 'node:path';
import { ensureDependencies, root, run } from './setup.mjs';

const [program, ...args] = process.argv.slice(2);
await ensureDependencies(process.env);
process.exitCode = await run(join(root, 'node_modules', '.bin', program), args, process.env);
