import { items, type Execution, type WorkflowFile } from './n8n';
import { listIn, pool, rows } from './oneList';
import { chunkOf } from './sending';
import { withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

/*
 * Checks runs that are stopped, or that end with n8n, with the default parameters of SMS Send. No person gets the message
 * twice, and in the end all people get it, with two exceptions. A kill or a restart may leave out the messages of one chunk,
 * which were claimed but not sent. n8n's Stop may leave out the messages whose requests it cuts before the platform has read them: at most
 * as many as are sent in parallel. `INTERRUPTED_ROUNDS` repeats the restarts.
 */
const world = useWorld({ N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '3' });
const {
	smsSend,
	publishCalled,
	retry,
	trouble,
	cured,
	taken,
	twice,
	leftOut,
	slow,
	untilTheMiddle,
	untilThePlatformIsDone,
} = listIn(world);

const stop = async (executionId: string): Promise<void> =>
	void (await world.n8n.rest('POST', `/executions/${executionId}/stop`));

describe('a run that a person stops in the middle', () => {
	const stoppedInTheMiddle = async (): Promise<{ workflowId: string; executionId: string }> => {
		slow();
		const workflowId = await world.n8n.addWorkflow(withRows(rows, smsSend()));
		const executionId = await world.n8n.begin(workflowId);
		await untilTheMiddle();
		await stop(executionId);
		await untilThePlatformIsDone();
		expect(leftOut()).toBeGreaterThan(0);
		cured();
		return { workflowId, executionId };
	};

	test('is completed by the next run, which leaves out at most as many rows as are sent in parallel', async () => {
		const { workflowId } = await stoppedInTheMiddle();
		const again = await world.n8n.executeSaved(workflowId);

		expect(again.status).toBe('success');
		expect(twice()).toEqual([]);
		expect(leftOut()).toBeLessThanOrEqual(pool);
		// n8n has cut the requests for people who got nothing, so their outcome is unknown.
		expect(items(again).filter(({ unknown }, index) => taken()[index] === 0 && unknown !== true)).toEqual([]);
	});

	test('is described by a review of the same rows, which shows the rows that were sent, perhaps sent, and not sent', async () => {
		const { workflowId } = await stoppedInTheMiddle();
		const workflow = await world.n8n.rest<WorkflowFile & { versionId: string }>('GET', `/workflows/${workflowId}`);
		const send = workflow.nodes.find(({ name }) => name === 'smsSend')!;
		Object.assign(send.parameters, { operation: 'review', reviewOutput: 'rows' });
		const { nodes, connections, settings, versionId } = workflow;
		await world.n8n.rest('PATCH', `/workflows/${workflowId}`, { nodes, connections, settings, versionId });
		const review = items(await world.n8n.executeSaved(workflowId));

		const timesOf = (reason: unknown) => taken().filter((_, index) => review[index]!.skipReason === reason);
		expect(new Set(timesOf('sentBefore'))).toEqual(new Set([1]));
		expect(new Set(timesOf(undefined))).toEqual(new Set([0]));
		expect(timesOf('unknown').length).toBeLessThanOrEqual(pool);
	});

	test("is completed by n8n's Retry, if n8n allows it, and by the next run, without a second message to anybody", async () => {
		const { workflowId, executionId } = await stoppedInTheMiddle();
		// n8n stores too little data of some stopped runs, and can't retry these.
		await retry(executionId, true).catch((error: Error) => expect(error.message).toMatch(/cannot be retried/));
		expect(twice()).toEqual([]);
		await world.n8n.executeSaved(workflowId);

		expect(twice()).toEqual([]);
		expect(leftOut()).toBeLessThanOrEqual(pool);
	});
});

const ends = [
	['an ordinary restart', 'stop'],
	['a power failure', 'kill'],
] as const;
const rounds = Number(process.env.INTERRUPTED_ROUNDS ?? 1);

describe.each(Array.from({ length: rounds }, () => ends).flat())(
	'after %s of n8n in the middle of a list',
	(_, end) => {
		/** The largest number of rows that may be left out. */
		const most = chunkOf(pool);
		const restart = async (): Promise<void> => {
			await untilTheMiddle();
			// The answers take longer than n8n waits for its executions when it stops.
			trouble({ holdUntilTaken: 1000 });
			await world.n8n[end]();
			trouble({ holdUntilTaken: 0 });
			await untilThePlatformIsDone();
			cured();
			expect(leftOut()).toBeGreaterThan(0);
			await world.n8n.start();
		};
		const ended = async (workflowId: string, count: number): Promise<Execution[]> =>
			// In queue mode n8n notices the end of a worker after about a minute.
			await world.n8n.executionsWhenEnded(workflowId, count, 150_000);

		test('two retries and the next run send nothing twice, and leave out at most one chunk', async () => {
			slow();
			const { id, call } = await publishCalled(smsSend());
			await call(rows);
			await restart();
			const [crashed] = await ended(id, 1);
			expect(crashed!.status).not.toBe('success');
			await retry(crashed!.id, true);
			expect(twice()).toEqual([]);
			expect(leftOut()).toBeLessThanOrEqual(most);
			await retry(crashed!.id, false);
			await call(rows);
			await ended(id, 4);

			expect(twice()).toEqual([]);
			expect(leftOut()).toBeLessThanOrEqual(most);
		}, 300_000);

		test('the next run in the editor sends nothing twice, and reports an unknown outcome for the rows that it leaves out', async () => {
			slow();
			const id = await world.n8n.addWorkflow(withRows(rows, smsSend()));
			await world.n8n.begin(id);
			await restart();
			const before = taken();
			const again = await world.n8n.executeSaved(id, 60_000);

			expect(again.status).toBe('success');
			expect(twice()).toEqual([]);
			expect(leftOut()).toBeLessThanOrEqual(most);
			expect(items(again).map(({ skipped }) => skipped === true)).toEqual(
				rows.map((_row, index) => before[index] === 1 || taken()[index] === 0),
			);
			expect(items(again).filter(({ unknown }, index) => taken()[index] === 0 && unknown !== true)).toEqual([]);
		}, 300_000);
	},
);

keysStaySecret(world);
