import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { flag, isBlank, text, toFlag } from './cells';
import type { MessageFact, Report } from './facts';

/*
 * Decides what an item of Send and Wait says: the report that ended the wait, or that the time was over. Rows of the
 * messages table have these fields too, but also a `state`.
 */

const waitItem = z.object({
	delivered: flag,
	status: text,
	errorCode: text,
	unknown: flag,
	list: text,
	reference: text,
	recipient: text,
	serviceId: text,
	messageId: text,
});

/** The status that the node gives to a message if no report came in time. */
const TIMEOUT = 'TIMEOUT';

/** @returns undefined if the item is not of this kind */
export function readWaitItem(json: IDataObject, index: number): MessageFact | undefined {
	const hasReport = toFlag(json.delivered) !== undefined && !isBlank(json.reference) && !isBlank(json.messageId);
	if (!isBlank(json.state) || (!hasReport && isBlank(json.waitId))) return undefined;
	const { delivered = false, status, errorCode, unknown, list = '', ...message } = waitItem.parse(json);
	const report: Report | undefined =
		status === undefined || status === TIMEOUT ? undefined : { delivered, final: true, status, errorCode };
	return { ...message, index, list, state: unknown === true ? 'unknown' : 'onItsWay', attempts: 1, report };
}
