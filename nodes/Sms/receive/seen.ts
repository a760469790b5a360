import type { IWebhookFunctions } from 'n8n-workflow';

import { claimEvent, hashOf, acceptedBefore, type Claim, type EventKey } from '../claim';

/** Events that survive a restart of n8n, per node; all of them are written at every event. */
const STORED = 500;

/**
 * Claims an event that this trigger has not accepted, in this process or as n8n's static data has it: before a restart, or
 * in another process. `accept` writes the event there, and it counts only in the moment between recording the execution and
 * answering: what is written before is lost when n8n prepares the run.
 */
export function claimUnseen(context: IWebhookFunctions, key: EventKey): Claim {
	// While an admin tests in the editor, the same message may come as often as they like.
	if (context.getMode() === 'manual') return { state: 'first', accept() {} };

	// The workflow's data, and in it the node's by its id: n8n keeps a node's own by its name, which may change.
	const staticData = context.getWorkflowStaticData('global');
	const place = `smsTrigger ${context.getNode().id}`;
	const stored = Array.isArray(staticData[place]) ? (staticData[place] as string[]) : [];
	const claim = claimEvent(context, key, stored);
	if (claim.state !== 'first') return claim;
	return {
		state: 'first',
		accept() {
			claim.accept();
			// Each request has its own copy of the static data, so the last to write has to know what all others took.
			staticData[place] = [...new Set([...stored, ...acceptedBefore(context).slice(-STORED), hashOf(key)])].slice(
				-STORED,
			);
		},
	};
}
