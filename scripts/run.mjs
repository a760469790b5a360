/**
 * `node scripts/run.mjs PROGRAM ARGUMENTS`: runs a program of this package's dependencies, as `npm run build`, `lint` and
 * `typecheck` do. It installs missing dependencies first, so that each of these works in a fresh copy.
 */
import { join } from 'node:path';
import { ensureDependencies, root, run } from './setup.mjs';

const [program, ...args] = process.argv.slice(2);
await ensureDependencies(process.env);
process.exitCode = await run(join(root, 'node_modules', '.bin', program), args, process.env);
