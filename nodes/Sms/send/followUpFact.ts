import type { IDataObject } from 'n8n-workflow';

import { isDelivered, isFinal } from '../wire';

/*
 * What one item says of one message: an item of SMS Send, a report of SMS Trigger, an item of a follow-up before, or any of
 * them as a table keeps it.
 */

export const STATES = ['delivered', 'notDelivered', 'late', 'onItsWay', 'unknown', 'notWanted', 'notSent'] as const;
export type State = (typeof STATES)[number];

/** What a delivery report says. */
export interface Report {
	status?: string;
	delivered: boolean;
	final: boolean;
	errorCode?: string;
	/** When it came. In milliseconds since 1970, as all times here. */
	at?: number;
}

/** By what a message is known, and what belongs to it. */
export interface Names {
	recipient?: string;
	serviceId?: string;
	messageId?: string;
	text?: string;
	segments?: number;
}

export interface Fact extends Names {
	/** The place of its item in the input, from 0. */
	index: number;
	/** An item without what a message has is only a report. */
	isReport: boolean;
	/** Empty where it names none. */
	list: string;
	reference?: string;
	/** The reference of an attempt before this one. */
	againOf?: string;
	/**
	 * What became of the message as far as this item knows. `begun`: it may have left. `reviewed`: it was looked at, and found to
	 * be one that would go out.
	 */
	outcome: 'taken' | 'begun' | 'notWanted' | 'notSent' | 'reviewed' | 'reviewedTaken' | 'none';
	/** Where two items differ in a name, the one that knows it better counts. */
	weight: number;
	/** The row's own columns, without empty cells. */
	columns: IDataObject;
	notice?: string;
	sentAt?: number;
	createdAt?: number;
	/** What an earlier follow-up found, where no time is known by which it can be found again. */
	stated?: State;
	attempts: number;
	report?: Report;
}

/** Fields of the nodes, and of n8n's data tables, which are no columns of a row. */
const FIELDS = new Set(
	(
		'accepted recipient text segments serviceId messageId reference dlrUrl sentAt warning skipped skipReason unknown review ' +
		'quietUntil problem reason notice error details delivered final status errorCode receivedAt event ' +
		'list state reportedAt attempts againOf row id createdAt updatedAt'
	).split(' '),
);
/** Names that a sheet may have too; they are the trigger's where the item says which event it was. */
const FIELDS_OF_EVENTS = new Set('mobile msisdn keyword matchedKeyword body words smsForwardId'.split(' '));

/**
 * Reads an item.
 *
 * @param index its place in the input, from 0
 * @returns undefined where it says nothing of a message
 */
export function readFact(json: IDataObject, index: number): Fact | undefined {
	const details = objectOf(json.details);
	const input = objectOf(details.input);
	const find = (name: string) => [details, json, input].map((from) => from[name]).find((value) => !isAbsent(value));
	const text = (name: string) => textOf(find(name));

	const isError = !isAbsent(json.error);
	const columns = columnsOf(isError ? input : json, find('row'));
	const message = {
		index,
		list: text('list') ?? '',
		reference: text('reference'),
		againOf: text('againOf'),
		recipient: text('recipient'),
		serviceId: text('serviceId'),
		messageId: text('messageId'),
		text: typeof find('text') === 'string' ? (find('text') as string) : undefined,
		segments: numberOf(find('segments')),
		columns,
		createdAt: timeOf(json.createdAt),
		isReport: false,
		attempts: 1,
	};
	const sentAt = timeOf(find('sentAt'));
	const notice = text('notice');

	if (isError) {
		const isRejected = details.outcome === 'rejected';
		return isRejected
			? { ...message, outcome: 'notSent', weight: 2, notice }
			: { ...message, outcome: 'begun', weight: 4, sentAt };
	}
	const accepted = flagOf(json.accepted);
	if (accepted === true && flagOf(json.skipped) !== true) return { ...message, outcome: 'taken', weight: 5, sentAt };
	if (accepted !== undefined) return { ...message, outcome: outcomeOfSkipped(json), weight: 3, notice };

	const state = STATES.find((each) => each === json.state);
	const report = reportOf(json, state);
	const isLone = isAbsent(json.list) && isAbsent(json.attempts) && isAbsent(json.messageId);
	if (json.event === 'deliveryReport' || (report !== undefined && isLone))
		return { ...message, isReport: true, outcome: 'none', weight: 0, columns: {}, report };
	if (!isAbsent(json.event)) return undefined;
	if (state !== undefined) {
		const attempts = Math.max(1, numberOf(json.attempts) ?? 1);
		const found = { ...message, outcome: OUTCOMES[state], weight: 1, sentAt, attempts, report };
		return { ...found, stated: state, ...(state === 'notSent' && { notice }) };
	}
	if (report !== undefined) return waited(message, json, report);
	if (message.reference !== undefined) return { ...message, outcome: 'begun', weight: 1, sentAt };
	return Object.keys(columns).length === 0 ? undefined : { ...message, outcome: 'notSent', weight: 1, notice };
}

