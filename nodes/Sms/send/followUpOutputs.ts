import type { IDataObject } from 'n8n-workflow';

import type { Language } from '../../shared/notice';
import { greekMobile } from '../../shared/greek';
import { ownColumns } from '../../shared/columns';
import { countSegments } from '../segments';
import type { LoneReport, Message } from './fold';
import { STATES, type Report, type State } from './followUpFact';
import { labelOf, stateNotice } from './followUpWords';

/** After how long it is taken that nobody will say any more whether a message was sent. */
const DAY = 86_400_000;

const noticeOf = ({ state, report, notice }: Message, language: Language) =>
	stateNotice(state, report?.errorCode, notice, language);

/** A message as an item that a data table takes, and that can be followed up again. */
export function messageItem(message: Message, language: Language): IDataObject {
	const { list, reference, recipient, serviceId, messageId, text, segments, state, sentAt, report, columns } = message;
	return withoutAbsent({
		list: list === '' ? undefined : list,
		reference,
		recipient,
		serviceId,
		messageId,
		text,
		segments,
		state,
		notice: noticeOf(message, language),
		sentAt: iso(sentAt),
		...reported(report),
		attempts: message.attempts,
		againOf: message.againOf,
		row: Object.keys(columns).length > 0 ? JSON.stringify(columns) : undefined,
	});
}

/** A report on a message that is not there. Without a list and a number of attempts, it is read as a report again. */
export function reportItem({ reference, recipient, serviceId, report }: LoneReport): IDataObject {
	const state: State = report.delivered ? 'delivered' : report.final ? 'notDelivered' : 'onItsWay';
	return withoutAbsent({ reference, recipient, serviceId, state, ...reported(report) });
}

const reported = (report: Report | undefined) =>
	report && {
		delivered: report.delivered,
		final: report.final,
		status: report.status,
		errorCode: report.errorCode,
		reportedAt: iso(report.at),
	};

const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

