import type { IDataObject } from 'n8n-workflow';

import { withoutUndefined } from '../../../lib/n8n/items';
import type { Language } from '../../../lib/texts/notice';
import { toIso } from '../items/cells';
import { writeColumns } from '../items/tableRow';
import type { OtherReport } from '../messages/join';
import type { Message } from '../messages/message';
import { noticeOfMessage } from './stateTexts';

/*
 * Makes the items of the outputs Messages and Rows to Send Again. In a later run `items/tableRow` reads the items of Messages.
 */

/** Returns a message as an item for the messages table. */
export function messageItem(message: Message, language: Language): IDataObject {
	const { list, reference, recipient, serviceId, messageId, text, segments, state, sentAt, report, answer } = message;
	return withoutUndefined({
		list: list === '' ? undefined : list,
		...{ reference, recipient, serviceId, messageId, text, segments, state },
		notice: noticeOfMessage(message, language),
		sentAt: toIso(sentAt),
		...report,
		attempts: message.attempts,
		againOf: message.againOf,
		answer: answer?.answer,
		answerText: answer?.text,
		answeredAt: toIso(answer?.at),
		row: writeColumns(message),
	});
}

/**
 * Returns a report without its message as an item. The item has no `list`, `messageId` and `attempts`. By this `items/tableRow`
 * recognises it as a report.
 */
export function reportItem({ reference, recipient, serviceId, report }: OtherReport): IDataObject {
	const end = report.delivered ? 'delivered' : 'notDelivered';
	return withoutUndefined({ reference, recipient, serviceId, state: report.final ? end : 'onItsWay', ...report });
}

/** Returns the row of a message as an item for SMS Send, which sends the message again. */
export const againItem = ({ columns, serviceId, messageId, reference }: Message): IDataObject =>
	withoutUndefined({ ...columns, serviceId, messageId, againOf: reference });
