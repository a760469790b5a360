const { execFile } = require('node:child_process');
const { mkdir, rename, rm } = require('node:fs/promises');
const { promisify } = require('node:util');
const { dest, parallel, series, src } = require('gulp');

const run = promisify(execFile);

/**
 * The temporary folder for the output of the build. It is renamed to `dist` at the end, so that a process that packs `dist` at
 * the same time never finds an incomplete build.
 */
const fresh = `.tmp/build-${process.pid}`;

const clean = async () => {
	await rm(fresh, { recursive: true, force: true });
	await mkdir(fresh, { recursive: true });
};

/** Compiles the sources. @throws {Error} with the error text of tsc */
const compile = async () => {
	try {
		await run(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', fresh]);
	} catch (error) {
		throw new Error(error.stdout || error.message);
	}
};

// `encoding: false` copies the bytes unchanged. Otherwise gulp 5 would decode them as UTF-8.
const copy = (pattern) =>
	src(pattern, { base: '.', encoding: false }).pipe(dest(fresh));
const icons = () => copy('icons/*.svg');
const codex = () => copy('nodes/**/*.node.json');

/** Returns an error handler that ignores errors with one of these codes, and returns true then. */
const ignore = (codes) => (error) => {
	if (!codes.includes(error.code)) throw error;
	return true;
};

/** Replaces `dist` by the output of this build. */
const replace = async () => {
	const old = `${fresh}-old`;
	for (let isTaken = true; isTaken; ) {
		await rename('dist', old).catch(ignore(['ENOENT']));
		// If another build has created `dist` in the meantime, this one tries again.
		isTaken = await rename(fresh, 'dist').catch(ignore(['ENOTEMPTY', 'EEXIST']));
		await rm(old, { recursive: true, force: true });
	}
};

const build = series(clean, parallel(compile, icons, codex), replace);

exports.build = build;
exports.default = build;
