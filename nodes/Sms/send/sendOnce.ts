import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { Problem } from '../../shared/problem';
import { deriveKeys } from '../keys';
import type { Before, Fate, Messages } from '../memory/claims';
import { quietProblem } from '../outgoing/guards';
import { deliver, isUnknown, type Sending } from '../outgoing/deliver';
import { referenceOf } from '../outgoing/reference';
import type { SendRow } from './readRow';

/** A row with the name of its message. */
export type Named = SendRow & { reference: string };

/** What an operation makes of a message that is sent. */
export interface Special {
	/** The URL for its delivery report; undefined where none is asked for. */
	reportUrl: (row: Named) => string | undefined;
	/** The item of an accepted message. */
	toItem: (row: Named, warning: string | undefined) => IDataObject;
	keepsQuiet: boolean;
	/** The message's request leaves. */
	leaves?: () => void;
}

/**
 * The life of one message, from "sent before?" to "remember it".
 *
 * @returns the item's data, accepted or skipped; otherwise the problem of a message that was rejected, or of which nobody
 * knows whether it was accepted
 */
export async function sendOnce(sending: Sending, messages: Messages, itemIndex: number, row: SendRow, special: Special): Promise<IDataObject | Problem> {
	if (row.doNotSend) return skippedItem(await withReference(sending, row, messages.period()), 'doNotSend');
	if (row.ifAlreadySent === 'send') return await sendNamed(sending, itemIndex, await withReference(sending, row, 0), special, () => {});

	const { state, period } = await messages.begin(row.key);
	let fate: Fate = 'free';
	try {
		const named = await withReference(sending, row, period);
		if (state !== 'new') return skippedItem(named, state === 'sent' ? 'sentBefore' : 'unknown');
		const result = await sendNamed(sending, itemIndex, named, special, () => {
			// Until somebody says more, that is all that is known.
			fate = 'unknown';
			messages.leaves(row.key);
		});
		fate = isUnknown(result) ? 'unknown' : result instanceof Problem ? 'free' : 'sent';
		return result;
	} finally {
		if (state === 'new') messages.settle(row.key, fate);
	}
}

async function sendNamed(sending: Sending, itemIndex: number, row: Named, { reportUrl, toItem, keepsQuiet, leaves }: Special, begins: () => void): Promise<IDataObject | Problem> {
	const dlrUrl = reportUrl(row);
	const message = { ...row.message, ...(dlrUrl !== undefined && { dlrUrl }) };
	return await deliver(sending, {
		id: itemIndex,
		message,
		name: nameOf(row),
		toItem: (warning) => toItem({ ...row, message }, warning),
		keepsQuiet,
		leaves() {
			begins();
			leaves?.();
		},
	});
}

/**
 * The item of a row that is only checked.
 *
 * @param before what is known of its message
 */
export async function dryItem(sending: Sending, row: SendRow, before: Before): Promise<IDataObject> {
	const named = await withReference(sending, row, before.period);
	if (row.doNotSend) return { ...skippedItem(named, 'doNotSend'), dryRun: true };
	if (before.state !== 'new') return { ...skippedItem(named, before.state === 'sent' ? 'sentBefore' : 'unknown'), dryRun: true };
	const quietUntil = quietProblem(sending.guards, Date.now())?.details.quietUntil;
	return { ...describe(named), accepted: false, dryRun: true, ...(quietUntil !== undefined && { quietUntil }), ...idsOf(named) };
}

/** The item of a row that a dry run has a problem with, where a failed row would stop the workflow. */
export function problemItem({ message, description, details }: Problem): IDataObject {
	const { recipient, reference } = details;
	return {
		...(recipient !== undefined && { recipient }),
		accepted: false,
		dryRun: true,
		problem: [message, description].filter((part) => part !== '').join('. '),
		...(reference !== undefined && { reference }),
	};
}

/** The item of an accepted message: whom it went to, its text, what became of it, and by what the platform knows it. */
export function acceptedItem(row: Named, warning: string | undefined): IDataObject {
	return { ...describe(row), accepted: true, ...(warning !== undefined && { warning }), ...idsOf(row) };
}

function skippedItem(row: Named, skipReason: 'sentBefore' | 'unknown' | 'doNotSend'): IDataObject {
	return { ...describe(row), accepted: false, skipped: true, skipReason, ...(skipReason === 'unknown' && { unknown: true }), ...idsOf(row) };
}

/** What a user knows a row by: whom its message is for, and its reference. */
export const nameOf = ({ message: { recipient }, reference }: Named): IDataObject => ({ recipient, reference });

const describe = ({ message, text, segments }: Named): IDataObject => ({
	recipient: message.recipient,
	...(text !== undefined && { text, segments }),
});

const idsOf = ({ message, reference }: Named): IDataObject => ({
	serviceId: message.serviceId,
	messageId: message.messageId,
	reference,
	...(message.dlrUrl !== undefined && { dlrUrl: message.dlrUrl }),
});

/** @param period in which the message was, or would be, first claimed */
async function withReference({ platform }: Sending, row: SendRow, period: number): Promise<Named> {
	if (row.reference !== undefined) return { ...row, reference: row.reference };
	if (row.ifAlreadySent === 'send') return { ...row, reference: randomUUID() };
	return { ...row, reference: referenceOf(row.key, period, (await deriveKeys(platform.keys.current)).reference) };
}
