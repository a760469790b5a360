import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { failuresOf, type Results } from '../shared/pool';
import { Problem } from '../shared/problem';
import { countRows, groupByReason } from '../shared/summary';
import { isYes } from './outputs';
import type { Operation } from './runSettings';

/** Sums up a run of several rows below the node's output; a warning where rows failed or were not tried. */
export function addSummary(context: IExecuteFunctions, run: Results<IDataObject>, operation: Operation): void {
	if (context.getInputData().length < 2) return;
	const failures = failuresOf(run);
	const reasons = groupByReason(failures);
	context.addExecutionHints({
		message: `${countAnswers(run, operation)}${reasons === '' ? '' : `. ${reasons}`}`,
		type: failures.length > 0 || run.includes(undefined) ? 'warning' : 'info',
		location: 'outputPane',
	});
}

/** The error that ends a run of several rows also says what became of the others: the editor shows no items then. */
export function withSummary(problem: Problem, run: Results<IDataObject>, operation: Operation): Problem {
	if (run.length < 2) return problem;
	const { message, description, details, httpCode } = problem;
	return new Problem(
		message,
		`${description}. Of ${countRows(run.length)}: ${countAnswers(run, operation)}. ${groupByReason(failuresOf(run))}`,
		details,
		httpCode,
	);
}

/** As in "3 matched, 1 not matched, 2 failed, 5 not tried". */
function countAnswers(run: Results<IDataObject>, operation: Operation): string {
	const answers = run.filter((result): result is IDataObject => result !== undefined && !(result instanceof Problem));
	const yes = answers.filter((json) => isYes(json, operation)).length;
	const notTried = run.filter((result) => result === undefined).length;
	const answer = operation === 'checkNumber' ? 'valid' : 'matched';
	const counts = [`${yes} ${answer}`, `${answers.length - yes} not ${answer}`, `${failuresOf(run).length} failed`];
	return [...counts, ...(notTried > 0 ? [`${notTried} not tried`] : [])].join(', ');
}
