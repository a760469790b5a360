import { EventEmitter } from 'node:events';

/** The response to a webhook call, as far as nodes and n8n use Express's: each way of answering goes through `end`. */
export class FakeResponse extends EventEmitter {
	statusCode = 200;
	headersSent = false;
	readonly headers: Record<string, string> = {};
	/** What the caller reads. */
	text = '';

	status = (code: number) => {
		this.statusCode = code;
		return this;
	};

	setHeader = (name: string, value: unknown) => {
		this.headers[name.toLowerCase()] = String(value);
		return this;
	};

	/** As in Express, each goes through the next, which a node may have put its own function in front of. */
	json = (value: unknown): this => {
		this.setHeader('content-type', 'application/json; charset=utf-8');
		return this.send(value === undefined ? '' : JSON.stringify(value));
	};

	send = (value?: unknown): this => {
		if (typeof value === 'object' && value !== null) return this.json(value);
		return this.end(String(value ?? ''));
	};

	end = (value?: unknown): this => {
		if (this.headersSent) {
			if (value !== undefined) throw new Error('The response was answered twice');
			return this;
		}
		this.headersSent = true;
		this.text = String(value ?? '');
		setImmediate(() => this.emit('finish'));
		return this;
	};
}
