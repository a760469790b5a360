import type { IDataObject } from 'n8n-workflow';

import { onTrial } from '../../shared/advice';
import { isNothing, readNumber } from '../../shared/parameter';
import { badParameter, fault } from '../../shared/problem';
import { readQuietHours } from './quietHours';
import { readRecipientList } from './recipient';

/** What keeps an accident small: it is in the credential, for every node of this package that has it. */
export type Guards = ReturnType<typeof readGuards>;

const TRIAL = 'Trial Recipients of the credential';
const MAX_MESSAGES = 'Max Messages per Run of the credential';

/** What a credential guards. @throws Problem that names a field that can't be read, which is never "none" */
export function readGuards({ trialRecipients, maxMessagesPerRun, quietHours, userNames }: IDataObject, zone: string) {
	return {
		/** While the credential is on trial: the only recipients of its messages, in normal form. */
		trialRecipients: readTrialRecipients(trialRecipients, userNames === true),
		/** How many rows a run may have; 0: no limit. Credentials saved before the field was shown contain nothing. */
		maxMessagesPerRun: isNothing(maxMessagesPerRun)
			? 0
			: readNumber(maxMessagesPerRun, MAX_MESSAGES, [0, 10_000_000], 500),
		quietHours: readQuietHours(quietHours, zone),
	};
}

function readTrialRecipients(value: unknown, userNames: boolean): ReadonlySet<string> | undefined {
	if (isNothing(value)) return undefined;
	const recipients = readRecipientList(value, TRIAL, userNames);
	if (recipients.size > 0) return recipients;
	const whatToDo = 'Write at least one mobile number, or empty the field to end the trial';
	throw badParameter(TRIAL, 'is filled, and contains no recipient', whatToDo);
}

/** @throws Problem where the credential is on trial, and the recipient, in normal form, takes no part in it */
export function requireTrialRecipient({ trialRecipients }: Guards, recipient: string): void {
	if (trialRecipients === undefined || trialRecipients.has(recipient)) return;
	const whatToDo = 'add the recipient to its Trial Recipients, or empty that field to end the trial';
	throw fault('onTrial', {}, `The credential is on trial: ${whatToDo}`);
}

/** What to tell whoever looks at a run; undefined where the credential is not on trial. */
export const trialHint = ({ trialRecipients }: Guards): string | undefined =>
	trialRecipients && onTrial(trialRecipients.size);

/** Makes sure that a run may have so many rows. @throws Problem otherwise, for all of them */
export function requireFewRows({ maxMessagesPerRun }: Guards, rows: number): void {
	if (maxMessagesPerRun === 0 || rows <= maxMessagesPerRun) return;
	const whatToDo = `Check the list. If it is right, raise ${MAX_MESSAGES}`;
	throw fault('tooManyRows', { rows, most: maxMessagesPerRun }, whatToDo);
}
