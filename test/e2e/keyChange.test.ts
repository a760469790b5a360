import type { IDataObject } from 'n8n-workflow';
import { call, forward as newForward, report as newReport } from './calls';
import { items, until } from './n8n';
import { withRows } from './workflows';
import { keysStaySecret, useWorld, type Published } from './world';

/** Checks a change of the pre-shared key, on the platform and in the credential, while delivery reports are pending. */
const world = useWorld();
const newKey = 'the-key-after-the-change';
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
			// The tests send the same message repeatedly.
			ifAlreadySent: 'send',
			...(parameters as object),
			options: { replacements: '["17"]', ...(parameters.options as object) },
		}),
	);

/** Sends a message. The tests have set `trouble.report` of the sandbox to `lost`, so no report follows. @returns the signed report URL that the platform has received */
async function send(): Promise<string> {
	const execution = await world.n8n.execute(message({ options: { dlrUrl: trigger.dlrUrl } }));
	return String(items(execution)[0]!.dlrUrl);
}

/** Returns the HTTP status and the error code of a response. */
const codeOf = ([status, answer]: [number, unknown]): [number, string] => [
	status,
	(answer as { errorCode: string }).errorCode,
];
const report = async (url: string) => codeOf(await call(url, newReport()));
const forward = async (key: string) =>
	codeOf(await call(trigger.forwardUrl, newForward(world, { 'pre-shared key': key })));

test('after a change of the key, pending delivery reports arrive, incoming SMS need the new key, and a waiting execution continues', async () => {
	Object.assign(world.sandbox.trouble, { report: 'lost' });
	const sentBefore = await send();
	const waiting = await world.n8n.addWorkflow(message({ operation: 'sendAndWait' }));
	const executionId = await world.n8n.begin(waiting);
	const waitingRun = async () => (await world.n8n.executions(waiting)).find(({ id }) => id === executionId);
	await until('the run waits', async () => (await waitingRun())?.status === 'waiting');
	const addressOfWaiting = world.sandbox.messages.at(-1)!.dlrUrl;
	const previous = world.smsPlatformApi().preSharedKey as string;

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
	await until('the waiting execution has continued', async () => (await waitingRun())?.status === 'success');
	expect(await world.n8n.executionsWhenEnded(trigger.id, 3)).toHaveLength(3);
});

keysStaySecret(world, newKey);
