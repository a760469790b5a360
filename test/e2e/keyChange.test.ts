import type { IDataObject } from 'n8n-workflow';
import { call, forward as newForward, report as newReport } from './calls';
import { items, until } from './n8n';
import { withRows } from './workflows';
import { keysStaySecret, useWorld, type Published } from './world';

/** The pre-shared key is changed on both sides while messages are under way. */
const world = useWorld();
const newKey = 'the-key-after-the-change';
const forwardKey = 'a-key-for-forwards-alone';
const previousKey = () => String(world.smsPlatformApi().preSharedKey);
let trigger: Published;

beforeAll(async () => {
	trigger = await world.publishTrigger();
});

const message = (parameters: IDataObject) =>
	withRows(
		[{}],
		world.node('smsSend', {
			serviceId: '102',
			messageId: '1',
			recipient: '6912345678',
			specifyReplacements: 'fields',
			replacements: { values: [{ value: '17' }] },
			// The same message again and again.
			ifAlreadySent: 'send',
			...(parameters as object),
		}),
	);

/** Sends a message whose report has not come yet. @returns the signed address that the platform has of it */
async function send(): Promise<string> {
	const execution = await world.n8n.execute(message({ dlrUrl: trigger.dlrUrl }));
	return String(items(execution)[0]!.dlrUrl);
}

/** @returns HTTP status and error code */
const codeOf = ([status, answer]: [number, unknown]): [number, string] => [
	status,
	(answer as { errorCode: string }).errorCode,
];
const report = async (url: string) => codeOf(await call(url, newReport()));
const forward = async (key: string) =>
	codeOf(await call(trigger.forwardUrl, newForward(world, { 'pre-shared key': key })));

beforeEach(() => {
	Object.assign(world.sandbox.trouble, { report: 'lost' });
});

test('reports of the last week find their way, forwards need the new key, and a run that waits goes on', async () => {
	await world.changeSmsPlatform({});
	const sentBefore = await send();
	const waiting = await world.n8n.addWorkflow(message({ operation: 'sendAndWait' }));
	const executionId = await world.n8n.begin(waiting);
	const waitingRun = async () => (await world.n8n.executions(waiting)).find(({ id }) => id === executionId);
	await until('the run waits', async () => (await waitingRun())?.status === 'waiting');
	const addressOfWaiting = world.sandbox.messages.at(-1)!.dlrUrl;
	const previous = previousKey();

	world.sandbox.settings.preSharedKey = newKey;
	await world.changeSmsPlatform({
		previousPreSharedKey: previous,
		keyChangedOn: new Date().toISOString().slice(0, 10),
	});

	expect(await report(sentBefore)).toEqual([200, '']);
	expect(await report(await send())).toEqual([200, '']);
	expect(await report(addressOfWaiting)).toEqual([200, '']);
	expect(await forward(previous)).toEqual([401, 'INVALID_KEY']);
	expect(await forward(newKey)).toEqual([200, '']);
	await until('the run goes on', async () => (await waitingRun())?.status === 'success');
	expect(await world.n8n.executionsWhenEnded(trigger.id, 3)).toHaveLength(3);
});

test('a key that became known to others opens nothing once it is left out', async () => {
	await world.changeSmsPlatform({});
	const sentBefore = await send();
	world.sandbox.settings.preSharedKey = newKey;
	await world.changeSmsPlatform({});

	expect(await report(sentBefore)).toEqual([401, 'INVALID_SIGNATURE']);
	expect(await report(await send())).toEqual([200, '']);
});

test('the credential test asks for the day of the change', async () => {
	const attempt = async (changes: object) =>
		await world.n8n.testCredential('smsPlatformApi', { ...world.smsPlatformApi(), ...changes });

	expect(await attempt({ previousPreSharedKey: 'before' })).toEqual({
		status: 'Error',
		message: expect.stringMatching(/Key Changed On/),
	});
	// Month first or day first: nobody can tell.
	expect(await attempt({ previousPreSharedKey: 'before', keyChangedOn: '11/05/2026' })).toEqual({
		status: 'Error',
		message: expect.stringMatching(/Key Changed On/),
	});
	expect((await attempt({ previousPreSharedKey: 'before', keyChangedOn: '2026-11-20T00:00:00' })).status).toBe('OK');
});

test('forwards have a key of their own where the operator says so, and reports keep theirs', async () => {
	await world.changeSmsPlatform({ forwardKey: ` ${forwardKey}\n` });
	const sent = await send();

	expect(await forward(previousKey())).toEqual([401, 'INVALID_KEY']);
	expect(await forward(forwardKey)).toEqual([200, '']);
	expect(await report(sent)).toEqual([200, '']);
});

keysStaySecret(world, newKey, forwardKey);
