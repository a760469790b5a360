const { default: Runtime } = require('jest-runtime');
const { createRequire } = require('node:module');
const { compileFunction } = require('node:vm');

/**
 * Loads packages with Node's own `require`, once for each jest worker, because loading n8n's engine for each test file took a
 * third of the time of `npm test`. Files of this repository are loaded again for each test file, as usual in jest.
 */
module.exports = class SharedRuntime extends Runtime {
	constructor(...args) {
		super(...args);
		const { executor } = this;
		executor.compile = (source, filename) => compileFunction(source, executor.injectedModuleParameters, { filename });
	}

	requireModule(from, name, options, ...rest) {
		const isOfPackage = name !== undefined && !options?.isInternalModule && !/^[./]/.test(name);
		return isOfPackage ? createRequire(from)(name) : super.requireModule(from, name, options, ...rest);
	}
};
module.exports.default = module.exports;
