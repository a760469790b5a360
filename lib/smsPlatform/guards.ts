import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { onTrial } from '../texts/advice';
import { hashOf } from '../values/digest';
import { isTool } from '../n8n/aiTool';
import { isBlank, readNumber } from '../n8n/parameters';
import { invalidParameter, fault, type Problem } from '../texts/problem';
import type { Platform } from './credential';
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
		maxMessagesPerRun: isBlank(maxMessagesPerRun)
			? 0
			: readNumber(maxMessagesPerRun, MAX_MESSAGES, [0, 10_000_000], 500),
		quietHours: readQuietHours(quietHours, zone),
	};
}

function readTrialRecipients(value: unknown, userNames: boolean): ReadonlySet<string> | undefined {
	if (isBlank(value)) return undefined;
	const recipients = readRecipientList(value, TRIAL, userNames);
	if (recipients.size > 0) return recipients;
	const whatToDo = 'Write at least one mobile number, or empty the field to end the trial';
	throw invalidParameter(TRIAL, 'is filled, and contains no recipient', whatToDo);
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

/**
 * Counts the messages that an AI agent sends. Each call of a tool is a run of its own for n8n, so the limit of a run holds
 * for all calls of one execution together, in all nodes that send for the same institution. The count is in the
 * execution's own data: n8n keeps it while the execution waits, and drops it with the execution.
 * A call of MCP Server Trigger belongs to no execution, and a node outside an agent has `requireFewRows`: both count nothing.
 */
export function openCallLimit(
	context: IExecuteFunctions,
	{ maxMessagesPerRun }: Guards,
	{ sendUrl, institution }: Pick<Platform, 'sendUrl' | 'institution'>,
) {
	// MCP Server Trigger has no id, whatever n8n's type says.
	const execution = context.getExecutionId() as string | undefined;
	if (maxMessagesPerRun === 0 || !isTool(context) || !execution) return { claim: () => undefined, release: () => {} };
	const store = context.getContext('flow');
	const known = store.smsToolMessages as { execution: string; counts: Record<string, number> } | undefined;
	// n8n's Retry begins a new execution with the data of the failed one.
	const { counts } = known?.execution === execution ? known : (store.smsToolMessages = { execution, counts: {} });
	const name = hashOf([sendUrl, institution]);
	return {
		/** Counts a message before its request, so that parallel calls can't exceed the limit. @returns why it may not be sent */
		claim(): Problem | undefined {
			const count = counts[name] ?? 0;
			if (count >= maxMessagesPerRun) {
				const whatToDo = `All messages of an AI agent in one execution count together. Check them. If they are right, raise ${MAX_MESSAGES}`;
				return fault('tooManyMessages', { most: maxMessagesPerRun }, whatToDo);
			}
			counts[name] = count + 1;
			return undefined;
		},
		/** Takes a message out of the count, because it was certainly not sent. */
		release: () => void (counts[name] = counts[name]! - 1),
	};
}
