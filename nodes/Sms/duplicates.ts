import { createHash } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

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
	/** Whether this row's message was sent before, in this run or an earlier one. Claims it where it was not. */
	isDuplicate(itemIndex: number): Promise<boolean>;
	/** The row's message leaves now. */
	sending(itemIndex: number): void;
	/** The row's message was not taken: it may be sent again. Nothing happens for a row that was not claimed. */
	release(itemIndex: number): void;
	/** Gives back what was claimed and not sent. */
	close(): Promise<void>;
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
	const decisions = new Map<number, { key: string; duplicate: boolean }>();
	const seen = new Set<string>();
	const toRelease = new Set<string>();
	/** Claimed rows whose message has not left: what a crash would leave unsent. */
	const unsent = new Set<number>();
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

	const claimBlock = async () => {
		await flushReleases();
		const rows: Array<{ itemIndex: number; key: string }> = [];
		const room = Math.max(1, block - unsent.size);
		for (; claimed < count && rows.length < room; claimed++) {
			const key = keyOf(claimed);
			if (key === undefined) continue;
			if (seen.has(key)) decisions.set(claimed, { key, duplicate: true });
			else rows.push({ itemIndex: claimed, key });
			seen.add(key);
		}
		if (rows.length === 0) return;
		const keys = rows.map((row) => row.key);
		const fresh = remember ? await record(keys) : keys;
		const isFresh = new Set<unknown>(fresh);
		for (const { itemIndex, key } of rows) {
			decisions.set(itemIndex, { key, duplicate: !isFresh.has(key) });
			if (isFresh.has(key)) unsent.add(itemIndex);
		}
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
		toRelease.clear();
		await context.helpers.removeProcessed(keys, 'node', { mode: 'entries' });
	};

	return {
		async isDuplicate(itemIndex) {
			await inTurn(async () => {
				if (itemIndex >= claimed) await claimBlock();
			});
			const decision = decisions.get(itemIndex);
			if (decision === undefined) throw new Error('n8n could not record which messages were sent');
			if (decision.duplicate) decisions.delete(itemIndex);
			return decision.duplicate;
		},
		sending(itemIndex) {
			unsent.delete(itemIndex);
		},
		release(itemIndex) {
			unsent.delete(itemIndex);
			const decision = decisions.get(itemIndex);
			if (remember && decision?.duplicate === false) toRelease.add(decision.key);
			decisions.delete(itemIndex);
		},
		async close() {
			await inTurn(flushReleases);
		},
	};
}
