import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** The files and folders that the build reads. */
const sources = ['nodes', 'lib', 'credentials', 'icons', 'package.json', 'package-lock.json', 'gulpfile.js', 'tsconfig.json', 'tsconfig.build.json'];

/** Returns the time of the latest change in a file or folder. A folder itself changes if a file is added or removed. */
function latestChange(path) {
	const found = statSync(path);
	const within = found.isDirectory() ? readdirSync(path).map((name) => latestChange(join(path, name))) : [];
	return Math.max(found.mtimeMs, ...within);
}

/** Returns whether `dist` is newer than all of its sources. False if the file system stores no creation times (birthtime). */
export function isBuiltAlready() {
	// The build creates its folder before it reads the sources, so a later change of a source is newer than the folder.
	const begun = statSync(join(root, 'dist'), { throwIfNoEntry: false })?.birthtimeMs ?? 0;
	return sources.every((source) => latestChange(join(root, source)) < begun);
}
