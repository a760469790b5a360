import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../n8n/aiTool';
import { Problem } from '../texts/problem';
import { isUnknown } from './deliver';

type Entry<T> = { result: T } | { unknown: Pick<Problem, 'message' | 'description' | 'details' | 'httpCode' | 'why'> };

/**
 * Identifies an item across attempts. Within one execution, an item of a list is identified by its place. In an execution with a
 * corrected list, it is identified by its content, which is the message that it sends. The call of an AI agent's tool is
 * identified only by its content, because each call is the first item of the same execution. A call without an execution, as
 * from MCP Server Trigger, is not identified.
 */
export type RetryKey = string[];

/** The calls of an AI agent's tool in an execution, by their content. An agent may make several at once. */
const callsOf = new WeakMap<object, Map<string, Promise<unknown>>>();

export type RetryState<T extends object> = ReturnType<typeof openRetryState<T>>;

/**
 * Opens the results of earlier attempts of this run. Retry On Fail and n8n's Retry run the whole node again. A message that was
 * sent, or may have been sent, is not sent again. Rejected items are not kept, because they may be tried again. n8n stores
 * this state with the execution, so it holds no secret and nothing that the node's output would not contain.
 * @param T the result of an item that did not fail, as JSON data
 * @param lasts how long an item is known. A node in a loop runs many times in one execution, and only its latest run can be
 * tried again. Runs of an AI agent's tool look like attempts, so their results are known for the whole execution
 */
export function openRetryState<T extends object>(context: IExecuteFunctions, lasts: 'run' | 'execution' = 'run') {
	const store = context.getContext('node');
	const run: unknown = lasts === 'run' ? context.getWorkflowDataProxy(0).$runIndex : lasts;
	if ((store.rows as { run?: unknown } | undefined)?.run !== run) store.rows = { run, entries: {} };
	const { entries } = store.rows as { entries: Record<string, Entry<T>> };
	const execution: string | undefined = context.getExecutionId();
	const isCall = isTool(context);
	/** How often each content came in this attempt. With Send Again the same message twice in a list is two messages. */
	const times = new Map<string, number>();
	return {
		/** Whether the node ran before in this execution, as in a loop. */
		isLaterRun: Number(run) > 0,
		/**
		 * Returns the key of an item. It has to be called in the order of the list.
		 * @param content of the item, if it can be read
		 */
		keyOf(itemIndex: number, content: string | undefined): RetryKey {
			if (isCall) return execution && content !== undefined ? [content] : [];
			const place = `${execution} ${itemIndex}`;
			if (content === undefined) return [place];
			const count = times.get(content) ?? 0;
			times.set(content, count + 1);
			return [place, `${content} ${count}`];
		},
		/** Returns the result of an item in an earlier attempt. */
		find(name: RetryKey): T | Problem | undefined {
			const [entry] = name.flatMap((id) => entries[id] ?? []);
			if (entry === undefined || 'result' in entry) return entry?.result;
			const { message, description, details, httpCode, why } = entry.unknown;
			return new Problem(message, description, details, httpCode, why);
		},
		keep(name: RetryKey, result: T | Problem): void {
			for (const id of name) {
				if (!(result instanceof Problem)) entries[id] = { result };
				else if (isUnknown(result)) entries[id] = { unknown: { ...result, message: result.message } };
				else delete entries[id];
			}
		},
		/**
		 * Returns the result of an earlier attempt, or works on the item now. If an agent makes equal calls at once, the second
		 * waits.
		 */
		async once(name: RetryKey, work: () => Promise<T | Problem>): Promise<T | Problem> {
			const one = async () => {
				const result = this.find(name) ?? (await work());
				this.keep(name, result);
				return result;
			};
			const [id] = isCall ? name : [];
			if (id === undefined) return await one();
			const calls = callsOf.get(entries) ?? new Map<string, Promise<unknown>>();
			callsOf.set(entries, calls);
			const mine = (calls.get(id) ?? Promise.resolve()).then(one, one);
			calls.set(id, mine);
			return await mine;
		},
		/**
		 * Returns the results of a run that can't begin: results of earlier attempts stay, all other items fail with the problem.
		 */
		failAll(problem: Problem): Array<T | Problem> {
			return context.getInputData().map((_, itemIndex) => this.find(this.keyOf(itemIndex, undefined)) ?? problem);
		},
		/** Forgets the run when nothing can run it again. */
		close: () => void (lasts === 'run' && delete store.rows),
	};
}
