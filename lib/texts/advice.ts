import { countRows } from './groups';

/*
 * Texts for the admin, in whole sentences: the hints and errors at the end of a run, with advice on what to do next. Texts
 * about a single item are in `reasons`.
 */

/**
 * How long the node remembers the messages that it sent. `code`: the messages are one-time codes, and each is remembered until it
 * is used. Undefined: the node remembers nothing (Send Again).
 */
export type Remembers = 'day' | 'week' | 'code' | undefined;

const were = (count: number, what: string) => `${countRows(count)} ${count === 1 ? 'was' : 'were'} not ${what}.`;
const these = (count: number) => (count === 1 ? 'this row' : 'these rows');

const CONTINUE = 'On Error in the settings of this node to Continue (using error output)';

/** The time within which the same list may be sent again without any message being sent twice. */
const SURELY = { day: ' within 10 hours', week: ' within seven days' };

const AGAIN_CODES =
	'run a list of just these rows. With the whole list, the other people would get the same code again.';

/** The instruction for messages of unknown outcome. All texts use the same one. */
export const ASK_THEM =
	'Ask the recipients. If some did not get the message, send a list of just their rows with If Already Sent set to Skip Sent, Resend Unknown.';

/**
 * Returns how to go on with rows that were not sent and need no correction. Advice to send the same list again has a time limit,
 * because the node remembers messages only for that time.
 */
const goOn = (rememberFor: Remembers, when = '', which = 'these rows') =>
	rememberFor === 'code'
		? `To go on${when}, ${AGAIN_CODES}`
		: rememberFor === undefined
			? `To go on, send a list of just ${which}${when}. With If Already Sent set to Send Again, the whole list would go out again.`
			: `To go on, run the node again${SURELY[rememberFor]}${when && `,${when}`}. Messages that went out are skipped.`;

/** Returns the hint about rows whose message was already sent, by an earlier run or for an earlier row of the list. */
export const skippedBefore = (count: number): string =>
	`${were(count, 'sent, because the same message went out before')} If it is a reminder that should go out again each day, set Repeat Key to {{ $today.toISODate() }}, including in any node that reviews the list. If it is an alarm that may repeat at any time, set If Already Sent to Send Again.`;

/** Returns the hint about replies that were already sent to the same incoming message. */
export const answeredBefore = (count: number): string =>
	`${count === 1 ? '1 reply was' : `${count} replies were`} not sent, because the same reply to this message went out before. There is nothing to do.`;

/** Returns the hint about rows that an earlier run may or may not have sent. */
export const skippedUnknown = (count: number): string =>
	`${were(count, 'sent, because it is not known whether the same message went out before')} ${ASK_THEM}`;

/** Returns the hint about rows that this run may or may not have sent. */
export const unknownNow = (count: number, rememberFor: Remembers): string =>
	`It is not known whether ${countRows(count)} went out. ` +
	(rememberFor === 'code' ? `People who got a code can type it. For the others, ${AGAIN_CODES}` : ASK_THEM);

/** Returns the hint about rows whose recipient is in Do Not Send To. */
export const doNotSend = (count: number): string =>
	`${were(count, 'sent, because their recipients are in Do Not Send To')} There is nothing to do.`;

/** Returns the hint about rows that were not tried, because a user stopped the run. */
export const notTried = (count: number, rememberFor: Remembers): string =>
	`${were(count, 'tried, because the run was stopped')} ${goOn(rememberFor)}`;

/** Returns the hint about rows that were not tried, because the platform did not answer requests for earlier rows. */
export const serviceDown = (count: number, rememberFor: Remembers): string =>
	`${were(count, 'tried, because the SMS platform does not answer')} ${goOn(rememberFor, ' when it answers')}`;

type FaultyList = { faulty: number; rows: number; which: string; mayBeSent: boolean };

/**
 * Returns the error of a list that was not sent because rows have faults. `which`: the text about these rows, from
 * `groupByReason`. `mayBeSent`: an earlier attempt may have sent a part of the list.
 */
export function stoppedByFaults({ faulty, rows, which, mayBeSent }: FaultyList) {
	const nothing = mayBeSent ? 'Nothing more was sent' : 'Nothing was sent';
	const message =
		faulty === rows
			? `${nothing}: all ${countRows(rows)} have faults`
			: `${nothing}: ${faulty} of ${countRows(rows)} ${faulty === 1 ? 'has a fault' : 'have faults'}`;
	const others = faulty === rows ? '' : `, or set ${CONTINUE} to send the others`;
	return { message, description: `${which}. Correct ${these(faulty)}${others}.` };
}

/**
 * Returns the advice for a run of several rows that fails at its end, because On Error is Stop.
 * @param accepted the number of messages that were accepted
 * @param rejected the number of messages that were rejected
 */
export function stoppedAtEnd(accepted: number, rejected: number, rememberFor: Remembers): string {
	const went = accepted === 1 ? '1 message went out' : `${accepted} messages went out`;
	const noOutput = `${went}. A failed run has no output, so Who Got It`;
	const them = accepted === 1 ? 'it' : 'them';
	const learns =
		rememberFor === undefined ? `does not show ${them}` : `shows ${them} only after the next run that succeeds`;
	const known = rememberFor === 'code' ? `${went}. ` : accepted === 0 ? '' : `${noOutput} ${learns}. `;
	// For rows of unknown outcome, `unknownNow` says what to do.
	if (rejected === 0) return `${known}Set ${CONTINUE}: then the run does not fail.`;
	const staysRefused = `Correct or leave out rows that are refused again, or set ${CONTINUE}: then the run does not fail.`;
	if (rememberFor === 'code') return `${known}To send the refused messages again, ${AGAIN_CODES} ${staysRefused}`;
	if (rememberFor === undefined) return `${known}${goOn(rememberFor, '', 'the refused rows')} ${staysRefused}`;
	return `${known}Run the node again${SURELY[rememberFor]}: it tries only the refused rows. ${staysRefused}`;
}

/** Returns the hint that the credential is on trial. @param recipients the number of its Trial Recipients */
export const onTrial = (recipients: number): string =>
	`The credential is in trial mode: messages go only to its ${recipients === 1 ? 'one trial recipient' : `${recipients} trial recipients`}. To end the trial, empty Trial Recipients in the credential.`;
