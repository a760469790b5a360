import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { greekMobile } from '../../lib/greek/mobile';
import { tryRead, Problem } from '../../lib/texts/problem';
import { identifyForward } from '../../lib/smsPlatform/sameForward';

export type AnsweredForward = ReturnType<typeof findAnsweredForward>;

const forwardItem = z.object({
	event: z.literal('smsForward'),
	msisdn: z.string(),
	keyword: z.string().default(''),
	body: z.string().default(''),
	smsForwardId: z.string().optional(),
	receivedAt: z.string(),
});

/** More outputs than any SMS Trigger has keywords. */
const MOST_OUTPUTS = 200;

/** Finds the incoming message that started this execution. @throws Problem if the execution was started otherwise */
export function findAnsweredForward(context: IExecuteFunctions) {
	for (const trigger of triggersOf(context).filter((name) => hasRun(context, name))) {
		for (let output = 0; output < MOST_OUTPUTS; output++) {
			const item = firstItemOf(context, trigger, output);
			if (item === undefined) break;
			const parsed = forwardItem.safeParse(item);
			if (!parsed.success) continue;
			const { smsForwardId, keyword, body, receivedAt } = parsed.data;
			const mobile = greekMobile(parsed.data.msisdn);
			// Ten digits if the number is a Greek mobile, otherwise the number as the platform sent it.
			const msisdn = mobile ?? parsed.data.msisdn;
			const same = identifyForward({ smsForwardId: smsForwardId ?? '', msisdn, keyword, body });
			return {
				msisdn,
				isMobile: mobile !== undefined,
				smsForwardId,
				/** Distinguishes this message from others. Without an id, it contains the time of the message. */
				identity: smsForwardId === undefined ? [receivedAt, ...same] : same,
			};
		}
	}
	const what = 'There is no message to reply to: no SMS Trigger started this execution with an incoming message';
	throw new Problem(what, 'Use the operation Send, with the number in Recipient', { outcome: 'rejected' });
}

/** Returns the names of the SMS Triggers that lead to this node, or to the AI agent whose tool it is. */
function triggersOf(context: IExecuteFunctions): string[] {
	// The node that the items came from. For a tool, it is the agent or the node before the agent, although the tool has no
	// connection to that node. Some tools have no such node.
	const before = tryRead(() => context.getInputSourceData().previousNode);
	// The trigger may itself be that node. Then it is among the parents of its children.
	const aroundBefore = before === undefined ? [] : [before, ...context.getChildNodes(before).map(({ name }) => name)];
	const parents = [context.getNode().name, ...aroundBefore].flatMap((name) => context.getParentNodes(name));
	return [...new Set(parents.filter(({ type }) => type.endsWith('.smsTrigger')).map(({ name }) => name))];
}

/** Returns whether a node ran. n8n gives the pinned data of a trigger even if another trigger started the execution. */
const hasRun = (context: IExecuteFunctions, node: string): boolean =>
	(context.evaluateExpression(`{{ $(${JSON.stringify(node)}).isExecuted }}`, 0) as unknown) === true;

/** Returns the first item of an output. Null: it has no item. Undefined: there is no such output, or the node did not run. */
const firstItemOf = (context: IExecuteFunctions, node: string, output: number): unknown =>
	tryRead(() => context.evaluateExpression(`{{ $(${JSON.stringify(node)}).first(${output})?.json ?? null }}`, 0));
