import { randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Ledger } from '../../shared/ledger';
import { Problem } from '../../shared/problem';
import { request } from '../../shared/request';
import { pause, secondsBeforeRetry } from '../../shared/retry';
import type { Platform } from '../credential';
import { signReportAddress } from '../reportAddress';
import { sendSmsRequest, sendSmsResponse, type Message } from '../wire';
import type { AlreadySent, Fate } from './alreadySent';
import { outcomeOf, passingReason, sendProblem, type Outcome } from '../outgoing/outcome';
import type { Row } from './row';
import type { RequestOptions } from './runOptions';

/** What the node remembers of a row while Retry On Fail may run it again. A rejected row is not in it: it may be tried again. */
export type Entry =
	| { taken: IDataObject }
	| { unknown: { message: string; description: string; details: IDataObject; httpCode?: string } };

/** What the messages of one run have in common. */
export interface SendRun {
	context: IExecuteFunctions;
	platform: Platform;
	options: RequestOptions;
	ledger: Ledger<Entry>;
	/** Undefined where nothing is skipped: one-time codes have limits of their own. */
	alreadySent?: AlreadySent;
	/** Waits for the turn of a request. */
	pace: () => Promise<void>;
}

/** A message, and what is special about it. */
export interface Outgoing {
	row: Row;
	/** The signed address for its report, made when the message leaves; undefined where none is asked for. */
	makeAddress?: (reference: string) => string;
	/** What leaves the node where the message was taken. */
	toItem: (row: Row) => IDataObject;
	/** What nobody may read in the platform's words, beside the keys. */
	secrets?: string[];
	/** After this moment it is worth nothing, so no further try begins; in Unix milliseconds. */
	until?: number;
}

/**
 * The life of one message, from "sent before?" to "remember it", at most once whatever n8n does around it. Every
 * operation that sends uses this, for rows that no earlier try of Retry On Fail dealt with.
 *
 * @param prepare reads the row
 * @returns the item's data: taken, skipped, or checked in a dry run
 * @throws Problem where the message was rejected, or where nobody knows whether it was taken
 */
export async function liveOf(run: SendRun, itemIndex: number, prepare: () => Outgoing | Promise<Outgoing>): Promise<IDataObject> {
	const { alreadySent } = run;
	let fate: Fate = 'free';
	try {
		const outgoing = await prepare();
		const { row } = outgoing;
		const before = row.ifAlreadySent === 'skip' ? ((await alreadySent?.claim(itemIndex)) ?? 'new') : 'new';
		if (before !== 'new') {
			fate = before;
			return { ...describeRow(row), accepted: false, skipped: true, ...(before === 'unknown' && { unknown: true }), ...(row.dryRun && { dryRun: true }), ...idsOf(row) };
		}
		if (row.dryRun) {
			fate = 'sent';
			return { ...describeRow(row), accepted: false, dryRun: true, ...idsOf(row) };
		}
		const sent = await send(run, itemIndex, outgoing);
		fate = sent instanceof Problem ? (isUnknown(sent) ? 'unknown' : 'free') : 'sent';
		if (sent instanceof Problem) throw sent;
		return sent;
	} finally {
		await alreadySent?.settle(itemIndex, fate);
	}
}

export const isUnknown = (error: unknown): boolean => error instanceof Problem && error.details.outcome === 'unknown';

/**
 * What an earlier try of Retry On Fail left of a row; undefined where nothing.
 *
 * @throws Problem where an earlier try left the row with an unknown outcome
 */
export function recall(ledger: Ledger<Entry>, itemIndex: number): IDataObject | undefined {
	const entry = ledger.get(itemIndex);
	if (entry === undefined || 'taken' in entry) return entry?.taken;
	const { message, description, details, httpCode } = entry.unknown;
	throw new Problem(message, description, details, httpCode);
}

/**
 * Signs the address, sends, and remembers what became of it at once: whatever fails from then on, it is not sent again.
 *
 * @returns the item's data where the message was taken
 */
async function send(run: SendRun, itemIndex: number, { row, makeAddress, toItem, secrets = [], until = Infinity }: Outgoing): Promise<IDataObject | Problem> {
	const { ledger, alreadySent, pace, platform } = run;
	const message = { ...row.message };
	let sentRow = row;
	if (makeAddress !== undefined) {
		const reference = row.reference ?? randomUUID();
		message.dlrUrl = makeAddress(reference);
		sentRow = { ...row, reference, message };
	}
	const outcome = await sendWithRetries(run, message, until, async () => {
		await pace();
		alreadySent?.sending(itemIndex);
	});
	if (outcome.outcome === 'taken') {
		const item = toItem(sentRow);
		ledger.set(itemIndex, { taken: item });
		return item;
	}
	const { keys } = platform;
	const problem = sendProblem(outcome, message, [keys.current, keys.previous?.key ?? '', ...secrets]).with(nameOf(sentRow));
	if (outcome.outcome === 'unknown') {
		const { message: what, description, details, httpCode } = problem;
		ledger.set(itemIndex, { unknown: { message: what, description, details, httpCode } });
	}
	return problem;
}

/** Sends a message, and sends it again only where it was certainly not taken for a reason that passes. */
async function sendWithRetries({ context, platform, options }: SendRun, message: Message, until: number, turn: () => Promise<void>): Promise<Outcome> {
	for (let attempt = 0; ; attempt++) {
		await turn();
		const answer = await request(
			context,
			platform.credential,
			{
				method: 'POST',
				url: platform.sendUrl,
				headers: { 'Content-Type': 'application/json' },
				body: sendSmsRequest(message),
				timeout: options.timeout,
			},
			sendSmsResponse,
			(status) => status >= 200 && status < 300,
		);
		const outcome = outcomeOf(answer);
		const reason = attempt < options.retries ? passingReason(outcome) : undefined;
		const wait = reason === undefined ? undefined : secondsBeforeRetry(attempt, reason.retryAfter);
		if (wait === undefined || Date.now() + wait * 1000 > until) return outcome;
		await pause(context, wait * 1000);
	}
}

/** What makes the signed address for the report of a row's message; undefined where the row asks for none. */
export function reportAddressMaker(row: Row, platform: Platform): Outgoing['makeAddress'] {
	const { dlrUrl } = row;
	if (dlrUrl === undefined) return undefined;
	return (reference) =>
		signReportAddress(dlrUrl, { serviceId: row.message.serviceId, reference, mid: randomUUID() }, platform.keys.current, Date.now() / 1000);
}

/** What a user knows a row by: whom its message is for, and its reference. */
export function nameOf({ message: { recipient }, reference }: Row): IDataObject {
	return { recipient, ...(reference !== undefined && { reference }) };
}

/** The item of a message that was taken: whom it went to, its text, what became of it, and by what the platform knows it. */
export function takenItem(row: Row): IDataObject {
	return { ...describeRow(row), accepted: true, ...idsOf(row) };
}

const describeRow = ({ message, text, segments }: Row): IDataObject => ({
	recipient: message.recipient,
	...(text !== undefined && { text, segments }),
});

const idsOf = ({ message, reference, dlrUrl }: Row): IDataObject => ({
	serviceId: message.serviceId,
	messageId: message.messageId,
	...(dlrUrl !== undefined && reference !== undefined && { reference }),
	...(message.dlrUrl !== undefined && { dlrUrl: message.dlrUrl }),
});
