import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** The folder of the package, which is npm's working directory. */
export const ROOT = process.cwd();
export const KEY = 'bench-pre-shared-key';

export interface Platform {
	url: string;
	/** Returns the counts since the last call of this function. */
	count(): Promise<{ requests: number; connections: number; mostInFlight: number }>;
	/** Sets the time before each further answer. */
	delay(milliseconds: number): void;
	close(): void;
}

/**
 * Starts the simulated SMS platform (platform.mjs) in a separate process.
 *
 * @param delay milliseconds before each answer
 * @param files the files with key and certificate for https. Empty: http
 */
export async function startPlatform(delay: number, files: string[] = []): Promise<Platform> {
	const child = spawn(process.execPath, [join(ROOT, 'bench/platform.mjs'), String(delay), ...files], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const [port] = (await once(child.stdout!, 'data')) as [Buffer];
	const url = `${files.length > 0 ? 'https' : 'http'}://127.0.0.1:${port.toString().trim()}`;
	return {
		url,
		count: async () =>
			JSON.parse(execFileSync('curl', ['-sk', `${url}/count`], { encoding: 'utf8' })) as Awaited<
				ReturnType<Platform['count']>
			>,
		delay: (milliseconds) => void execFileSync('curl', ['-sk', `${url}/delay/${milliseconds}`]),
		close: () => child.stdin!.end(),
	};
}

/** A separate process that requests `/healthz` from n8n every 20 ms (prober.mjs). */
export interface Prober {
	/** Returns the longest time that n8n took to answer `/healthz` since the last call of this function, in milliseconds. */
	slowestProbe(): Promise<number>;
	close(): void;
}

/** Starts a prober. @param url the URL of n8n */
export function startProber(url: string): Prober {
	const child = spawn(process.execPath, [join(ROOT, 'bench/prober.mjs'), url], { stdio: ['pipe', 'pipe', 'inherit'] });
	return {
		slowestProbe: async () => {
			child.stdin!.write('\n');
			const [answer] = (await once(child.stdout!, 'data')) as [Buffer];
			return JSON.parse(answer.toString()) as number;
		},
		close: () => child.stdin!.end(),
	};
}

export const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Returns the peak memory of a process since `resetPeak`, in MB. */
export function peakOf(pid: number): number {
	return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}
/** Resets the peak memory that `peakOf` returns. */
export const resetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5');

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Returns the CPU time of a process since its start, in milliseconds. */
export function cpuOf(pid: number): number {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
	return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1000;
}

/** The version of Node.js and the processor, as text. */
export const computer = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]!.model.trim()})`;

/** Returns the versions of n8n and this package, followed by `computer`, as text. */
export function machine(): string {
	const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
	const host = JSON.parse(readFileSync(join(ROOT, 'host/package.json'), 'utf8')) as { dependencies: { n8n: string } };
	return `n8n ${host.dependencies.n8n} with this package ${version}, ${computer}`;
}

const RESULTS = join(ROOT, 'bench/RESULTS.md');
/** The headings of all parts of bench/RESULTS.md after the first, in their order. `npm run bench` writes the first part. */
const HEADINGS = {
	again: '## Sending no message twice',
	limits: '## Limits of remembered messages',
	year: '## After a year',
	postgres: '## On PostgreSQL',
	scale: '## A long list with Redis',
	load: '## Under full load',
	slow: '## Slow clients without a key',
	early: '## Reports that come too early',
	guards: '## Guard rails and review',
	desk: '## A list through the desk example',
	members: '## A sheet of members against the registry',
	texts: '## Long texts',
	whoGotIt: '## Who got it',
};

/** Replaces one part of bench/RESULTS.md, and prints it. */
export function writeResults(part: 'bench' | keyof typeof HEADINGS, text: string): void {
	const parts: Record<string, string> = { bench: '' };
	let current = 'bench';
	for (const line of (existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : '').split('\n')) {
		const begun = Object.entries(HEADINGS).find(([, heading]) => heading === line)?.[0];
		if (begun === undefined) parts[current] += `${line}\n`;
		else parts[(current = begun)] = '';
	}
	parts[part] = text;
	const found = Object.entries({ bench: '', ...HEADINGS }).filter(([name]) => parts[name] !== undefined);
	writeFileSync(
		RESULTS,
		found.map(([name, heading]) => `${heading}\n\n${parts[name]!.trim()}\n`.trimStart()).join('\n'),
	);
	console.log(text);
}
