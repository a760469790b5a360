import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { ExpressionEvaluator, IsolatedVmBridge } from '@n8n/expression-runtime';
import { Expression, LoggerProxy } from 'n8n-workflow';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/* Starts the parts of n8n that exist once per process: its home, its log, and its default expression engine. */

// n8n keeps a key file in its home; a home of one's own keeps runs apart.
const home = mkdtempSync(join(tmpdir(), 'amka-sms-workflow-'));
process.env.N8N_USER_FOLDER = home;
process.env.N8N_ENCRYPTION_KEY = 'a key of the tests';

/** Every log line of this test, as text, with its metadata. */
export const logLines: string[] = [];

const recorder = {
	...Object.fromEntries(
		['error', 'warn', 'info', 'debug'].map((level) => [
			level,
			(message: string, metadata?: object) => {
				logLines.push(`${level} ${message} ${asStored(metadata ?? {})}`);
			},
		]),
	),
	scoped: () => recorder,
} as unknown as Logger;
Container.set(Logger, recorder);
LoggerProxy.init(recorder);

/** n8n stores an execution as JSON in which an object is written once; so does this. */
export function asStored(value: unknown): string {
	const seen = new Set<unknown>();
	return JSON.stringify(value, (_key, part: unknown) => {
		if (part instanceof Error && !('toJSON' in part)) {
			return { ...part, name: part.name, message: part.message, stack: part.stack };
		}
		if (typeof part !== 'object' || part === null) return part;
		if (seen.has(part)) return undefined;
		seen.add(part);
		return part;
	});
}

// Required, because their types are behind export maps that tsc's Node10 resolution does not read.
const { expressionSandboxHooks } = require('n8n-workflow/expression-sandboxing');
const { unwrapLuxonValues } = require('@n8n/expression-runtime/dist/cjs/runtime/luxon-transfer.js');

/** A value that the isolate made in Node's own realm, with the classes of jest's sandbox: to a node, a Date is a Date. */
function intoSandbox(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return Array.from(value, intoSandbox);
	const kind = Object.prototype.toString.call(value);
	if (kind === '[object Date]') return new Date(Number(value));
	if (kind !== '[object Object]') throw new Error(`An expression returned ${kind}, which the tests do not carry over`);
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, intoSandbox(part)]));
}

class Evaluator extends ExpressionEvaluator {
	override evaluate(...args: Parameters<ExpressionEvaluator['evaluate']>): unknown {
		return unwrapLuxonValues(intoSandbox(super.evaluate(...args)));
	}
}

/**
 * n8n makes an isolate for each run, which takes two fifths of the test time. All runs of a test file share this one.
 */
class SharedBridge extends IsolatedVmBridge {
	override async dispose(): Promise<void> {}

	async disposeAfterAll(): Promise<void> {
		await super.dispose();
	}
}
const bridge = new SharedBridge({ timeout: 5000, memoryLimit: 128, logger: recorder });

/**
 * Starts the engine as n8n's start command does, with the settings that README advises.
 * `Expression.initExpressionEngine` itself needs a dynamic import, which jest does not support.
 */
const evaluator = new Evaluator({
	createBridge: () => bridge,
	maxCodeCacheSize: 1024,
	poolSize: 1,
	// A run takes an isolate when it comes to an expression, and does not wait for one before.
	lazyAcquire: true,
	hooks: expressionSandboxHooks,
	logger: recorder,
});

beforeAll(async () => {
	await evaluator.initialize();
	Object.assign(Expression, { vmEvaluator: evaluator });
	Expression.setExpressionEngine('vm');
});
beforeEach(() => {
	logLines.length = 0;
});
afterAll(async () => {
	await Expression.disposeExpressionEngine();
	await bridge.disposeAfterAll();
	rmSync(home, { recursive: true, force: true });
});