const OUTCOMES: Record<State, Fact['outcome']> = {
	delivered: 'taken',
	notDelivered: 'taken',
	late: 'taken',
	onItsWay: 'taken',
	unknown: 'begun',
	notWanted: 'notWanted',
	notSent: 'notSent',
};

/** What became of a message that this run did not send, or that was only reviewed. */
function outcomeOfSkipped(json: IDataObject): Fact['outcome'] {
	const isReview = flagOf(json.review) === true;
	if (!isAbsent(json.problem)) return 'notSent';
	if (json.skipReason === 'doNotSend') return 'notWanted';
	if (json.skipReason === 'unknown' || flagOf(json.unknown) === true) return 'begun';
	if (flagOf(json.skipped) === true) return isReview ? 'reviewedTaken' : 'taken';
	return isReview ? 'reviewed' : 'notSent';
}

/** An item of Send and Wait: the message was sent, and its wait ended with a report or with the time. */
function waited(message: Omit<Fact, 'outcome' | 'weight'>, json: IDataObject, report: Report): Fact {
	if (report.status !== 'TIMEOUT') return { ...message, outcome: 'taken', weight: 5, report };
	return { ...message, outcome: flagOf(json.unknown) === true ? 'begun' : 'taken', weight: 5 };
}

function reportOf(json: IDataObject, state: State | undefined): Report | undefined {
	const status = textOf(json.status);
	if (status === undefined && state !== 'delivered' && state !== 'notDelivered') return undefined;
	const delivered = flagOf(json.delivered) ?? (status === undefined ? state === 'delivered' : isDelivered(status));
	return {
		status,
		delivered,
		final: delivered || (flagOf(json.final) ?? (status === undefined || isFinal(status))),
		errorCode: textOf(json.errorCode),
		at: timeOf(json.receivedAt) ?? timeOf(json.reportedAt) ?? timeOf(json.createdAt),
	};
}

/** @param row columns as JSON text, as a follow-up puts them out */
function columnsOf(json: IDataObject, row: unknown): IDataObject {
	const isOfEvent = !isAbsent(json.event);
	const isOwn = ([name, value]: [string, unknown]) =>
		!FIELDS.has(name) && !(isOfEvent && FIELDS_OF_EVENTS.has(name)) && !isAbsent(value);
	const own = Object.entries(json).filter(isOwn);
	if (typeof row !== 'string') return Object.fromEntries(own);
	return Object.fromEntries([...Object.entries(parsed(row)).filter(isOwn), ...own]) as IDataObject;
}

function parsed(text: string): IDataObject {
	try {
		return objectOf(JSON.parse(text));
	} catch {
		return {};
	}
}

const objectOf = (value: unknown): IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as IDataObject) : {};

/** A table has nulls, and a sheet empty texts, where there is nothing. */
const isAbsent = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

function textOf(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function numberOf(value: unknown): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function flagOf(value: unknown): boolean | undefined {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (text === true || text === 'true' || text === 1 || text === '1') return true;
	return text === false || text === 'false' || text === 0 || text === '0' ? false : undefined;
}

/** A time as ISO text, as a table's text without a zone, which is in UTC, or as a date object. */
function timeOf(value: unknown): number | undefined {
	const isZoneless = typeof value === 'string' && /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(value);
	const time =
		typeof value === 'string' ? Date.parse(isZoneless ? `${value.replace(' ', 'T')}Z` : value) : Number(value);
	return isAbsent(value) || Number.isNaN(time) || Math.abs(time) > 8.64e15 ? undefined : time;
}
