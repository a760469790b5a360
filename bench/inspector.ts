import { once } from 'node:events';

import type { N8n } from '../test/e2e/n8n';

/** Environment variables for an n8n that opens a port for the debugger. */
export const debugged = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** A client of n8n's debugger, which measures the heap of that process and collects garbage in it. */
export class Inspector {
	private last = 0;
	private readonly waiting = new Map<number, (result: { result?: { value?: unknown } }) => void>();

	private constructor(private readonly socket: WebSocket) {
		socket.onmessage = ({ data }) => {
			const { id, result } = JSON.parse(String(data)) as { id: number; result: object };
			this.waiting.get(id)?.(result);
			this.waiting.delete(id);
		};
	}

	static async connect(n8n: N8n): Promise<Inspector> {
		const url = /Debugger listening on (ws:\S+)/.exec(n8n.printed())![1]!;
		const socket = new WebSocket(url);
		await once(socket, 'open');
		return new Inspector(socket);
	}

	private async ask(method: string, params: object = {}): Promise<{ result?: { value?: unknown } }> {
		const id = ++this.last;
		const answer = new Promise<{ result?: { value?: unknown } }>((resolve) => this.waiting.set(id, resolve));
		this.socket.send(JSON.stringify({ id, method, params }));
		return await answer;
	}

	/** Returns the used heap, in MB. */
	async heap(): Promise<number> {
		const { result } = await this.ask('Runtime.evaluate', { expression: 'process.memoryUsage().heapUsed' });
		return Number(result!.value) / 2 ** 20;
	}

	/** Runs a full garbage collection. */
	async collect(): Promise<void> {
		await this.ask('HeapProfiler.collectGarbage');
	}

	close(): void {
		this.socket.close();
	}
}
