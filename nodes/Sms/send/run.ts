import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { drawAll, giveWay, type Results } from '../../shared/pool';
import { asProblem, Problem, problemOr } from '../../shared/problem';
import { isCancelled } from '../../shared/cancel';
import { numberRows } from '../../shared/rowNumber';
import type { Fate } from '../memory/claims';
import { NOT_ASKED, type Known } from '../memory/periods';
import type { Attempts, Name } from '../outgoing/attempts';
import { deliver, isUnknown } from '../outgoing/deliver';
import { trialHint } from '../outgoing/guards';
import type { Run } from './openRun';
import { doubtHints } from './review/doubts';
import { aboutRow, skipReasonOf, type RowResult } from './result';
import { readRow, type SendRow } from './row';

/*
 * The way of a row: it is read, named, looked up in what an earlier attempt did, and claimed in n8n's list with its block;
 * then it waits to be drawn, is sent, and is settled. A kill before the claim changes nothing. After it the row reads as
 * unknown until its end is in n8n's list: a mark, or that the claim is taken out, which may come with a later change. Under
 * If Already Sent = Send a row is not claimed, and nothing is known of it afterwards. A kill in a look-up leaves nothing
 * that counts; under Always it makes a new row read as unknown (`periods`).
 */

/** A row that is read. One that can't be, or that an earlier attempt dealt with, has its end already. */
type Read = { itemIndex: number; name: Name; row?: SendRow; end?: RowResult | Problem };
type Rows = AsyncIterator<Read, void> | Iterator<Read, void>;

/** A row that is sent, unless what is known of its message speaks against it. */
interface Due {
	row: SendRow;
	known: Known;
	/** Why no request was to be made for its block. */
	halt?: Problem;
	/** Whether n8n's list has to be told what becomes of it. */
	isClaimed: boolean;
}

/** A row whose turn it is. */
type Turn = { itemIndex: number } & ({ end: RowResult | Problem } | ({ end?: undefined; name: Name } & Due));

/** Sends the rows of a run. @param attempts what earlier attempts did @returns `isFaulty`: nothing was tried, for faults */
export async function sendRows(context: IExecuteFunctions, run: Run, attempts: Attempts<RowResult>) {
	const results: Results<RowResult> = context.getInputData().map(() => undefined);
	const reader = readRows(context, run, attempts);
	let rows: Rows = reader;
	// On Error Stop: a list goes out whole or not at all, as far as that is in our hands.
	if (!context.continueOnFail()) {
		const all: Read[] = [];
		for await (const one of reader) all.push(one);
		if (all.some(({ end }) => isFault(end))) {
			// What an earlier attempt has dealt with stays in the output.
			for (const { itemIndex, end } of all) if (!isOnTrial(end)) results[itemIndex] = end;
			return { results, isFaulty: true, warnings: [] };
		}
		rows = all.values();
	}
	const work = async (turn: Turn) => {
		results[turn.itemIndex] =
			turn.end ?? (await attempts.once(turn.name, async () => await sendRow(run, turn).catch(asProblem)));
	};
	let closeWarning: string | undefined;
	try {
		const places = Math.min(run.places, results.length);
		await drawAll(turns(run, rows, results.length), places, () => isCancelled(context), work);
	} finally {
		closeWarning = await run.messages.close();
	}
	const doubts = doubtHints(results, numberRows(context.getInputData()), run.rememberFor);
	const warnings = [...run.reportUrls.warnings(), trialHint(run.guards), ...doubts, closeWarning];
	return { results, isFaulty: false, warnings };
}

/** Reads rows in their order, as far as the run is not stopped, and gives way to the rest of n8n. */
async function* readRows(context: IExecuteFunctions, run: Run, attempts: Attempts<RowResult>) {
	for (const itemIndex of context.getInputData().keys()) {
		await giveWay(itemIndex);
		if (isCancelled(context)) return;
		const row = problemOr(() => readRow(context, itemIndex, run));
		const name = attempts.nameOf(itemIndex, row instanceof Problem ? undefined : row.key);
		const end = attempts.find(name) ?? (row instanceof Problem ? row : undefined);
		yield { itemIndex, name, ...(end === undefined ? { row: row as SendRow } : { end }) };
	}
}

/** Whether a row can't be read. Unknown is an earlier attempt's; who is not in a trial is refused alone, and stops no list. */
const isFault = (end: Read['end']) => end instanceof Problem && !isUnknown(end) && !isOnTrial(end);

const isOnTrial = (end: Read['end']) => end instanceof Problem && end.why.reason === 'onTrial';

/**
 * Gives each row when its turn comes. Messages are claimed a block at a time, in one change of n8n's list, when the last
 * row of the block before is drawn: so what a kill leaves unknown is bounded, and no run waits for ever.
 */
