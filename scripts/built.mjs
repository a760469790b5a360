import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** The files and folders that the build reads, and those that configure it. */
const sources = ['nodes', 'lib', 'credentials', 'icons', 'package.json', 'package-lock.json', 'gulpfile.js', 'tsconfig.json', 'tsconfig.build.json'];

/** Returns the time of the latest change in a file or folder. A folder changes when a name is added or removed in it. */
function changed(path) {
	const found = statSync(path);
	const within = found.isDirectory() ? readdirSync(path).map((name) => changed(join(path, name))) : [];
	return Math.max(found.mtimeMs, ...within);
}

/** Returns whether `dist` is newer than all of its sources. If the file system keeps no times of birth, it never is. */
export function isBuiltAlready() {
	// The build makes its folder before it reads anything.
	const begun = statSync(join(root, 'dist'), { throwIfNoEntry: false })?.birthtimeMs ?? 0;
	return sources.every((source) => changed(join(root, source)) < begun);
}
