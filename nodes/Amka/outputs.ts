import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../shared/items';
import type { Results } from '../shared/pool';
import { Problem } from '../shared/problem';
import { isTool } from '../shared/tool';
import type { Operation, RunSettings } from './runSettings';

/** Whether a row's answer is a yes: matched, with nothing that speaks against it; agrees; or valid. */
export function isYes(json: IDataObject, operation: Operation): boolean {
	switch (operation) {
		case 'validate':
			// A field of the record may be called "reason" too.
			return json.matched === true && json.reason !== 'deceased';
		case 'compare':
			return json.agrees === true;
		case 'checkNumber':
			return json.valid === true;
	}
}

/** A row's problem without `outcome`, which says what became of a message: here none is sent. */
export function amkaProblem(problem: Problem): Problem {
	const { outcome: _, ...details } = problem.details;
	return new Problem(problem.message, problem.description, details, problem.httpCode, problem.why);
}

/** Columns of an earlier AMKA node, which would say what is not true of this answer. */
const NOT_PASSED_ON = new Set([
	...['matched', 'agrees', 'valid', 'reason', 'warning', 'notice', 'deceased'],
	...['same', 'differs', 'missingHere', 'missingThere', 'ssnChanged', 'birthDateIsFictitious', 'registry'],
]);

/**
 * The items of a run by the output on which each leaves, in the order of the rows: all on one, or with
 * *Split by Result* each yes on the first and the rest on the second.
 *
 * A failed row is neither. Where On Error gives errors an output of their own, n8n takes them there; otherwise they
 * leave where no yes does, so that nobody counts as matched whom the registry was not asked about.
 */
export function splitByResult(
	context: IExecuteFunctions,
	run: Results<IDataObject>,
	{ operation, isSplit, includeInputFields }: RunSettings,
): INodeExecutionData[][] {
	// To the model of an AI agent n8n shows the first output alone.
	const haveTwo = isSplit && !isTool(context);
	const outputOf = (result: IDataObject | Problem) =>
		haveTwo && (result instanceof Problem || !isYes(result, operation)) ? 1 : 0;
	const [first = [], second = []] = toItems(
		context,
		run,
		includeInputFields ? NOT_PASSED_ON : undefined,
		'both',
		outputOf,
	);
	return haveTwo ? [first, second] : [first];
}
