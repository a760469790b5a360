import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { ExpressionEvaluator, IsolatedVmBridge } from '@n8n/expression-runtime';
import { Expression, LoggerProxy, type LogMetadata } from 'n8n-workflow';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Starts the parts of n8n that exist once per process: its home folder, its log, and its default expression engine. The test
 * files of a jest worker share n8n (test/jest/runtime.js), so they share these parts too.
 */

// n8n stores a key file in its home folder.
const home = join(tmpdir(), `amka-sms-workflow-${process.pid}`);
process.env.N8N_USER_FOLDER = home;
process.env.N8N_ENCRYPTION_KEY = 'a key of the tests';

/** The log lines of the current test, with their metadata as text. */
export const logLines: string[] = [];

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;

const createLogger = (
	log: (level: (typeof LEVELS)[number], message: string, metadata?: LogMetadata) => void,
): Logger => {
	const methods = LEVELS.map((level) => [
		level,
		(message: string, metadata?: LogMetadata) => log(level, message, metadata),
	]);
	const logger = { ...Object.fromEntries(methods), scoped: () => logger } as unknown as Logger;
	return logger;
};
// Parts of n8n keep the logger with which they were created. This logger passes each line on to the current test file.
Container.set(
	Logger,
	createLogger((level, message, metadata) => LoggerProxy[level](message, metadata)),
);
LoggerProxy.init(
	createLogger((level, message, metadata) => logLines.push(`${level} ${message} ${asStored(metadata ?? {})}`)),
);

/** Returns a value as n8n stores an execution: as JSON in which each object is written only once. */
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

// Loaded with require, because its types are in an export map that TypeScript's Node10 resolution does not read.
const { expressionSandboxHooks } = require('n8n-workflow/expression-sandboxing');

/**
 * n8n creates an isolate for each execution, which would take two fifths of the test time. All executions of a worker share
 * this one.
 */
class SharedBridge extends IsolatedVmBridge {
	override async dispose(): Promise<void> {}
}

/** Starts the engine as n8n's start command does, with the settings that docs/admin.md requires. */
async function startEngine(): Promise<void> {
	const logger = Container.get(Logger);
	const bridge = new SharedBridge({ timeout: 5000, memoryLimit: 128, logger });
	const evaluator = new ExpressionEvaluator({
		createBridge: () => bridge,
		maxCodeCacheSize: 1024,
		poolSize: 1,
		// An execution gets an isolate only when it evaluates an expression.
		lazyAcquire: true,
		hooks: expressionSandboxHooks,
		logger,
	});
	await evaluator.initialize();
	Object.assign(Expression, { vmEvaluator: evaluator });
	Expression.setExpressionEngine('vm');
}

beforeAll(async () => {
	if (Expression.getActiveImplementation() !== 'vm') await startEngine();
});
beforeEach(() => {
	logLines.length = 0;
});
afterAll(() => rmSync(home, { recursive: true, force: true }));
