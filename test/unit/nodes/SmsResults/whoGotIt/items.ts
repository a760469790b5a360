import type { IDataObject } from 'n8n-workflow';

import { readItems } from '../../../../../nodes/SmsResults/items/readItems';
import { joinMessages } from '../../../../../nodes/SmsResults/messages/join';
import { withAnswers } from '../../../../../nodes/SmsResults/whoGotIt/answers';
import type { Question } from '../../../../../nodes/SmsResults/whoGotIt/answerWords';
import { sheetRows } from '../../../../../nodes/SmsResults/whoGotIt/sheet';
import { summaryItem, type SummaryInput } from '../../../../../nodes/SmsResults/whoGotIt/summaryItem';
import { messageItem } from '../../../../../nodes/SmsResults/whoGotIt/tableItems';

/* Makes items of SMS Send, SMS Trigger and the messages table, and runs SMS Results with them. */

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
/** Returns the columns that a data table adds to a row that was stored this many hours ago. */
export const ofTable = (hours: number) => ({ id: 7, createdAt: ago(hours), updatedAt: ago(0) });

export type Message = SummaryInput['messages'][number];

export function join(items: IDataObject[], lateAfterHours = 1, unnamed = '') {
	const { messages, reports } = readItems(items);
	return joinMessages(messages, reports, { now: NOW, lateAfterHours }, unnamed);
}
export const joinNow = (items: IDataObject[], lateAfterHours = 1) => join(items, lateAfterHours).messages;

/** Returns the items that the output *Messages* has. */
export const messageItems = (items: IDataObject[]) => joinNow(items).map((message) => messageItem(message, 'el'));

/** Returns the rows of a messages table in which the items were stored this many hours ago. */
export const tableRows = (items: IDataObject[], hours: number) =>
	messageItems(items).map((item) => ({ ...item, ...ofTable(hours) }));

export const answer = (
	messages: Message[],
	items: IDataObject[],
	question: Question | undefined,
	others: Message[] = [],
) => withAnswers(messages, readItems(items).incoming, question, others);

export const summarize = (messages: Message[], more: Partial<SummaryInput> = {}) =>
	summaryItem({ messages, which: 'notDelivered', question: undefined, now: NOW, language: 'el', ...more });

export const sheetOf = (messages: Message[], more: Partial<Parameters<typeof sheetRows>[0]> = {}) =>
	sheetRows({ messages, otherAnswers: undefined, language: 'el', timeZone: 'Europe/Athens', ...more });
