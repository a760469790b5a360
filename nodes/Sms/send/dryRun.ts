import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { asProblem } from '../../shared/problem';
import type { Before } from '../memory/claims';
import { quietProblem } from '../outgoing/guards';
import type { Sending } from '../outgoing/deliver';
import { nameProblem } from '../outgoing/run';
import { readDryRun, type SendRow } from './readRow';
import { checkedItem, problemItem, skippedItem, withReference } from './sendItem';

/* Rows that are only checked, by a dry run or a review. */

/**
 * The item of a row that is only checked.
 *
 * @param before what is known of its message
 * @param keepsQuiet whether it would wait for the end of quiet hours
 */
export async function dryItem(
	{ platform, guards }: Sending,
	row: SendRow,
	before: Before,
	keepsQuiet: boolean,
): Promise<IDataObject> {
	const named = await withReference(platform, row, before.period);
	if (row.doNotSend) return { ...skippedItem(named, 'doNotSend'), dryRun: true };
	if (before.state !== 'new')
		return { ...skippedItem(named, before.state === 'sent' ? 'sentBefore' : 'unknown'), dryRun: true };
	return checkedItem(named, keepsQuiet ? quietProblem(guards, Date.now())?.details.quietUntil : undefined);
}

/**
 * The item of a row that is only checked and has a problem: it never stops the workflow.
 *
 * @param isReview whether nothing is sent, whatever the row says
 * @param dryRows takes the row up where it is only checked
 * @throws the problem where the row was to be sent, or where On Error takes it to an output
 */
export function itemOfChecked(
	context: IExecuteFunctions,
	itemIndex: number,
	error: unknown,
	isReview = false,
	dryRows?: Set<number>,
): IDataObject {
	const problem = asProblem(error);
	if (!isReview) {
		if (!isDryRow(context, itemIndex)) throw problem;
		dryRows?.add(itemIndex);
		if (context.continueOnFail()) throw problem;
	}
	return problemItem(nameProblem(context, itemIndex, problem));
}

/** Whether a row that fails is only checked. One whose option can't be read is not. */
function isDryRow(context: IExecuteFunctions, itemIndex: number): boolean {
	try {
		return readDryRun(context, itemIndex);
	} catch {
		return false;
	}
}
