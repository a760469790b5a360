import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, until } from '../../scripts/n8n';

/** Returns the nginx configuration in a page of the documentation. */
const documented = (page: string): string => /```nginx\n(.*?)```/s.exec(readFileSync(page, 'utf8'))![1]!;

/** Runs nginx as a reverse proxy in front of the processes of n8n, with the configuration in a page of the documentation. */
export class Nginx {
	/** The URL of nginx, without a trailing slash. It is the same after each start. */
	url = '';
	private process: ChildProcess | undefined;

	/**
	 * @param folder for its configuration, its log and its temporary files; it is created
	 * @param program the path of nginx
	 * @param more lines to add to the configuration: in `http`, and in the `server` within it
	 * @param page the page with the configuration
	 * @param network the addresses from which nginx passes on everything
	 */
	constructor(
		private readonly folder: string,
		private readonly program: string,
		private readonly more: { http: string; server: string } = { http: '', server: '' },
		private readonly page = 'docs/scale.md',
		private readonly network = '127.0.0.1',
	) {}

	/** Chooses a free port before the start, because n8n has to know its public URL. */
	async choosePort(): Promise<void> {
		this.url ||= `http://127.0.0.1:${await freePort()}`;
	}

	/**
	 * Starts or restarts nginx, and waits until it listens.
	 * @param main the URL of n8n's main process
	 * @param webhooks the URLs of n8n's webhook processes
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
		// nginx runs as one process with the rights of the test, and writes only into its folder.
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
${documented(this.page)
	.replace('server 127.0.0.1:5681;', servers)
	.replace('server 127.0.0.1:5682;', '')
	.replace('# listen, certificates, ...', `listen ${hostOf(this.url)};\n${this.more.server}`)
	.replace('192.0.2.0/24', this.network)
	.replaceAll('http://127.0.0.1:5678', main)}
}`;
	}

	/** Stops nginx and waits until it has ended. */
	async end(): Promise<void> {
		const child = this.process;
		this.process = undefined;
		if (child?.exitCode !== null || child.signalCode !== null) return;
		const gone = new Promise((exited) => child.once('exit', exited));
		child.kill('SIGTERM');
		await gone;
	}
}
