import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { call, report, success } from './calls';
import { items, until, type Execution, type WorkflowFile } from './n8n';
import { builtIn, withRows } from './workflows';
import type { World } from './world';

/* Common parts of the tests of Send and Wait: one row that is sent and waits, and the platform's reports on it. */

export const recipient = '6912345678';
export const otherRecipient = '6987654321';
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** n8n looks once a minute for waits that end by time, and the machine may be busy. */
export const timeOutMs = 120_000;

/** The input row; `email` is never in what the node gives out, and must be there for the nodes after it. */
export const row = (changes: IDataObject = {}): IDataObject => ({
	recipient,
	number: '17',
	email: 'a@example.gr',
	...changes,
});

/** The step after the wait: it reads a value of the input row. */
export const after = (): INode =>
	builtIn('n8n-nodes-base.set', 'after', 3.4, {
		includeOtherFields: true,
		assignments: {
			assignments: [{ id: randomUUID(), name: 'email', type: 'string', value: "={{ $('Start').item.json.email }}" }],
		},
	});

/** What the node gives out at the end. */
export const outcome = (changes: IDataObject = {}): IDataObject => ({
	delivered: true,
	status: 'DELIVRD',
	serviceId: '102',
	messageId: '1',
	recipient,
	reference: expect.stringMatching(uuid) as string,
	...changes,
});

/** The run went on once, with this outcome, and the row is still there for the nodes after it. */
export function expectOutcome(execution: Execution, expected: IDataObject): void {
	expect([execution.status, execution.result.error?.message]).toEqual(['success', undefined]);
	expect(items(execution)).toEqual([expected]);
	expect(execution.result.runData.smsSend).toHaveLength(1);
	expect(execution.result.runData.after).toHaveLength(1);
	expect(items(execution, 0, 'after')).toEqual([{ ...expected, email: 'a@example.gr' }]);
	// A replaced input item must not change what the node before it is shown to have given out.
	expect(items(execution, 0, 'Start')).toEqual([expect.objectContaining({ email: 'a@example.gr' })]);
}

/** An execution that is under way, as the list of executions names it. */
export interface Run {
	workflowId: string;
	executionId: string;
}

const underWay = ['new', 'running', 'unknown', undefined];

/** The same in one world. */
export function waitingIn(world: World) {
	const waitNode = (parameters: INodeParameters = {}, changes: Partial<INode> = {}): INode => ({
		...world.node('smsSend', {
			operation: 'sendAndWait',
			serviceId: '102',
			messageId: '1',
			recipient: '={{ $json.recipient }}',
			...parameters,
			options: { replacements: '={{ [$json.number] }}', ...(parameters.options as INodeParameters) },
		}),
		...changes,
	});

	/** Presses the editor's button. */
	const press = async (workflow: WorkflowFile, trigger = 'Start'): Promise<Run> => {
		const workflowId = await world.n8n.addWorkflow(workflow);
		return { workflowId, executionId: await world.n8n.begin(workflowId, trigger) };
	};

	const stored = async ({ workflowId, executionId }: Run): Promise<Execution | undefined> =>
		(await world.n8n.executions(workflowId)).find(({ id }) => id === executionId);

	/** Waits until n8n has stored the pause. */
	const paused = async (run: Run): Promise<void> => {
		await until(`execution ${run.executionId} waits`, async () => {
			const execution = await stored(run);
			if (![...underWay, 'waiting'].includes(execution?.status)) {
				throw new Error(`It ended: ${execution?.status} ${execution?.result.error?.message}`);
			}
			return execution?.status === 'waiting';
		});
	};

	/** Waits for the end of a run that waits or is under way. */
	const finished = async (run: Run, timeoutMs?: number): Promise<Execution> =>
		await until(
			`execution ${run.executionId} ends`,
			async () => {
				const execution = await stored(run);
				return execution && ![...underWay, 'waiting'].includes(execution.status) && execution;
			},
			timeoutMs,
		);

	/** The bodies that reached the platform's send operation. */
	const bodies = (): unknown[] =>
		world.sandbox.traffic.calls.filter(({ direction }) => direction === 'in').map(({ body }) => body);

	/** How n8n answered the platform's reports. */
	const answersToReports = (): number[] =>
		world.sandbox.traffic.calls.filter(({ direction }) => direction === 'out').map(({ status }) => status);

	/** Returns the URL for the report on the message with the number `index`. */
	const addressOf = (index = 0): string => world.sandbox.messages[index]!.dlrUrl;

	/** Runs one row up to its pause. The platform sends no report. */
	const pause = async (parameters: INodeParameters = {}, changes: Partial<INode> = {}): Promise<Run> => {
		Object.assign(world.sandbox.trouble, { report: 'lost' });
		const run = await press(withRows([row()], waitNode(parameters, changes), after()));
		await paused(run);
		return run;
	};

	/** The valid report is still accepted, and is the one that counts. */
	const expectStillWaiting = async (run: Run, index = 0): Promise<void> => {
		expect((await stored(run))?.status).toBe('waiting');
		expect(await call(addressOf(index), report())).toEqual([200, success]);
		expectOutcome(await finished(run), outcome());
		expect(world.sandbox.accepted(recipient)).toBe(1);
	};

	return { waitNode, press, stored, paused, finished, bodies, answersToReports, addressOf, pause, expectStillWaiting };
}
