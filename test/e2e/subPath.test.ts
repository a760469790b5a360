import { call, report } from './calls';
import { items } from './n8n';
import { hints } from './sending';
import { waitingIn } from './waiting';
import { keysStaySecret, useWorld } from './world';

/**
 * Runs n8n under a path, with another endpoint for waiting executions. Without WEBHOOK_URL, n8n's URLs consist of host, port
 * and N8N_PATH.
 */
const world = useWorld({ N8N_PATH: '/n8n/', WEBHOOK_URL: '', N8N_ENDPOINT_WEBHOOK_WAIT: 'waits' });
const { pause, addressOf, stored, finished } = waitingIn(world);

test('n8n rejects the delivery report of Send and Wait if n8n runs under a path, and the execution contains a warning that no report will arrive', async () => {
	const run = await pause({ options: { maxWaitMinutes: 1.2 } });
	const url = new URL(addressOf());
	expect(url.pathname).toMatch(/^\/n8n\/waits\/\d+\//);

	// A proxy that removes the path changes the URL that n8n has signed.
	url.pathname = url.pathname.replace('/n8n', '');
	expect((await call(url.href, report()))[0]).toBe(401);
	const reason = expect.stringMatching(/^The delivery report will not arrive.*path \/n8n\/, /) as string;
	const waiting = (await stored(run))!;
	expect([waiting.status, hints(waiting)]).toEqual(['waiting', [reason]]);
	// A proxy that keeps the path reaches no endpoint of n8n.
	const [, answer] = await call(addressOf(), report());
	expect(JSON.stringify(answer)).not.toContain('"result":"0"');

	const execution = await finished(run, 180_000);
	expect([execution.status, items(execution)]).toEqual([
		'success',
		[expect.objectContaining({ status: 'TIMEOUT', warning: reason })],
	]);
}, 240_000);

keysStaySecret(world);
