import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, until } from '../../scripts/n8n';

/** What the documentation tells an admin to write. */
const documented = /```nginx\n(.*?)```/s.exec(readFileSync('docs/scale.md', 'utf8'))![1]!;

/** nginx before the processes of n8n, with the configuration that docs/scale.md shows. */
export class Nginx {
	/** Its address, without a trailing slash; the same however often it starts. */
	url = '';
	private process: ChildProcess | undefined;

	/**
	 * Starts nginx.
	 * @param folder for its configuration, its log and its temporary files; it is created
	 * @param program nginx itself
	 * @param more lines of its configuration in addition to those in docs/scale.md: `http` and, within it, `server`
	 */
	constructor(
		private readonly folder: string,
		private readonly program: string,
		private readonly more: { http: string; server: string } = { http: '', server: '' },
	) {}

	/** Takes a port, before it starts: n8n has to know its own address. */
	async choosePort(): Promise<void> {
		this.url ||= `http://127.0.0.1:${await freePort()}`;
	}

	/**
	 * Starts it, again if it runs, and waits until it listens.
	 * @param main the address of n8n's main process
	 * @param webhooks those of its webhook processes
	 */
	async start(main: string, webhooks: string[]): Promise<void> {
		await this.end();
		const file = join(this.folder, 'nginx.conf');
		mkdirSync(this.folder, { recursive: true });
		writeFileSync(file, this.configuration(main, webhooks));
		const log = openSync(join(this.folder, 'nginx.log'), 'a');
		const child = spawn(this.program, ['-p', this.folder, '-c', file, '-e', 'stderr'], { stdio: ['ignore', log, log] });
		closeSync(log);
		this.process = child;
		await until('nginx listens', async () => {
			if (child.exitCode !== null)
				throw new Error(`nginx ended: ${readFileSync(join(this.folder, 'nginx.log'), 'utf8').slice(-3000)}`);
			return (await fetch(this.url).catch(() => undefined)) !== undefined;
		});
	}

	private configuration(main: string, webhooks: string[]): string {
		const hostOf = (url: string): string => new URL(url).host;
		const servers = webhooks.map((url) => `server ${hostOf(url)};`).join(' ');
		// Runs one process with the rights of the test, which writes only into its folder.
		const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`);
		return `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid nginx.pid;
events {}
http {
access_log off;
${temporary.join('\n')}
${this.more.http}
${documented
	.replace('server 127.0.0.1:5681;', servers)
	.replace('server 127.0.0.1:5682;', '')
	.replace('# listen, certificates, ...', `listen ${hostOf(this.url)};\n${this.more.server}`)
	.replace('http://127.0.0.1:5678', main)}
}`;
	}

	/** Ends it and waits until it is gone. */
	async end(): Promise<void> {
		const child = this.process;
		this.process = undefined;
		if (child?.exitCode !== null || child.signalCode !== null) return;
		const gone = new Promise((exited) => child.once('exit', exited));
		child.kill('SIGTERM');
		await gone;
	}
}
