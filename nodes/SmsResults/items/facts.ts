import type { IDataObject } from 'n8n-workflow';

/* The facts that items contain. A fact is about an outgoing message, a delivery report or an incoming SMS. */

/**
 * The states of a message, the most informative first. `partly`: the message takes several SMS, and only some of them were
 * delivered.
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

/** A fact about one message, from one item. Times are in milliseconds since 1970. */
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
	/** Explains to the office why the message was not sent. */
	notice?: string;
	sentAt?: number;
	/** Since when the message is in its state, if `sentAt` is not known. */
	since?: number;
	/** When the row was added to a data table. */
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
	/** A list of words, or the text in which a table stores such a list. */
	words?: unknown;
}
