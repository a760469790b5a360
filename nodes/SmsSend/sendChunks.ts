import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { runWorkers, yieldToEventLoop, type Results } from '../../lib/n8n/workerPool';
import type { Known, Outcome } from '../../lib/sentMessages/messages';
import { ENTRIES_PER_MESSAGE } from '../../lib/sentMessages/room';
import { deliver, isUnknown } from '../../lib/smsPlatform/deliver';
import { trialHint } from '../../lib/smsPlatform/safetyLimits';
import type { RetryKey, RetryState } from '../../lib/smsPlatform/retryState';
import type { ItemName } from '../../lib/smsPlatform/endOfRun';
import { warningHints } from '../../lib/smsPlatform/warnings/show';
import { Problem, toProblem } from '../../lib/texts/problem';
import { afterPart, isPartOut, memoryFull, memoryHint } from './memoryFull';
import { readItem, rememberedKey, type SendItem } from './readItem';
import type { Run } from './openRun';
import { describeMessage, messagesOf, skipReasonOf, type ItemResult } from './result';

/*
 * The steps of a message, from its item to its recorded outcome. A list is sent in chunks of some messages. The memory is n8n's
 * list, in which this package remembers messages (see `lib/sentMessages`).
 *
 *   read     The item becomes a plain object, or the Problem that says why it can't be read. Nothing is written.
 *   claim    All messages of a chunk are claimed in one write of n8n's list. The same write records the outcomes of the chunk
 *            before.
 *   send     Workers take one item after the other. Do Not Send To and If Already Sent (see below) decide which messages are
 *            skipped. Each of the others is sent in a request of its own. The request is repeated only if the platform certainly
 *            did not accept the message.
 *   release  As soon as the last request for it is over, the message is released in this process. Other runs of this process that
 *            wait for the message go on: they send it if it was rejected, and otherwise skip it.
 *   record   Accepted outcomes are recorded with the claims of the next chunk, before the run waits, or when the run ends. Claims
 *            of rejected messages are removed. An unknown outcome needs no write: a claim without an outcome means unknown.
 *
 * If n8n is killed, the next run of the same list finds the chunk in progress and the chunk before in these states:
 *   killed before the chunk's claim is written   this chunk is new and is sent; the chunk before is unknown, even if the platform
 *                                                accepted its messages, because their outcomes are in the same write;
 *   killed between the claim and the record      this chunk is unknown, even if nothing was sent yet; the outcomes of the
 *                                                chunk before are recorded;
 *   killed after the last record of the run      all outcomes are recorded: accepted messages count as sent, rejected ones are
 *                                                new, and only those without a clear answer are unknown.
 * Messages of later chunks are new. n8n's database makes each write whole or not at all.
 *
 * So a kill makes at most one chunk of each run unknown. The parameter If Already Sent has three values:
 *   Skip                        skips messages that were sent and messages of unknown outcome;
 *   Skip Sent, Resend Unknown   skips messages that were sent, and sends those that were unknown before this execution began. Such
 *                               a message keeps its first claim. It stays unknown unless it is accepted now, because a
 *                               rejection now does not prove that the first request failed;
 *   Send Again                  sends messages even if they were sent before. It claims and records nothing, so later runs don't
 *                               know that it sent them.
 *
 * Deadlock freedom: a claim takes all messages of a chunk or none, and a run releases all messages of a chunk before it claims
 * the next chunk. So a run holds no claim while it waits for another run of this process, and it records its outcomes before it
 * waits. A run never waits for a claim of another process.
 */

/** The length of n8n's list, in entries, from which on one write takes as long as sending several messages. */
const LONG_LIST = 20_000;

/**
 * The number of messages in a chunk if n8n's list is long. With more than 50 workers, a chunk has two messages for each worker.
 */
const LONG_CHUNK = 100;

/**
 * The number of messages in a chunk for each worker, up to the size for a long list. With fewer messages, workers would often
 * be idle at the end of a chunk.
 */
const MESSAGES_PER_WORKER = 5;

/**
 * If Messages per Second is set, a chunk has at most the messages of this many seconds, and at least one. Chunks are small then,
 * so that a stop or a kill affects few messages.
 */
const SECONDS_PER_CHUNK = 2;

/**
 * The largest number of items in a chunk. Items that claim nothing (Send Again, Do Not Send To) are not limited by the largest
 * number of claims.
 */
const MOST_ITEMS = 1000;

/** An item in progress. It has either `toSend` or `done`. */
interface ItemInProgress {
	itemIndex: number;
	/** Identifies the item if the node is run again (Retry On Fail). */
	retryKey: RetryKey;
	/** The message to send. */
	toSend?: SendItem;
	/** The result of an item that needs no work: its fault, or the result of an earlier attempt of the node. */
	done?: ItemResult | Problem;
}

