import { jsonParse, type IDataObject } from 'n8n-workflow';

import { phoneKey } from '../../../lib/greek/mobile';
import { isDelivered, isFinal } from '../../../lib/smsPlatform/api';

/*
 * What one item says of one message: an item of SMS Send, a report, an item of a follow-up before, or any of them as a
 * table keeps it. Only in such an item a field counts as the node's; all else is the row's own, whatever its name.
 */

/**
 * The states of a message, most known first. `partly`: of a message of several SMS a part was delivered, and another was
 * not.
 */
export const STATES = [
	'delivered',
	'partly',
	'notDelivered',
	'late',
	'onItsWay',
	'unknown',
	'notWanted',
	'notSent',
] as const;
export type State = (typeof STATES)[number];

/** What one item says of a message: of its state no more than `onItsWay` where it was sent. Times: milliseconds since 1970. */
export type Fact = NonNullable<ReturnType<typeof readFact>>;

/** `answer`: as the words of the question have it; `other` where it is none of them. `at`: when it came. */
export type Answer = NonNullable<Fact['answer']>;

/**
 * `sent`, `failed`: SMS Send's. `kept`: an earlier follow-up's, or Send and Wait's. `row`: of a list. `other`: another
 * node's error, which says nothing of a message.
 */
type Kind = 'failed' | 'sent' | 'kept' | 'report' | 'forward' | 'row' | 'other';

/** The fields of each kind; a failed row's message stands in the `details`, and n8n may put the row's columns beside them. */
const FIELDS = {
	failed: fields('error message details'),
	sent: fields(
		'accepted recipient text segments serviceId messageId reference dlrUrl sentAt warning skipped skipReason unknown ' +
			'review quietUntil problem reason notice',
	),
	kept: fields(
		'reference recipient serviceId messageId text segments state notice sentAt delivered final status errorCode ' +
			'reportedAt attempts answer answerText answeredAt row unknown waitId warning',
	),
	report: fields('event serviceId recipient mobile status delivered final errorCode reference receivedAt'),
	row: fields(''),
};

function fields(names: string): Set<string> {
	return new Set(names.split(' '));
}

/** What the item of a row is put out with that is to be sent again. */
const OF_AGAIN = fields('againOf serviceId messageId');
/** What n8n's data tables add to each row: a sheet may have one of these columns, and hardly all three. */
const OF_TABLES = ['id', 'createdAt', 'updatedAt'];
/** By this name the number of a row stands among its columns where they are one text: no sheet has such a column. */
const ROW_NUMBER = 'details.row';

export function kindOf(json: IDataObject): Kind {
	if (!isAbsent(json.error)) return isAbsent(detailsIn(json).outcome) ? 'other' : 'failed';
	if (flagOf(json.accepted) !== undefined) return 'sent';
	if (json.event === 'deliveryReport') return 'report';
	if (json.event === 'smsForward') return 'forward';
	if (statedBy(json) !== undefined || Object.keys(parsed(json.row)).length > 0) return 'kept';
	// A list may have columns of these names too: they are a message's in what Send and Wait put out, or with nothing else.
	const isMessage = [json.serviceId, json.messageId, json.reference].every((value) => !isAbsent(value));
	const isAlone = () => present(json).every(([name]) => FIELDS.kept.has(name) || OF_TABLES.includes(name));
	return isMessage && (flagOf(json.delivered) !== undefined || isAlone()) ? 'kept' : 'row';
}

/** A table may have kept them as text. */
const detailsIn = ({ details }: IDataObject): IDataObject =>
	typeof details === 'string' ? parsed(details) : objectOf(details);

