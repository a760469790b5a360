const { execFile } = require('node:child_process');
const { mkdir, rename, rm } = require('node:fs/promises');
const { promisify } = require('node:util');
const { dest, parallel, series, src } = require('gulp');

const run = promisify(execFile);

/**
 * The folder of the build. It is moved to `dist` at the end, so that a process that packs `dist` meanwhile never finds a half
 * build.
 */
const fresh = `.tmp/build-${process.pid}`;

const clean = async () => {
	await rm(fresh, { recursive: true, force: true });
	await mkdir(fresh, { recursive: true });
};

/** Runs tsc, and shows its own error text. */
const compile = async () => {
	try {
		await run(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', fresh]);
	} catch (error) {
		throw new Error(error.stdout || error.message);
	}
};

// `encoding: false` keeps the bytes as they are: gulp 5 would decode them as UTF-8.
const copy = (pattern) =>
	src(pattern, { base: '.', encoding: false }).pipe(dest(fresh));
const icons = () => copy('icons/*.svg');
const codex = () => copy('nodes/**/*.node.json');

const unless = (codes) => (error) => {
	if (!codes.includes(error.code)) throw error;
	return true;
};

const replace = async () => {
	const old = `${fresh}-old`;
	for (let again = true; again; ) {
		await rename('dist', old).catch(unless(['ENOENT']));
		// Another build may have put its own there in between.
		again = await rename(fresh, 'dist').catch(unless(['ENOTEMPTY', 'EEXIST']));
		await rm(old, { recursive: true, force: true });
	}
};

const build = series(clean, parallel(compile, icons, codex), replace);

exports.build = build;
exports.default = build;
