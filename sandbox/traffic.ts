import type { Stored, Store } from './store';

/** One HTTP request in either direction, and its answer. Every key is masked. */
export interface Call {
	/** The time of the request, as an ISO date-time. */
	at: string;
	/** `in`: a request to the sandbox. `out`: a request of the sandbox to an institution's webhook. */
	direction: 'in' | 'out';
	method: string;
	url: string;
	headers: unknown;
	body: unknown;
	/** The HTTP status of the answer. 0: no answer has come yet, or the connection broke. */
	status: number;
	answer: unknown;
}

/** The largest number of stored calls, and of their characters in total, because bodies can be large. */
const most = { calls: 5_000, characters: 50_000_000 } as const;

/** Stores the latest calls. It masks keys, because the page shows the calls. */
export class Traffic {
	readonly calls: Array<Stored<Call>>;
	private readonly store: Store;
	private readonly secrets: () => string[];
	private readonly sizes = new Map<number, number>();
	private characters = 0;

	/** @param secrets returns the current keys, which are masked */
	constructor(store: Store, secrets: () => string[]) {
		this.store = store;
		this.calls = store.all('call');
		this.secrets = secrets;
		for (const call of this.calls) this.measure(call);
	}

	/** Stores a request that has no answer yet. @returns the argument for `answered` */
	begun(call: Pick<Call, 'direction' | 'method' | 'url' | 'headers' | 'body'>): Stored<Call> {
		const entry = this.store.add<Call>('call', {
			at: new Date().toISOString(),
			...(this.mask(call) as typeof call),
			status: 0,
			answer: null,
		});
		this.calls.push(entry);
		this.measure(entry);
		return entry;
	}

	answered(call: Stored<Call>, status: number, answer: unknown): void {
		call.status = status;
		call.answer = this.mask(answer);
		this.store.change('call', call);
		if (this.sizes.has(call.id)) this.measure(call);
	}

	clear(): void {
		this.calls.length = 0;
		this.sizes.clear();
		this.characters = 0;
		this.store.empty('call');
	}

	/** Updates the size of a new or changed call, and removes the oldest calls if a limit is exceeded. */
	private measure(call: Stored<Call>): void {
		const size = JSON.stringify(call).length;
		this.characters += size - (this.sizes.get(call.id) ?? 0);
		this.sizes.set(call.id, size);
		while (this.calls.length > most.calls || (this.characters > most.characters && this.calls.length > 1)) {
			const { id } = this.calls.shift()!;
			this.characters -= this.sizes.get(id) ?? 0;
			this.sizes.delete(id);
			this.store.remove('call', id);
		}
	}

	private mask(value: unknown): unknown {
		if (typeof value === 'string') {
			return this.secrets().reduce((text, secret) => text.replaceAll(secret, '***'), value);
		}
		if (Array.isArray(value)) return value.map((entry) => this.mask(entry));
		if (value === null || typeof value !== 'object') return value;
		return Object.fromEntries(
			Object.entries(value).map(([name, entry]) => [
				name,
				// These fields are masked whatever they contain, because a key that the sandbox rejects may be a real one.
				/^(pre-shared key|authorization)$/i.test(name) ? maskKey(entry) : this.mask(entry),
			]),
		);
	}
}

/** Masks a key. The word `Token` before it stays, and an empty value stays empty. */
function maskKey(value: unknown): unknown {
	if (value === null || value === undefined) return value;
	return typeof value === 'string' ? value.replace(/^(Token )?[^]+$/, '$1***') : '***';
}

/** Returns the JSON value of a text, or the text itself if it is not JSON. */
export function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
