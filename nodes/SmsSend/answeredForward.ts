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

/** The message that started this execution, whatever nodes are between. @throws Problem where none did */
export function findAnsweredForward(context: IExecuteFunctions) {
	for (const trigger of triggersOf(context).filter((name) => hasRun(context, name))) {
		for (let output = 0; output < MOST_OUTPUTS; output++) {
			const item = firstItemOf(context, trigger, output);
			if (item === undefined) break;
			const parsed = forwardItem.safeParse(item);
			if (!parsed.success) continue;
			const { smsForwardId, keyword, body, receivedAt } = parsed.data;
			const mobile = greekMobile(parsed.data.msisdn);
			// Ten digits if the number is a Greek mobile, otherwise the number as it came.
			const msisdn = mobile ?? parsed.data.msisdn;
			const same = identifyForward({ smsForwardId: smsForwardId ?? '', msisdn, keyword, body });
			return {
				msisdn,
				isMobile: mobile !== undefined,
				smsForwardId,
				/** What tells this message from others; without an id its time does. */
				identity: smsForwardId === undefined ? [receivedAt, ...same] : same,
			};
		}
	}
	const what = 'There is no message to reply to: no SMS Trigger started this execution with an incoming message';
	throw new Problem(what, 'Use the operation Send, with the number in Recipient', { outcome: 'rejected' });
}

/** The names of the SMS Triggers that lead to this node, or to the agent whose tool it is. One that did not run gives no item. */
function triggersOf(context: IExecuteFunctions): string[] {
	// Where the items came from: for a tool its agent, or what runs before the agent; no wire of the tool's leads there. Some
	// tools get their items from nowhere.
	const before = tryRead(() => context.getInputSourceData().previousNode);
	// A trigger may itself be the node before: then it is among the parents of what comes after it.
	const aroundBefore = before === undefined ? [] : [before, ...context.getChildNodes(before).map(({ name }) => name)];
	const parents = [context.getNode().name, ...aroundBefore].flatMap((name) => context.getParentNodes(name));
	return [...new Set(parents.filter(({ type }) => type.endsWith('.smsTrigger')).map(({ name }) => name))];
}

/** n8n gives the pinned data of a trigger also where another one started the execution. */
const hasRun = (context: IExecuteFunctions, node: string): boolean =>
	(context.evaluateExpression(`{{ $(${JSON.stringify(node)}).isExecuted }}`, 0) as unknown) === true;

/** @returns the first item of an output, null where it has none, undefined where there is no such output or the node did not run */
const firstItemOf = (context: IExecuteFunctions, node: string, output: number): unknown =>
	tryRead(() => context.evaluateExpression(`{{ $(${JSON.stringify(node)}).first(${output})?.json ?? null }}`, 0));
