import type { IDataObject } from 'n8n-workflow';

import { joined } from '../../../../../nodes/SmsResults/whoGotIt/join';
import { messageItem } from '../../../../../nodes/SmsResults/whoGotIt/outputs';

/* What is followed up, as SMS Send, SMS Trigger and a data table put it out, and what is made of it. */

export const NOW = Date.parse('2026-01-20T12:00:00Z');
export const ago = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();

export const sent = (reference: string, more: IDataObject = {}): IDataObject => ({
	...{ accepted: true, recipient: '6900000001', text: 'Γεια', segments: 1, serviceId: 'grades', messageId: 'result' },
	...{ reference, sentAt: ago(0.5), list: 'Βαθμοί' },
	...more,
});
export const skipped = (skipReason: string, more: IDataObject = {}) =>
	sent('a', { accepted: false, skipped: true, skipReason, sentAt: undefined, ...more });
export const report = (reference: string | undefined, status = 'DELIVRD', more: IDataObject = {}): IDataObject => ({
	...{ event: 'deliveryReport', serviceId: 'grades', recipient: '306900000001', mobile: '6900000001' },
	...{ status, delivered: status === 'DELIVRD', final: status !== 'SENT', receivedAt: ago(0.1) },
	...(reference !== undefined && { reference }),
	...more,
});
/** What a data table adds to a row. */
export const ofTable = (hours: number) => ({ id: 7, createdAt: ago(hours), updatedAt: ago(0) });

export const joinNow = (items: IDataObject[], late = 1) => joined(items, NOW, late).messages;
/** What a follow-up says, to be followed up again. */
export const saidOf = (items: IDataObject[]) => joinNow(items).map((message) => messageItem(message, 'el'));
