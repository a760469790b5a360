import type { IDataObject } from 'n8n-workflow';

import { isBlank, itemSchema, toFlag, toText } from './cells';
import type { MessageFact, Report } from './facts';

/*
 * Reads an item of Send and Wait. It contains the report that ended the wait, or it says that the waiting time is over. Rows of
 * the messages table have fields of the same names, but they also have a `state`.
 */

const waitItem = itemSchema({
	delivered: toFlag,
	status: toText,
	errorCode: toText,
	unknown: toFlag,
	list: toText,
	reference: toText,
	recipient: toText,
	serviceId: toText,
	messageId: toText,
});

/** The status in an item of Send and Wait if no report arrived in time. */
const TIMEOUT = 'TIMEOUT';

/** Reads an item of Send and Wait. Undefined: the item is not of this kind. */
export function readWaitItem(json: IDataObject, index: number): MessageFact | undefined {
	const hasReport = toFlag(json.delivered) !== undefined && !isBlank(json.reference) && !isBlank(json.messageId);
	if (!isBlank(json.state) || (!hasReport && isBlank(json.waitId))) return undefined;
	const { delivered = false, status, errorCode, unknown, list = '', ...message } = waitItem.parse(json);
	const report: Report | undefined =
		status === undefined || status === TIMEOUT ? undefined : { delivered, final: true, status, errorCode };
	return { ...message, index, list, state: unknown === true ? 'unknown' : 'onItsWay', attempts: 1, report };
}
