import type { IDataObject } from 'n8n-workflow';

import { badParameter, Problem } from '../../shared/problem';
import { isNothing, readWholeNumber } from '../../shared/parameter';
import { countRows } from '../../shared/summary';
import { readQuietHours, type QuietHours } from './quietHours';
import { readRecipientList } from './recipientList';

/** What keeps an accident small: it is in the credential, for every node of this package that has it. */
export interface Guards {
	/** While the credential is on trial: the only recipients of its messages, in normal form. */
	trialRecipients: ReadonlySet<string> | undefined;
	/** How many rows a run may have; 0: no limit. */
	maxMessagesPerRun: number;
	/** Undefined where the credential has none. */
	quietHours: QuietHours | undefined;
}

/* The fields' names as the editor shows them. */
const TRIAL = 'Trial Recipients of the credential';
const MAX_MESSAGES = 'Max Messages per Run of the credential';

/**
 * Reads what a credential guards.
 *
 * @param workflowTimeZone for quiet hours that name no zone
 * @throws Problem that names the field that can't be read: such a guard stops every row, and is never "none"
 */
export function readGuards(
	{ trialRecipients, maxMessagesPerRun, quietHours }: IDataObject,
	workflowTimeZone: string,
): Guards {
	return {
		trialRecipients: readTrialRecipients(trialRecipients),
		// Credentials saved before the field was shown, and an emptied field, contain nothing.
		maxMessagesPerRun: isNothing(maxMessagesPerRun)
			? 0
			: readWholeNumber(maxMessagesPerRun, MAX_MESSAGES, 0, 10_000_000, 500),
		quietHours: readQuietHours(quietHours, workflowTimeZone),
	};
}

function readTrialRecipients(value: unknown): ReadonlySet<string> | undefined {
	if (isNothing(value)) return undefined;
	const recipients = readRecipientList(value, TRIAL);
	if (recipients.size === 0)
		throw badParameter(
			TRIAL,
			'is filled, and contains no recipient',
			'Write at least one mobile number, or empty the field to end the trial',
		);
	return recipients;
}

/**
 * Whether a message may go to a recipient.
 *
 * @param same the recipient in normal form
 * @returns undefined where it may
 */
export function trialProblem({ trialRecipients }: Guards, same: string): Problem | undefined {
	if (trialRecipients === undefined || trialRecipients.has(same)) return undefined;
	return badParameter(
		'Recipient',
		'gets no message, because the credential is on trial and sends to its Trial Recipients only',
		'To try it with this recipient, add it to Trial Recipients in the credential. To end the trial, empty that field',
	);
}

/** What to tell whoever looks at a run; undefined where the credential is not on trial. */
export function trialHint({ trialRecipients }: Guards): string | undefined {
	if (trialRecipients === undefined) return undefined;
	const count = trialRecipients.size;
	return `The credential is on trial: messages go to its ${count === 1 ? 'one trial recipient' : `${count} trial recipients`} only. To end the trial, empty Trial Recipients in the credential.`;
}

/**
 * Whether a run may have so many rows.
 *
 * @returns undefined where it may; otherwise the error of every row
 */
export function tooManyProblem({ maxMessagesPerRun }: Guards, rows: number): Problem | undefined {
	if (maxMessagesPerRun === 0 || rows <= maxMessagesPerRun) return undefined;
	return new Problem(
		`Nothing was sent: ${countRows(rows)} came, and a run of this credential may have ${maxMessagesPerRun} at most`,
		'Check that the list is the right one. If it is, raise Max Messages per Run in the credential',
		{ outcome: 'rejected' },
	);
}

/**
 * Whether a message may go out at this time.
 *
 * @param now in milliseconds since 1970
 * @returns undefined where it may
 */
export function quietProblem({ quietHours }: Guards, now: number): Problem | undefined {
	const end = quietHours?.(now);
	if (end === undefined) return undefined;
	return new Problem(
		`Not sent, because it is quiet hours until ${end.words}`,
		'Run the same list again after that: with If Already Sent at Skip, it sends what was not sent. The hours are in the credential, under Quiet Hours',
		{ outcome: 'rejected', quietUntil: end.at },
	);
}
