import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { freePort } from '../../scripts/n8n';

/** More ports than one block of reserved ports has. */
const many = 60;

const take = async (): Promise<number[]> => {
	const ports: number[] = [];
	while (ports.length < many) ports.push(await freePort());
	return ports;
};

test('freePort returns each port only once, even to another process, and even if no server listens on it yet', async () => {
	const first = await take();
	// A process keeps its ports only as long as it runs. This one runs until its input ends.
	const script = `const { freePort } = require('./scripts/n8n.js');
		process.stdin.resume();
		(async () => { for (let i = 0; i < ${many}; i++) console.log(await freePort()); })();`;
	const other = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
	const elsewhere: number[] = [];
	for await (const line of createInterface(other.stdout)) if (elsewhere.push(Number(line)) === many) break;

	const all = [...first, ...elsewhere, ...(await take())];
	other.stdin.end();
	expect(all).toHaveLength(3 * many);
	expect(new Set(all).size).toBe(all.length);
});
