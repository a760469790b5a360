import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { reviewItem, type ReviewedRow } from '../outgoing/reviewItem';
import { checkAll } from './sendAll';

/**
 * Checks a whole list and sends nothing.
 *
 * @returns one item for an approval: what would go out, what would be skipped, what is wrong with which rows, and a page
 */
export async function review(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const { rows, quiet } = await checkAll(context);
	const json = reviewItem(rows.map(toReviewed), quiet);
	return [{ json: json as unknown as IDataObject, pairedItem: rows.map((_, item) => ({ item })) }];
}

function toReviewed(row: IDataObject, index: number): ReviewedRow {
	const { recipient, text, segments, problem, skipReason } = row as {
		recipient: string;
		text?: string;
		segments?: number;
		problem?: string;
		skipReason?: string;
	};
	const place = { row: index + 1 };
	if (problem !== undefined) return { ...place, kind: 'faulty', error: problem };
	if (skipReason === 'sentBefore') return { ...place, kind: 'alreadySent' };
	if (skipReason === 'unknown' || skipReason === 'doNotSend') return { ...place, kind: skipReason };
	return { ...place, kind: 'wouldSend', recipient, ...(text !== undefined && { text, segments }) };
}
