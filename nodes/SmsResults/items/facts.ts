import type { IDataObject } from 'n8n-workflow';

/* The data that items contain, called facts. A fact is about an outgoing message, a delivery report or an incoming SMS. */

/**
 * The states of a message, the most informative first. `partly`: the message takes several SMS, and only some of them were
 * delivered. `late`: its final report is overdue. `onItsWay`: its final report is not overdue yet. `notWanted`: the recipient is
 * in Do Not Send To.
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

/** A delivery report. */
export interface Report {
	delivered: boolean;
	final: boolean;
	status?: string;
	errorCode?: string;
	/** When the report arrived, as ISO text. */
	reportedAt?: string;
}

/**
 * An answer to a question. `answer`: one of the words of the question, or `other`. `at`: when the SMS arrived, in milliseconds
 * since 1970.
 */
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
	/** The name of the list. It is empty if the message belongs to a list without a name. */
	list: string;
	reference?: string;
	/** The reference of the earlier attempt, if the message was sent again. */
	againOf?: string;
	recipient?: string;
	serviceId?: string;
	messageId?: string;
	text?: string;
	segments?: number;
	/** The columns of the row in the user's list. Undefined: no column has a value. */
	columns?: IDataObject;
	/** The number of a faulty row in its list. It distinguishes rows with the same cells. */
	row?: number;
	state: State;
	/** A text for the people who sent the list. It explains the state, for example why the message was not sent. */
	notice?: string;
	sentAt?: number;
	/** The time from which the message has had its state. It is used only if `sentAt` is not known. */
	since?: number;
	/** When the row was added to a data table. */
	createdAt?: number;
	/** The number of attempts to send the message, including this one. */
	attempts: number;
	report?: Report;
	answer?: Answer;
}

/** A delivery report from an item that contains nothing else. */
export interface ReportFact extends Fact {
	reference?: string;
	recipient?: string;
	serviceId?: string;
	report: Report;
}

/** An SMS that a person sent to the institution. */
export interface IncomingSms extends Fact {
	from: string;
	/** When the SMS arrived, in milliseconds since 1970. */
	at: number;
	smsForwardId?: string;
	keyword?: string;
	matchedKeyword?: string;
	body?: string;
	/** A list of the words in the SMS, or the text in which a table stores such a list. */
	words?: unknown;
}
