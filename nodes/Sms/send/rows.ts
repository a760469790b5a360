import { asProblem, Problem } from '../../shared/problem';
import { giveWay } from '../../shared/retry';
import type { Messages } from '../memory/messages';
import type { Outgoing } from '../outgoing/deliver';
import type { SendRow } from './row';

/** Rows in their order, read before their turn comes, so that their messages are claimed in blocks. */
export interface Rows {
	/** @throws Problem where the row can't be read */
	take(itemIndex: number): Promise<SendRow>;
}

/**
 * @param count of the rows
 * @param read undefined for a row that is not taken, because an earlier attempt dealt with it
 * @param isToClaim whether the memory has to know of it before it is sent
 * @param inProgress messages of rows that were taken: those whose request has not left count like rows not yet taken
 */
export function openRows(
	count: number,
	read: (itemIndex: number) => SendRow | undefined,
	isToClaim: (row: SendRow) => boolean,
	messages: Messages,
	inProgress: ReadonlySet<Outgoing>,
): Rows {
	const rows = new Map<number, SendRow | Problem>();
	/** The rows before this one are read, those before `ready` are claimed too. */
	let next = 0;
	let ready = 0;
	let block = 1;
	let reading: Promise<void> | undefined;

	const readSafely = (itemIndex: number): SendRow | Problem | undefined => {
		try {
			return read(itemIndex);
		} catch (error) {
			return asProblem(error);
		}
	};

	/** What a kill would leave claimed and never sent is at most a block. */
	const room = () => block - rows.size - [...inProgress].filter(({ sentAt }) => sentAt === undefined).length;

	const readBlock = async () => {
		// Of a single row nobody has to know how long n8n's list is.
		if (count > 1) block = await messages.blockSize();
		const keys: string[] = [];
		for (let left = Math.max(1, room()); left > 0 && next < count; left--) {
			await giveWay(left);
			const row = readSafely(next++);
			if (row === undefined) continue;
			rows.set(next - 1, row);
			if (!(row instanceof Problem) && isToClaim(row)) keys.push(row.key);
		}
		// A message that could not be claimed here is claimed when its turn comes, or its row says why it can't be.
		if (keys.length > 0) await messages.claim(keys).catch(() => {});
		ready = next;
	};
	const readNext = async () => await (reading ??= readBlock().finally(() => (reading = undefined)));

	return {
		async take(itemIndex) {
			while (itemIndex >= ready) await readNext();
			const row = rows.get(itemIndex)!;
			rows.delete(itemIndex);
			if (next < count && rows.size <= Math.floor(block / 4)) void readNext();
			if (row instanceof Problem) throw row;
			return row;
		},
	};
}
