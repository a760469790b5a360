import type { Kept, Store } from './store';

/** One call, in either direction, with every key masked. */
export interface Call {
	/** When it arrived or left, as an ISO date-time. */
	at: string;
	/** `in`: someone called the sandbox; `out`: the sandbox called an institution's webhook. */
	direction: 'in' | 'out';
	method: string;
	url: string;
	headers: unknown;
	body: unknown;
	/** The HTTP status of the answer; 0: there is none yet, or the connection broke. */
	status: number;
	answer: unknown;
}

const kept = 5000;

/** Remembers the latest calls. What it remembers may be shown on a screen, so no key gets in. */
export class Traffic {
	readonly calls: Array<Kept<Call>>;
	private readonly store: Store;
	private readonly secrets: () => string[];

	/** @param secrets gives the values that must not appear, as they are at the time of a call */
	constructor(store: Store, secrets: () => string[]) {
		this.store = store;
		this.calls = store.all('call');
		this.secrets = secrets;
	}

	/** Notes a call that begins. @returns what `answered` is to be given */
	begun(call: Pick<Call, 'direction' | 'method' | 'url' | 'headers' | 'body'>): Kept<Call> {
		const entry = this.store.add<Call>('call', {
			at: new Date().toISOString(),
			...(this.mask(call) as typeof call),
			status: 0,
			answer: null,
		});
		this.calls.push(entry);
		while (this.calls.length > kept) this.store.remove('call', this.calls.shift()!.id);
		return entry;
	}

	answered(call: Kept<Call>, status: number, answer: unknown): void {
		call.status = status;
		call.answer = this.mask(answer);
		this.store.change('call', call);
	}

	clear(): void {
		this.calls.length = 0;
		this.store.empty('call');
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
				// By name as well: a key that is wrong here may be the right one elsewhere.
				/^(pre-shared key|authorization)$/i.test(name) ? maskKey(entry) : this.mask(entry),
			]),
		);
	}
}

/** Keeps what isn't the key itself: the word `Token`, and whether there was anything at all. */
const maskKey = (value: unknown): unknown =>
	typeof value === 'string' ? value.replace(/^(Token )?[^]+$/, '$1***') : value;
