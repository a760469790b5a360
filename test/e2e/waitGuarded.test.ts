import { until } from './n8n';
import {
	after,
	call,
	expectOutcome,
	items,
	otherRecipient,
	outcome,
	recipient,
	refused,
	report,
	row,
	success,
	waitingIn,
} from './waiting';
import { withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Calls to a waiting execution: what comes from the platform ends the wait once, and nothing else does. */
const world = useWorld();
const { waitNode, press, stored, paused, finished, answersToReports, addressOf, pause, expectStillWaiting } =
	waitingIn(world);

describe('however the platform calls', () => {
	test.each([
		['POST', {}],
		['PUT', {}],
		['GET', {}],
		['POST', { contentType: 'text/plain' }],
		['PUT', { contentType: '' }],
	])('%s with the fields in the body, and %j', async (method, how) => {
		const run = await pause();

		expect(await call(addressOf(), report(), { method, ...how })).toEqual([200, success]);
		expectOutcome(await finished(run), outcome());
	});

	test('GET with the fields in the address: n8n signs the whole of it, and refuses', async () => {
		const run = await pause();
		const address = new URL(addressOf());
		for (const [name, value] of Object.entries(report())) address.searchParams.set(name, value as string);
		const [status] = await call(address.href, '', { method: 'GET', contentType: '' });

		expect(status).toBe(401);
		await expectStillWaiting(run);
	});
});

describe('what is not the last word on this message leaves the run waiting', () => {
	test.each<[string, (address: URL) => void]>([
		['a changed signature', (address) => address.searchParams.set('signature', '0'.repeat(64))],
		['no signature', (address) => address.searchParams.delete('signature')],
		['a query that was added to', (address) => address.searchParams.set('extra', '1')],
	])('%s: 401', async (_, forge) => {
		const run = await pause();
		const address = new URL(addressOf());
		forge(address);
		const [status, answer] = await call(address.href);

		expect(status).toBe(401);
		expect(answer).not.toEqual(success);
		await expectStillWaiting(run);
	});

	test("another run's signature: 401", async () => {
		const [first, second] = [await pause(), await pause()];
		const address = new URL(addressOf(0));
		address.search = new URL(addressOf(1)).search;
		const [status] = await call(address.href);

		expect(status).toBe(401);
		expect([(await stored(first))?.status, (await stored(second))?.status]).toEqual(['waiting', 'waiting']);
		await call(addressOf(0));
		await call(addressOf(1));
		expectOutcome(await finished(first), outcome());
		expectOutcome(await finished(second), outcome());
	});

	test.each([
		['service', { serviceId: '101' }],
		['recipient', { recipient: otherRecipient }],
		['recipient, not delivered', { recipient: otherRecipient, status: 'ERROR', error: '27' }],
		['service, intermediate', { serviceId: '101', status: 'SENT' }],
	])('wrong %s: 401 in the words of the platform', async (_, changes) => {
		const run = await pause();

		expect(await call(addressOf(), report(changes))).toEqual([401, refused('INVALID_SIGNATURE')]);
		await expectStillWaiting(run);
	});

	test.each<[string, unknown, string]>([
		['empty', {}, 'application/json'],
		['without a status', report({ status: undefined }), 'application/json'],
		['with an empty status', report({ status: ' ' }), 'application/json'],
		['with a status that is a list', report({ status: ['DELIVRD'] }), 'application/json'],
		['without a recipient', report({ recipient: undefined }), 'application/json'],
		['a list', [report()], 'application/json'],
		['null', null, 'application/json'],
		['a word', '"DELIVRD"', 'application/json'],
		['no JSON, and not called so', 'status is DELIVRD', 'text/plain'],
		['of no type', 'status is DELIVRD', ''],
	])('a body that is %s: 400', async (_, body, contentType) => {
		const run = await pause();

		expect(await call(addressOf(), body, { contentType })).toEqual([400, refused('INVALID_REQUEST')]);
		await expectStillWaiting(run);
	});

	test('a body that calls itself JSON and is not: refused by n8n itself', async () => {
		const run = await pause();
		const [status] = await call(addressOf(), '{"serviceId":');

		expect(status).toBe(422);
		await expectStillWaiting(run);
	});
});

describe('the same report again is harmless', () => {
	test('after the run went on, in whatever state it is', async () => {
		const run = await pause();
		await call(addressOf());
		const [during] = await call(addressOf());
		expectOutcome(await finished(run), outcome());
		const [afterwards] = await call(addressOf());
		const [contrary] = await call(addressOf(), report({ status: 'ERROR', error: '27' }));

		// 409 while the run is under way: the platform calls again, and is answered.
		expect([200, 409]).toContain(during);
		expect([afterwards, contrary]).toEqual([200, 200]);
		expectOutcome(await finished(run), outcome());
	});

	test('twice at once', async () => {
		const run = await pause();
		const answers = await Promise.all([call(addressOf()), call(addressOf()), call(addressOf())]);

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
				waitNode({ recipient, replacements: { values: [{ value: '18' }] } }),
			),
		);
		await paused(run);
		expect(await call(addressOf(0))).toEqual([200, success]);
		await until('the second was sent', () => world.sandbox.messages.length === 2);
		await paused(run);
		const [again] = await call(addressOf(0));
		expect([200, 401]).toContain(again);
		expect(await call(addressOf(1), report({ status: 'ERROR', error: '27' }))).toEqual([200, success]);

		expect(items(await finished(run))).toEqual([outcome({ delivered: false, status: 'ERROR', errorCode: '27' })]);
	});

	test('as the platform does it', async () => {
		Object.assign(world.sandbox.trouble, { report: 'twice' });
		const run = await press(withRows([row()], waitNode(), after()));
		await finished(run);
		await world.sandbox.settled();

		expectOutcome(await finished(run), outcome());
		expect(answersToReports().at(-1)).toBe(200);
	});
});

keysStaySecret(world);
