import type { IExecuteFunctions } from 'n8n-workflow';

/** The result of a call: success, an error before the write, or an error after it. */
export type Fate = 'works' | 'fails' | 'failsAfter';

/**
 * Simulates n8n's list of processed items for a workflow. As in n8n, each change reads and writes the whole list, and a change that
 * adds entries drops the oldest entries above the limit.
 */
export class N8nList {
	/** Copies of the list after each write, because a kill at that moment would leave this state. */
	readonly writes: string[][] = [];
	fate: () => Fate = () => 'works';
	milliseconds = 1;
	/** Whether `writes` gets copies. Tests with long lists set it to false to save memory. */
	keepsWrites = true;

	/** A set keeps the order in which entries were added. */
	private list = new Set<string>();

	/** The list that each unfinished change has read. */
	private readonly read: Array<Set<string>> = [];

	get entries(): string[] {
		return [...this.list];
	}

	set entries(entries: string[]) {
		this.list = new Set(entries);
	}

	/** Reads, changes and writes the list. A write of another change in between is lost, as in n8n. */
	private async change<T>(work: (list: Set<string>) => T): Promise<T> {
		const fate = this.fate();
		const { list } = this;
		this.read.push(list);
		await (this.milliseconds === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, this.milliseconds)));
		this.read.splice(this.read.indexOf(list), 1);
		if (fate === 'fails') throw new Error('SQLITE_BUSY: database is locked');
		// The list is copied only if another change has read it too, so that tests with long lists are fast.
		const copy = this.read.includes(list) ? new Set(list) : list;
		const result = work(copy);
		this.list = copy;
		if (this.keepsWrites) this.writes.push([...copy]);
		if (fate === 'failsAfter') throw new Error('connection lost');
		return result;
	}

	/** Checks scope and mode. n8n has other lists too, and a list keeps the mode with which it was created. */
	private isAsked(scope: string, { mode }: { mode: string }): void {
		if (scope !== 'workflow' || mode !== 'entries') throw new Error('another list');
	}

	/**
	 * Returns the context of an execution whose workflow has this list.
	 * @param flow the context in which the execution's nodes store data
	 */
	context(workflow = 'w', flow: object = {}): IExecuteFunctions {
		const helpers = {
			checkProcessedAndRecord: async (items: string[], scope: string, options: { mode: string; maxEntries?: number }) =>
				await this.change((list) => {
					this.isAsked(scope, options);
					const [fresh, processed] = [true, false].map((isNew) => items.filter((item) => list.has(item) !== isNew));
					for (const item of fresh!) list.add(item);
					const tooMany = list.size - (options.maxEntries ?? Infinity);
					if (tooMany > 0) for (const item of [...list].slice(0, tooMany)) list.delete(item);
					return { new: fresh, processed };
				}),
			removeProcessed: async (items: string[], scope: string, options: { mode: string }) =>
				await this.change((list) => {
					this.isAsked(scope, options);
					for (const item of items) list.delete(item);
				}),
			getProcessedDataCount: async (scope: string, options: { mode: string }) => {
				this.isAsked(scope, options);
				return this.list.size;
			},
		};
		const logger = { warn() {} };
		const getContext = () => flow;
		return { helpers, logger, getContext, getWorkflow: () => ({ id: workflow }) } as unknown as IExecuteFunctions;
	}
}
