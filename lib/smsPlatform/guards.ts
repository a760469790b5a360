import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { onTrial } from '../texts/advice';
import { hashOf } from '../values/digest';
import { isTool } from '../n8n/aiTool';
import { isBlank, readNumber } from '../n8n/parameters';
import { invalidParameter, fault, type Problem } from '../texts/problem';
import type { Platform } from './credential';
import { readQuietHours } from './quietHours';
import { readRecipientList } from './recipient';

/** The safety limits of a credential. They apply to every node that uses it, and limit the damage of a mistake. */
export type Guards = ReturnType<typeof readGuards>;

const TRIAL = 'Trial Recipients of the credential';
const MAX_MESSAGES = 'Max Messages per Run of the credential';

/**
 * Reads the safety limits of a credential.
 * @throws Problem if a field can't be read, because that must not mean "no limit"
 */
export function readGuards({ trialRecipients, maxMessagesPerRun, quietHours, userNames }: IDataObject, zone: string) {
	return {
		/** The only recipients while the credential is on trial, in normal form. Undefined: it is not on trial. */
		trialRecipients: readTrialRecipients(trialRecipients, userNames === true),
		/** How many items a run may have; 0: no limit. A credential can lack the field if the form never showed it. */
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

/**
 * Throws a Problem if the credential is on trial and the recipient is not one of its Trial Recipients.
 * @param recipient in normal form
 */
export function requireTrialRecipient({ trialRecipients }: Guards, recipient: string): void {
	if (trialRecipients === undefined || trialRecipients.has(recipient)) return;
	const whatToDo = 'add the recipient to its Trial Recipients, or empty that field to end the trial';
	throw fault('onTrial', {}, `The credential is on trial: ${whatToDo}`);
}

/** Returns the hint of a run that the credential is on trial. Undefined if it is not. */
export const trialHint = ({ trialRecipients }: Guards): string | undefined =>
	trialRecipients && onTrial(trialRecipients.size);

/** Throws a Problem of the whole run if it has more items than the credential allows */
export function requireFewRows({ maxMessagesPerRun }: Guards, rows: number): void {
	if (maxMessagesPerRun === 0 || rows <= maxMessagesPerRun) return;
	const whatToDo = `Check the list. If it is right, raise ${MAX_MESSAGES}`;
	throw fault('tooManyRows', { rows, most: maxMessagesPerRun }, whatToDo);
}

/**
 * Opens the count of the messages that an AI agent sends. For n8n each call of a tool is a run of its own. So the limit holds
 * for all calls of one execution together, in all nodes that send for the same institution. The count is stored in the
 * execution's own data: n8n keeps it while the execution waits, and drops it with the execution.
 *
 * Two kinds of calls are not counted: those of MCP Server Trigger, because they belong to no execution, and runs outside an
 * agent, because `requireFewRows` checks them.
 */
export function openCallLimit(
	context: IExecuteFunctions,
	{ maxMessagesPerRun }: Guards,
	{ sendUrl, institution }: Pick<Platform, 'sendUrl' | 'institution'>,
) {
	// A call of MCP Server Trigger has no execution id, although n8n's type says that it is always there.
	const execution = context.getExecutionId() as string | undefined;
	if (maxMessagesPerRun === 0 || !isTool(context) || !execution) return { claim: () => undefined, release: () => {} };
	const store = context.getContext('flow');
	const known = store.smsToolMessages as { execution: string; counts: Record<string, number> } | undefined;
	// n8n's Retry begins a new execution with the data of the failed one.
	const { counts } = known?.execution === execution ? known : (store.smsToolMessages = { execution, counts: {} });
	const name = hashOf([sendUrl, institution]);
	return {
		/**
		 * Counts a message before its request, so that parallel calls can't exceed the limit.
		 * @returns the problem if it may not be sent
		 */
		claim(): Problem | undefined {
			const count = counts[name] ?? 0;
			if (count >= maxMessagesPerRun) {
				const whatToDo = `All messages of an AI agent in one execution count together. Check them. If they are right, raise ${MAX_MESSAGES}`;
				return fault('tooManyMessages', { most: maxMessagesPerRun }, whatToDo);
			}
			counts[name] = count + 1;
			return undefined;
		},
		/** Removes a message from the count, because it was certainly not sent. */
		release: () => void (counts[name] = counts[name]! - 1),
	};
}
