import { randomUUID } from 'node:crypto';
import type { IDataObject, INode } from 'n8n-workflow';
import { call } from './calls';
import { outputs, until, type Execution } from './n8n';
import { mobile, sendingIn } from './sending';
import { builtIn, chain } from './workflows';
import type { World } from './world';

/* Common parts of the tests that send one list to many people, with SMS Send as the editor adds it. */

/** The value of Messages in the credential. */
export const messages = '101/1: Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}';
/** The default of Concurrency: how many messages are sent in parallel. */
export const pool = 10;
export const rows: IDataObject[] = Array.from({ length: 60 }, (_, index) => ({
	recipient: mobile(index),
	μαθημα: 'Φυσική',
	Βαθμός: index % 11,
}));
/** The index of a row in the middle: when it is sent, some rows are in progress and others have not begun. */
export const middle = 15;

/** Counts the output items of an execution by outcome. */
export function counted(execution: Execution) {
	const items = outputs(execution, 'smsSend')
		.flat()
		.map(({ json }) => json);
	return {
		accepted: items.filter((item) => item.accepted === true).length,
		skipped: items.filter((item) => item.skipped === true).length,
		unknown: items.filter((item) => item.unknown === true).length,
	};
}

/** Returns the functions that send this list in one `World` and count its messages. A test file calls it before its first test. */
export function listIn(world: World) {
	let credential: { id: string; name: string };
	beforeAll(async () => {
		credential = await world.n8n.addCredential('smsPlatformApi', { ...world.smsPlatformApi(), messages });
	}, 60_000);

	const chosen = (value: string) => ({ __rl: true, mode: 'list', value });
	/** Returns SMS Send with a chosen service and message, automatically mapped placeholders, and defaults otherwise. */
	const smsSend = (changes: Partial<INode> = {}): INode => ({
		...world.node('smsSend', {
			serviceId: chosen('101'),
			messageId: chosen('1'),
			recipient: '={{ $json.recipient }}',
			placeholders: { mappingMode: 'autoMapInputData', value: null },
		}),
		credentials: { smsPlatformApi: credential },
		...changes,
	});

	/** Publishes a workflow that gets its rows with a call, as from a form or another system. */
	const publishCalled = async (
		...nodes: INode[]
	): Promise<{ id: string; call: (list: IDataObject[]) => Promise<void> }> => {
		const path = randomUUID();
		const webhook: INode = {
			...builtIn('n8n-nodes-base.webhook', 'Start', 2, {
				path,
				httpMethod: 'POST',
				responseMode: 'onReceived',
				options: {},
			}),
			webhookId: path,
		};
		const split = builtIn('n8n-nodes-base.splitOut', 'Rows', 1, { fieldToSplitOut: 'body.rows', options: {} });
		const id = await world.n8n.addWorkflow(chain('called', webhook, split, ...nodes));
		await world.n8n.publish(id);
		return {
			id,
			call: async (list) => expect((await call(`${world.n8n.url}/webhook/${path}`, { rows: list }))[0]).toBe(200),
		};
	};

	/**
	 * Presses n8n's Retry button.
	 * @param current uses the workflow as it is saved now, instead of the earlier version
	 */
	const retry = async (executionId: string, current: boolean): Promise<void> =>
		void (await world.n8n.rest('POST', `/executions/${executionId}/retry`, { loadWorkflow: current }));

	const { trouble, taken: takenOf } = sendingIn(world);
	const cured = (): void => world.sandbox.endTrouble();

	/** Returns how often the platform accepted a message for each row. */
	const taken = (): number[] => takenOf(rows);
	/** Returns the indexes of the rows whose message was not accepted exactly once, with the number of times. */
	const notOnce = (): Record<string, number> =>
		Object.fromEntries([...taken().entries()].filter(([, count]) => count !== 1));
	const twice = (): number[] => taken().filter((count) => count > 1);
	const leftOut = (): number => taken().filter((count) => count === 0).length;

	/** Makes the platform so slow that a test can act in the middle of the list. */
	const slow = (): void => trouble({ delayMs: 500 });
	const untilTheMiddle = async (): Promise<void> =>
		void (await until(
			'some messages are accepted, and others are in progress',
			() => world.sandbox.messages.length > pool && world.sandbox.inFlight > 0,
		));
	const untilThePlatformIsDone = async (): Promise<void> =>
		void (await until('the platform is done', () => world.sandbox.inFlight === 0));

	return {
		smsSend,
		publishCalled,
		retry,
		trouble,
		cured,
		taken,
		notOnce,
		twice,
		leftOut,
		slow,
		untilTheMiddle,
		untilThePlatformIsDone,
	};
}
