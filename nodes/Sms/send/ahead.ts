import { asProblem, Problem } from '../../shared/problem';
import { giveWay } from '../../shared/retry';
import type { Before, Messages } from '../memory/claims';
import type { SendRow } from './readRow';

/** A row that was read, with what is known of its message where nothing is to be sent. */
export interface Read {
	row: SendRow;
	before?: Before;
}

/** Rows in their order, read before their turn comes, so that their messages are claimed in blocks. */
export interface Ahead {
	/** @throws Problem where the row can't be read */
	take(itemIndex: number): Promise<Read>;
	/** Reads and claims the next rows where few are left, while messages are in progress. */
	refill(): void;
}

/** In a dry run so many rows are looked up in one change of n8n's list. */
const LOOKED_UP = 100;

/**
 * @param count of the rows
 * @param read undefined for a row that an earlier attempt dealt with
 */
export function openAhead(count: number, read: (itemIndex: number) => SendRow | undefined, messages: Messages): Ahead {
	const rows = new Map<number, Read | Problem>();
	/** The rows before this one are read, those before `ready` are claimed too. */
	let next = 0;
	let ready = 0;
	let reading: Promise<void> | undefined;

	const readSafely = (itemIndex: number): Read | Problem | undefined => {
		try {
			const row = read(itemIndex);
			return row === undefined ? undefined : { row };
		} catch (error) {
			return asProblem(error);
		}
	};

	const readBlock = async () => {
		const most = Math.max(1, messages.room());
		const claims: string[] = [];
		const looks: Array<[itemIndex: number, found: Read]> = [];
		for (let taken = 0; next < count && taken < (looks.length > 0 ? LOOKED_UP : most); taken++, next++) {
			await giveWay(taken);
			const found = readSafely(next);
			if (found === undefined) continue;
			rows.set(next, found);
			if (found instanceof Problem || found.row.doNotSend || found.row.ifAlreadySent === 'send') continue;
			if (found.row.dryRun) looks.push([next, found]);
			else claims.push(found.row.key);
		}
		// A message that could not be claimed here is claimed when its turn comes, or its row says why it can't be.
		if (claims.length > 0) await messages.claimAhead(claims).catch(() => {});
		if (looks.length > 0)
			await lookUp(looks).catch((error: unknown) =>
				looks.forEach(([itemIndex]) => rows.set(itemIndex, asProblem(error))),
			);
		ready = next;
	};

	const lookUp = async (looks: Array<[itemIndex: number, found: Read]>) => {
		const known = await messages.look(looks.map(([, { row }]) => row.key));
		for (const [index, [, found]] of looks.entries()) found.before = known[index]!;
	};

	const readNext = async () => await (reading ??= readBlock().finally(() => (reading = undefined)));

	return {
		async take(itemIndex) {
			while (itemIndex >= ready) await readNext();
			const found = rows.get(itemIndex)!;
			rows.delete(itemIndex);
			if (found instanceof Problem) throw found;
			return found;
		},
		refill() {
			if (next < count && reading === undefined && messages.isLow()) void readNext();
		},
	};
}
