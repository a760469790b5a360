import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { number, text } from '../items/cells';
import type { Usage } from './countUsage';

/*
 * Decides which items are usage that was counted before, such as the rows of a table that keeps it. They are added up, so
 * that a page needs only these few rows, also after the messages have been deleted.
 */

const usageRow = z.object({
	month: z.string().regex(/^\d{4}-\d{2}$/),
	serviceId: text,
	messages: number,
	segments: number,
	withoutText: number,
	delivered: number,
	partly: number,
	notDelivered: number,
	unknown: number,
	open: number,
});

/** @returns undefined if the item is none */
export function readUsageRow(json: IDataObject, index: number): Usage | undefined {
	const row = usageRow.safeParse(json);
	if (!row.success || row.data.messages === undefined) return undefined;
	const { month, serviceId, ...counts } = row.data;
	return { month, serviceId, counts, items: [index] };
}
