import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Run } from '../shared/pool';
import { Problem } from '../shared/problem';
import { countRows, groupByReason } from '../shared/summary';
import { tidyAmka } from './amkaNumber';
import { isYes } from './outputs';
import { readNumberText } from './person';
import type { Operation } from './runSettings';

/** Sums up a run of several rows below the node's output; a warning where rows failed or were not tried. */
export function addSummary(context: IExecuteFunctions, run: Run<IDataObject>, operation: Operation): void {
	if (context.getInputData().length < 2) return;
	const reasons = groupByReason(withNumbers(context, run.failed));
	context.addExecutionHints({
		message: `${countAnswers(run, operation)}${reasons === '' ? '' : `. ${reasons}`}`,
		type: run.failed.length + run.notTried.length > 0 ? 'warning' : 'info',
		location: 'outputPane',
	});
}

/** The error that ends a run of several rows also says what became of the others: the editor shows no items then. */
export function withSummary(context: IExecuteFunctions, problem: Problem, run: Run<IDataObject>, operation: Operation): Problem {
	const total = run.done.length + run.failed.length + run.notTried.length;
	if (total < 2) return problem;
	const { message, description, details, httpCode } = problem;
	return new Problem(
		message,
		`${description}. Of ${countRows(total)}: ${countAnswers(run, operation)}. ${groupByReason(withNumbers(context, run.failed))}`,
		details,
		httpCode,
	);
}

/** Failed rows with the numbers whose ends they are known by in the summary; an error itself holds no number. */
function withNumbers(context: IExecuteFunctions, failed: Array<[itemIndex: number, problem: Problem]>): Array<[number, Problem]> {
	return failed.map(([itemIndex, problem]) => {
		try {
			return [itemIndex, problem.with({ ssn: tidyAmka(readNumberText(context.getNodeParameter('ssn', itemIndex, ''))) })];
		} catch {
			return [itemIndex, problem]; // The row has an error already, and that one may be it.
		}
	});
}

/** As in "3 matched, 1 not matched, 2 failed, 5 not tried"; of a comparison also how many did not match at all. */
function countAnswers({ done, failed, notTried }: Run<IDataObject>, operation: Operation): string {
	const yes = done.filter(([, json]) => isYes(json, operation)).length;
	const unknown = operation === 'compare' ? done.filter(([, json]) => json.matched !== true).length : 0;
	const [yesWords, noWords] = WORDS[operation];
	return [
		`${yes} ${yesWords}`,
		`${done.length - yes - unknown} ${noWords}`,
		...(operation === 'compare' ? [`${unknown} not matched`] : []),
		`${failed.length} failed`,
		...(notTried.length > 0 ? [`${notTried.length} not tried`] : []),
	].join(', ');
}

const WORDS: Record<Operation, [yes: string, no: string]> = {
	validate: ['matched', 'not matched'],
	compare: ['agree', 'do not agree'],
	checkNumber: ['valid', 'not valid'],
};
