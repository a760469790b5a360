import type { IDataObject } from 'n8n-workflow';

import { itemSchema, toNumber, toText } from '../items/cells';
import type { Usage } from './countUsage';

/*
 * Reads usage that was counted before, such as the rows of a table that stores it. These rows are added up. So a page needs
 * only a few of them, even after the messages have been deleted.
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

/** @returns undefined if the item is not such a row */
export function readUsageRow(json: IDataObject, index: number): Usage | undefined {
	if (typeof json.month !== 'string' || !MONTH.test(json.month)) return undefined;
	const { month, serviceId, ...counts } = usageRow.parse(json);
	if (counts.messages === undefined) return undefined;
	return { month, serviceId, counts, items: [index] };
}
