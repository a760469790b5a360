/** `npm run dev`: at every change of the sources, builds the package and puts it into the running n8n. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../setup.mjs';
import { installedIn } from './package.mjs';

/** With this n8n loads the nodes again when their files change. */
export const reloading = { N8N_DEV_RELOAD: 'true' };

const sources = ['nodes', 'lib', 'credentials', 'icons'];

/** @param home the N8N_USER_FOLDER of the running n8n */
export async function watchSources(home, env) {
	// Not above: `npm run dev` begins with nothing installed.
	const { default: gulp } = await import('gulp');

	async function bring() {
		const began = Date.now();
		// What is wrong with the sources, the build says itself.
		if ((await run('npm', ['run', '--silent', 'build'], env)) !== 0) return;
		const dist = join(installedIn(home), 'dist');
		rmSync(dist, { recursive: true, force: true });
		cpSync(join(root, 'dist'), dist, { recursive: true });
		console.log(`In n8n after ${Math.round((Date.now() - began) / 1000)} s: reload the page of the editor.`);
	}

	// What changes during a build is built after it.
	gulp.watch(sources.map((folder) => `${folder}/**/*`), { cwd: root }, bring);
	console.log(`Watching ${sources.map((folder) => `${folder}/`).join(', ')}: a change is in n8n some seconds after you save it.`);
}
