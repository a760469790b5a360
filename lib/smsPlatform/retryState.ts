import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../n8n/aiTool';
import { Problem } from '../texts/problem';
import { isUnknown } from './deliver';

/** The stored result of an item: a result, or the Problem of a message of unknown outcome. */
type Entry<T> = { result: T } | { unknown: Pick<Problem, 'message' | 'description' | 'details' | 'httpCode' | 'why'> };

/**
 * Identifies an item across attempts of a node (Retry On Fail, or n8n's Retry of an execution).
 *
 * An item of a list has two ids. One is its place in the list, within one execution. The other is its content, which is the
 * message that it sends. An item that can't be read has only its place. By its content an item is found again if the list was
 * corrected and its place changed. A tool call of an AI agent has only its content as id, because each call is the first item of
 * the same execution. A call without an execution, for example from MCP Server Trigger, has no id.
 */
export type RetryKey = string[];

/** The tool calls of an AI agent in an execution, by their content. An agent may make several calls at once. */
const callsOf = new WeakMap<object, Map<string, Promise<unknown>>>();

export type RetryState<T extends object> = ReturnType<typeof openRetryState<T>>;

/**
 * Opens the results of earlier attempts of this run. Retry On Fail and n8n's Retry run the whole node again. With this state a
 * message that was sent, or may have been sent, is not sent again. Rejected items are not stored, because they may be tried
 * again. n8n stores this state with the execution. So it contains no secret, and only data that the node's output contains too.
 * @param T the result of an item that did not fail, as JSON data
 * @param lasts how long results are stored. `run`: a node in a loop runs many times in one execution, and only its latest run can
 * be tried again. `execution`: for a tool of an AI agent, because its runs can't be distinguished from attempts
 */
export function openRetryState<T extends object>(context: IExecuteFunctions, lasts: 'run' | 'execution' = 'run') {
	const store = context.getContext('node');
	const run: unknown = lasts === 'run' ? context.getWorkflowDataProxy(0).$runIndex : lasts;
	if ((store.rows as { run?: unknown } | undefined)?.run !== run) store.rows = { run, entries: {} };
	const { entries } = store.rows as { entries: Record<string, Entry<T>> };
	const execution: string | undefined = context.getExecutionId();
	const isCall = isTool(context);
	/**
	 * The number of items with each content in this attempt. The number is part of an item's id: with Send Again, the same
	 * message twice in a list is two messages.
	 */
	const times = new Map<string, number>();
	return {
		/** Whether the node ran before in this execution, as in a loop. It is always false for a tool. */
		isLaterRun: Number(run) > 0,
		/**
		 * Returns the key of an item. It has to be called in the order of the list.
		 * @param content the content of the item; undefined if the item can't be read
		 */
		keyOf(itemIndex: number, content: string | undefined): RetryKey {
			if (isCall) return execution && content !== undefined ? [content] : [];
			const place = `${execution} ${itemIndex}`;
			if (content === undefined) return [place];
			const count = times.get(content) ?? 0;
			times.set(content, count + 1);
			return [place, `${content} ${count}`];
		},
		/** Returns the result of an item in an earlier attempt. Undefined: no result is stored. */
		find(key: RetryKey): T | Problem | undefined {
			const [entry] = key.flatMap((id) => entries[id] ?? []);
			if (entry === undefined || 'result' in entry) return entry?.result;
			const { message, description, details, httpCode, why } = entry.unknown;
			return new Problem(message, description, details, httpCode, why);
		},
		/** Stores the result of an item. If the item was rejected, an earlier result is removed. */
		keep(key: RetryKey, result: T | Problem): void {
			for (const id of key) {
				if (!(result instanceof Problem)) entries[id] = { result };
				else if (isUnknown(result)) entries[id] = { unknown: { ...result, message: result.message } };
				else delete entries[id];
			}
		},
		/**
		 * Returns the result of an earlier attempt, or runs `work` and stores its result. If an AI agent makes two equal calls at
		 * once, the second one waits and gets the result of the first. If the first was rejected, the second one runs `work`.
		 */
		async once(key: RetryKey, work: () => Promise<T | Problem>): Promise<T | Problem> {
			const findOrWork = async () => {
				const result = this.find(key) ?? (await work());
				this.keep(key, result);
				return result;
			};
			const [id] = isCall ? key : [];
			if (id === undefined) return await findOrWork();
			const calls = callsOf.get(entries) ?? new Map<string, Promise<unknown>>();
			callsOf.set(entries, calls);
			const result = (calls.get(id) ?? Promise.resolve()).then(findOrWork, findOrWork);
			calls.set(id, result);
			return await result;
		},
		/**
		 * Returns the results of a run that can't begin. Items with a result of an earlier attempt keep it. All others fail with
		 * the Problem.
		 */
		failAll(problem: Problem): Array<T | Problem> {
			return context.getInputData().map((_, itemIndex) => this.find(this.keyOf(itemIndex, undefined)) ?? problem);
		},
		/** Removes the results of a run without failed items, because n8n can't try it again. Results of tool calls stay. */
		close: () => void (lasts === 'run' && delete store.rows),
	};
}
