import type { IDataObject } from 'n8n-workflow';

import { itemSchema, toNumber, toText } from '../items/cells';
import type { Usage } from './countUsage';

/*
 * Reads counts of an earlier run of Usage, for example from a data table that stores them. They are added to the other counts. So
 * the counts of past months stay known after their messages have been deleted.
 */

const usageRow = itemSchema({
	month: toText,
	serviceId: toText,
	messages: toNumber,
	segments: toNumber,
	withoutText: toNumber,
	delivered: toNumber,
	partly: toNumber,
	notDelivered: toNumber,
	unknown: toNumber,
	open: toNumber,
});

const MONTH = /^\d{4}-\d{2}$/;

/** Reads the counts in an item. Undefined: the item contains no counts of a known month. */
export function readUsageRow(json: IDataObject, index: number): Usage | undefined {
	if (typeof json.month !== 'string' || !MONTH.test(json.month)) return undefined;
	const { month, serviceId, ...counts } = usageRow.parse(json);
	if (counts.messages === undefined) return undefined;
	return { month, serviceId, counts, items: [index] };
}
