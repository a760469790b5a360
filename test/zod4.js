/**
 * A jest resolver that gives zod 4 to this package and its tests, as if another community package had installed it. n8n's own
 * code gets the zod that it needs.
 */
module.exports = (path, options) =>
	options.defaultResolver(path === 'zod' && !options.basedir.includes('node_modules') ? 'zod4' : path, options);
