import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { Problem } from '../../shared/problem';
import type { Platform } from '../credential';
import { deriveKeys } from '../keys';
import { referenceOf } from '../outgoing/reference';
import type { SendRow } from './readRow';

/* What the item of a row says: whom its message is for, its text, what became of it, and by what the platform knows it. */

/** A row with the name of its message. */
export type Named = SendRow & { reference: string };

/**
 * A row with the name of its message: the user's own, or one that the node makes.
 *
 * @param period in which the message was, or would be, first claimed
 */
export async function withReference(platform: Platform, row: SendRow, period: number): Promise<Named> {
	if (row.reference !== undefined) return { ...row, reference: row.reference };
	if (row.ifAlreadySent === 'send') return { ...row, reference: randomUUID() };
	return { ...row, reference: referenceOf(row.key, period, (await deriveKeys(platform.keys.current)).reference) };
}

/** What a user knows a row by: whom its message is for, and its reference. */
export const nameOf = ({ message: { recipient }, reference }: Named): IDataObject => ({ recipient, reference });

/** The item of an accepted message. */
export function acceptedItem(row: Named, warning: string | undefined): IDataObject {
	return { ...describe(row), accepted: true, ...(warning !== undefined && { warning }), ...idsOf(row) };
}

/** The item of a row that is not sent, and why. */
export function skippedItem(row: Named, skipReason: 'sentBefore' | 'unknown' | 'doNotSend'): IDataObject {
	return {
		...describe(row),
		accepted: false,
		skipped: true,
		skipReason,
		...(skipReason === 'unknown' && { unknown: true }),
		...idsOf(row),
	};
}

/** The item of a row that a dry run would send. */
export function checkedItem(row: Named, quietUntil: unknown): IDataObject {
	return {
		...describe(row),
		accepted: false,
		dryRun: true,
		...(quietUntil !== undefined && { quietUntil }),
		...idsOf(row),
	};
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
