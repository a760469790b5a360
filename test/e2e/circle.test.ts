import { call, report } from './calls';
import { items, until, type Execution, type WorkflowFile } from './n8n';
import { withRows } from './workflows';
import { keysStaySecret, useWorld, type Published } from './world';

/** Sends a message, lets the platform report on it, and tests that the report starts a workflow with the same reference. */
const world = useWorld();
let reports: Published;
beforeAll(async () => {
	reports = await world.publishTrigger({ events: ['deliveryReport'] });
});

const send = async (reference = ''): Promise<Execution> =>
	await world.n8n.execute(
		withRows(
			[{ recipient: '+30 691 234 5678' }],
			world.node('smsSend', {
				operation: 'send',
				serviceId: '102',
				messageId: '1',
				recipient: '={{ $json.recipient }}',
				// The tests send the same message several times.
				ifAlreadySent: 'send',
				options: { replacements: '["17"]', dlrUrl: reports.dlrUrl, ...(reference && { reference }) },
			}),
		),
	);

/** Returns the reports that started a workflow after the first `before` reports. There must be exactly `count`. */
const started = async (before: number, count: number) =>
	(await world.n8n.executionsWhenEnded(reports.id, before + count))
		.slice(before)
		.flatMap((execution) => items(execution, 1, Object.keys(execution.result.runData)[0]));
const startedSoFar = async (): Promise<number> => (await world.n8n.executions(reports.id)).length;

test('each report starts one run with the reference of its message: a report before the response to the send request, an intermediate report, and a report on a failure', async () => {
	Object.assign(world.sandbox.trouble, { report: 'early' });
	const [sent] = items(await send());
	expect(await started(0, 1)).toMatchObject([{ event: 'deliveryReport', reference: sent!.reference, delivered: true }]);

	Object.assign(world.sandbox.trouble, { report: 'intermediate', reportError: '27' });
	await send('αίτηση 12/β');
	expect(await started(1, 3)).toMatchObject([
		{ reference: 'αίτηση 12/β', status: 'SUBMITTED', delivered: false, final: false },
		{ reference: 'αίτηση 12/β', status: 'SENT', delivered: false, final: false },
		{ reference: 'αίτηση 12/β', status: 'ERROR', delivered: false, final: true, errorCode: '27' },
	]);
});

test('a report that the platform repeats starts only one run', async () => {
	const before = await startedSoFar();
	Object.assign(world.sandbox.trouble, { report: 'twice' });
	await send();
	await world.sandbox.settled();

	const answers = world.sandbox.traffic.calls.filter(({ direction }) => direction === 'out');
	expect(answers.map(({ status }) => status)).toEqual([200, 200]);
	await started(before, 1);
});

/** Renames the trigger, as the editor does, and publishes the workflow again. */
async function rename(name: string): Promise<void> {
	const { versionId, nodes } = await world.n8n.rest<WorkflowFile & { versionId: string }>(
		'GET',
		`/workflows/${reports.id}`,
	);
	const renamed = nodes.map((node) => ({ ...node, name }));
	await world.n8n.rest('PATCH', `/workflows/${reports.id}`, { versionId, nodes: renamed, connections: {} });
	await world.n8n.publish(reports.id);
}

test('a report URL still works after the trigger was renamed and n8n was killed and started, and then a repeated report starts a run again', async () => {
	const before = await startedSoFar();
	const [sent] = items(await send('before the failure'));
	await started(before, 1);
	await world.sandbox.settled();
	await rename('Incoming reports');
	await world.n8n.kill();
	await world.n8n.start();

	const { dlrUrl } = world.sandbox.messages[0]!;
	const again = await until('the URL of the trigger is open again', async () => {
		const [status] = await call(dlrUrl, report());
		return status !== 404 && status;
	});
	expect([again, (await call(dlrUrl, report({ status: 'READ' })))[0]]).toEqual([200, 200]);
	expect((await started(before, 3)).map(({ reference, status }) => [reference, status])).toEqual([
		[sent!.reference, 'DELIVRD'],
		// The repeated report: a process of n8n recognises only events that it has received itself since its start.
		[sent!.reference, 'DELIVRD'],
		[sent!.reference, 'READ'],
	]);
}, 180_000);

keysStaySecret(world);
