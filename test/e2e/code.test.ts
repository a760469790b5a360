import { echoPlaces, encodings, type Encoding } from '../../sandbox/echo';
import { another, codeOnThePhone, publishCodes } from './codes';
import { servers } from './queue';
import { keysStaySecret, useWorld } from './world';
import { withRows } from './workflows';

/** Tests one-time codes in a real n8n: over several executions, after restarts, and with simultaneous requests. */
const world = useWorld();

test('a code is verified only once, even after a restart and a kill of n8n', async () => {
	const { ask, type } = await publishCodes(world);
	const { verificationId } = await ask('6900000001');
	await world.n8n.restart();
	expect(await type(verificationId, codeOnThePhone(world))).toEqual({ verified: true, recipient: '6900000001' });
	await world.n8n.kill();
	await world.n8n.start();
	expect(await type(verificationId, codeOnThePhone(world))).toMatchObject({
		verified: false,
		recipient: '6900000001',
		reason: 'used',
	});
	// The next code is new, because the first code was used. The next code stays the same if it is requested again.
	const first = codeOnThePhone(world);
	await ask('6900000001');
	const second = codeOnThePhone(world);
	expect(second).not.toBe(first);
	const again = await ask('6900000001');
	expect(codeOnThePhone(world)).toBe(second);
	expect(await type(again.verificationId, second)).toEqual({ verified: true, recipient: '6900000001' });
}, 240_000);

test('wrong attempts are counted over several executions; a second request for a code does not reset the count, but a restart of n8n does', async () => {
	const { ask, type } = await publishCodes(world);
	const { verificationId } = await ask('6900000002');
	const code = codeOnThePhone(world);
	const left = async (id: unknown) => (await type(id, another(code))).attemptsLeft;
	expect([await left(verificationId), await left(verificationId)]).toEqual([4, 3]);
	const again = await ask('6900000002');
	expect(codeOnThePhone(world)).toBe(code);
	expect([await left(again.verificationId), await left(verificationId), await left(again.verificationId)]).toEqual([
		2, 1, 0,
	]);
	expect(await type(verificationId, code)).toMatchObject({
		verified: false,
		recipient: '6900000002',
		reason: 'tooManyAttempts',
		attemptsLeft: 0,
	});
	// Send Code stops its run with an error, and no SMS is sent.
	const before = world.sandbox.messages.length;
	expect(await ask('6900000002')).not.toHaveProperty('verificationId');
	expect(world.sandbox.messages).toHaveLength(before);
	await world.n8n.restart();
	expect(await type(verificationId, code)).toEqual({ verified: true, recipient: '6900000002' });
}, 240_000);

test('in each process, of forty simultaneous wrong codes only five are compared, and of ten right codes only one is verified', async () => {
	const { ask, type } = await publishCodes(world);
	const { verificationId } = await ask('6900000003');
	const wrong = another(codeOnThePhone(world));
	const answers = await Promise.all(Array.from({ length: 40 }, async () => await type(verificationId, wrong)));
	const count = (reason: string) => answers.filter((answer) => answer.reason === reason).length;
	const tried = count('wrong');
	expect(tried + count('tooManyAttempts')).toBe(40);
	// In queue mode, each of the two workers counts separately.
	expect(tried).toBeGreaterThanOrEqual(5);
	expect(tried).toBeLessThanOrEqual(servers ? 10 : 5);

	const other = await ask('6900000004');
	const right = codeOnThePhone(world);
	const verdicts = await Promise.all(Array.from({ length: 10 }, async () => await type(other.verificationId, right)));
	const verified = verdicts.filter((verdict) => verdict.verified === true).length;
	expect(verified).toBeGreaterThanOrEqual(1);
	expect(verified).toBeLessThanOrEqual(servers ? 2 : 1);
}, 240_000);

test('a number gets at most five codes from one process, even if twelve are requested at the same time', async () => {
	const { ask } = await publishCodes(world);
	await Promise.all(Array.from({ length: 12 }, async () => await ask('6900000005')));
	const sent = world.sandbox.accepted('6900000005');
	// In queue mode, each of the two workers counts separately.
	expect(sent).toBeGreaterThanOrEqual(5);
	expect(sent).toBeLessThanOrEqual(servers ? 10 : 5);
}, 240_000);

test("a code appears nowhere in n8n's database and logs, even if the platform returns it in its answer in any encoding", async () => {
	const codes: string[] = [];
	for (const [index, echoAs] of (Object.keys(encodings) as Encoding[]).entries()) {
		const send = world.node('smsCode', {
			operation: 'sendCode',
			serviceId: '103',
			messageId: '1',
			recipient: String(6_900_000_100 + index),
			// The code is so long that it cannot appear by chance.
			options: { codeLength: 10, validMinutes: 60 },
		});
		const id = await world.n8n.addWorkflow(withRows([{}], send));
		expect((await world.n8n.executeSaved(id)).status).toBe('success');
		// The following runs send the same code.
		codes.push(codeOnThePhone(world));
		for (const echoIn of echoPlaces) {
			Object.assign(world.sandbox.trouble, { answer: 'echo', echoAs, echoIn });
			expect((await world.n8n.executeSaved(id)).status).toBe('error');
		}
		world.sandbox.endTrouble();
	}
	expect(codes.map((code) => code.length)).toEqual(codes.map(() => 10));
	expect(await world.n8n.leaks(codes)).toEqual([]);
}, 240_000);

keysStaySecret(world);