/**
 * Sends the messages of a run.
 * @param retryState the results of earlier attempts of the node
 * @returns `isRefused`: the whole list was refused, because an item has a fault or the memory has no room. `names`: the
 * recipient and reference of each item that was read
 */
export async function sendList(context: IExecuteFunctions, run: Run, retryState: RetryState<ItemResult>) {
	const results: Results<ItemResult> = Array.from({ length: run.itemCount }, () => undefined);
	const names: Array<ItemName | undefined> = [];
	const readAt = async (itemIndex: number): Promise<ItemInProgress> => {
		await yieldToEventLoop(itemIndex);
		const { item, name } = readItem(context, itemIndex, run);
		names[itemIndex] = name;
		const retryKey = retryState.keyOf(itemIndex, item instanceof Problem ? undefined : item.key);
		const earlier = retryState.find(retryKey);
		if (earlier !== undefined) return { itemIndex, retryKey, done: earlier };
		return item instanceof Problem ? { itemIndex, retryKey, done: item } : { itemIndex, retryKey, toSend: item };
	};
	if (!run.stopsAtFaults) {
		const warnings = await sendAndClose(run, retryState, results, run.itemCount, readAt);
		return { results, names, warnings, isRefused: false };
	}
	// On Error is Stop: all items are read first, and `refuseList` decides whether anything is sent.
	const items: ItemInProgress[] = [];
	for (let itemIndex = 0; itemIndex < run.itemCount && !run.isCancelled(); itemIndex++)
		items.push(await readAt(itemIndex));
	const refusals = await refuseList(run, items);
	if (refusals !== undefined) {
		for (const [itemIndex, refusal] of refusals.entries()) results[itemIndex] = refusal;
		return { results, names, warnings: [], isRefused: true };
	}
	const itemAt = async (itemIndex: number) => items[itemIndex]!;
	const warnings = await sendAndClose(run, retryState, results, items.length, itemAt);
	return { results, names, warnings, isRefused: false };
}

/**
 * Returns the results of a list that must not be sent, because an item has a fault or the memory has no room. Undefined: the list
 * may be sent.
 */
async function refuseList(run: Run, items: ItemInProgress[]): Promise<Results<ItemResult> | undefined> {
	// Two kinds of Problems do not keep the other items from being sent: the unknown outcome of an earlier attempt, and a
	// recipient that the credential's trial (Trial Recipients) does not allow.
	const isOnTrial = (result?: ItemResult | Problem) => result instanceof Problem && result.why.reason === 'onTrial';
	const isFault = (result?: ItemResult | Problem) =>
		result instanceof Problem && !isUnknown(result) && !isOnTrial(result);
	const results = items.map(({ done }) => done);
	// An item outside the trial counts as not tried, so that the error names only the faults.
	if (results.some(isFault)) return results.map((result) => (isOnTrial(result) ? undefined : result));
	const keys = items.flatMap(({ toSend }) => (toSend === undefined ? [] : (rememberedKey(toSend) ?? [])));
	const noRoom = await refuseIfMemoryIsFull(run, [...new Set(keys)]).catch(toProblem);
	return noRoom === undefined ? undefined : results.map((result) => result ?? noRoom);
}

/**
 * Returns a Problem if the memory has no room for these messages. Known messages need no room. Undefined: the memory has room.
 */
async function refuseIfMemoryIsFull({ messages, zone }: Run, keys: string[]): Promise<Problem | undefined> {
	if (keys.length === 0) return undefined;
	const state = await messages.roomFor(keys.length, keys);
	return state.fits ? undefined : memoryFull(state, zone, false);
}

/** Sends all items and closes the memory. @returns the warnings for the output */
async function sendAndClose(
	run: Run,
	retryState: RetryState<ItemResult>,
	results: Results<ItemResult>,
	count: number,
	itemAt: (itemIndex: number) => Promise<ItemInProgress>,
): Promise<Array<string | undefined>> {
	let closeWarning: string | undefined;
	try {
		await sendChunks(run, retryState, results, count, itemAt);
	} finally {
		closeWarning = await run.messages.close();
	}
	if (isPartOut(results)) {
		for (const [index, result] of results.entries())
			if (result instanceof Problem && result.why.reason === 'memoryFull') results[index] = afterPart(result);
	}
	return [
		...run.reportUrls.warnings(),
		trialHint(run.safetyLimits),
		...warningHints(messagesOf(results, run.rowNumbers.numbers), run.rowNumbers),
		memoryHint(run.messages.fullness()),
		closeWarning,
	];
}

