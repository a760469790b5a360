import type { IDataObject } from 'n8n-workflow';

/* What an item can say: something about one message that was to be sent, a delivery report, or an SMS that came in. */

/**
 * The states of a message, the one that says most first. `partly`: one part of a message of several SMS was delivered, and
 * another was not.
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

export interface Report {
	delivered: boolean;
	final: boolean;
	status?: string;
	errorCode?: string;
	/** ISO text. */
	reportedAt?: string;
}

/** `answer`: one of the question's words, or `other`. `at`: when the SMS came in, in milliseconds since 1970. */
export interface Answer {
	answer: string;
	text?: string;
	at: number;
}

interface Fact {
	/** The index of the item in the node's input. */
	index: number;
}

/** What one item says about one message. Times are in milliseconds since 1970. */
export interface MessageFact extends Fact {
	/** Empty if the message belongs to no named list. */
	list: string;
	reference?: string;
	/** The reference of the attempt that this one repeats. */
	againOf?: string;
	recipient?: string;
	serviceId?: string;
	messageId?: string;
	text?: string;
	segments?: number;
	/** The columns of the row in the user's list; undefined if none has a value. */
	columns?: IDataObject;
	/** The number of a faulty row in its list, because two rows may have the same cells. */
	row?: number;
	state: State;
	/** Why the message was not sent, in words for the office. */
	notice?: string;
	sentAt?: number;
	/** Since when the message is in its state, if `sentAt` is not known. */
	since?: number;
	/** When a data table took the row. */
	createdAt?: number;
	/** How many attempts there were, this one included. */
	attempts: number;
	report?: Report;
	answer?: Answer;
}

/** A delivery report that came without its message. */
export interface ReportFact extends Fact {
	reference?: string;
	recipient?: string;
	serviceId?: string;
	report: Report;
}

/** An SMS that somebody sent to the institution. */
export interface IncomingSms extends Fact {
	from: string;
	/** In milliseconds since 1970. */
	at: number;
	smsForwardId?: string;
	keyword?: string;
	matchedKeyword?: string;
	body?: string;
	/** A list of words, or the same as one text of a table. */
	words?: unknown;
}