async function* turns(run: Run, rows: Rows, count: number): AsyncGenerator<Turn, void> {
	let size = 1;
	let ahead: Read[] = [];
	const readOne = async () => {
		const { value } = await rows.next();
		if (value !== undefined) ahead.push(value);
		return value !== undefined;
	};
	/** By what n8n's list is asked about a row; undefined where it has its end, or may repeat. */
	const keyOf = ({ row }: Read) => (row?.ifAlreadySent === 'skip' && !row.doNotSend ? row.key : undefined);
	const takeBlock = async () => {
		// Of a single row nobody has to know how long n8n's list is.
		if (count > 1) size = await run.messages.blockSize();
		while (ahead.length < size && (await readOne()));
		if (ahead.length === 0) return undefined;
		const keys = new Set<string>();
		const block: Read[] = [];
		const repeats: Read[] = [];
		for (const one of ahead) {
			const key = keyOf(one);
			// The same message again goes into a later block: it has to wait for what becomes of the first.
			(key !== undefined && keys.has(key) ? repeats : block).push(one);
			if (key !== undefined) keys.add(key);
		}
		ahead = repeats;
		const halt = haltOf(run);
		return { block, halt, ...(await claimOrLook(run, [...keys], halt)) };
	};
	let taken = takeBlock();
	try {
		for (let next = await taken; next !== undefined; next = await taken) {
			const { block, halt, known, isClaimed } = next;
			for (const [place, one] of block.entries()) {
				// Read while others are sent, so that the next block can be claimed at once.
				if (ahead.length < size) await readOne();
				const { itemIndex, name, row } = one;
				const key = keyOf(one);
				const asked = key === undefined ? NOT_ASKED : known.get(key)!;
				const end = one.end ?? (asked instanceof Problem ? asked : undefined);
				const isHeld = isClaimed && key !== undefined;
				const turn: Turn =
					end === undefined
						? { itemIndex, name, row: row!, known: asked as Known, halt, isClaimed: isHeld }
						: { itemIndex, end };
				// Paced here, before it is drawn: the rows behind it stay undrawn, and `close` gives those back. A stop ends the
				// wait, and `deliver` refuses this one.
				const isNew = turn.end === undefined && turn.known.state === 'new' && !turn.row.doNotSend;
				if (isNew && haltOf(run) === undefined) await run.sending.pace().catch(() => {});
				// Whoever draws this row has it in hand from this tick on: so the next block may be claimed (`claims`).
				if (place === block.length - 1) taken = takeBlock();
				yield turn;
			}
		}
	} finally {
		// What is claimed for nobody any more, `close` gives back.
		await taken.catch(() => {});
	}
}

/** Why no request is made now: the service is down, which lasts for the run, or quiet hours. */
export const haltOf = ({ sending, answered }: Run) =>
	sending.breaker.open() ?? (answered === undefined ? sending.quiet() : undefined);

/** Claims messages; only looks at them where no request is made. @returns what is known of each, or why nobody knows */
export async function claimOrLook({ messages }: Run, keys: string[], halt: Problem | undefined) {
	const claim = async () => await messages.claim(keys);
	const asking = halt === undefined ? claim().catch(claim) : messages.look(keys);
	const known = await asking.catch(asProblem);
	if (known instanceof Problem) return { known: new Map(keys.map((key) => [key, known])), isClaimed: false };
	const isClaimed = halt === undefined;
	// Another process may be sending the same list in this moment. Whoever comes second falls back, so that the first gets ahead.
	if (isClaimed && [...known.values()].some(({ state }) => state === 'unknown')) await sleep(100 + Math.random() * 200);
	return { known, isClaimed };
}

/** Sends a row's message, where it is to be sent, and settles it. @param sign makes the URL for its delivery report */
export async function sendRow(
	run: Run,
	{ row, known, halt, isClaimed }: Due,
	sign = (reference: string) => run.reportUrls.sign(row, reference),
): Promise<RowResult | Problem> {
	let fate: Fate = 'free';
	try {
		const about = await aboutRow(run, row, known);
		const skipReason = skipReasonOf(row, known);
		if (skipReason !== undefined) return { kind: 'skipped', about, skipReason };
		const dlrUrl = sign(about.reference);
		const message = { ...row.message, dlrUrl };
		const sent = halt ?? (await deliver(run.sending, { message, keepsQuiet: run.answered === undefined }));
		fate = isUnknown(sent) ? 'unknown' : sent instanceof Problem ? 'free' : 'sent';
		const { recipient, reference, serviceId, messageId } = about;
		if (sent instanceof Problem) return sent.with({ recipient, reference, serviceId, messageId });
		return { kind: 'accepted', about: { ...about, dlrUrl }, doubts: row.doubts, ...sent };
	} finally {
		if (isClaimed && known.state === 'new') await run.messages.settle(row.key, fate);
	}
}