const withoutAbsent = (item: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

/** Headings of what a sheet has behind the columns of the list. */
const HEADINGS = {
	el: ['Κατάσταση', 'Γιατί', 'Στάλθηκε', 'Αναφορά'],
	en: ['State', 'Why', 'Sent', 'Report'],
} as const;
/** Where no row has columns of its own, it has to say at least whom it is about. */
const RECIPIENT = { el: 'Παραλήπτης', en: 'Recipient' };

/**
 * A sheet with a row for each message. Every row has every column: a sheet has them in the order in which they come first.
 *
 * @param timeZone of the times in it
 */
export function sheetRows(messages: Message[], language: Language, timeZone: string): IDataObject[] {
	const inOne = language === 'en' ? 'en' : 'el';
	const all = ownColumns(new Set(messages.flatMap(({ columns }) => Object.keys(columns))), HEADINGS, inOne);
	const time = openClock(timeZone);
	return messages.map((message) => {
		const { columns, state, recipient = '', sentAt, report } = message;
		const own =
			all.length === 0
				? [[RECIPIENT[inOne], recipient]]
				: all.map((name) => [name, Object.hasOwn(columns, name) ? columns[name] : '']);
		const why = noticeOf(message, inOne) ?? '';
		const ours = [labelOf(state)[inOne], why, time(sentAt), time(report?.at)];
		return Object.fromEntries([
			...own,
			...HEADINGS[inOne].map((heading, index) => [heading, ours[index]]),
		]) as IDataObject;
	});
}

/** Times as a Greek sheet shows them, on the clock of that zone. */
function openClock(timeZone: string): (time: number | undefined) => string {
	const format = new Intl.DateTimeFormat('en-GB', {
		timeZone,
		day: '2-digit',
		month: '2-digit',
		year: 'numeric',
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23',
	});
	return (time) => (time === undefined ? '' : format.format(time).replace(',', ''));
}

/** Whether nobody will say any more whether it was sent. */
const isUnknownForGood = ({ state, since }: Message, now: number) =>
	state === 'unknown' && since !== undefined && now - since > DAY;

/** The messages that may go out again. @param withUnknown also those that may have been sent, after a day */
export const toSendAgain = (messages: Message[], withUnknown: boolean, now: number): Message[] =>
	messages.filter(
		(message) =>
			message.reference !== undefined &&
			(message.state === 'notDelivered' || (withUnknown && isUnknownForGood(message, now))),
	);

/** The row of a message, to be sent again. */
export const againItem = ({ columns, serviceId, messageId, reference }: Message): IDataObject =>
	withoutAbsent({ ...columns, serviceId, messageId, againOf: reference });

/** How the messages of one list stand. */
export type Counts = Record<State, number> & {
	messages: number;
	/** How many people could get theirs again, and how many SMS that is, where the texts are known. */
	again: number;
	againSegments: number;
	/** How many more if those were sent to as well of whom nobody knows whether they got it. */
	unknownToo: number;
	/** Whether some texts are not known, so that it is more SMS than that. */
	atLeast: boolean;
};

/** Why messages did not go out, in the words for people. */
export interface Left {
	notice: string;
	messages: Message[];
}

export type ListCounts = Counts & { list: string; left: Left[] };

/** The counts of each list, the newest first, and of all. */
export function countLists(
	messages: Message[],
	withUnknown: boolean,
	now: number,
	language: Language,
): { byList: ListCounts[]; all: Counts } {
	const lists = new Map<string, Message[]>();
	for (const message of messages) {
		const list = lists.get(message.list);
		if (list === undefined) lists.set(message.list, [message]);
		else list.push(message);
	}
	const lastSent = (list: string) =>
		lists.get(list)!.reduce((last, message) => Math.max(last, message.lastSent ?? 0), 0);
	const byList = [...lists]
		.map(([list, of]) => ({ list, ...countOf(of, withUnknown, now), left: leftOf(of, language) }))
		.sort((one, other) => lastSent(other.list) - lastSent(one.list) || (one.list < other.list ? -1 : 1));
	return { byList, all: sumOf(byList) };
}

/** What did not go out, or perhaps not, by its reason; the most frequent first. */
function leftOf(messages: Message[], language: Language): Left[] {
	const reasons = new Map<string, Left>();
	for (const message of messages) {
		if (!['notSent', 'unknown', 'notWanted'].includes(message.state)) continue;
		const notice = noticeOf(message, language) ?? '';
		const left = reasons.get(notice);
		if (left === undefined) reasons.set(notice, { notice, messages: [message] });
		else left.messages.push(message);
	}
	return [...reasons.values()].sort((one, other) => other.messages.length - one.messages.length);
}

function countOf(messages: Message[], withUnknown: boolean, now: number): Counts {
	const again = toSendAgain(messages, withUnknown, now);
	const sizes = again.map(({ segments, text }) => segments ?? (text === undefined ? undefined : countSegments(text)));
	const states = STATES.map((state) => [state, messages.filter((message) => message.state === state).length]);
	return {
		messages: messages.length,
		...(Object.fromEntries(states) as Record<State, number>),
		again: peopleOf(again),
		againSegments: sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
		unknownToo: peopleOf(messages.filter((message) => isUnknownForGood(message, now))),
		atLeast: sizes.includes(undefined),
	};
}

/** Several messages may be for one person. */
const peopleOf = (messages: Message[]) =>
	new Set(
		messages.map(({ recipient = '', reference }) => (greekMobile(recipient) ?? recipient.toLowerCase()) || reference),
	).size;

function sumOf(byList: ListCounts[]): Counts {
	const add = (name: Exclude<keyof Counts, 'atLeast'>) => byList.reduce((sum, counts) => sum + counts[name], 0);
	return {
		messages: add('messages'),
		...(Object.fromEntries(STATES.map((state) => [state, add(state)])) as Record<State, number>),
		again: add('again'),
		againSegments: add('againSegments'),
		unknownToo: add('unknownToo'),
		atLeast: byList.some(({ atLeast }) => atLeast),
	};
}
