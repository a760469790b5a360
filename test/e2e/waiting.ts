import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { call, report, success } from './calls';
import { items, until, type Execution, type WorkflowFile } from './n8n';
import { builtIn, withRows } from './workflows';
import type { World } from './world';

/* Common parts of the tests of Send and Wait: one row whose message is sent, and the delivery reports that end the wait. */

export const recipient = '6912345678';
export const otherRecipient = '6987654321';
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A time limit: n8n looks only once a minute for waits over their limit, and the machine may be busy. */
export const timeOutMs = 120_000;

/** Returns the input row. `email` is never in the node's output, but the nodes after it must be able to read it. */
export const row = (changes: IDataObject = {}): IDataObject => ({
	recipient,
	number: '17',
	email: 'a@example.gr',
	...changes,
});

/** Returns the node after the wait, which reads a value of the input row. */
export const after = (): INode =>
	builtIn('n8n-nodes-base.set', 'after', 3.4, {
		includeOtherFields: true,
		assignments: {
			assignments: [{ id: randomUUID(), name: 'email', type: 'string', value: "={{ $('Start').item.json.email }}" }],
		},
	});

/** Returns the expected output of the node. */
export const outcome = (changes: IDataObject = {}): IDataObject => ({
	delivered: true,
	status: 'DELIVRD',
	serviceId: '102',
	messageId: '1',
	recipient,
	reference: expect.stringMatching(uuid) as string,
	...changes,
});

/** Checks that the execution continued once with this outcome, and that the nodes after it could read the input row. */
export function expectOutcome(execution: Execution, expected: IDataObject): void {
	expect([execution.status, execution.result.error?.message]).toEqual(['success', undefined]);
	expect(items(execution)).toEqual([expected]);
	expect(execution.result.runData.smsSend).toHaveLength(1);
	expect(execution.result.runData.after).toHaveLength(1);
	expect(items(execution, 0, 'after')).toEqual([{ ...expected, email: 'a@example.gr' }]);
	// The stored output of the node Start must not be changed.
	expect(items(execution, 0, 'Start')).toEqual([expect.objectContaining({ email: 'a@example.gr' })]);
}

/** The ids of an execution in progress. */
export interface Run {
	workflowId: string;
	executionId: string;
}

const underWay = ['new', 'running', 'unknown', undefined];

/** Returns the functions for executions that wait in one `World` (an n8n and a sandbox). */
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

	/** Starts an execution as the editor's button does. */
	const press = async (workflow: WorkflowFile, trigger = 'Start'): Promise<Run> => {
		const workflowId = await world.n8n.addWorkflow(workflow);
		return { workflowId, executionId: await world.n8n.begin(workflowId, trigger) };
	};

	const stored = async ({ workflowId, executionId }: Run): Promise<Execution | undefined> =>
		(await world.n8n.executions(workflowId)).find(({ id }) => id === executionId);

	/** Waits until n8n has stored the waiting execution. */
	const paused = async (run: Run): Promise<void> => {
		await until(`execution ${run.executionId} waits`, async () => {
			const execution = await stored(run);
			if (![...underWay, 'waiting'].includes(execution?.status)) {
				throw new Error(`It ended: ${execution?.status} ${execution?.result.error?.message}`);
			}
			return execution?.status === 'waiting';
		});
	};

	/** Waits until an execution ends. */
	const finished = async (run: Run, timeoutMs?: number): Promise<Execution> =>
		await until(
			`execution ${run.executionId} ends`,
			async () => {
				const execution = await stored(run);
				return execution && ![...underWay, 'waiting'].includes(execution.status) && execution;
			},
			timeoutMs,
		);

	/** Returns the bodies of the requests that the sandbox got. */
	const bodies = (): unknown[] =>
		world.sandbox.traffic.calls.filter(({ direction }) => direction === 'in').map(({ body }) => body);

	/** Returns the statuses of n8n's responses to delivery reports. */
	const answersToReports = (): number[] =>
		world.sandbox.traffic.calls.filter(({ direction }) => direction === 'out').map(({ status }) => status);

	/** Returns the report URL of the message with this index. */
	const addressOf = (index = 0): string => world.sandbox.messages[index]!.dlrUrl;

	/** Starts an execution, and returns when it waits. The platform sends no report. */
	const pause = async (parameters: INodeParameters = {}, changes: Partial<INode> = {}): Promise<Run> => {
		Object.assign(world.sandbox.trouble, { report: 'lost' });
		const run = await press(withRows([row()], waitNode(parameters, changes), after()));
		await paused(run);
		return run;
	};

	/** Checks that the execution still waits, and that a valid report ends the wait. */
	const expectStillWaiting = async (run: Run, index = 0): Promise<void> => {
		expect((await stored(run))?.status).toBe('waiting');
		expect(await call(addressOf(index), report())).toEqual([200, success]);
		expectOutcome(await finished(run), outcome());
		expect(world.sandbox.accepted(recipient)).toBe(1);
	};

	return { waitNode, press, stored, paused, finished, bodies, answersToReports, addressOf, pause, expectStillWaiting };
}
