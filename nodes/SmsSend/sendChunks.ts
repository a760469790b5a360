import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { runWorkers, yieldToEventLoop, type Results } from '../../lib/n8n/workerPool';
import { toProblem, Problem, toResult } from '../../lib/texts/problem';
import { isCancelled } from '../../lib/http/cancel';
import { numberRows } from '../../lib/texts/rowNumber';
import type { Known, Outcome } from '../../lib/sentMessages/messages';
import { ENTRIES_PER_MESSAGE } from '../../lib/sentMessages/room';
import type { RetryState, RetryKey } from '../../lib/smsPlatform/retryState';
import { deliver, isUnknown } from '../../lib/smsPlatform/deliver';
import { trialHint } from '../../lib/smsPlatform/guards';
import { afterPart, isPartOut, memoryFull, memoryHint } from './memoryFull';
import type { Run } from './readRun';
import { warningHints } from './review/warnings';
import { aboutRow, skipReasonOf, type RowResult } from './result';
import { readRow, type SendRow } from './readItem';

/*
 * The life of a message, from its item to its recorded outcome.
 *
 *   read     The item becomes a plain object, or the reason why it can't be read. Nothing is remembered of it.
 *   claim    The messages of a chunk are claimed in one write of n8n's list. The outcomes of the chunk before are recorded in
 *            the same write.
 *   send     Workers take one item after the other. Messages that were sent before, or are of unknown outcome, are skipped. The
 *            others are sent, one request each.
 *   release  Once the outcome is known, other runs of this process may have the message: they skip it, or try it themselves.
 *   record   Claims of rejected messages are removed. Accepted outcomes are recorded with the claims of the next chunk, or when the
 *            run ends. Nothing is recorded of an unknown outcome: a claim without an outcome is unknown.
 *
 * If n8n is killed:
 *   before a claim             the messages of this chunk are sent when somebody runs the list again;
 *   between claim and record   the messages of this chunk are of unknown outcome, sent or not, whatever the platform said;
 *   after the record           accepted messages count as sent, and rejected ones may be sent.
 *
 * So a kill leaves at most one chunk of each run unknown. With Send Again nothing is claimed, and nothing is known afterwards.
 * With Skip Sent, Resend Unknown a message that was unknown before this execution began keeps its first claim, so it stays
 * unknown unless it is accepted.
 *
 * A run has released all messages of a chunk before it claims the next one. So it holds none while it waits for another run, and
 * two runs never wait for each other.
 */

/** From this length on, a write of n8n's list takes as long as sending several messages. In entries. */
const LONG_LIST = 20_000;

/** Messages of a chunk with a long list. */
const LONG_CHUNK = 100;

/** Messages of a chunk, for each that may be in progress at once: fewer would leave workers idle at the end of each chunk. */
const ROUNDS = 5;

/** With Messages per Second, a chunk holds what is sent in this time: a stop or a kill concerns few messages. In seconds. */
const PACED_CHUNK = 2;

/** The most items of a chunk, also of a list with Send Again, which claims nothing. */
const MOST_ITEMS = 1000;

/** An item that is read. `end`: it can't be read, or an earlier attempt of this execution dealt with it. */
interface ReadItem {
	itemIndex: number;
	name: RetryKey;
	row?: SendRow;
	end?: RowResult | Problem;
}

/** An item whose message is to be sent, unless what is known of it speaks against it. */
export interface Due {
	row: SendRow;
	/** Undefined: nobody remembers this message. */
	known?: Known;
	/** Why nothing is sent now. */
	halt?: Problem;
}

/** Sends the items of a run. @param retryState what earlier attempts did @returns `isFaulty`: nothing was tried, because an item has a fault or the memory no room */
export async function sendRows(context: IExecuteFunctions, run: Run, retryState: RetryState<RowResult>) {
	const results: Results<RowResult> = context.getInputData().map(() => undefined);
	let warnings: Array<string | undefined> = [];
	const finish = (isFaulty: boolean) => ({ results, isFaulty, warnings });
	let all: ReadItem[] | undefined;
	// On Error Stop: a list goes out as a whole or not at all, as far as the node can know before the first request.
	if (!context.continueOnFail()) {
		all = [];
		for (const itemIndex of results.keys()) {
			if (isCancelled(context)) break;
			all.push(await readItem(context, run, retryState, itemIndex));
		}
		if (all.some(({ end }) => isFault(end))) {
			for (const { itemIndex, end } of all) if (!isOnTrial(end)) results[itemIndex] = end;
			return finish(true);
		}
		const refusal = await refuseLongList(run, all).catch(toProblem);
		if (refusal !== undefined) {
			for (const { itemIndex, end } of all) results[itemIndex] = end ?? refusal;
			return finish(true);
		}
	}
	let closeWarning: string | undefined;
	try {
		const read = async (itemIndex: number) => all?.[itemIndex] ?? (await readItem(context, run, retryState, itemIndex));
		await sendChunks(context, run, retryState, results, all?.length ?? results.length, read);
	} finally {
		closeWarning = await run.messages.close();
	}
	const valueWarnings = warningHints(results, numberRows(context.getInputData()));
	const memory = memoryHint(run.messages.fullness());
	warnings = [...run.reportUrls.warnings(), trialHint(run.guards), ...valueWarnings, memory, closeWarning];
	if (isPartOut(results)) {
		for (const [index, result] of results.entries())
			if (result instanceof Problem && result.why.reason === 'memoryFull') results[index] = afterPart(result);
	}
	return finish(false);
}

