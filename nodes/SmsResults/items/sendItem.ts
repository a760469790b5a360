import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod';

import { isBlank, itemSchema, toFlag, toNumber, toText, toTime } from './cells';
import type { MessageFact, State } from './facts';
import { readRowPart } from './rowColumns';

/*
 * Reads an item of SMS Send. The platform accepted its message, or the node skipped it. With Include Input Fields, all other
 * fields of the item count as columns of the row. This is so even if they come from a report or from an SMS to which the node
 * replied.
 */

const fields = {
	accepted: toFlag,
	recipient: toText,
	text: toText,
	segments: toNumber,
	serviceId: toText,
	messageId: toText,
	reference: toText,
	sentAt: toTime,
	skipped: toFlag,
	skipReason: toText,
	unknown: toFlag,
	notice: toText,
};
const sendItem = itemSchema(fields);

/** Further fields that SMS Send adds. They are no columns of the row. SMS Send drops input columns with the last four names. */
const MORE_FIELDS = ['dlrUrl', 'warning', 'review', 'quietUntil', 'problem', 'reason'];
const OWN = new Set([...Object.keys(fields), ...MORE_FIELDS]);

/** Reads an item of SMS Send. Undefined: the item is not of this kind. */
export function readSendItem(json: IDataObject, index: number): MessageFact | undefined {
	if (toFlag(json.accepted) === undefined || toFlag(json.review) === true) return undefined;
	const item = sendItem.parse(json);
	// If SMS Send adds the text of the message, it also adds `segments`. Without `segments`, `text` is a column of the row.
	const isTextKnown = !isBlank(json.segments);
	const { list, againOf, columns } = readRowPart(json, (name) => OWN.has(name) && (name !== 'text' || isTextKnown));
	const reference = item.reference ?? againOf;
	const repeated = againOf === reference ? undefined : againOf;
	const { recipient, serviceId, messageId, segments, sentAt, notice } = item;
	return {
		...{ index, list: list ?? '', reference, againOf: repeated, recipient, serviceId, messageId, segments, columns },
		text: isTextKnown ? item.text : undefined,
		state: stateOf(item),
		notice,
		sentAt,
		attempts: repeated === undefined ? 1 : 2,
	};
}

/** Returns the state of a message. A message that was sent before counts as sent, because its report may still arrive. */
function stateOf({ accepted, skipped, skipReason, unknown }: z.infer<typeof sendItem>): State {
	if (skipReason === 'doNotSend') return 'notWanted';
	if (unknown === true || skipReason === 'unknown') return 'unknown';
	return accepted === true || skipped === true ? 'onItsWay' : 'notSent';
}
