import { randomUUID } from 'node:crypto';
import { outputs, until, type WorkflowFile } from './n8n';
import { chain, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/** Send a message, let the platform report on it, and see the report's workflow start with the same reference. */
const world = useWorld();
const webhookId = randomUUID();
let triggerWorkflow: string;
let dlrUrl: string;

beforeAll(async () => {
	triggerWorkflow = await world.n8n.addWorkflow(
		chain('reports', { ...world.node('smsTrigger', { events: ['deliveryReport'] }), webhookId }),
	);
	await world.n8n.publish(triggerWorkflow);
	dlrUrl = `${world.n8n.url}/webhook/${webhookId}/dlr`;
});

const send = async (reference: string) => {
	const execution = await world.n8n.execute(
		withRows(
			[{ recipient: '+30 691 234 5678' }],
			world.node('smsSend', {
				operation: 'send',
				serviceId: '102',
				messageId: '1',
				recipient: '={{ $json.recipient }}',
				specifyReplacements: 'fields',
				replacements: { values: [{ value: '17' }] },
				// The same message again and again.
				ifAlreadySent: 'send',
				dlrUrl,
				options: reference ? { reference } : {},
			}),
		),
	);
	return outputs(execution, 'smsSend')[0]![0]!.json;
};

/** The reports that have started a workflow after the first `before`: exactly `count` of them. */
const reports = async (before: number, count: number) =>
	(await world.n8n.executionsWhenEnded(triggerWorkflow, before + count))
		.slice(before)
		.map((execution) => outputs(execution, Object.keys(execution.result.runData)[0]!)[1]![0]!.json);
const startedSoFar = async (): Promise<number> => (await world.n8n.executions(triggerWorkflow)).length;

/** Gives the trigger another name, as in the editor, and publishes that. */
async function rename(name: string): Promise<void> {
	const { versionId, nodes } = await world.n8n.rest<WorkflowFile & { versionId: string }>(
		'GET',
		`/workflows/${triggerWorkflow}`,
	);
	await world.n8n.rest('PATCH', `/workflows/${triggerWorkflow}`, {
		versionId,
		nodes: nodes.map((node) => ({ ...node, name })),
		connections: {},
	});
	await world.n8n.publish(triggerWorkflow);
}

/** How the trigger answered the platform's calls. */
const answersToReports = (): number[] =>
	world.sandbox.traffic.calls.filter(({ direction }) => direction === 'out').map(({ status }) => status);

test('delivered: the report has the reference that the send gave out', async () => {
	const before = await startedSoFar();
	const { reference } = await send('');

	expect(await reports(before, 1)).toEqual([
		expect.objectContaining({
			event: 'deliveryReport',
			reference,
			serviceId: '102',
			recipient: '6912345678',
			delivered: true,
		}),
	]);
	await world.sandbox.settled();
	expect(answersToReports()).toEqual([200]);
});

test('failed: with the code of the carrier and the reference of the user', async () => {
	const before = await startedSoFar();
	Object.assign(world.sandbox.trouble, { reportError: '27' });
	await send('αίτηση 12/β');

	expect(await reports(before, 1)).toEqual([
		expect.objectContaining({ reference: 'αίτηση 12/β', status: 'ERROR', delivered: false, errorCode: '27' }),
	]);
});

test('reported twice: one run', async () => {
	const before = await startedSoFar();
	Object.assign(world.sandbox.trouble, { report: 'twice' });
	await send('');
	await world.sandbox.settled();

	expect(answersToReports()).toEqual([200, 200]);
	await reports(before, 1);
});

test('intermediate statuses: one run each', async () => {
	const before = await startedSoFar();
	Object.assign(world.sandbox.trouble, { report: 'intermediate' });
	await send('');
	await world.sandbox.settled();

	expect((await reports(before, 3)).map(({ status, delivered, final }) => [status, delivered, final])).toEqual([
		['SUBMITTED', false, false],
		['SENT', false, false],
		['DELIVRD', true, true],
	]);
});

test('reported before the send was answered: the reference is there already', async () => {
	const before = await startedSoFar();
	Object.assign(world.sandbox.trouble, { report: 'early' });
	const { reference } = await send('');

	expect(await reports(before, 1)).toEqual([expect.objectContaining({ reference })]);
});

test('the trigger is renamed, n8n killed and started again: the address still works, and a repeated report is an event again', async () => {
	const before = await startedSoFar();
	const { reference } = await send('before the failure');
	await reports(before, 1);
	await world.sandbox.settled();
	await rename('Incoming reports');
	await world.n8n.kill();
	await world.n8n.start();

	const { dlrUrl: address } = world.sandbox.messages[0]!;
	const report = { serviceId: '102', recipient: '6912345678', status: 'DELIVRD' };
	const again = await until('the address is open again', async () => {
		const { status } = await world.sandbox.call(address, report);
		return status !== 404 && status;
	});
	const later = await world.sandbox.call(address, { ...report, status: 'READ' });

	expect([again, later.status]).toEqual([200, 200]);
	expect((await reports(before, 3)).map((item) => [item.reference, item.status])).toEqual([
		[reference, 'DELIVRD'],
		// Repeats are known in the process that n8n is.
		[reference, 'DELIVRD'],
		[reference, 'READ'],
	]);
}, 180_000);

keysStaySecret(world);
