import type { IExecuteFunctions } from 'n8n-workflow';

/** The result of a call: success, an error before anything is written, or an error after it. */
export type Fate = 'works' | 'fails' | 'failsAfter';

/** n8n's list of a workflow, as n8n works on it: read whole, changed, written whole; the oldest make room. */
export class N8nList {
	entries: string[] = [];
	/** Copies of the list after each rewrite: the state that a kill would leave. */
	readonly writes: string[][] = [];
	fate: () => Fate = () => 'works';
	milliseconds = 1;
	/** Off for long lists, which would fill the memory. */
	keepsWrites = true;

	/** The entries of the last write as a set, so that tests with long lists are fast. */
	private lastWrite: { entries: string[]; set: Set<string> } = { entries: [], set: new Set() };

	private async change<T>(work: (entries: string[], known: Set<string>) => T): Promise<T> {
		const fate = this.fate();
		const read = this.entries;
		const entries = [...read];
		await (this.milliseconds === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, this.milliseconds)));
		if (fate === 'fails') throw new Error('SQLITE_BUSY: database is locked');
		const isLast = this.lastWrite.entries === read && this.entries === read;
		const set = isLast ? this.lastWrite.set : new Set(entries);
		const result = work(entries, set);
		this.entries = entries;
		this.lastWrite = { entries, set };
		if (this.keepsWrites) this.writes.push([...entries]);
		if (fate === 'failsAfter') throw new Error('connection lost');
		return result;
	}

	/** n8n has other lists too, and this one by the mode that it was begun with. */
	private isAsked(scope: string, { mode }: { mode: string }): void {
		if (scope !== 'workflow' || mode !== 'entries') throw new Error('another list');
	}

	/** The context of an execution of a workflow that has this list. @param flow what the execution keeps for its nodes */
	context(workflow = 'w', flow: object = {}): IExecuteFunctions {
		const helpers = {
			checkProcessedAndRecord: async (items: string[], scope: string, options: { mode: string; maxEntries?: number }) =>
				await this.change((entries, known) => {
					this.isAsked(scope, options);
					const [fresh, processed] = [true, false].map((isNew) => items.filter((item) => known.has(item) !== isNew));
					for (const item of fresh!) {
						entries.push(item);
						known.add(item);
					}
					if (options.maxEntries !== undefined)
						for (const item of entries.splice(0, Math.max(0, entries.length - options.maxEntries))) known.delete(item);
					return { new: fresh, processed };
				}),
			removeProcessed: async (items: string[], scope: string, options: { mode: string }) =>
				await this.change((entries, known) => {
					this.isAsked(scope, options);
					for (const item of items) {
						if (!known.delete(item)) continue;
						entries.splice(entries.lastIndexOf(item), 1);
					}
				}),
			getProcessedDataCount: async (scope: string, options: { mode: string }) => {
				this.isAsked(scope, options);
				return this.entries.length;
			},
		};
		const logger = { warn() {} };
		const getContext = () => flow;
		return { helpers, logger, getContext, getWorkflow: () => ({ id: workflow }) } as unknown as IExecuteFunctions;
	}
}
