import { countRows } from './groups';

/* What an admin is told to do next, in whole sentences, by hints and errors that end a run. Of a row: `reasons`. */

/** How long the node remembers what it sent; undefined: nothing (Send Again). `code`: a number has one until it is used. */
export type Remembers = 'day' | 'week' | 'code' | undefined;

const were = (count: number, what: string) => `${countRows(count)} ${count === 1 ? 'was' : 'were'} not ${what}.`;
const these = (count: number) => (count === 1 ? 'this row' : 'these rows');

const CONTINUE = 'On Error in the settings of this node to Continue (using error output)';

/** How long the same list may be sent again without anybody getting the message twice. */
const SURELY = { day: ' within 10 hours', week: ' within seven days' };

const AGAIN_CODES = 'run a list of just these rows: whoever else is in it gets the same code again.';

/** The one instruction for messages of unknown outcome. */
export const ASK_THEM =
	'Ask the recipients. If some did not get the message, send a list of just their rows with If Already Sent set to Skip Sent, Resend Unknown.';

/** How to go on with rows that were not sent and need no correction. After the memory's end the whole list would go out again. */
const goOn = (rememberFor: Remembers, when = '', which = 'these rows') =>
	rememberFor === 'code'
		? `To go on${when}, ${AGAIN_CODES}`
		: rememberFor === undefined
			? `To go on, send a list of just ${which}${when}: with If Already Sent on Send Again the whole list would go out again.`
			: `Run the node again${SURELY[rememberFor]}${when && `,${when},`} to go on: what went out is skipped.`;

/** Rows whose message was sent by an earlier run, or stands in the list before. */
export const skippedBefore = (count: number): string =>
	`${were(count, 'sent, because the same message went out before')} If it is a reminder that should go out again each day, set Repeat Key to {{ $today.toISODate() }}, also in a node that reviews the list. If it is an alarm that may repeat at any time, set If Already Sent to Send Again.`;

/** Replies that were sent before to the same incoming message. */
export const answeredBefore = (count: number): string =>
	`${count === 1 ? '1 reply was' : `${count} replies were`} not sent, because the same reply to this message went out before. There is nothing to do.`;

/** Rows that an earlier run may or may not have sent. */
export const skippedUnknown = (count: number): string =>
	`${were(count, 'sent, because it is not known whether the same message went out before')} ${ASK_THEM}`;

/** Rows that this run may or may not have sent. */
export const unknownNow = (count: number, rememberFor: Remembers): string =>
	`It is not known whether ${countRows(count)} went out. ` +
	(rememberFor === 'code' ? `Whoever got a code can type it. For the others, ${AGAIN_CODES}` : ASK_THEM);

/** Rows whose recipient gets nothing. */
export const doNotSend = (count: number): string =>
	`${were(count, 'sent, because their recipients are in Do Not Send To')} There is nothing to do.`;

/** Rows whose turn did not come, because somebody stopped the run. */
export const notTried = (count: number, rememberFor: Remembers): string =>
	`${were(count, 'tried, because the run was stopped')} ${goOn(rememberFor)}`;

/** Rows that were not tried, because the platform did not answer for others before them. */
export const serviceDown = (count: number, rememberFor: Remembers): string =>
	`${were(count, 'tried, because the SMS platform does not answer')} ${goOn(rememberFor, ' when it answers')}`;

type FaultyList = { faulty: number; rows: number; which: string; mayBeSent: boolean };

/** A list that did not go out, because rows have faults. `which`: by `groupByReason`; `mayBeSent`: some of it, by an earlier attempt. */
export function stoppedByFaults({ faulty, rows, which, mayBeSent }: FaultyList) {
	const nothing = mayBeSent ? 'Nothing more was sent' : 'Nothing was sent';
	const message =
		faulty === rows
			? `${nothing}: all ${countRows(rows)} have faults`
			: `${nothing}: ${faulty} of ${countRows(rows)} ${faulty === 1 ? 'has a fault' : 'have faults'}`;
	const others = faulty === rows ? '' : `, or set ${CONTINUE} to send the others`;
	return { message, description: `${which}. Correct ${these(faulty)}${others}.` };
}

/** A run of several rows that On Error Stop fails at its end. @param accepted how many went out @param rejected of the others */
export function stoppedAtEnd(accepted: number, rejected: number, rememberFor: Remembers): string {
	const went = accepted === 1 ? '1 message went out' : `${accepted} messages went out`;
	const noOutput = `${went}. A failed run has no output, so Who Got It`;
	const them = accepted === 1 ? 'it' : 'them';
	const learns =
		rememberFor === undefined ? `does not learn of ${them}` : `learns of ${them} from the next run that succeeds`;
	const known = rememberFor === 'code' ? `${went}. ` : accepted === 0 ? '' : `${noOutput} ${learns}. `;
	// Where nobody knows of a row, `unknownNow` says what to do.
	if (rejected === 0) return `${known}Set ${CONTINUE}: then the run does not fail.`;
	const staysRefused = `Correct or leave out what is refused again, or set ${CONTINUE}: then the run does not fail.`;
	if (rememberFor === 'code') return `${known}To try again what was refused, ${AGAIN_CODES} ${staysRefused}`;
	if (rememberFor === undefined) return `${known}${goOn(rememberFor, '', 'the refused rows')} ${staysRefused}`;
	return `${known}Run the node again${SURELY[rememberFor]}: it tries only what was refused. ${staysRefused}`;
}

/** A credential whose messages go to few people. @param recipients how many these are */
export const onTrial = (recipients: number): string =>
	`The credential is on trial: messages go to its ${recipients === 1 ? 'one trial recipient' : `${recipients} trial recipients`} only. To end the trial, empty Trial Recipients in the credential.`;
