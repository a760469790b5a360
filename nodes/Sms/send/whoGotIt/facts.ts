import { jsonParse, type IDataObject } from 'n8n-workflow';

import { isDelivered, isFinal } from '../../wire';

/*
 * What one item says of one message: an item of SMS Send, a report of SMS Trigger, an item of a follow-up before, or any of
 * them as a table keeps it.
 */

export const STATES = ['delivered', 'notDelivered', 'late', 'onItsWay', 'unknown', 'notWanted', 'notSent'] as const;
export type State = (typeof STATES)[number];

/** What a delivery report says, as an item has it. */
export interface Report {
	delivered: boolean;
	final: boolean;
	status?: string;
	errorCode?: string;
	reportedAt?: string;
}

/** What is known of a message. All times are in milliseconds since 1970. */
export interface Known {
	/** Empty where it has none. */
	list: string;
	reference?: string;
	/** The reference of the attempt before it. */
	againOf?: string;
	recipient?: string;
	serviceId?: string;
	messageId?: string;
	text?: string;
	segments?: number;
	state: State;
	/** Of one that was not sent: why, for people. */
	notice?: string;
	sentAt?: number;
	/** Since when it is as it is, as far as that is known. */
	since?: number;
	report?: Report;
	/** How many attempts there were up to this one. */
	attempts: number;
	/** The row's own, without empty cells. */
	columns?: IDataObject;
}

/** What one item says: of its state no more than `onItsWay` where the message was sent. */
export interface Fact extends Known {
	/** The place of its item in the input, from 0. */
	index: number;
	/** Whether it is only a report, without what a message has. */
	isReport: boolean;
	createdAt?: number;
}

