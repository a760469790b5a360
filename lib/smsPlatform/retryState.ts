import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../n8n/aiTool';
import { Problem } from '../texts/problem';
import { isUnknown } from './deliver';

type Entry<T> = { result: T } | { unknown: Pick<Problem, 'message' | 'description' | 'details' | 'httpCode' | 'why'> };

/**
 * What a row is known by to a later attempt. A row of a list: by its place within one execution, and by what it sends in
 * another one, with a corrected list. A call of an agent's tool: by what it sends alone, because each is the first item of the
 * same execution. A call without an execution, as from MCP Server Trigger: by nothing.
 */
export type RetryKey = string[];

/** The calls of an agent's tool in an execution, by what they send: an agent may make several at once. */
const callsOf = new WeakMap<object, Map<string, Promise<unknown>>>();

export type RetryState<T extends object> = ReturnType<typeof openRetryState<T>>;

/**
 * What became of rows in earlier attempts of this run, for Retry On Fail and n8n's Retry, which run the whole node again:
 * what was done, or may have been, is not done again. A rejected row is not in it: it may be tried again. It is kept in the
 * node's execution context and stored with the execution: no secret, nothing that the node's output would not contain.
 * @param T the result of a row that did not fail, as JSON data
 * @param lasts for how long a row is known. A node in a loop runs many times in one execution, and only the latest run can be
 * tried again. The runs of an agent's tool can't be told from attempts: what it does once is known for the whole execution
 */
export function openRetryState<T extends object>(context: IExecuteFunctions, lasts: 'run' | 'execution' = 'run') {
	const store = context.getContext('node');
	const run: unknown = lasts === 'run' ? context.getWorkflowDataProxy(0).$runIndex : lasts;
	if ((store.rows as { run?: unknown } | undefined)?.run !== run) store.rows = { run, entries: {} };
	const { entries } = store.rows as { entries: Record<string, Entry<T>> };
	const execution: string | undefined = context.getExecutionId();
	const isCall = isTool(context);
	/** How often each content was there in this attempt: the same message twice in a list is two, where both are wanted. */
	const times = new Map<string, number>();
	return {
		/** Whether the node ran before in this execution, as in a loop. */
		isLaterRun: Number(run) > 0,
		/** Names a row, in list order, before anything is recalled. @param content what it sends, if readable */
		keyOf(itemIndex: number, content: string | undefined): RetryKey {
			if (isCall) return execution && content !== undefined ? [content] : [];
			const place = `${execution} ${itemIndex}`;
			if (content === undefined) return [place];
			const count = times.get(content) ?? 0;
			times.set(content, count + 1);
			return [place, `${content} ${count}`];
		},
		/** What became of a row in an earlier attempt. */
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
		/** What an earlier attempt did with a row, or else what is done with it now; of an agent's equal calls at once, the second waits. */
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
		/** A run that can't begin: what an earlier attempt did stays so, all other rows fail alike. */
		failAll(problem: Problem): Array<T | Problem> {
			return context.getInputData().map((_, itemIndex) => this.find(this.keyOf(itemIndex, undefined)) ?? problem);
		},
		/** Forgets the run, once nothing can run it again. */
		close: () => void (lasts === 'run' && delete store.rows),
	};
}
