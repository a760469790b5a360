/** `npm run docs`: builds the package, and writes docs/reasons.md, which is generated from its code. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { reasonsPage } from './reasonsPage.js';
import { root, run } from './setup.mjs';

const built = await run(process.execPath, [join(root, 'scripts', 'run.mjs'), 'gulp', 'build'], process.env);
if (built === 0) {
	const { REASONS } = createRequire(import.meta.url)(join(root, 'dist', 'lib', 'texts', 'reasons.js'));
	writeFileSync(join(root, 'docs', 'reasons.md'), reasonsPage(REASONS));
}
process.exitCode = built;
