import { call, report, success } from './calls';
import { items, until } from './n8n';
import { expectOutcome, outcome, recipient, row, waitingIn } from './waiting';
import { withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Calls to a waiting execution: what comes from the platform ends the wait once, and nothing else does. */
const world = useWorld();
const { waitNode, press, stored, paused, finished, addressOf, pause, expectStillWaiting } = waitingIn(world);

describe('what is not the last word on this message leaves the run waiting', () => {
	test("without n8n's own signature on the whole URL: 401", async () => {
		const run = await pause();
		const changes: Array<(query: URLSearchParams) => void> = [
			(query) => query.set('signature', '0'.repeat(64)),
			(query) => query.delete('signature'),
			(query) => query.set('extra', '1'),
		];
		for (const change of changes) {
			const forged = new URL(addressOf());
			change(forged.searchParams);
			const [status, answer] = await call(forged.href, report());
			expect(status).toBe(401);
			expect(answer).not.toEqual(success);
		}
		// With the fields in the URL, n8n has signed another one.
		const get = new URL(addressOf());
		for (const [name, value] of Object.entries(report())) get.searchParams.set(name, value as string);
		expect((await call(get.href, '', { method: 'GET', contentType: '' }))[0]).toBe(401);
		await expectStillWaiting(run);
	});

	test("another run's signature: 401", async () => {
		const [first, second] = [await pause(), await pause()];
		const address = new URL(addressOf(0));
		address.search = new URL(addressOf(1)).search;

		expect((await call(address.href, report()))[0]).toBe(401);
		expect([(await stored(first))?.status, (await stored(second))?.status]).toEqual(['waiting', 'waiting']);
		await call(addressOf(0), report());
		await call(addressOf(1), report());
		expectOutcome(await finished(first), outcome());
		expectOutcome(await finished(second), outcome());
	});
});

describe('the same report again is harmless', () => {
	test('after the run went on, in whatever state it is', async () => {
		const run = await pause();
		await call(addressOf(), report());
		const [during] = await call(addressOf(), report());
		expectOutcome(await finished(run), outcome());
		const [afterwards] = await call(addressOf(), report());
		const [contrary] = await call(addressOf(), report({ status: 'ERROR', error: '27' }));

		// 409 while the run is under way: the platform calls again, and is answered.
		expect([200, 409]).toContain(during);
		expect([afterwards, contrary]).toEqual([200, 200]);
		expectOutcome(await finished(run), outcome());
	});

	test('three times at once', async () => {
		const run = await pause();
		const answers = await Promise.all([1, 2, 3].map(async () => await call(addressOf(), report())));

		expect(answers.map(([status]) => status)).toContain(200);
		expectOutcome(await finished(run), outcome());
		await until('nothing goes on a second time', async () => (await stored(run))?.status === 'success');
		expectOutcome(await finished(run), outcome());
	});

	test('while a later node of the same run waits for its own', async () => {
		Object.assign(world.sandbox.trouble, { report: 'lost' });
		const run = await press(
			withRows(
				[row()],
				waitNode({}, { name: 'earlier' }),
				waitNode({ recipient, options: { replacements: '["18"]' } }),
			),
		);
		await paused(run);
		expect(await call(addressOf(0), report())).toEqual([200, success]);
		await until('the second was sent', () => world.sandbox.messages.length === 2);
		await paused(run);
		const [again] = await call(addressOf(0), report());
		expect([200, 401]).toContain(again);
		expect(await call(addressOf(1), report({ status: 'ERROR', error: '27' }))).toEqual([200, success]);

		expect(items(await finished(run))).toEqual([outcome({ delivered: false, status: 'ERROR', errorCode: '27' })]);
	});
});

keysStaySecret(world);
