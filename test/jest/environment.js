const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Values that jest-circus keeps on the global object for one test file. */
const OF_ONE_FILE = ['EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL'].map((name) => Symbol.for(name));

/**
 * A test environment without a separate JavaScript realm. Tests run in the realm of the jest worker, like the packages that
 * `runtime.js` loads. Otherwise the classes of n8n's errors and dates would differ from those in the tests.
 */
module.exports = class SharedEnvironment {
	global = globalThis;
	moduleMocker = new ModuleMocker(globalThis);
	exportConditions = () => ['node', 'node-addons'];
	getVmContext = () => ({});

	/** Values of the worker that jest replaces for each test file. */
	replaced = { console: globalThis.console, exit: process.exit };

	constructor({ projectConfig: config }) {
		const timerConfig = { idToRef: (id) => id, refToId: (timer) => timer };
		this.fakeTimers = new LegacyFakeTimers({ config, global, moduleMocker: this.moduleMocker, timerConfig });
		this.fakeTimersModern = new ModernFakeTimers({ config, global });
		Object.assign(globalThis, config.globals);
	}

	async setup() {}

	async teardown() {
		this.fakeTimers.dispose();
		this.fakeTimersModern.dispose();
		for (const symbol of OF_ONE_FILE) delete globalThis[symbol];
		globalThis.console = this.replaced.console;
		process.exit = this.replaced.exit;
	}
};
