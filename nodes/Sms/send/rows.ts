import { asProblem, Problem } from '../../shared/problem';
import { giveWay } from '../../shared/pool';
import type { Messages } from '../memory/messages';
import type { Outgoing } from '../outgoing/deliver';
import type { SendRow } from './row';

/** Rows in their order, read before their turn comes, so that their messages are claimed in blocks. */
export interface Rows {
	/** @throws Problem where the row can't be read */
	take(itemIndex: number): Promise<{ row: SendRow; outgoing: Outgoing }>;
	/** The row's message is no longer in progress. */
	done(outgoing: Outgoing): void;
}

/**
 * @param count of the rows
 * @param read undefined for a row that is not taken, because an earlier attempt dealt with it
 * @param isToClaim whether the memory has to know of it before it is sent
 * @param keepsQuiet whether messages wait for the end of quiet hours
 */
export function openRows(
	count: number,
	read: (itemIndex: number) => SendRow | undefined,
	isToClaim: (row: SendRow) => boolean,
	messages: Messages,
	keepsQuiet: boolean,
): Rows {
	const rows = new Map<number, SendRow | Problem>();
	/** Of rows that were taken: one whose request has not left counts like a row that is not taken. */
	const inProgress = new Set<Outgoing>();
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

	const readBlock = async (least: number) => {
		// Of a single row nobody has to know how long n8n's list is.
		if (count > 1) block = await messages.blockSize();
		const keys: string[] = [];
		for (let left = Math.max(least, room()); left > 0 && next < count; left--) {
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
	/** @param least rows that somebody waits for */
	const readNext = async (least: number) => await (reading ??= readBlock(least).finally(() => (reading = undefined)));

	return {
		async take(itemIndex) {
			while (itemIndex >= ready) await readNext(1);
			const row = rows.get(itemIndex)!;
			rows.delete(itemIndex);
			if (row instanceof Problem) throw row;
			const outgoing: Outgoing = { message: row.message, keepsQuiet };
			inProgress.add(outgoing);
			if (next < count && rows.size <= Math.floor(block / 4) && room() > 0) void readNext(0);
			return { row, outgoing };
		},
		done: (outgoing) => void inProgress.delete(outgoing),
	};
}
