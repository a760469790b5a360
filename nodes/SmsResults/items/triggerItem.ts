import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { isDelivered, isFinal } from '../../../lib/smsPlatform/api';
import { flag, text, time, toIso } from './cells';
import type { IncomingSms, ReportFact } from './facts';

/*
 * Decides what an item of SMS Trigger says: it is a delivery report or an SMS that came in. A table may have kept it; then
 * the time at which the table took it stands in for one that is missing.
 */

const reportItem = z.object({
	reference: text,
	recipient: text,
	serviceId: text,
	status: text,
	delivered: flag,
	final: flag,
	errorCode: text,
	receivedAt: time,
	createdAt: time,
});

const forwardItem = z.object({
	msisdn: text,
	mobile: text,
	keyword: text,
	matchedKeyword: text,
	body: text,
	words: z.unknown(),
	smsForwardId: text,
	receivedAt: time,
	createdAt: time,
});

/** @returns undefined if the item is not of this kind, or has no status */
export function readReportItem(json: IDataObject, index: number): ReportFact | undefined {
	if (json.event !== 'deliveryReport') return undefined;
	const { reference, recipient, serviceId, status, errorCode, ...item } = reportItem.parse(json);
	if (status === undefined) return undefined;
	const delivered = item.delivered ?? isDelivered(status);
	const final = delivered || (item.final ?? isFinal(status));
	const reportedAt = toIso(item.receivedAt ?? item.createdAt);
	return { index, reference, recipient, serviceId, report: { delivered, final, status, errorCode, reportedAt } };
}

/** @returns undefined if the item is not of this kind, or if its sender or its time is missing */
export function readForwardItem(json: IDataObject, index: number): IncomingSms | undefined {
	if (json.event !== 'smsForward') return undefined;
	const { msisdn, mobile, receivedAt, createdAt, ...sms } = forwardItem.parse(json);
	const from = mobile ?? msisdn;
	const at = receivedAt ?? createdAt;
	return from === undefined || at === undefined ? undefined : { ...sms, index, from, at };
}
