import type { IDataObject } from 'n8n-workflow';

import { asItIs, isBlank, itemSchema, toNumber, toRecord, toText, toTime } from './cells';
import type { MessageFact } from './facts';
import { readRowPart } from './rowColumns';

/*
 * Reads an error item of SMS Send. Its message was rejected, by the platform or by the node itself, or the outcome is unknown.
 * The field `details` describes the message. `details.input` contains the columns of the row, unless n8n has put the columns
 * beside `error`.
 */

const details = itemSchema({
	outcome: toText,
	reference: toText,
	recipient: toText,
	serviceId: toText,
	messageId: toText,
	text: toText,
	segments: toNumber,
	sentAt: toTime,
	notice: toText,
	row: toNumber,
	input: asItIs,
});

const OWN = new Set(['error', 'message', 'details']);

/** Reads an error item of SMS Send. Undefined: the item is not of this kind, for example because another node made it. */
export function readErrorItem(json: IDataObject, index: number): MessageFact | undefined {
	if (isBlank(json.error) || isBlank(toRecord(json.details).outcome)) return undefined;
	const { outcome, input, row, ...known } = details.parse(json.details);
	const isBeside = isBlank(input);
	const rowPart = readRowPart(isBeside ? json : toRecord(input), (name) => isBeside && OWN.has(name));
	// A row that is sent again may be rejected before it has a reference. Then the rejection gets the reference of the earlier
	// attempt.
	const reference = known.reference ?? rowPart.againOf;
	const isRejected = outcome === 'rejected';
	return {
		...known,
		index,
		list: rowPart.list ?? toText(json.list) ?? '',
		reference,
		againOf: rowPart.againOf === reference ? undefined : rowPart.againOf,
		serviceId: known.serviceId ?? rowPart.serviceId,
		messageId: known.messageId ?? rowPart.messageId,
		columns: rowPart.columns,
		row: reference === undefined ? row : undefined,
		state: isRejected ? 'notSent' : 'unknown',
		sentAt: isRejected ? undefined : known.sentAt,
		attempts: rowPart.againOf === undefined || rowPart.againOf === reference ? 1 : 2,
	};
}
