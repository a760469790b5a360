import type { IDataObject } from 'n8n-workflow';

import { Problem } from '../../shared/problem';
import type { Fate, Messages } from '../memory/claims';
import { deliver, isUnknown, type Sending } from '../outgoing/deliver';
import type { SendRow } from './readRow';
import { nameOf, skippedItem, withReference, type Named } from './sendItem';

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
export async function sendOnce(
	sending: Sending,
	messages: Messages,
	itemIndex: number,
	row: SendRow,
	special: Special,
): Promise<IDataObject | Problem> {
	const { platform } = sending;
	if (row.doNotSend) return skippedItem(await withReference(platform, row, messages.period()), 'doNotSend');
	if (row.ifAlreadySent === 'send')
		return await sendNamed(sending, itemIndex, await withReference(platform, row, 0), special, () => {});

	const { state, period } = await messages.begin(row.key);
	let fate: Fate = 'free';
	try {
		const named = await withReference(platform, row, period);
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

async function sendNamed(
	sending: Sending,
	itemIndex: number,
	row: Named,
	{ reportUrl, toItem, keepsQuiet, leaves }: Special,
	begins: () => void,
): Promise<IDataObject | Problem> {
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
