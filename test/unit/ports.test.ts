import { execFileSync } from 'node:child_process';
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
	const printed = execFileSync(process.execPath, [
		'-e',
		`const { freePort } = require('./scripts/n8n.js');
		(async () => { for (let i = 0; i < ${many}; i++) console.log(await freePort()); })();`,
	]);
	const elsewhere = String(printed).trim().split('\n').map(Number);

	const all = [...first, ...elsewhere, ...(await take())];
	expect(all).toHaveLength(3 * many);
	expect(new Set(all).size).toBe(all.length);
});
