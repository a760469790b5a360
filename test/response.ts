import { EventEmitter } from 'node:events';

/** Simulates the parts of an Express response that nodes and n8n use. Every way to answer leads to `end`. */
export class FakeResponse extends EventEmitter {
	statusCode = 200;
	headersSent = false;
	readonly headers: Record<string, string> = {};
	/** The response body that the caller gets. */
	text = '';

	status = (code: number) => {
		this.statusCode = code;
		return this;
	};

	setHeader = (name: string, value: unknown) => {
		this.headers[name.toLowerCase()] = String(value);
		return this;
	};

	/** As in Express, `json` calls `send` and `send` calls `end`, so a node can replace `send` or `end`. */
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
