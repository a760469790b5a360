import { countRows } from './groups';

/*
 * Texts for the admin, in whole sentences: the hints and errors at the end of a run, with advice on what to do next. Texts
 * about a single item are in `reasons`.
 */

/**
 * How long the node remembers the messages that it sent. `code`: the messages are one-time codes, and each is remembered until it
 * is used or has expired. Undefined: the node remembers nothing (Send Again).
 */
export type Remembers = 'day' | 'week' | 'code' | undefined;

const were = (count: number, what: string) => `${countRows(count)} ${count === 1 ? 'was' : 'were'} not ${what}.`;
const these = (count: number) => (count === 1 ? 'this row' : 'these rows');

const CONTINUE = 'On Error in the settings of this node to Continue (using error output)';
const TO_SUCCEED = `To stop individual rows from making the whole run fail, set ${CONTINUE}.`;

/** The time within which the same list may be sent again without any message being sent twice. */
const SURELY = { day: ' within 10 hours of the first run', week: ' within seven days of the first run' };

const againCodes = (which = 'these rows') =>
	`run the node with a list of just ${which}. With the whole list, the other people would get the same code again.`;

/** The instruction to the admin for messages of unknown outcome, except one-time codes. */
export const ASK_THEM =
	'Ask the recipients whether they got the message. If some did not, send a list of just their rows with If Already Sent set to Skip Sent, Resend Unknown.';

/**
 * Returns how to go on with rows that were not sent. Advice to send the same list again has a time limit, because the node
 * remembers messages only for that time.
 */
const goOn = (rememberFor: Remembers, start = 'To continue', which = 'these rows') =>
	rememberFor === 'code'
		? `${start}, ${againCodes()}`
		: rememberFor === undefined
			? `${start}, send a list of just ${which}. With If Already Sent set to Send Again, the whole list would go out again.`
			: `${start}, run the node again${SURELY[rememberFor]}. Messages that went out are skipped.`;

/** Returns the hint about rows whose message was already sent, by an earlier run or for an earlier row of the list. */
export const skippedBefore = (count: number): string =>
	`${were(count, 'sent, because the same message went out before')} If the message is a reminder that should go out again each day, set Repeat Key to {{ $today.toISODate() }} in this node and in each node that reviews the list. If the message is an alarm that may repeat at any time, set If Already Sent to Send Again.`;

/** Returns the hint about replies that were already sent to the same incoming message. */
export const answeredBefore = (count: number): string =>
	`${count === 1 ? '1 reply was' : `${count} replies were`} not sent, because the same reply to this message went out before. There is nothing to do.`;

/** Returns the hint about rows that an earlier run may or may not have sent. */
export const skippedUnknown = (count: number): string =>
	`${were(count, 'sent, because it is not known whether the same message went out before')} ${ASK_THEM}`;

/** Returns the hint about rows that this run may or may not have sent. */
export const unknownNow = (count: number, rememberFor: Remembers): string =>
	`It is not known whether ${countRows(count)} went out. ` +
	(rememberFor === 'code'
		? `People who got a code can type it. If some did not get a code, ${againCodes('their rows')}`
		: ASK_THEM);

/** Returns the hint about rows whose recipient is in Do Not Send To. */
export const doNotSend = (count: number): string =>
	`${were(count, `sent, because ${count === 1 ? 'its recipient is' : 'their recipients are'} in Do Not Send To`)} There is nothing to do.`;

/** Returns the hint about rows that were not tried, because the run was stopped. */
export const notTried = (count: number, rememberFor: Remembers): string =>
	`${were(count, 'sent, because the run was stopped')} ${goOn(rememberFor)}`;

/** Returns the hint about rows that were not tried, because the platform did not answer requests for earlier rows. */
export const serviceDown = (count: number, rememberFor: Remembers): string =>
	`${were(count, 'sent, because the SMS platform does not answer')} ${goOn(rememberFor, 'When the platform answers again')}`;

type FaultyList = { faulty: number; rows: number; which: string; mayBeSent: boolean };

/**
 * Returns the error of a list that was not sent because rows have faults. `which`: the text about these rows, from
 * `groupByReason`. `mayBeSent`: some messages may have been sent before, for example by an earlier attempt.
 */
export function stoppedByFaults({ faulty, rows, which, mayBeSent }: FaultyList) {
	const nothing = mayBeSent ? 'Nothing more was sent' : 'Nothing was sent';
	const message =
		faulty === rows
			? `${nothing}: all ${countRows(rows)} contain errors`
			: `${nothing}: ${faulty} of ${countRows(rows)} ${faulty === 1 ? 'contains an error' : 'contain errors'}`;
	const others = faulty === rows ? '' : `, or set ${CONTINUE} to send the others`;
	return { message, description: `${which}. Correct ${these(faulty)}${others}.` };
}

/**
 * Returns the advice for a run of several rows that fails at its end, because On Error is Stop.
 * @param accepted the number of messages that were accepted
 * @param rejected the number of rejected messages for which advice is needed; 0 in quiet hours and in an outage
 */
export function stoppedAtEnd(accepted: number, rejected: number, rememberFor: Remembers): string {
	const went = accepted === 1 ? '1 message went out' : `${accepted} messages went out`;
	const noOutput = `${went}. A failed run has no output, so Who Got It`;
	const them = accepted === 1 ? 'it' : 'them';
	const learns =
		rememberFor === undefined ? `does not show ${them}` : `shows ${them} only after the next run that succeeds`;
	const known = rememberFor === 'code' ? `${went}. ` : accepted === 0 ? '' : `${noOutput} ${learns}. `;
	// Then other texts say what to do: `unknownNow` for rows of unknown outcome, and the texts about quiet hours or the outage.
	if (rejected === 0) return `${known}${TO_SUCCEED}`;
	const staysRefused = `If rows are refused again, correct them or leave them out. ${TO_SUCCEED}`;
	if (rememberFor === 'code')
		return `${known}To send the refused messages again, ${againCodes('the refused rows')} ${staysRefused}`;
	if (rememberFor === undefined) return `${known}${goOn(rememberFor, undefined, 'the refused rows')} ${staysRefused}`;
	return `${known}Run the node again${SURELY[rememberFor]}: it tries only the refused rows. ${staysRefused}`;
}

/** Returns the hint that the credential is on trial. @param recipients the number of its Trial Recipients */
export const onTrial = (recipients: number): string =>
	`The credential is in trial mode: messages go only to its ${recipients === 1 ? 'one trial recipient' : `${recipients} trial recipients`}. To end the trial, empty Trial Recipients in the credential.`;
