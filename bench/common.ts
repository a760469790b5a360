import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** npm runs scripts in the package's folder. */
export const ROOT = process.cwd();
export const KEY = 'bench-pre-shared-key';

export interface Platform {
	url: string;
	/** Returns the counts since the last call. */
	count(): Promise<{ requests: number; connections: number; mostInFlight: number }>;
	/** @param milliseconds before each answer from now on */
	delay(milliseconds: number): void;
	close(): void;
}

/**
 * Starts the platform in a process of its own.
 *
 * @param delay milliseconds before each answer
 * @param files key and certificate, for https
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

/** Asks an n8n for its health continuously, from a process of its own. */
export interface Prober {
	/** Returns the longest time of an answer of n8n since the last call of this function, in milliseconds. */
	heldUp(): Promise<number>;
	close(): void;
}

/** Starts a prober. @param url of n8n */
export function startProber(url: string): Prober {
	const child = spawn(process.execPath, [join(ROOT, 'bench/prober.mjs'), url], { stdio: ['pipe', 'pipe', 'inherit'] });
	return {
		heldUp: async () => {
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
export const resetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5');

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Returns the CPU time of a process since its start, in milliseconds. */
export function cpuOf(pid: number): number {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
	return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1000;
}

/** The version of Node and the computer, as text. */
export const computer = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]!.model.trim()})`;

/** Returns the computer and the version of n8n as text. */
export function machine(): string {
	const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
	const host = JSON.parse(readFileSync(join(ROOT, 'host/package.json'), 'utf8')) as { dependencies: { n8n: string } };
	return `n8n ${host.dependencies.n8n} with this package ${version}, ${computer}`;
}

const RESULTS = join(ROOT, 'bench/RESULTS.md');
/** The parts after the first, which `npm run bench` writes, in their order. */
const HEADINGS = {
	again: '## Nobody twice',
	limits: '## Limits of the memory',
	year: '## After a year',
	postgres: '## On PostgreSQL',
	scale: '## A long list with Redis',
	load: '## Under load',
	slow: '## Slow clients without a key',
	early: '## Reports that come too early',
	guards: '## Guard rails and review',
	desk: '## A list through the example',
	members: '## A sheet of members against the registry',
	texts: '## Long texts',
	whoGotIt: '## Who got it',
};

/** Writes one part of bench/RESULTS.md, and leaves the others as they are. */
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
