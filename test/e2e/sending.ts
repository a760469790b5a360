import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { Trouble } from '../../sandbox/trouble';
import { taskOf, type Execution } from './n8n';
import { withRows } from './workflows';
import type { World } from './world';

/* Common parts of the tests of many rows: a message without placeholders to consecutive fictitious mobile numbers. */

/**
 * The number of messages that a run claims at once while n8n's list of sent messages is short: at most this many have an
 * unknown outcome after a kill.
 */
export const chunkOf = (concurrency: number): number => Math.min(5 * concurrency, Math.max(100, 2 * concurrency));

export const mobile = (index: number): string => String(6_900_000_000 + index);
export const rowsUpTo = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ recipient: mobile(index) }));

export const hints = (execution: Execution): string[] =>
	(taskOf(execution, 'smsSend').hints ?? []).map(({ message }) => message);

/** Counts in one pass, for thousands of rows, how often the platform has accepted a message for each recipient. */
export function timesTakenIn({ sandbox }: World): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { recipient } of sandbox.messages) counts.set(recipient, (counts.get(recipient) ?? 0) + 1);
	return counts;
}

/** Returns the functions that send messages in one `World` (an n8n and a sandbox) and count the requests. */
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

	/** Returns when each request for a recipient arrived at the platform, in Unix milliseconds. */
	const arrivals = (recipient: string): number[] =>
		world.sandbox.traffic.calls
			.filter(({ body }) => (body as { recipient?: string } | null)?.recipient === recipient)
			.map(({ at }) => Date.parse(at));
	/** Returns how many requests the platform got for each row, in the order of the rows. */
	const requests = (rows: IDataObject[]): number[] => rows.map(({ recipient }) => arrivals(recipient as string).length);
	/** Returns how often the platform accepted a message for each row, whatever its response was. */
	const taken = (rows: IDataObject[]): number[] =>
		rows.map(({ recipient }) => world.sandbox.accepted(recipient as string));

	return { sendNode, send, trouble, arrivals, requests, taken };
}
