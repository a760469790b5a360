import { call, refused, report } from './calls';
import { servers } from './queue';
import { expectOutcome, otherRecipient, outcome, recipient, timeOutMs, waitingIn } from './waiting';
import { keysStaySecret, useWorld } from './world';

/** A wait outlives n8n. */
const world = useWorld();
const { finished, addressOf, pause, expectStillWaiting } = waitingIn(world);

test.each(['stop', 'kill'] as const)(
	'%s, start, and the report resumes the run',
	async (end) => {
		const run = await pause();
		await world.n8n[end]();
		// Nobody answers, or a proxy does for the n8n that is gone.
		expect((await call(addressOf(), report()).catch(() => [503]))[0]).toBeGreaterThanOrEqual(500);
		await world.n8n.start();

		expect(await call(addressOf(), report({ recipient: otherRecipient }))).toEqual([401, refused('INVALID_SIGNATURE')]);
		await expectStillWaiting(run);
	},
	180_000,
);

test('its time is over while n8n is down', async () => {
	const run = await pause({ options: { maxWaitMinutes: 0.02, reference: 'αίτηση 12' } });
	await world.n8n.stop();
	await world.n8n.start();
	const execution = await finished(run, timeOutMs);

	// In queue mode n8n goes on with such a run before it has its queue, and then takes it for one that was lost.
	if (servers) expect(execution.status).toBe('crashed');
	else
		expectOutcome(
			execution,
			outcome({ delivered: false, status: 'TIMEOUT', reference: 'αίτηση 12', waitId: expect.any(String) as string }),
		);
	expect(world.sandbox.accepted(recipient)).toBe(1);
}, 240_000);

keysStaySecret(world);
