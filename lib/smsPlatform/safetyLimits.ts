import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { onTrial } from '../texts/advice';
import { hashOf } from '../values/digest';
import { isTool } from '../n8n/aiTool';
import { isBlank, readNumber } from '../n8n/parameters';
import { invalidParameter, fault, type Problem } from '../texts/problem';
import type { Platform } from './credential';
import { readQuietHours } from './quietHours';
import { readRecipientList } from './recipient';

/**
 * The safety limits of a credential: Trial Recipients, Max Messages per Run and Quiet Hours. They apply to every node that sends
 * messages with the credential, and limit the damage of a mistake.
 */
export type SafetyLimits = ReturnType<typeof readSafetyLimits>;

const TRIAL = 'Trial Recipients in the credential';
const MAX_MESSAGES = 'Max Messages per Run in the credential';

/**
 * Reads the safety limits of a credential.
 * @throws Problem if a field can't be read, because that must not mean "no limit"
 */
export function readSafetyLimits(
	{ trialRecipients, maxMessagesPerRun, quietHours, userNames }: IDataObject,
	zone: string,
) {
	return {
		/** The only allowed recipients while the credential is on trial, in normal form. Undefined: it is not on trial. */
		trialRecipients: readTrialRecipients(trialRecipients, userNames === true),
		/**
		 * The largest number of items in a run; 0: no limit. A credential may lack the field, because n8n does not store a field
		 * that its form never showed.
		 */
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
	const whatToDo = 'Enter at least one mobile number, or empty the field to end the trial';
	throw invalidParameter(TRIAL, 'is filled in, but contains no recipient', whatToDo);
}

/**
 * Throws a Problem if the credential is on trial and the recipient is not one of its Trial Recipients.
 * @param recipient the recipient in normal form
 */
export function requireTrialRecipient({ trialRecipients }: SafetyLimits, recipient: string): void {
	if (trialRecipients === undefined || trialRecipients.has(recipient)) return;
	const whatToDo = 'add the recipient to its Trial Recipients, or empty that field to end the trial';
	throw fault('onTrial', {}, `The credential is in trial mode: ${whatToDo}`);
}

/** Returns a hint that the credential is on trial. Undefined: it is not on trial. */
export const trialHint = ({ trialRecipients }: SafetyLimits): string | undefined =>
	trialRecipients && onTrial(trialRecipients.size);

/** Throws a Problem of the whole run if the run has more items than the credential allows. */
export function requireFewRows({ maxMessagesPerRun }: SafetyLimits, rows: number): void {
	if (maxMessagesPerRun === 0 || rows <= maxMessagesPerRun) return;
	const whatToDo = `Check the list. If it is right, raise ${MAX_MESSAGES}`;
	throw fault('tooManyRows', { rows, most: maxMessagesPerRun }, whatToDo);
}

/**
 * Opens the count of the messages that an AI agent sends. In n8n each call of a tool is a separate run. So the limit applies to
 * all calls of one execution together, in all nodes that send for the same institution. The count is stored in the data of the
 * execution. n8n keeps these data while the execution waits, and deletes them with the execution.
 *
 * Two kinds of runs are not counted. Calls from MCP Server Trigger belong to no execution. Runs of a node that is no tool are
 * checked by `requireFewRows`.
 */
export function openCallLimit(
	context: IExecuteFunctions,
	{ maxMessagesPerRun }: SafetyLimits,
	{ sendUrl, institution }: Pick<Platform, 'sendUrl' | 'institution'>,
) {
	// A call of MCP Server Trigger has no execution id, although n8n's type says that it is always there.
	const execution = context.getExecutionId() as string | undefined;
	if (maxMessagesPerRun === 0 || !isTool(context) || !execution) return { claim: () => undefined, release: () => {} };
	const store = context.getContext('flow');
	const known = store.smsToolMessages as { execution: string; counts: Record<string, number> } | undefined;
	// n8n's Retry starts a new execution with the data of the failed one. So a stored count may belong to another execution.
	const { counts } = known?.execution === execution ? known : (store.smsToolMessages = { execution, counts: {} });
	const name = hashOf([sendUrl, institution]);
	return {
		/**
		 * Counts a message before its request, so that parallel calls can't exceed the limit.
		 * @returns the Problem of a message that must not be sent; undefined: it may be sent
		 */
		claim(): Problem | undefined {
			const count = counts[name] ?? 0;
			if (count >= maxMessagesPerRun) {
				const whatToDo = `All messages that an AI agent sends in one execution count together. Check these messages. If they are right, raise ${MAX_MESSAGES}`;
				return fault('tooManyMessages', { most: maxMessagesPerRun }, whatToDo);
			}
			counts[name] = count + 1;
			return undefined;
		},
		/** Removes a message from the count, because it was certainly not sent. */
		release: () => void (counts[name] = counts[name]! - 1),
	};
}