async function readItem(
	context: IExecuteFunctions,
	run: Run,
	retryState: RetryState<RowResult>,
	itemIndex: number,
): Promise<ReadItem> {
	await yieldToEventLoop(itemIndex);
	const row = toResult(() => readRow(context, itemIndex, run));
	const name = retryState.keyOf(itemIndex, row instanceof Problem ? undefined : row.key);
	const end = retryState.find(name) ?? (row instanceof Problem ? row : undefined);
	return { itemIndex, name, ...(end === undefined ? { row: row as SendRow } : { end }) };
}

/** Whether an item can't be read. Not a fault: an unknown outcome of an earlier attempt, and a recipient outside of the trial. */
const isFault = (end: ReadItem['end']) => end instanceof Problem && !isUnknown(end) && !isOnTrial(end);

const isOnTrial = (end: ReadItem['end']) => end instanceof Problem && end.why.reason === 'onTrial';

/** By what n8n's list knows the message of an item. Undefined: it is not asked about it. */
const rememberedKey = ({ row }: ReadItem) =>
	row === undefined || row.ifAlreadySent === 'send' || row.doNotSend ? undefined : row.key;

/** Refuses a list whose new messages n8n's list can't remember, before the first of them is sent. */
async function refuseLongList({ messages, zone }: Run, items: ReadItem[]): Promise<Problem | undefined> {
	const keys = [...new Set(items.flatMap((item) => rememberedKey(item) ?? []))];
	if (keys.length === 0) return undefined;
	const state = await messages.roomFor(keys.length, keys);
	return state.fits ? undefined : memoryFull(state, zone, false);
}

/** Sends items chunk by chunk. @param count how many there are @param read reads one */
async function sendChunks(
	context: IExecuteFunctions,
	run: Run,
	retryState: RetryState<RowResult>,
	results: Results<RowResult>,
	count: number,
	read: (itemIndex: number) => Promise<ReadItem>,
): Promise<void> {
	/** Messages whose outcome this run knows. */
	const outcomes = new Map<string, Known>();
	/** Items with a message that an item of the same chunk has too: they wait for its outcome. */
	let repeats: ReadItem[] = [];
	let next = 0;
	let entries = count === 1 ? 0 : await run.messages.count().catch(() => 0);
	while ((next < count || repeats.length > 0) && !isCancelled(context)) {
		const size = count === 1 ? 1 : chunkSize(run, entries);
		const chunk: ReadItem[] = [];
		const keys = new Set<string>();
		const earlier = repeats;
		repeats = [];
		const most = run.sending.pace.perSecond === 0 ? MOST_ITEMS : size;
		while (keys.size < size && chunk.length < most && (earlier.length > 0 || next < count)) {
			const item = earlier.shift() ?? (await read(next++));
			const key = rememberedKey(item);
			if (key !== undefined && keys.has(key)) {
				repeats.push(item);
				if (repeats.length >= MOST_ITEMS) break;
				continue;
			}
			if (key !== undefined && !outcomes.has(key)) keys.add(key);
			chunk.push(item);
		}
		repeats.push(...earlier);
		await sendChunk(context, run, retryState, { chunk, keys: [...keys], isSingle: size === 1, outcomes, results });
		entries += ENTRIES_PER_MESSAGE * keys.size;
	}
}

/** How many messages are claimed at once: what a kill may leave unknown. @param entries the length of n8n's list */
function chunkSize({ concurrency, sending }: Run, entries: number): number {
	const long = Math.max(LONG_CHUNK, 2 * concurrency);
	const size = entries > LONG_LIST ? long : Math.min(ROUNDS * concurrency, long);
	const { perSecond } = sending.pace;
	return perSecond === 0 ? size : Math.max(1, Math.min(size, Math.floor(PACED_CHUNK * perSecond)));
}

interface Chunk {
	chunk: ReadItem[];
	/** The messages to claim. */
	keys: string[];
	isSingle: boolean;
	outcomes: Map<string, Known>;
	results: Results<RowResult>;
}

