import { createHash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { maskNumbers } from '../shared/greek';
import type { Row } from './send';

/** How many messages a node remembers; n8n rewrites the whole list whenever it changes. */
const REMEMBERED = 50_000;

/**
 * By what two messages are the same: service, message, recipient and replacements, or the user's own key. Only a
 * hash is kept, so that n8n's store holds no one's number.
 */
export function duplicateKeyOf({ message, duplicateKey }: Row): string {
	const { serviceId, messageId, recipient, replacements } = message;
	const parts = duplicateKey === undefined ? [serviceId, messageId, recipient, replacements] : [duplicateKey];
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

export interface Duplicates {
	/**
	 * Whether this row's message was sent before, in this run or an earlier one. Claims it where it was not. While a row
	 * before it with the same key is under way, it waits for what becomes of that one.
	 */
	isDuplicate(itemIndex: number): Promise<boolean>;
	/** The row's message leaves now. */
	sending(itemIndex: number): void;
	/** The row's message was taken, may have been, or is a duplicate: so are the rows after it with its key. */
	keep(itemIndex: number): void;
	/** The row's message was not taken: it may be sent again, also by a later row of this run. */
	release(itemIndex: number): void;
	/**
	 * Gives back what was claimed and not sent. It does not throw: the messages are sent, whatever n8n's store says.
	 *
	 * @returns what the user has to know where it could not be given back
	 */
	close(): Promise<string | undefined>;
}

/** One row's place among the rows of a run with the same key. */
interface Claim {
	key: string;
	/** What becomes of the row before it with this key: whether that one counts as sent. */
	earlier: Promise<boolean> | undefined;
	/** Whether n8n's list did not hold the key; undefined while n8n has not said. */
	isNew?: boolean;
	/** Tells the row after it whether this one counts as sent. */
	settle: (counts: boolean) => void;
}

/**
 * The last claim of each node. n8n reads a node's list and writes it back whole, so of two claims at once one would
 * be lost: each waits for the one before it, also for another run's. Another process of n8n can still come between.
 */
const lastClaims = new Map<string, Promise<void>>();

/**
 * Claims rows in n8n's store of processed keys before they are sent: a crash can then leave a row unsent, never
 * sent twice. Claims are made for a block of rows at once, because each rewrites the whole list; a crash leaves at
 * most that block unsent.
 *
 * @param block how many rows may be claimed and not yet under way
 * @param remember whether to look into n8n's store and write to it; a dry run sees only the duplicates within the run
 * @param keyOf a row's key; undefined for a row that is not to be claimed (it can't be read, or was dealt with)
 */
export function openDuplicates(
	context: IExecuteFunctions,
	block: number,
	remember: boolean,
	keyOf: (itemIndex: number) => string | undefined,
): Duplicates {
	const count = context.getInputData().length;
	const claims = new Map<number, Claim>();
	/** For each key, whether the last row that has it counts as sent. */
	const last = new Map<string, Promise<boolean>>();
	const toRelease = new Set<string>();
	/** Claimed rows whose message has not left: what a crash would leave unsent. */
	const unsent = new Set<number>();
	/** Rows that failed before they were claimed. */
	const failed = new Set<number>();
	/** How many rows, from the first on, were looked at for claims. */
	let claimed = 0;

	const node = `${context.getWorkflow().id} ${context.getNode().id}`;
	const inTurn = async (work: () => Promise<void>): Promise<void> => {
		const turn = (lastClaims.get(node) ?? Promise.resolve()).then(work);
		lastClaims.set(
			node,
			turn.catch(() => {}),
		);
		await turn;
	};

	const openClaim = (itemIndex: number, key: string): Claim => {
		const earlier = last.get(key);
		let settle: Claim['settle'] = () => {};
		last.set(key, new Promise((resolve) => (settle = resolve)));
		const claim = { key, earlier, settle };
		claims.set(itemIndex, claim);
		return claim;
	};

	const claimBlock = async () => {
		// What could not be given back stays for the next time: this row has no part in it.
		await flushReleases().catch(() => {});
		const firsts = new Map<number, Claim>();
		const room = Math.max(1, block - unsent.size);
		for (; claimed < count && firsts.size < room; claimed++) {
			const key = failed.has(claimed) ? undefined : keyOf(claimed);
			if (key === undefined) continue;
			const claim = openClaim(claimed, key);
			if (claim.earlier === undefined) firsts.set(claimed, claim);
		}
		await askFor(firsts);
	};

	/** Has n8n say which of these claims are new, and record them. */
	const askFor = async (asked: Map<number, Claim>) => {
		if (asked.size === 0) return;
		const keys = [...asked.values()].map(({ key }) => key);
		const fresh = new Set<unknown>(remember ? await record(keys) : keys);
		for (const [itemIndex, claim] of asked) {
			claim.isNew ||= fresh.has(claim.key);
			if (claim.isNew) unsent.add(itemIndex);
		}
	};

	/** After a row that was not taken, the next with its key has the claim: the old one, while that is not given back. */
	const takeOver = async (itemIndex: number, claim: Claim) => {
		if (toRelease.delete(claim.key)) claim.isNew = true;
		// Recorded all the same: n8n may have removed it in an attempt that ended in an error.
		await askFor(new Map([[itemIndex, claim]]));
	};

	/** @returns the keys that were not recorded before */
	const record = async (keys: string[]): Promise<unknown[]> => {
		const check = async () =>
			await context.helpers.checkProcessedAndRecord(keys, 'node', { mode: 'entries', maxEntries: REMEMBERED });
		const checked = await check().catch(async (error: Error) => {
			// A node's first record is an insert, which fails where another run has made it in this moment: nothing
			// of ours is recorded, and there is a list to look into now. After any other failure ours may be in it.
			if (/unique constraint/i.test(error.message)) return await check();
			throw error;
		});
		return checked.new;
	};

	const flushReleases = async () => {
		if (toRelease.size === 0) return;
		const keys = [...toRelease];
		await context.helpers.removeProcessed(keys, 'node', { mode: 'entries' });
		for (const key of keys) toRelease.delete(key);
	};

	const settle = (itemIndex: number, counts: boolean) => {
		if (itemIndex >= claimed) failed.add(itemIndex);
		const claim = claims.get(itemIndex);
		claims.delete(itemIndex);
		unsent.delete(itemIndex);
		if (remember && claim?.isNew === true && !counts) toRelease.add(claim.key);
		claim?.settle(counts);
	};

	return {
		async isDuplicate(itemIndex) {
			await inTurn(async () => {
				while (itemIndex >= claimed) await claimBlock();
			});
			const claim = claims.get(itemIndex);
			// The row before it started before it, and waits for none after it: so it comes to an end.
			if (claim?.earlier !== undefined) {
				if (await claim.earlier) return true;
				await inTurn(async () => await takeOver(itemIndex, claim));
			}
			if (claim?.isNew === undefined) throw new Error('n8n could not record which messages were sent');
			return !claim.isNew;
		},
		sending(itemIndex) {
			unsent.delete(itemIndex);
		},
		keep: (itemIndex) => settle(itemIndex, true),
		release: (itemIndex) => settle(itemIndex, false),
		async close() {
			try {
				// Once more, because one error of the database must not keep messages from being sent later.
				await inTurn(async () => await flushReleases().catch(flushReleases));
				return undefined;
			} catch (error) {
				const reason = maskNumbers(String((error as Error).message).slice(0, 300));
				const warning = `The messages that were not taken (${toRelease.size}) are still noted as sent, because n8n's store failed (${reason}): later runs skip them as duplicates. Send just these with Skip Duplicates switched off, or with another Duplicate Key.`;
				context.logger.warn(`SMS Send: ${warning}`);
				return warning;
			}
		},
	};
}
