import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { greekMobile } from '../../lib/greek/mobile';
import { tryRead, Problem } from '../../lib/texts/problem';
import { identifyForward } from '../../lib/smsPlatform/sameForward';

/** The incoming message that a reply answers. */
export type AnsweredForward = ReturnType<typeof findAnsweredForward>;

const forwardItem = z.object({
	event: z.literal('smsForward'),
	msisdn: z.string(),
	keyword: z.string().default(''),
	body: z.string().default(''),
	smsForwardId: z.string().optional(),
	receivedAt: z.string(),
});

/**
 * The largest number of outputs to search. An SMS Trigger can have an output for each of its keywords, but it hardly ever has
 * as many keywords as this.
 */
const MOST_OUTPUTS = 200;

/**
 * Finds the incoming message (a forward of the platform) that started this execution.
 * @throws Problem if the execution was not started by an incoming message
 */
export function findAnsweredForward(context: IExecuteFunctions) {
	for (const trigger of triggersOf(context).filter((name) => hasRun(context, name))) {
		for (let output = 0; output < MOST_OUTPUTS; output++) {
			const item = firstItemOf(context, trigger, output);
			if (item === undefined) break;
			const parsed = forwardItem.safeParse(item);
			if (!parsed.success) continue;
			const { smsForwardId, keyword, body, receivedAt } = parsed.data;
			const mobile = greekMobile(parsed.data.msisdn);
			// A Greek mobile is reduced to its ten digits. Another number stays as the platform sent it.
			const msisdn = mobile ?? parsed.data.msisdn;
			const same = identifyForward({ smsForwardId: smsForwardId ?? '', msisdn, keyword, body });
			return {
				msisdn,
				isMobile: mobile !== undefined,
				smsForwardId,
				/**
				 * Distinguishes this message from others. If the message has no id, the identity contains the time of arrival.
				 */
				identity: smsForwardId === undefined ? [receivedAt, ...same] : same,
			};
		}
	}
	const what = 'There is no message to reply to: no SMS Trigger started this execution with an incoming message';
	throw new Problem(what, 'Use the operation Send, with the number in Recipient', { outcome: 'rejected' });
}

/** Returns the names of the SMS Triggers before this node. If this node is a tool of an AI agent: those before the agent. */
function triggersOf(context: IExecuteFunctions): string[] {
	// `before` is the node that the items came from. For a tool, it is the agent or the node before the agent, although the tool
	// has no connection to that node. For some tools it is undefined.
	const before = tryRead(() => context.getInputSourceData().previousNode);
	// `before` may be the trigger itself, but `getParentNodes` does not return the node whose parents are asked for. So the
	// parents of the nodes after `before` are searched too: `before` is one of these parents.
	const aroundBefore = before === undefined ? [] : [before, ...context.getChildNodes(before).map(({ name }) => name)];
	const parents = [context.getNode().name, ...aroundBefore].flatMap((name) => context.getParentNodes(name));
	return [...new Set(parents.filter(({ type }) => type.endsWith('.smsTrigger')).map(({ name }) => name))];
}

/**
 * Returns whether a node ran in this execution. This has to be checked, because n8n returns the pinned data of a trigger even if
 * another trigger started the execution.
 */
const hasRun = (context: IExecuteFunctions, node: string): boolean =>
	(context.evaluateExpression(`{{ $(${JSON.stringify(node)}).isExecuted }}`, 0) as unknown) === true;

/**
 * Returns the first item of a node's output. Null: the output has no item. Undefined: the output does not exist, or the node
 * did not run.
 */
const firstItemOf = (context: IExecuteFunctions, node: string, output: number): unknown =>
	tryRead(() => context.evaluateExpression(`{{ $(${JSON.stringify(node)}).first(${output})?.json ?? null }}`, 0));
