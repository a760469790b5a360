/** `npm run dev`: after each change of the sources, builds the package and copies it into the running n8n. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../setup.mjs';
import { installedIn } from './package.mjs';

/** With this setting n8n reloads nodes when their files change. */
export const reloading = { N8N_DEV_RELOAD: 'true' };

const sources = ['nodes', 'lib', 'credentials', 'icons'];

/** Watches the sources until the process ends. @param home the N8N_USER_FOLDER of the running n8n */
export async function watchSources(home, env) {
	// gulp is imported here, because it is not installed yet when a new clone starts `npm run dev`.
	const { default: gulp } = await import('gulp');

	async function update() {
		const began = Date.now();
		// If the build fails, it has printed the reason.
		if ((await run('npm', ['run', '--silent', 'build'], env)) !== 0) return;
		const dist = join(installedIn(home), 'dist');
		rmSync(dist, { recursive: true, force: true });
		cpSync(join(root, 'dist'), dist, { recursive: true });
		console.log(`In n8n after ${Math.round((Date.now() - began) / 1000)} s. Reload the n8n editor in your browser.`);
	}

	// If a file changes during a build, gulp starts another build after it.
	gulp.watch(sources.map((folder) => `${folder}/**/*`), { cwd: root }, update);
	console.log(`Watching ${sources.map((folder) => `${folder}/`).join(', ')}. A change is in n8n some seconds after you save it.`);
}
