const { execFile } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { promisify } = require('node:util');
const { dest, parallel, series, src, watch } = require('gulp');

const run = promisify(execFile);

const clean = () => rm('dist', { recursive: true, force: true });

/** tsc is called as it is: its own error text is what the reader needs. */
const compile = async () => {
	try {
		await run(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json']);
	} catch (error) {
		throw new Error(error.stdout || error.message);
	}
};

// `encoding: false` keeps the bytes as they are: gulp 5 would decode them as UTF-8.
const copy = (pattern) =>
	src(pattern, { base: '.', encoding: false }).pipe(dest('dist'));
const icons = () => copy('icons/*.svg');
const codex = () => copy('nodes/**/*.node.json');

const build = series(clean, parallel(compile, icons, codex));

exports.build = build;
exports.watch = () =>
	watch(['nodes/**/*', 'credentials/**/*', 'icons/*'], { ignoreInitial: false }, build);
exports.default = build;
