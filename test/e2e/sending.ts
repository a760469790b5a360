import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { Trouble } from '../../sandbox/trouble';
import { taskOf, type Execution } from './n8n';
import { withRows } from './workflows';
import type { World } from './world';

/* Common parts of the tests of many rows: a message without placeholders to consecutive fictitious mobiles. */

/** How many messages a run claims at once while n8n's list is short: so many are unknown at most after a kill. */
export const chunkOf = (concurrency: number): number => Math.min(5 * concurrency, Math.max(100, 2 * concurrency));
/** The same once the list has more than 20,000 entries. */
export const longChunk = 100;

export const mobile = (index: number): string => String(6_900_000_000 + index);
export const rowsUpTo = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ recipient: mobile(index) }));

export const hints = (execution: Execution): string[] =>
	(taskOf(execution, 'smsSend').hints ?? []).map(({ message }) => message);

/** How often the platform has accepted a message for each recipient: counted once, for thousands of rows. */
export function timesTakenIn({ sandbox }: World): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { recipient } of sandbox.messages) counts.set(recipient, (counts.get(recipient) ?? 0) + 1);
	return counts;
}

/** The same in one world. */
export function sendingIn(world: World) {
	const sendNode = (
		options: INodeParameters = {},
		changes: Partial<INode> = {},
		parameters: INodeParameters = {},
	): INode => ({
		...world.node('smsSend', {
			operation: 'send',
			serviceId: '101',
			messageId: '2',
			recipient: '={{ $json.recipient }}',
			options,
			...parameters,
		}),
		...changes,
	});

	const send = async (rows: IDataObject[], ...node: Parameters<typeof sendNode>): Promise<Execution> =>
		await world.n8n.execute(withRows(rows, sendNode(...node)), 60_000);

	const trouble = (changes: Partial<Trouble>): void => void Object.assign(world.sandbox.trouble, changes);

	/** When each request of a row arrived, in Unix milliseconds, by the platform's clock. */
	const arrivals = (recipient: string): number[] =>
		world.sandbox.traffic.calls
			.filter(({ body }) => (body as { recipient?: string } | null)?.recipient === recipient)
			.map(({ at }) => Date.parse(at));
	/** How often the platform was asked to send to each row, in the rows' order. */
	const requests = (rows: IDataObject[]): number[] => rows.map(({ recipient }) => arrivals(recipient as string).length);
	/** Counts how often the platform accepted a message for each row, with any answer. */
	const taken = (rows: IDataObject[]): number[] =>
		rows.map(({ recipient }) => world.sandbox.accepted(recipient as string));

	return { sendNode, send, trouble, arrivals, requests, taken };
}
