import type { IExecuteFunctions } from 'n8n-workflow';

/** The result of a call: success, an error before anything is written, or an error after it. */
export type Fate = 'works' | 'fails' | 'failsAfter';

/**
 * n8n's list of a workflow. As in n8n, each change reads and writes the whole list, and drops the oldest entries above the
 * limit.
 */
export class N8nList {
	/** Copies of the list after each rewrite: the state that a kill would leave. */
	readonly writes: string[][] = [];
	fate: () => Fate = () => 'works';
	milliseconds = 1;
	/** False for long lists, whose copies would fill the memory. */
	keepsWrites = true;

	/** A set keeps the order in which entries were added. */
	private list = new Set<string>();

	/** Lists that a change has read and not written yet, once for each such change. */
	private readonly read: Array<Set<string>> = [];

	get entries(): string[] {
		return [...this.list];
	}

	set entries(entries: string[]) {
		this.list = new Set(entries);
	}

	/** Changes the list as it is now. What another change writes meanwhile is lost. */
	private async change<T>(work: (list: Set<string>) => T): Promise<T> {
		const fate = this.fate();
		const { list } = this;
		this.read.push(list);
		await (this.milliseconds === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, this.milliseconds)));
		this.read.splice(this.read.indexOf(list), 1);
		if (fate === 'fails') throw new Error('SQLITE_BUSY: database is locked');
		// It is copied only if another change has read it too, so that tests with long lists are fast.
		const copy = this.read.includes(list) ? new Set(list) : list;
		const result = work(copy);
		this.list = copy;
		if (this.keepsWrites) this.writes.push([...copy]);
		if (fate === 'failsAfter') throw new Error('connection lost');
		return result;
	}

	/** Checks scope and mode, because n8n has other lists too, and a list keeps the mode that it was created with. */
	private isAsked(scope: string, { mode }: { mode: string }): void {
		if (scope !== 'workflow' || mode !== 'entries') throw new Error('another list');
	}

	/** The context of an execution of a workflow that has this list. @param flow what the execution keeps for its nodes */
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
