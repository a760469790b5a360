import type { IExecuteFunctions } from 'n8n-workflow';

import { inTurn, recordKeys } from '../keyList';

/**
 * How many keys n8n keeps for a node: two for each of 60,000 messages, and room for what stands there for a moment only
 * (a look, a dry run, a row that is refused) or beside a message (that its outcome is unknown): the oldest key would make
 * way for it. n8n rewrites the whole list at every change.
 */
const MOST_KEYS = 130_000;

/** From this many on, a change takes as long as sending several messages. */
export const MANY_KEYS = 20_000;

/**
 * n8n's memory of processed keys as a memory with a window of time. n8n keeps no times, so each key is written with
 * the number of the period it belongs to, and with the next one's: it is known for one period at least, for two at
 * most. Whoever looks a key up looks with the present period's alone, so looking never prolongs it.
 */
export interface ProcessedKeys {
	/** Works while nobody else in this process works on the node's keys. */
	inTurn(work: () => Promise<void>): Promise<void>;
	/** Records those of the keys that are not known. @returns for each of these what was recorded, to be forgotten by */
	claim(keys: string[]): Promise<Map<string, string[]>>;
	/** @returns those of the keys that are known; none is recorded */
	look(keys: string[]): Promise<Set<string>>;
	/** Records a key whether it is known or not: it is known for one period more at least. */
	prolong(key: string): Promise<void>;
	/** @param recorded what `claim` returned */
	forget(recorded: string[]): Promise<void>;
	/** How many keys n8n keeps for this node. */
	count(): Promise<number>;
}

/** @param windowHours 0: without end */
export function openProcessedKeys(context: IExecuteFunctions, windowHours: number): ProcessedKeys {
	const { helpers } = context;
	const node = `${context.getWorkflow().id} ${context.getNode().id}`;

	const record = async (keys: string[]): Promise<Set<unknown>> => {
		if (keys.length === 0) return new Set();
		return new Set((await recordKeys(context, keys, 'node', MOST_KEYS)).new);
	};
	const forget = async (recorded: string[]) => {
		if (recorded.length > 0) await helpers.removeProcessed(recorded, 'node', { mode: 'entries' });
	};
	/** The keys as they are written now: for this period, and for the next. */
	const written = () => {
		if (windowHours === 0) return { now: (key: string) => key, next: undefined };
		const period = Math.floor(Date.now() / (windowHours * 3_600_000));
		const inPeriod = (number: number) => (key: string) => `${windowHours}h${number} ${key}`;
		return { now: inPeriod(period), next: inPeriod(period + 1) };
	};

	return {
		inTurn: async (work) => await inTurn(node, work),
		async claim(keys) {
			const { now, next } = written();
			const inBoth = (key: string) => (next === undefined ? [now(key)] : [now(key), next(key)]);
			// Both in one call, because each rewrites the list.
			const fresh = await record(keys.flatMap(inBoth));
			const claimed = keys.filter((key) => fresh.has(now(key)));
			// A key that was known must not last longer for having been asked about.
			const known = keys.filter((key) => !fresh.has(now(key)));
			if (next !== undefined) await forget(known.map(next).filter((key) => fresh.has(key)));
			return new Map(claimed.map((key) => [key, inBoth(key)]));
		},
		async look(keys) {
			const { now } = written();
			const fresh = await record(keys.map(now));
			await forget(keys.map(now).filter((key) => fresh.has(key)));
			return new Set(keys.filter((key) => !fresh.has(now(key))));
		},
		async prolong(key) {
			const { now, next } = written();
			await record(next === undefined ? [now(key)] : [now(key), next(key)]);
		},
		forget,
		count: async () => await helpers.getProcessedDataCount('node', { mode: 'entries' }),
	};
}