/** Reads an item. @param index its place in the input, from 0 @returns undefined where it says nothing of a message */
export function readFact(json: IDataObject, index: number) {
	const kind = kindOf(json);
	if (kind === 'forward' || kind === 'other') return undefined;
	const { ours, columns, row } = split(json, kind);
	const text = (name: string) => textOf(ours[name]);

	const report = kind === 'report' || kind === 'kept' ? reportOf(ours) : undefined;
	const isLone = isAbsent(ours.list) && isAbsent(ours.attempts) && isAbsent(ours.messageId);
	const isReport = kind === 'report' || (kind === 'kept' && report !== undefined && isLone);
	// A row that failed as another attempt before it had a reference says so of the one before.
	const reference = text('reference') ?? text('againOf');
	const againOf = text('againOf') === reference ? undefined : text('againOf');
	if (isReport ? report === undefined : kind === 'row' && reference === undefined && columns === undefined)
		return undefined;

	const state = isReport ? 'onItsWay' : stateOf(kind, ours, reference);
	const hasLeft = !isReport && state !== 'notWanted' && state !== 'notSent';
	const createdAt = timeOf(ours.createdAt);
	// A row of a table is newer than what it says: what was late once stays so.
	const since = ours.state === 'late' ? 0 : (createdAt ?? (ours.state === 'onItsWay' ? Infinity : undefined));
	const answeredAt = timeOf(ours.answeredAt);
	return {
		/** The place of its item in the input, from 0. */
		index,
		/** Whether it is only a report, without what a message has. */
		isReport,
		/** Empty where it has none. */
		list: text('list') ?? '',
		reference,
		/** The reference of the attempt before it. */
		againOf,
		recipient: text('recipient'),
		serviceId: text('serviceId'),
		messageId: text('messageId'),
		text: text('text'),
		segments: numberOf(ours.segments),
		/** The row's own, without empty cells. */
		columns: isReport ? undefined : columns,
		/** The number of a faulty row in its list: two rows may have the same cells. */
		row: reference === undefined ? row : undefined,
		state,
		/** Of one that was not sent: why, for people. */
		notice: text('notice'),
		/** `since`: since when it is as it is, as far as that is known. */
		...(hasLeft && { sentAt: timeOf(ours.sentAt), since }),
		createdAt,
		/** How many attempts there were up to this one. */
		attempts: Math.max(againOf === undefined ? 1 : 2, numberOf(ours.attempts) ?? 0),
		report,
		...(answeredAt !== undefined && {
			answer: { answer: text('answer') ?? '', text: text('answerText'), at: answeredAt },
		}),
	};
}

/** The fields of an item that are a node's, and what is the row's own: its columns, and its number where that is known. */
function split(json: IDataObject, kind: Exclude<Kind, 'forward' | 'other'>) {
	const details = kind === 'failed' ? detailsIn(json) : {};
	const isOfTable = OF_TABLES.every((name) => !isAbsent(json[name]));
	const isOfAgain = (name: string, of: IDataObject) => OF_AGAIN.has(name) && !isAbsent(of.againOf);
	const isOurs = (name: string): boolean => {
		if (isOfAgain(name, json)) return true;
		// A text of ours comes with the number of its SMS.
		if (kind === 'sent' && name === 'text') return !isAbsent(json.segments);
		return name === 'list' || FIELDS[kind].has(name) || (isOfTable && OF_TABLES.includes(name));
	};
	const given = present(json);
	const input = objectOf(details.input);
	const ofAgain = present(input).filter(([name]) => isOfAgain(name, input));
	const ours: IDataObject = Object.fromEntries([
		...ofAgain,
		...given.filter(([name]) => isOurs(name)),
		...present(details),
	]);
	const { [ROW_NUMBER]: number, ...kept } = parsed(ours.row);
	const own = isAbsent(details.input)
		? given.filter(([name]) => !isOurs(name))
		: present(input).filter(([name]) => !isOfAgain(name, input));
	const columns = Object.fromEntries([...present(kept), ...own]);
	return {
		ours,
		columns: Object.keys(columns).length === 0 ? undefined : (columns as IDataObject),
		row: numberOf(kind === 'failed' ? details.row : number),
	};
}

