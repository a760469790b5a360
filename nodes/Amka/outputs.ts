import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toItems } from '../shared/items';
import { noticeOf } from '../shared/notice';
import type { Results } from '../shared/pool';
import { Problem } from '../shared/problem';
import { isTool } from '../shared/node';
import type { Comparison } from './compare';
import { toSheet } from './compareSheet';
import type { RunSettings } from './runSettings';
import type { Said } from './verdict';

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
export function itemsOf(context: IExecuteFunctions, run: Results<Said>, settings: RunSettings): INodeExecutionData[][] {
	const { isSplit, includeInputFields, isSheet, language } = settings;
	// To the model of an AI agent n8n shows the first output alone.
	const haveTwo = isSplit && !isTool(context);
	const yes = new Set<unknown>();
	const rows = isSheet ? toSheet(context, run as Results<Said<Comparison>>, language) : undefined;
	const items = run.map((said, itemIndex): IDataObject | Problem | undefined => {
		if (said === undefined) return undefined;
		const isFault = said instanceof Problem;
		const json = rows?.[itemIndex] ?? (isFault ? said : itemOf(said, settings));
		if (!isFault && said.isYes) yes.add(json);
		return json;
	});
	const outputOf = (result: IDataObject | Problem) => (haveTwo && !yes.has(result) ? 1 : 0);
	const leftOut = includeInputFields && !isSheet ? NOT_PASSED_ON : undefined;
	const [first = [], second = []] = toItems(context, items, leftOut, language, outputOf);
	return haveTwo ? [first, second] : [first];
}

const itemOf = ({ item, why }: Said, { language }: RunSettings): IDataObject => ({
	...item,
	...(why !== undefined && { notice: noticeOf(why, language) }),
});
