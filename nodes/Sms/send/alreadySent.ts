import { createHash } from 'node:crypto';

import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { maskNumbers } from '../../shared/mask';
import type { Platform } from '../credential';
import { MANY_KEYS, openProcessedKeys } from './processedKeys';
import type { Row } from './row';

/** How many rows are claimed at once where the list of keys is long: a change of it then costs more than a message. */
const LARGE_BLOCK = 250;

/**
 * By what two messages are the same: platform, service, message, recipient and replacements (or the user's own key in
 * place of these four), and the message that they answer. Only a hash is kept, so that n8n's store holds no one's number.
 */
export function sameMessageKey(row: Row, platform: Platform): string {
	const { serviceId, messageId, replacements, smsForwardId } = row.message;
	const what = row.duplicateKey === undefined ? [serviceId, messageId, row.sameRecipient, replacements] : [row.duplicateKey];
	const parts = [platform.sendUrl, platform.institution, what, smsForwardId ?? null, row.answersMessageOf ?? null];
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** What a message's key says of it: it goes out for the first time, it went out, or nobody knows whether it did. */
export type Before = 'new' | 'sent' | 'unknown';

/** What became of a row's message: it went out, or may have, or certainly did not, so that it may be sent again. */
export type Fate = 'sent' | 'unknown' | 'free';

export interface AlreadySent {
	/**
	 * What became of this row's message before, in this run or an earlier one. Claims it where it is new; a dry run's
	 * row leaves nothing behind. While a row before it with the same key is under way, it waits for that one.
	 */
	claim(itemIndex: number): Promise<Before>;
	/** The row's message leaves now. Where few claimed rows are left, the next are claimed while it is under way. */
	sending(itemIndex: number): void;
	/**
	 * What became of a row: its message went out, or may have, or certainly did not, so that it may be sent again,
	 * also by a later row of this run. Nothing is to be said of a row that claimed nothing.
	 */
	settle(itemIndex: number, fate: Fate): Promise<void>;
	/**
	 * Gives back what was claimed and not sent. It does not throw: the messages are sent, whatever n8n's store says.
	 *
	 * @returns what the user has to know where n8n's store failed
	 */
	close(): Promise<string | undefined>;
}

/** One row's place among the rows of a run with the same key. */
interface Claim {
	key: string;
	isDry: boolean;
	/** What becomes of the row before it with this key. */
	earlier: Promise<Fate> | undefined;
	/** Undefined while n8n has not said. */
	before?: Before;
	/** What stands in n8n's list for it. */
	recorded?: string[];
	/** Tells the row after it. */
	tell: (fate: Fate) => void;
}

/** Stands beside the key of a message whose outcome nobody knows. */
const unknownMark = (key: string) => `? ${key}`;

/** Stands in the list where any message has that mark, so that most runs need not look for marks. */
const ANY_UNKNOWN = '?';

/**
 * Claims rows in n8n's store of processed keys before they are sent: a crash can then leave a row unsent, never sent
 * twice. Claims are made for a block of rows at once, because each rewrites the whole list; a crash leaves at most
 * that block unsent. A block is as large as the pool, and larger where the list is long.
 *
 * @param pool how many rows may be under way at once
 * @param windowHours for how long a message is remembered at least
 * @param read a row's key; undefined for a row that claims nothing: it is sent whatever was sent before, can't be read, or was dealt with
 */
export function openAlreadySent(
	context: IExecuteFunctions,
	pool: number,
	windowHours: number,
	read: (itemIndex: number) => { key: string; isDry: boolean } | undefined,
): AlreadySent {
	const store = openProcessedKeys(context, windowHours);
	const rows = context.getInputData().length;
	const claims = new Map<number, Claim>();
	/** The latest claim of each key; dry ones apart, because they keep no message from being sent. */
	const latest = { dry: new Map<string, Claim['earlier']>(), real: new Map<string, Claim['earlier']>() };
	/** Claimed rows whose message has not left: what a crash would leave unsent. */
	const waiting = new Set<number>();
	/** What is to be taken out of n8n's list again. */
	const free = new Set<string>();
	/** Rows that failed before they could claim anything. */
	const failed = new Set<number>();
	const faults = new Set<string>();
	let looked = 0;
	/** How many rows may be claimed whose message has not left. */
	let block = pool;
	/** How many keys n8n keeps for the node, as far as this run knows. */
	let listed: number | undefined;
	let hasUnknown: boolean | undefined;

	const openClaim = (itemIndex: number, key: string, isDry: boolean): Claim => {
		const same = isDry ? latest.dry : latest.real;
		let tell!: Claim['tell'];
		const fate = new Promise<Fate>((resolve) => (tell = resolve));
		const claim: Claim = { key, isDry, earlier: same.get(key), tell };
		same.set(key, fate);
		claims.set(itemIndex, claim);
		return claim;
	};

	const claimBlock = async () => {
		listed ??= await store.count();
		block = listed > MANY_KEYS ? Math.max(pool, LARGE_BLOCK) : pool;
		// What could not be given back stays for the next time: this row has no part in it.
		await giveBack().catch(() => {});
		const firsts: Array<[number, Claim]> = [];
		const room = Math.max(1, block - waiting.size);
		for (let seen = 0; looked < rows && firsts.length < room; looked++, seen++) {
			// Rows take time to read: the messages under way, and whatever else n8n does, go on in between.
			if (seen > 0 && seen % pool === 0) await sleep(0);
			const row = failed.has(looked) ? undefined : read(looked);
			if (row === undefined) continue;
			const claim = openClaim(looked, row.key, row.isDry);
			if (claim.earlier === undefined) firsts.push([looked, claim]);
		}
		await ask(firsts);
	};

	/** Has n8n say what it knows of these claims, and record those that are new. */
	const ask = async (asked: Array<[number, Claim]>) => {
		const keys = [...new Set(asked.map(([, { key }]) => key))];
		if (keys.length === 0) return;
		const recorded = await noteFault(async () => await store.claim(keys));
		if (listed !== undefined) listed += [...recorded.values()].flat().length;
		const known = keys.filter((key) => !recorded.has(key));
		const unknown = known.length > 0 && (await lookForUnknown()) ? await store.look(known.map(unknownMark)) : new Set();
		for (const [itemIndex, claim] of asked) {
			claim.recorded = recorded.get(claim.key);
			if (claim.recorded === undefined) claim.before = unknown.has(unknownMark(claim.key)) ? 'unknown' : 'sent';
			else claim.before = 'new';
			if (claim.before === 'new' && !claim.isDry) waiting.add(itemIndex);
		}
		// Unless another row sends the same message in earnest.
		const kept = new Set(asked.flatMap(([, { key, isDry }]) => (isDry ? [] : [key])));
		await store.forget(asked.flatMap(([, claim]) => (claim.isDry && !kept.has(claim.key) ? (claim.recorded ?? []) : [])));
	};

	const lookForUnknown = async () => (hasUnknown ??= (await store.look([ANY_UNKNOWN])).size > 0);

	/** What n8n wrote before it failed, nobody knows: later runs may take it for sent. */
	const noteFault = async <T>(work: () => Promise<T>): Promise<T> =>
		await work().catch((error: Error) => {
			faults.add(maskNumbers(String(error.message).slice(0, 300)));
			throw error;
		});

	const letGo = ({ isDry, recorded = [] }: Claim) => {
		if (!isDry) for (const key of recorded) free.add(key);
	};

	const giveBack = async () => {
		const recorded = [...free];
		if (recorded.length === 0) return;
		await store.forget(recorded);
		for (const key of recorded) free.delete(key);
	};

	return {
		async claim(itemIndex) {
			// A row at a time, so that the next block need not be read as a whole.
			if (itemIndex + block < rows) read(itemIndex + block);
			await store.inTurn(async () => {
				while (itemIndex >= looked) await claimBlock();
			});
			const claim = claims.get(itemIndex);
			if (claim === undefined) throw new Error('n8n could not record which messages were sent');
			// No deadlock: a row waits only for rows that started earlier.
			const fate = await claim.earlier;
			if (fate === 'sent' || fate === 'unknown') return fate;
			if (fate === 'free') {
				// After a row that was not sent, the next with its key has the claim: the old one, while that is not given back.
				await store.inTurn(async () => {
					await giveBack();
					await ask([[itemIndex, claim]]);
				});
			}
			if (claim.before === undefined) throw new Error('n8n could not record which messages were sent');
			return claim.before;
		},
		sending(itemIndex) {
			// So many are left for the places while n8n's store is at work.
			const few = Math.floor(block / 4);
			if (!waiting.delete(itemIndex) || waiting.size !== few) return;
			void store.inTurn(async () => {
				if (waiting.size <= few && looked < rows) await claimBlock();
			}).catch(() => {}); // The rows that could not be claimed say so themselves.
		},
		async settle(itemIndex, fate) {
			if (itemIndex >= looked) failed.add(itemIndex);
			const claim = claims.get(itemIndex);
			if (claim === undefined) return;
			claims.delete(itemIndex);
			waiting.delete(itemIndex);
			if (fate === 'free') letGo(claim);
			if (fate === 'unknown' && claim.before === 'new') {
				// The message keeps its key, so it is not sent again; without the mark it counts as sent.
				const note = async () => {
					await store.claim([unknownMark(claim.key)]);
					// It may stand there from one of the period before, and must last as long as this mark.
					await store.prolong(ANY_UNKNOWN);
				};
				await store.inTurn(note).catch(() => {});
			}
			claim.tell(fate);
		},
		async close() {
			const giveAllBack = async () => {
				// What was claimed for rows that no place came to.
				for (const claim of claims.values()) letGo(claim);
				// Once more, because one error of the database must not keep messages from being sent later.
				await noteFault(async () => await giveBack().catch(giveBack));
			};
			await store.inTurn(giveAllBack).catch(() => {});
			if (faults.size === 0) return undefined;
			const warning = `n8n's store of what was sent failed (${[...faults].join('; ')}): messages that were not sent may be noted as sent, and later runs skip them. Send just these with If Already Sent: Send, or with another Duplicate Key.`;
			context.logger.warn(`SMS Send: ${warning}`);
			return warning;
		},
	};
}
