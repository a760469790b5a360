import { jsonParse, type IDataObject } from 'n8n-workflow';
import type { z } from 'zod';

import { isDelivered, isFinal } from '../../../lib/smsPlatform/api';
import { isBlank, itemSchema, toFlag, toIso, toNumber, toRecord, toText, toTime } from './cells';
import { STATES, type Answer, type MessageFact, type Report, type ReportFact, type State } from './facts';

/*
 * Reads a row of the messages table: an item that the output Messages of Who Got It made. The item comes directly from that node
 * or from a data table. A row without `list`, `messageId` and `attempts` is a report whose message was not among the items.
 */

const tableRow = itemSchema({
	list: toText,
	reference: toText,
	againOf: toText,
	recipient: toText,
	serviceId: toText,
	messageId: toText,
	text: toText,
	segments: toNumber,
	notice: toText,
	sentAt: toTime,
	createdAt: toTime,
	attempts: toNumber,
	delivered: toFlag,
	final: toFlag,
	status: toText,
	errorCode: toText,
	reportedAt: toTime,
	answer: toText,
	answerText: toText,
	answeredAt: toTime,
	row: toText,
});
type TableRow = z.infer<typeof tableRow>;

/**
 * The name under which the number of a faulty row is stored among its columns. A sheet is not likely to have a column of this
 * name.
 */
const ROW_NUMBER = 'details.row';

const stateIn = ({ state }: IDataObject): State | undefined => STATES.find((each) => each === state);

/** Reads a row of the messages table. Undefined: the item is not of this kind. */
export function readTableRow(json: IDataObject, index: number): MessageFact | ReportFact | undefined {
	const state = stateIn(json);
	if (state === undefined) return undefined;
	const item = tableRow.parse(json);
	const { reference, recipient, serviceId } = item;
	const report = reportIn(item, state);
	const isOnlyReport = item.list === undefined && item.attempts === undefined && item.messageId === undefined;
	if (isOnlyReport && report !== undefined) return { index, reference, recipient, serviceId, report };

	const { messageId, text, segments, notice, createdAt, attempts = 1 } = item;
	const againOf = item.againOf === reference ? undefined : item.againOf;
	const { columns, row } = readColumns(item.row);
	const wasSent = state !== 'notSent' && state !== 'notWanted';
	return {
		...{ index, list: item.list ?? '', reference, againOf, recipient, serviceId, messageId, text, segments, columns },
		row: reference === undefined ? row : undefined,
		state,
		notice,
		...(wasSent && { sentAt: item.sentAt, since: sinceWhen(state, createdAt) }),
		createdAt,
		attempts: Math.max(attempts, againOf === undefined ? 1 : 2),
		report,
		answer: answerIn(item),
	};
}

/**
 * Returns the time from which a message has had its state. For a message that is late, the time is 0, so that the message stays
 * late. An item without `createdAt` was never in a table, so it was made just now. If its message is on its way, the time is
 * Infinity, so that the message is not late yet.
 */
function sinceWhen(state: State, createdAt: number | undefined): number | undefined {
	if (state === 'late') return 0;
	return createdAt ?? (state === 'onItsWay' ? Infinity : undefined);
}

function reportIn(item: TableRow, state: State): Report | undefined {
	const { status, errorCode } = item;
	if (status === undefined && state !== 'delivered' && state !== 'notDelivered') return undefined;
	const delivered = item.delivered ?? (status === undefined ? state === 'delivered' : isDelivered(status));
	const final = delivered || (item.final ?? (status === undefined || isFinal(status)));
	return { delivered, final, status, errorCode, reportedAt: toIso(item.reportedAt ?? item.createdAt) };
}

function answerIn({ answer = '', answerText, answeredAt }: TableRow): Answer | undefined {
	return answeredAt === undefined ? undefined : { answer, text: answerText, at: answeredAt };
}

/** Returns the columns of a row as one JSON text for a table, together with the number of a faulty row. */
export function writeColumns({ columns = {}, row }: Pick<MessageFact, 'columns' | 'row'>): string | undefined {
	const all = row === undefined ? columns : { ...columns, [ROW_NUMBER]: row };
	return Object.keys(all).length === 0 ? undefined : JSON.stringify(all);
}

function readColumns(written: string | undefined): Pick<MessageFact, 'columns' | 'row'> {
	if (written === undefined) return {};
	const { [ROW_NUMBER]: row, ...columns } = toRecord(jsonParse<unknown>(written, { fallbackValue: {} }));
	const kept = Object.entries(columns).filter(([, value]) => !isBlank(value));
	return { columns: kept.length === 0 ? undefined : (Object.fromEntries(kept) as IDataObject), row: toNumber(row) };
}
