import type { IExecuteFunctions } from 'n8n-workflow';

import { failuresOf, type Results } from '../shared/pool';
import { Problem } from '../shared/problem';
import { countRows, groupByReason } from '../shared/summary';
import { tidyAmka } from './amkaNumber';
import { readNumber } from './person';
import type { Operation } from './runSettings';
import type { Said } from './verdict';

/** Sums up a run of several rows below the node's output; a warning where rows failed or were not tried. */
export function addSummary(context: IExecuteFunctions, run: Results<Said>, operation: Operation): void {
	if (context.getInputData().length < 2) return;
	const failures = failuresOf(run);
	const reasons = groupByReason(withNumbers(context, failures));
	context.addExecutionHints({
		message: `${countAnswers(run, operation)}${reasons === '' ? '' : `. ${reasons}`}`,
		type: failures.length > 0 || run.includes(undefined) ? 'warning' : 'info',
		location: 'outputPane',
	});
}

/** The error that ends a run of several rows also says what became of the others: the editor shows no items then. */
export function withSummary(
	context: IExecuteFunctions,
	problem: Problem,
	run: Results<Said>,
	operation: Operation,
): Problem {
	if (run.length < 2) return problem;
	const { message, description, details, httpCode, why } = problem;
	return new Problem(
		message,
		`${description}. Of ${countRows(run.length)}: ${countAnswers(run, operation)}. ${groupByReason(withNumbers(context, failuresOf(run)))}`,
		details,
		httpCode,
		why,
	);
}

/** Failed rows with the numbers whose ends they are known by in the summary; an error itself contains no number. */
function withNumbers(
	context: IExecuteFunctions,
	failed: Array<[itemIndex: number, problem: Problem]>,
): Array<[number, Problem]> {
	return failed.map(([itemIndex, problem]) => {
		try {
			return [itemIndex, problem.with({ ssn: tidyAmka(readNumber(context, itemIndex)) })];
		} catch {
			return [itemIndex, problem]; // The row has an error already, and that one may be it.
		}
	});
}

/** As in "3 matched, 1 not matched, 2 failed, 5 not tried"; of a comparison also how many did not match at all. */
function countAnswers(run: Results<Said>, operation: Operation): string {
	const answers = run.filter((result): result is Said => result !== undefined && !(result instanceof Problem));
	const yes = answers.filter(({ isYes }) => isYes).length;
	const unknown = operation === 'compare' ? answers.filter(({ isMatched }) => !isMatched).length : 0;
	const notTried = run.filter((result) => result === undefined).length;
	const [yesWords, noWords] = WORDS[operation];
	return [
		`${yes} ${yesWords}`,
		`${answers.length - yes - unknown} ${noWords}`,
		...(operation === 'compare' ? [`${unknown} not matched`] : []),
		`${failuresOf(run).length} failed`,
		...(notTried > 0 ? [`${notTried} not tried`] : []),
	].join(', ');
}

const WORDS: Record<Operation, [yes: string, no: string]> = {
	validate: ['matched', 'not matched'],
	compare: ['agree', 'do not agree'],
	checkNumber: ['valid', 'not valid'],
};