/** Claims the messages of a chunk, sends them, and releases each with its outcome. */
async function sendChunk(
	context: IExecuteFunctions,
	run: Run,
	retryState: RetryState<RowResult>,
	{ chunk, keys, isSingle, outcomes, results }: Chunk,
): Promise<void> {
	// With Messages per Second, a chunk of one message first records the previous outcome and then waits for its turn. Only then
	// is the message claimed, so a kill during the wait leaves no message unknown.
	if (isSingle && keys.length > 0 && run.sending.pace.perSecond > 0) {
		await run.messages.recordAll().catch(() => {});
		await run.sending.pace.wait().catch(() => {});
	}
	if (isCancelled(context)) return;
	const halt = haltOf(run);
	const resend = chunk.flatMap(({ row }) => (row?.ifAlreadySent === 'resendUnknown' ? [row.key] : []));
	const claimed = await claimOrLook(run, keys, halt, new Set(resend));
	const untried = new Set(keys.filter((key) => isClaimed(claimed.get(key))));
	const work = async (item: ReadItem): Promise<void> => {
		const { itemIndex, name, row, end } = item;
		if (row === undefined) {
			results[itemIndex] = end;
			return;
		}
		const key = rememberedKey(item);
		const known = key === undefined ? undefined : (outcomes.get(key) ?? claimed.get(key));
		if (known instanceof Problem) {
			results[itemIndex] = known;
			return;
		}
		const due = { row, known, halt };
		// Nothing waits that is skipped. A stop ends the wait: then the item was not tried.
		if (skipReasonOf(due) === undefined && halt === undefined) await run.sending.pace.take().catch(() => {});
		if (isCancelled(context)) return;
		results[itemIndex] = await retryState.once(name, async () => {
			if (key !== undefined) untried.delete(key);
			return await sendRow(run, due).catch(toProblem);
		});
		const outcome = outcomeOf(results[itemIndex]);
		if (key !== undefined && outcome !== undefined && known !== undefined)
			outcomes.set(key, { ...known, state: outcome, isClaimed: false });
	};
	try {
		await runWorkers(chunk.values(), Math.min(run.concurrency, chunk.length), () => isCancelled(context), work);
	} finally {
		// Claimed, but not tried because of a stop.
		for (const key of untried) run.messages.release(key, 'rejected');
	}
}

const isClaimed = (known: Known | Problem | undefined) => !(known instanceof Problem) && known?.isClaimed === true;

/** What the run knows of a message after this result. Undefined: nothing, so it may be claimed again. */
function outcomeOf(result: RowResult | Problem | undefined): 'sent' | 'unknown' | undefined {
	if (result === undefined) return undefined;
	if (result instanceof Problem) return isUnknown(result) ? 'unknown' : undefined;
	if (result.kind === 'accepted') return 'sent';
	return result.kind === 'skipped' && result.skipReason === 'unknown' ? 'unknown' : 'sent';
}

/** Why no request is made now: the service is down, which lasts for the run, or quiet hours. */
export const haltOf = ({ sending, answered }: Run) =>
	sending.breaker.problem() ?? (answered === undefined ? sending.quiet() : undefined);

/**
 * Claims messages. If no request is made anyway, it only looks them up.
 * @param resend messages that are sent again if their outcome is unknown
 * @returns what is known of each, or why that can't be known
 */
export async function claimOrLook(
	{ messages, zone }: Run,
	keys: string[],
	halt: Problem | undefined,
	resend: ReadonlySet<string>,
): Promise<Map<string, Known | Problem>> {
	if (keys.length === 0) return new Map();
	const claim = async () => await messages.claim(keys, resend);
	// Once more, because a database may be busy for a moment.
	const asking = halt === undefined ? claim().catch(claim) : messages.look(keys);
	const known = await asking.catch(toProblem);
	if (known instanceof Problem) return new Map(keys.map((key) => [key, known]));
	// Another process may be sending the same list at this moment. The second one waits a little, so that the first gets ahead.
	if (halt === undefined && [...known.values()].some(({ state, isClaimed }) => state === 'unknown' && !isClaimed))
		await sleep(100 + Math.random() * 200);
	const states = [...known.values()];
	const refusal = states.some(({ state }) => state === 'full')
		? await messages.roomFor(keys.length).then((state) => memoryFull(state, zone, false), toProblem)
		: undefined;
	return new Map([...known].map(([key, one]) => [key, one.state === 'full' ? refusal! : one]));
}

/**
 * Sends the message of an item, unless it is skipped, and releases its claim with the outcome.
 * @param sign makes the URL for the delivery report
 */
export async function sendRow(
	run: Run,
	due: Due,
	sign = (reference: string) => run.reportUrls.sign(due.row, reference),
): Promise<RowResult | Problem> {
	const { row, known, halt } = due;
	let outcome: Outcome = 'rejected';
	try {
		const about = await aboutRow(run, row, known?.period);
		const skipReason = skipReasonOf(due);
		if (skipReason !== undefined) return { kind: 'skipped', about, skipReason };
		const dlrUrl = sign(about.reference);
		const message = { ...row.message, dlrUrl };
		const sent = halt ?? (await deliver(run.sending, { message, keepsQuiet: run.answered === undefined }));
		if (isUnknown(sent)) outcome = 'unknown';
		else if (!(sent instanceof Problem)) outcome = 'accepted';
		const { recipient, reference, serviceId, messageId } = about;
		if (sent instanceof Problem) return sent.withDetails({ recipient, reference, serviceId, messageId });
		return { kind: 'accepted', about: { ...about, dlrUrl }, warnings: row.warnings, ...sent };
	} finally {
		if (known?.isClaimed) run.messages.release(row.key, outcome);
	}
}
