/** Resolves zod to zod 4 for the package and its tests, as where another community package brings it along; n8n's own code keeps the one it needs. */
module.exports = (path, options) =>
	options.defaultResolver(path === 'zod' && !options.basedir.includes('node_modules') ? 'zod4' : path, options);