/** Sends items chunk by chunk. @param itemAt returns the item at an index; it is called in the order of the list */
async function sendChunks(
	run: Run,
	retryState: RetryState<ItemResult>,
	results: Results<ItemResult>,
	count: number,
	itemAt: (itemIndex: number) => Promise<ItemInProgress>,
): Promise<void> {
	/** The states of messages that this run has sent or skipped. A rejected message is not in it. */
	const outcomes = new Map<string, Known>();
	/**
	 * Items that were read and wait for a later chunk, because the chunk being taken already has an item with the same message.
	 */
	let waiting: ItemInProgress[] = [];
	let nextIndex = 0;
	/** Takes the items of the next chunk: first the waiting ones, then the next ones of the list. */
	const takeChunk = async (mostMessages: number, mostItems: number) => {
		const items: ItemInProgress[] = [];
		const keys = new Set<string>();
		const repeats: ItemInProgress[] = [];
		while (keys.size < mostMessages && items.length < mostItems && (waiting.length > 0 || nextIndex < count)) {
			const one = waiting.shift() ?? (await itemAt(nextIndex++));
			const key = one.toSend && rememberedKey(one.toSend);
			if (key !== undefined && keys.has(key)) {
				repeats.push(one);
				if (repeats.length >= MOST_ITEMS) break;
				continue;
			}
			// A message in `outcomes` is not claimed again.
			if (key !== undefined && !outcomes.has(key)) keys.add(key);
			items.push(one);
		}
		waiting = [...repeats, ...waiting];
		return { items, keys: [...keys] };
	};
	let entries = count === 1 ? 0 : await run.messages.count().catch(() => 0);
	while ((nextIndex < count || waiting.length > 0) && !run.isCancelled()) {
		const mostMessages = count === 1 ? 1 : chunkSize(run, entries);
		const mostItems = run.sending.pace.perSecond === 0 ? MOST_ITEMS : mostMessages;
		const { items, keys } = await takeChunk(mostMessages, mostItems);
		await sendChunk(run, retryState, { items, keys, isSingle: mostMessages === 1, outcomes, results });
		entries += ENTRIES_PER_MESSAGE * keys.length;
	}
}

/**
 * Returns the largest number of messages that are claimed at once. A kill may leave this many messages unknown.
 * @param entries the length of n8n's list
 */
function chunkSize({ concurrency, sending }: Run, entries: number): number {
	const long = Math.max(LONG_CHUNK, 2 * concurrency);
	const size = entries > LONG_LIST ? long : Math.min(MESSAGES_PER_WORKER * concurrency, long);
	const { perSecond } = sending.pace;
	return perSecond === 0 ? size : Math.max(1, Math.min(size, Math.floor(SECONDS_PER_CHUNK * perSecond)));
}

/** The part of a list that is claimed and sent together. */
interface Chunk {
	items: ItemInProgress[];
	/** The keys of the messages to claim. */
	keys: string[];
	/** Whether each chunk has one message, because messages are sent slowly or the run has one item. */
	isSingle: boolean;
	/** The `outcomes` of `sendChunks`. `sendChunk` adds those of the chunk. */
	outcomes: Map<string, Known>;
	/** The results of the run. `sendChunk` adds those of its items. */
	results: Results<ItemResult>;
}

/** Claims the messages of a chunk, sends them, and releases each with its outcome. */
async function sendChunk(
	run: Run,
	retryState: RetryState<ItemResult>,
	{ items, keys, isSingle, outcomes, results }: Chunk,
): Promise<void> {
	// With Messages per Second and one message in each chunk, the outcome of the previous message is recorded first. Then the
	// run waits until the next request may start, and only then claims the message. So a kill during the wait leaves no message
	// unknown. `wait` reserves nothing; `take` in the worker reserves the start of the request.
	if (isSingle && keys.length > 0 && run.sending.pace.perSecond > 0) {
		await run.messages.recordAll().catch(() => {});
		await run.sending.pace.wait().catch(() => {});
	}
	if (run.isCancelled()) return;
	const halt = haltOf(run);
	const toResend = items.flatMap(({ toSend }) => (toSend?.ifAlreadySent === 'resendUnknown' ? [toSend.key] : []));
	const states = await claimOrLookUp(run, keys, halt, new Set(toResend));
	/** Claimed messages that no worker has started to send. */
	const untried = new Set(keys.filter((key) => isClaimed(states.get(key))));

	const work = async (one: ItemInProgress): Promise<void> => {
		const { itemIndex, retryKey, toSend: item } = one;
		if (item === undefined) {
			results[itemIndex] = one.done;
			return;
		}
		const key = rememberedKey(item);
		const known = key === undefined ? undefined : (outcomes.get(key) ?? states.get(key));
		if (known instanceof Problem) {
			results[itemIndex] = known;
			return;
		}
		const due = { item, known, halt };
		// An item that is skipped or held makes no request, so it does not wait. If the run is cancelled during the wait, the item
		// was not tried.
		if (skipReasonOf(due) === undefined && halt === undefined) await run.sending.pace.take().catch(() => {});
		if (run.isCancelled()) return;
		const result = await retryState.once(retryKey, async () => {
			if (key !== undefined) untried.delete(key);
			return await sendMessage(run, due).catch(toProblem);
		});
		results[itemIndex] = result;
		// A message that is not remembered (Send Again, Do Not Send To) has no state for later items.
		if (known === undefined) return;
		const state = stateForLaterItems(result);
		if (state !== undefined) outcomes.set(item.key, { ...known, state, isClaimed: false });
	};
	try {
		await runWorkers(items.values(), Math.min(run.concurrency, items.length), run.isCancelled, work);
	} finally {
		// If the run was cancelled, some claimed messages may not have been tried. Their claims are removed, as those of rejected
		// messages are.
		for (const key of untried) run.messages.release(key, 'rejected');
	}
}

