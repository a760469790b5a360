const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Values that jest-circus keeps on the global object for one test file. */
const OF_ONE_FILE = ['EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL'].map((name) => Symbol.for(name));

/**
 * A test environment without a realm of its own. Tests run in the realm of the worker, like the packages that `runtime.js` loads.
 * Otherwise an error or a date of n8n would have another class than those of the tests.
 */
module.exports = class SharedEnvironment {
	global = globalThis;
	moduleMocker = new ModuleMocker(globalThis);
	exportConditions = () => ['node', 'node-addons'];
	getVmContext = () => ({});

	/** jest replaces these for each test file. */
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
