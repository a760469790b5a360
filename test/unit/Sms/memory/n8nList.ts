import type { IExecuteFunctions } from 'n8n-workflow';

/** What becomes of a call: nothing special, an error before anything is written, or one after it. */
export type Fate = 'works' | 'fails' | 'failsAfter';

/** n8n's list of a workflow, as n8n works on it: read whole, changed, written whole; the oldest make room. */
export class N8nList {
	entries: string[] = [];
	/** Each rewrite of the list, as a copy of what it was then: what a kill would leave. */
	readonly writes: string[][] = [];
	fate: () => Fate = () => 'works';
	milliseconds = 1;
	/** Off for long lists, which would fill the memory. */
	keepsWrites = true;

	private async change<T>(work: (entries: string[]) => T): Promise<T> {
		const fate = this.fate();
		const entries = [...this.entries];
		await (this.milliseconds === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, this.milliseconds)));
		if (fate === 'fails') throw new Error('SQLITE_BUSY: database is locked');
		const result = work(entries);
		this.entries = entries;
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
				await this.change((entries) => {
					this.isAsked(scope, options);
					const known = new Set(entries);
					const fresh = items.filter((item) => !known.has(item));
					entries.push(...fresh);
					if (options.maxEntries !== undefined) entries.splice(0, Math.max(0, entries.length - options.maxEntries));
					return { new: fresh, processed: items.filter((item) => known.has(item)) };
				}),
			removeProcessed: async (items: string[], scope: string, options: { mode: string }) =>
				await this.change((entries) => {
					this.isAsked(scope, options);
					for (const item of items) {
						const index = entries.indexOf(item);
						if (index !== -1) entries.splice(index, 1);
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
