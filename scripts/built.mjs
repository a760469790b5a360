import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** What the build reads, and what it is made with. */
const sources = ['nodes', 'lib', 'credentials', 'icons', 'package.json', 'package-lock.json', 'gulpfile.js', 'tsconfig.json', 'tsconfig.build.json'];

/** The time of the latest change of a file or folder, or of what is in it: a folder changes with the names in it. */
function changed(path) {
	const found = statSync(path);
	const within = found.isDirectory() ? readdirSync(path).map((name) => changed(join(path, name))) : [];
	return Math.max(found.mtimeMs, ...within);
}

/** Whether `dist` is newer than all that it is built from. Where the file system keeps no times of birth, it never is. */
export function isBuiltAlready() {
	// The build makes its folder before it reads anything.
	const begun = statSync(join(root, 'dist'), { throwIfNoEntry: false })?.birthtimeMs ?? 0;
	return sources.every((source) => changed(join(root, source)) < begun);
}