const isClaimed = (known: Known | Problem | undefined) => !(known instanceof Problem) && known?.isClaimed === true;

/**
 * Returns the state of a remembered message after this result, for later items with the same message. Undefined: later items may
 * claim the message again, because it was rejected or no request was made.
 */
function stateForLaterItems(result: ItemResult | Problem): 'sent' | 'unknown' | undefined {
	if (result instanceof Problem) return isUnknown(result) ? 'unknown' : undefined;
	return result.kind === 'skipped' && result.skipReason === 'unknown' ? 'unknown' : 'sent';
}

/**
 * Returns why no request may be made now. Either the circuit breaker is open, which lasts until the run ends, or messages are
 * held during quiet hours. Replies are not held.
 */
export const haltOf = ({ sending, answered }: Run) =>
	sending.breaker.problem() ?? (answered === undefined ? sending.quiet() : undefined);

/**
 * Claims messages. If no request will be made, the messages are only looked up in the memory.
 * @param halt why no request may be made now
 * @param resend messages that are sent again if their outcome is unknown
 * @returns the state of each message in the memory, or a Problem: the memory can't be read or written, or has no room
 */
export async function claimOrLookUp(
	{ messages, zone }: Run,
	keys: string[],
	halt: Problem | undefined,
	resend: ReadonlySet<string>,
): Promise<Map<string, Known | Problem>> {
	if (keys.length === 0) return new Map();
	const claim = async () => await messages.claim(keys, resend);
	// Try the claim a second time, because a database may be busy for a moment.
	const reading = halt === undefined ? claim().catch(claim) : messages.find(keys);
	const known = await reading.catch(toProblem);
	if (known instanceof Problem) return new Map(keys.map((key) => [key, known]));
	const found = [...known.values()];
	// Another process may be sending the same list at this moment. This process waits a little, so that the other one claims the
	// next messages first and the two don't collide again.
	if (halt === undefined && found.some((one) => one.state === 'unknown' && !isClaimed(one)))
		await sleep(100 + Math.random() * 200);
	const refusal = found.some(({ state }) => state === 'full')
		? await messages.roomFor(keys.length).then((state) => memoryFull(state, zone, false), toProblem)
		: undefined;
	return new Map([...known].map(([key, one]) => [key, one.state === 'full' ? refusal! : one]));
}

/** A message that is sent now, unless it is skipped or `halt` is set. */
interface DueMessage {
	item: SendItem;
	/** The state of the message in the memory. Undefined: the message was not looked up. */
	known?: Known;
	/** Why no request may be made now. */
	halt?: Problem;
}

/**
 * Sends the message of an item, unless it is skipped or `halt` is set. Releases its claim with the outcome.
 * @param sign makes the URL for the delivery report
 */
export async function sendMessage(
	run: Run,
	due: DueMessage,
	sign = (reference: string) => run.reportUrls.sign(due.item, reference),
): Promise<ItemResult | Problem> {
	const { item, known, halt } = due;
	// If no request is made, the message was certainly not sent. So its claim is removed, as that of a rejected message.
	let outcome: Outcome = 'rejected';
	try {
		// The description has the reference, which is made if the user gave none. The URL for the report contains it.
		const about = await describeMessage(run, item, known?.period);
		const skipReason = skipReasonOf(due);
		if (skipReason !== undefined) return { kind: 'skipped', about, skipReason };
		const dlrUrl = sign(about.reference);
		const message = { ...item.message, dlrUrl };
		const result = halt ?? (await deliver(run.sending, { message, obeysQuietHours: run.answered === undefined }));
		if (isUnknown(result)) outcome = 'unknown';
		else if (!(result instanceof Problem)) outcome = 'accepted';
		const { recipient, reference, serviceId, messageId } = about;
		if (result instanceof Problem) return result.withDetails({ recipient, reference, serviceId, messageId });
		return { kind: 'accepted', about: { ...about, dlrUrl }, warnings: item.warnings, ...result };
	} finally {
		if (known?.isClaimed) run.messages.release(item.key, outcome);
	}
}