function stateOf(kind: Kind, ours: IDataObject, reference: string | undefined): State {
	if (kind === 'row') return 'notSent';
	if (kind === 'failed') return ours.outcome === 'rejected' ? 'notSent' : 'unknown';
	const isUnknown = flagOf(ours.unknown) === true || ours.skipReason === 'unknown';
	if (kind === 'sent') {
		// `twice`: a review says of a row that the one before it is the same.
		if (!isAbsent(ours.problem) || ours.skipReason === 'twice') return 'notSent';
		if (ours.skipReason === 'doNotSend') return 'notWanted';
		if (isUnknown) return 'unknown';
		return flagOf(ours.accepted) === true || flagOf(ours.skipped) === true ? 'onItsWay' : 'notSent';
	}
	const stated = statedBy(ours);
	if (stated !== undefined) return stated;
	// Send and Wait: its wait ended with a report, or with the time.
	if (textOf(ours.status) !== undefined && !isUnknown) return 'onItsWay';
	return reference === undefined ? 'notSent' : 'unknown';
}

const statedBy = (json: IDataObject): State | undefined => STATES.find((each) => each === json.state);

function reportOf(ours: IDataObject) {
	const status = textOf(ours.status);
	if (status === undefined && ours.state !== 'delivered' && ours.state !== 'notDelivered') return undefined;
	// Send and Wait has waited in vain.
	if (status === 'TIMEOUT' && isAbsent(ours.state)) return undefined;
	const delivered = flagOf(ours.delivered) ?? (status === undefined ? ours.state === 'delivered' : isDelivered(status));
	const final = delivered || (flagOf(ours.final) ?? (status === undefined || isFinal(status)));
	const at = timeOf(ours.receivedAt) ?? timeOf(ours.reportedAt) ?? timeOf(ours.createdAt);
	return { delivered, final, status, errorCode: textOf(ours.errorCode), reportedAt: isoOf(at) };
}

/** The columns of a row, and its number where it is faulty, as one text, as a table keeps them. */
export function rowText({ columns = {}, row }: Partial<Pick<Fact, 'columns' | 'row'>>): string | undefined {
	const all = row === undefined ? columns : { ...columns, [ROW_NUMBER]: row };
	return Object.keys(all).length === 0 ? undefined : JSON.stringify(all);
}

const present = (item: IDataObject) => Object.entries(item).filter(([, value]) => !isAbsent(value));

const parsed = (text: unknown) =>
	typeof text === 'string' ? objectOf(jsonParse<unknown>(text, { fallbackValue: {} })) : {};

const objectOf = (value: unknown): IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as IDataObject) : {};

/** A table has nulls, and a sheet empty texts, where there is nothing. */
const isAbsent = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** A text or a number as text, without white space around it; undefined where there is none. */
export const textOf = (value: unknown): string | undefined =>
	(typeof value === 'string' && !isAbsent(value)) || typeof value === 'number' ? String(value).trim() : undefined;

function numberOf(value: unknown): number | undefined {
	const number = Number(textOf(value) ?? NaN);
	return Number.isFinite(number) ? number : undefined;
}

/** The same for every spelling of a number or a user name. */
export function personOf(recipient: string): string {
	return phoneKey(recipient);
}

const FLAGS = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }));
const flagOf = (value: unknown): boolean | undefined =>
	typeof value === 'boolean' ? value : FLAGS.get(textOf(value)?.toLowerCase() ?? '');

/** A time as an item has it. */
export const isoOf = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

const ZONELESS = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(:\d\d(\.\d+)?)?)$/;

/** A time as text, which is in UTC where a table keeps it without a zone, as a number, or as a date object. */
export function timeOf(value: unknown): number | undefined {
	const written = typeof value === 'string' && !isAbsent(value) ? value.replace(ZONELESS, '$1T$2Z') : value;
	const isReadable = typeof written === 'string' || typeof written === 'number' || written instanceof Date;
	const time = isReadable ? new Date(written).getTime() : NaN;
	return Number.isNaN(time) ? undefined : time;
}
