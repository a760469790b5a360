import type { INode, INodeParameters } from 'n8n-workflow';
import { items, until } from './n8n';
import { servers } from './queue';
import { chunkOf, mobile, sendingIn } from './sending';
import { withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();
const { sendNode, trouble } = sendingIn(world);

describe('with If Already Sent set to Skip,', () => {
	describe('after a run that did not finish', () => {
		// All rows except the first have the same recipient and different texts. The platform holds back its answers for
		// that recipient, so that n8n has recorded claims of messages that are not sent yet.
		const rows = Array.from({ length: 40 }, (_, index) => ({ recipient: mobile(index === 0 ? 0 : 1), grade: index }));
		const concurrency = 5;
		const addSheet = async (options: INodeParameters, changes: Partial<INode> = {}): Promise<string> =>
			await world.n8n.addWorkflow(
				withRows(
					rows,
					sendNode({ concurrency, replacements: '={{ ["Φυσική", $json.grade] }}', ...options }, changes, {
						messageId: '1',
					}),
				),
			);
		const hold = (): void => trouble({ holdUntilTaken: 1000, recipient: mobile(1) });
		const letGo = async (): Promise<void> => {
			trouble({ holdUntilTaken: 0 });
			await until('the platform is done', () => world.sandbox.inFlight === 0);
		};
		/** Returns how often the platform has accepted each row, in the order of the rows. */
		const takenByText = (): number[] =>
			rows.map(({ grade }) => world.sandbox.messages.filter(({ text }) => text.endsWith(` ${grade}`)).length);
		/**
		 * Returns how many claims and accepted outcomes n8n has recorded. Each claim and each outcome has two entries, and
		 * three further entries count them.
		 */
		const recorded = async (workflowId: string): Promise<number> => {
			const [stored] = await world.n8n.query<{ value: string }>(
				'SELECT value FROM processed_data WHERE "workflowId" = ?',
				workflowId,
			);
			return stored ? ((JSON.parse(stored.value) as { data: string[] }).data.length - 3) / 2 : 0;
		};

		test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
			'because it was cancelled, the next run sends exactly the remaining messages (On Error: %s)',
			async (onError) => {
				const id = await addSheet({}, { onError });
				hold();
				const executionId = await world.n8n.begin(id);
				await until(
					'one message is accepted and each worker waits',
					() => world.sandbox.messages.length === 1 && world.sandbox.inFlight === concurrency,
				);
				await world.n8n.rest('POST', `/executions/${executionId}/stop`);
				await letGo();
				expect(world.sandbox.messages).toHaveLength(1 + concurrency);
				// n8n closed the connections of messages in progress, so their outcomes are unknown and their claims stay.
				await until(
					'the claims of unsent messages are released',
					async () => (await recorded(id)) === 2 + concurrency,
					10_000,
				);
				const second = await world.n8n.executeSaved(id);

				expect(takenByText()).toEqual(rows.map(() => 1));
				expect(items(second).filter(({ unknown }) => unknown === true)).toHaveLength(concurrency);
			},
		);

		/** A process that the test kills, like a power failure, and starts again. */
		interface Machine {
			kill(): Promise<void>;
			start(): Promise<void>;
		}
		/** Returns the worker that runs an execution in queue mode. */
		const workerOf = (executionId: string): Machine => {
			const { workers, url } = world.n8n.queue!;
			const worker = () => workers.find((one) => one.printed().includes(`Worker started execution ${executionId} `))!;
			return {
				kill: async () => await worker().end('SIGKILL'),
				start: async () => await worker().start(url),
			};
		};
		type Failure = [
			name: string,
			options: INodeParameters,
			inFlight: number,
			chunk: number,
			machine: (executionId: string) => Machine,
		];

		test.each<Failure>([
			['at full speed', {}, concurrency, chunkOf(concurrency), () => world.n8n],
			// At a limited speed, a run claims the messages of two seconds at once.
			['at a limited speed', { messagesPerSecond: 2 }, 0, 4, () => world.n8n],
			...(servers ? [['only in its worker', {}, concurrency, chunkOf(concurrency), workerOf] satisfies Failure] : []),
		])(
			'because n8n was killed %s, the next run sends no message twice, and at most one chunk is not sent',
			async (_, options, inFlight, chunk, machineOf) => {
				const id = await addSheet(options);
				hold();
				const machine = machineOf(await world.n8n.begin(id));
				await until(
					'one message is accepted, each worker waits, and further rows are claimed',
					async () =>
						world.sandbox.messages.length === 1 && world.sandbox.inFlight >= inFlight && (await recorded(id)) >= chunk,
				);
				await machine.kill();
				await letGo();
				const before = takenByText();
				await machine.start();
				const second = await world.n8n.executeSaved(id, 60_000);

				expect(second.status).toBe('success');
				expect(takenByText().filter((count) => count > 1)).toEqual([]);
				const leftOut = rows.flatMap((_row, index) => (takenByText()[index] === 0 ? [index] : []));
				expect(leftOut.length).toBeLessThanOrEqual(chunk);
				// The unsent messages are among the skipped items, so that an admin can find them.
				expect(items(second).flatMap((item, index) => (item.skipped === true ? [index] : []))).toEqual(
					rows.flatMap((_row, index) => (before[index] === 1 || leftOut.includes(index) ? [index] : [])),
				);
				// n8n notices after about a minute that a worker is dead, and does not give its run to the other worker.
				const [first] = await world.n8n.executionsWhenEnded(id, 2, 150_000);
				expect(first!.status).not.toBe('success');
				expect(takenByText().filter((count) => count > 1)).toEqual([]);
			},
			300_000,
		);
	});
});

keysStaySecret(world);