/** Fields of the nodes, and of n8n's data tables, which are no columns of a row. */
const FIELDS = new Set(
	(
		'accepted recipient text segments serviceId messageId reference dlrUrl sentAt warning skipped skipReason unknown review ' +
		'quietUntil problem reason notice error details delivered final status errorCode receivedAt event ' +
		'list state reportedAt attempts againOf row waitId id createdAt updatedAt'
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
	const isError = !isAbsent(json.error);
	const sources = [details, json, input];
	const find = (name: string) => sources.find((source) => !isAbsent(source[name]))?.[name];
	const text = (name: string) => textOf(find(name));

	// Beside what SMS Send says of a message, columns of the row may say what an earlier run said.
	const isOfSend = isError || flagOf(json.accepted) !== undefined;
	const report = isOfSend ? undefined : reportOf(json);
	const isLone = isAbsent(json.list) && isAbsent(json.attempts) && isAbsent(json.messageId);
	const isReport = report !== undefined && (json.event === 'deliveryReport' || isLone);
	if (!isOfSend && !isReport && !isAbsent(json.event)) return undefined;

	const columns = isReport ? undefined : columnsOf(isError ? input : json, find('row'));
	const state = isReport ? 'onItsWay' : stateOf(json, details, text('reference') ?? columns);
	if (state === undefined) return undefined;
	// A row that failed as another attempt before it had a reference says so of the one before.
	const reference = text('reference') ?? text('againOf');
	const againOf = text('againOf') === reference ? undefined : text('againOf');
	const createdAt = timeOf(json.createdAt);
	// A row of a table is newer than what it says: what was late once stays so.
	const stated = isOfSend ? undefined : json.state;
	const since = stated === 'late' ? 0 : (createdAt ?? (stated === 'onItsWay' ? Infinity : undefined));
	const hasLeft = !isReport && state !== 'notWanted' && state !== 'notSent';
	return {
		index,
		isReport,
		list: text('list') ?? '',
		reference,
		againOf,
		recipient: text('recipient'),
		serviceId: text('serviceId'),
		messageId: text('messageId'),
		text: typeof find('text') === 'string' ? (find('text') as string) : undefined,
		segments: numberOf(find('segments')),
		columns,
		state,
		notice: text('notice'),
		...(hasLeft && { sentAt: timeOf(find('sentAt')), since }),
		createdAt,
		attempts: Math.max(againOf === undefined ? 1 : 2, isOfSend ? 0 : (numberOf(json.attempts) ?? 0)),
		report,
	};
}

/** @param known by what the message is known: its reference, or its columns */
function stateOf(json: IDataObject, details: IDataObject, known: string | IDataObject | undefined): State | undefined {
	if (!isAbsent(json.error)) return details.outcome === 'rejected' ? 'notSent' : 'unknown';
	const isUnknown = flagOf(json.unknown) === true || json.skipReason === 'unknown';
	const accepted = flagOf(json.accepted);
	if (accepted !== undefined) {
		if (!isAbsent(json.problem)) return 'notSent';
		if (json.skipReason === 'doNotSend') return 'notWanted';
		if (isUnknown) return 'unknown';
		return accepted || flagOf(json.skipped) === true ? 'onItsWay' : 'notSent';
	}
	const stated = STATES.find((each) => each === json.state);
	if (stated !== undefined) return stated;
	// Send and Wait: its wait ended with a report, or with the time.
	if (textOf(json.status) !== undefined) return isUnknown ? 'unknown' : 'onItsWay';
	if (typeof known === 'string') return 'unknown';
	return known === undefined ? undefined : 'notSent';
}

function reportOf(json: IDataObject): Report | undefined {
	const status = textOf(json.status);
	if (status === undefined && json.state !== 'delivered' && json.state !== 'notDelivered') return undefined;
	// Send and Wait has waited in vain.
	if (status === 'TIMEOUT' && isAbsent(json.event) && isAbsent(json.state)) return undefined;
	const delivered = flagOf(json.delivered) ?? (status === undefined ? json.state === 'delivered' : isDelivered(status));
	const final = delivered || (flagOf(json.final) ?? (status === undefined || isFinal(status)));
	const at = timeOf(json.receivedAt) ?? timeOf(json.reportedAt) ?? timeOf(json.createdAt);
	return { delivered, final, status, errorCode: textOf(json.errorCode), reportedAt: isoOf(at) };
}

/** @param row columns as JSON text, as a follow-up puts them out */
function columnsOf(json: IDataObject, row: unknown): IDataObject | undefined {
	const own = [...(typeof row === 'string' ? Object.entries(parsed(row)) : []), ...Object.entries(json)].filter(
		([name, value]) => !FIELDS.has(name) && (isAbsent(json.event) || !FIELDS_OF_EVENTS.has(name)) && !isAbsent(value),
	);
	return own.length === 0 ? undefined : (Object.fromEntries(own) as IDataObject);
}

const parsed = (text: string) => objectOf(jsonParse<unknown>(text, { fallbackValue: {} }));

const objectOf = (value: unknown): IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as IDataObject) : {};

/** A table has nulls, and a sheet empty texts, where there is nothing. */
const isAbsent = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const textOf = (value: unknown): string | undefined =>
	(typeof value === 'string' && !isAbsent(value)) || typeof value === 'number' ? String(value).trim() : undefined;

function numberOf(value: unknown): number | undefined {
	const number = Number(textOf(value) ?? NaN);
	return Number.isFinite(number) ? number : undefined;
}

const FLAGS = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }));
const flagOf = (value: unknown): boolean | undefined => FLAGS.get(String(value).trim().toLowerCase());

/** A time as an item has it. */
export const isoOf = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

const ZONELESS = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(:\d\d(\.\d+)?)?)$/;

/** A time as text, which is in UTC where a table keeps it without a zone, as a number, or as a date object. */
function timeOf(value: unknown): number | undefined {
	if (isAbsent(value)) return undefined;
	const time = new Date(typeof value === 'string' ? value.replace(ZONELESS, '$1T$2Z') : (value as Date)).getTime();
	return Number.isNaN(time) ? undefined : time;
}
