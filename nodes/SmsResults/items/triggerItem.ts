import type { IDataObject } from 'n8n-workflow';

import { isDelivered, isFinal } from '../../../lib/smsPlatform/api';
import { asItIs, itemSchema, toFlag, toIso, toText, toTime } from './cells';
import type { IncomingSms, ReportFact } from './facts';

/*
 * Reads an item of SMS Trigger: a delivery report or an incoming SMS. If the item has no time of arrival and comes from a data
 * table, the time at which its row was added to the table is used.
 */

const reportItem = itemSchema({
	reference: toText,
	recipient: toText,
	serviceId: toText,
	status: toText,
	delivered: toFlag,
	final: toFlag,
	errorCode: toText,
	receivedAt: toTime,
	createdAt: toTime,
});

const forwardItem = itemSchema({
	msisdn: toText,
	mobile: toText,
	keyword: toText,
	matchedKeyword: toText,
	body: toText,
	words: asItIs,
	smsForwardId: toText,
	receivedAt: toTime,
	createdAt: toTime,
});

/** Reads a delivery report. Undefined: the item is not of this kind, or it has no status. */
export function readReportItem(json: IDataObject, index: number): ReportFact | undefined {
	if (json.event !== 'deliveryReport') return undefined;
	const { reference, recipient, serviceId, status, errorCode, ...item } = reportItem.parse(json);
	if (status === undefined) return undefined;
	const delivered = item.delivered ?? isDelivered(status);
	const final = delivered || (item.final ?? isFinal(status));
	const reportedAt = toIso(item.receivedAt ?? item.createdAt);
	return { index, reference, recipient, serviceId, report: { delivered, final, status, errorCode, reportedAt } };
}

/** Reads an incoming SMS. Undefined: the item is not of this kind, or its sender or its time is missing. */
export function readForwardItem(json: IDataObject, index: number): IncomingSms | undefined {
	if (json.event !== 'smsForward') return undefined;
	const { msisdn, mobile, receivedAt, createdAt, ...sms } = forwardItem.parse(json);
	const from = mobile ?? msisdn;
	const at = receivedAt ?? createdAt;
	return from === undefined || at === undefined ? undefined : { ...sms, index, from, at };
}
