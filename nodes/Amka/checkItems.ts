import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { cleanAmka } from '../../lib/greek/amkaNumber';
import { columnsOf } from '../../lib/n8n/columns';
import { toItems, withoutUndefined } from '../../lib/n8n/items';
import { failuresOf, runItems, type Results } from '../../lib/n8n/workerPool';
import { countRows, groupByReason } from '../../lib/texts/groups';
import { noticeOf } from '../../lib/texts/notice';
import { nodeError, Problem, toProblem, tryRead } from '../../lib/texts/problem';
import { numberRows } from '../../lib/texts/rowNumber';
import { checkNumber } from './checkNumber';
import { compare, toSheet, type Comparison } from './compare';
import { openSession, type Session } from './lookup';
import { toNumberText } from './parsePerson';
import { readCompareInput, readSsn, readValidateInput } from './readItem';
import { readSettings, type Operation, type Settings } from './settings';
import { validate } from './validate';
import type { ItemResult } from './verdict';

/** The words of the summary for positive and negative results. */
const ANSWER_NAMES: Record<Operation, [yes: string, no: string]> = {
	validate: ['matched', 'not matched'],
	compare: ['agree', 'do not agree'],
	checkNumber: ['valid', 'not valid'],
};

/**
 * Checks all items of a run.
 * @returns the items of each output
 * @throws NodeApiError or NodeOperationError if an item fails, On Error is Stop, and no sheet is made
 */
export async function checkItems(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const settings = readSettings(context);
	const ended = await runItems<ItemResult>(context, () => {
		if (settings.problem !== undefined) throw settings.problem;
		const session = openSession(context, settings.concurrency, settings.timeout);
		return {
			concurrency: settings.concurrency,
			async work(itemIndex) {
				const checked = checkItem(context, itemIndex, settings, session);
				// In a sheet, an item that failed has a row with its fault. So the failure does not stop the run.
				return await (settings.isSheet ? checked.catch(toProblem) : checked);
			},
		};
	});
	const results = ended.map((result) => (result instanceof Problem ? withoutOutcome(result) : result));

	const [failure] = failuresOf(results);
	// If no item has a result, no sheet is made.
	const makesSheet = settings.isSheet && results.some(isResult);
	const summary = summarise(context, results, settings);
	if (failure !== undefined && !makesSheet && !context.continueOnFail()) {
		// If there are several items, the error also has their summary, because the editor shows no items of a failed run.
		const ofTheRun = results.length > 1 ? `Of ${countRows(results.length)}: ${summary}` : '';
		const row = numberRows(context.getInputData()).numbers[failure[0]];
		throw nodeError(context.getNode(), withMore(failure[1], ofTheRun), row, settings.language);
	}
	// With Split by Result a failed item goes to the second output, but the editor shows the first. So the summary is also
	// shown if there is only one item and it failed.
	if (results.length > 1 || failure !== undefined) {
		const type = failure !== undefined || results.includes(undefined) ? 'warning' : 'info';
		context.addExecutionHints({ message: summary, type, location: 'outputPane' });
	}
	return toOutputs(context, results, settings, makesSheet);
}

/** Reads one item, then checks it. @throws Problem if it can't be read or checked */
async function checkItem(context: IExecuteFunctions, itemIndex: number, settings: Settings, session: Session) {
	const { operation, columns } = settings;
	if (operation === 'checkNumber') return checkNumber(readSsn(context, itemIndex, columns));
	if (operation === 'compare') return await compare(readCompareInput(context, itemIndex, columns), session);
	return await validate(readValidateInput(context, itemIndex, columns), session);
}

const isResult = (result: ItemResult | Problem | undefined): result is ItemResult =>
	result !== undefined && !(result instanceof Problem);
/** Returns whether a result is positive: the person matches and has not died, all fields agree, or the number is valid. */
const isPositive = (result: ItemResult | Problem | undefined) => isResult(result) && result.why === undefined;

/**
 * Returns a Problem without `outcome`. `fault()` always sets this field, but it says whether an SMS was sent, so the items of
 * the AMKA node don't have it.
 */
function withoutOutcome(problem: Problem): Problem {
	const { outcome: _, ...details } = problem.details;
	return problem.copyWith({ details });
}

/** Returns a Problem with a text appended to its description. */
const withMore = (problem: Problem, more: string): Problem =>
	problem.copyWith({ description: [problem.description, more].filter(Boolean).join('. ') });

/**
 * Returns the summary of a run, for example "3 matched, 1 not matched, 2 failed, 5 not tried. The surname is missing: 2 items
 * (item 2 (…307), item 5 (…568))".
 */
function summarise(context: IExecuteFunctions, results: Results<ItemResult>, { operation, columns }: Settings): string {
	const withResult = results.filter(isResult);
	const yes = withResult.filter(isPositive).length;
	const notMatched = operation === 'compare' ? withResult.filter(({ item }) => item.matched === false).length : 0;
	const failures = failuresOf(results);
	const notTried = results.filter((result) => result === undefined).length;
	const [yesName, noName] = ANSWER_NAMES[operation];
	const counts = [
		`${yes} ${yesName}`,
		`${withResult.length - yes - notMatched} ${noName}`,
		...(operation === 'compare' ? [`${notMatched} not matched`] : []),
		`${failures.length} failed`,
		...(notTried > 0 ? [`${notTried} not tried`] : []),
	].join(', ');
	const named = failures.map(([itemIndex, problem]): [number, Problem] => {
		// The summary names an item by the last digits of its AMKA. The Problem does not contain the AMKA, so it is read again.
		const ssn = tryRead(() => cleanAmka(toNumberText(readSsn(context, itemIndex, columns))));
		return [itemIndex, ssn === undefined ? problem : problem.withDetails({ ssn })];
	});
	return failures.length > 0 ? `${counts}. ${groupByReason(named, numberRows(context.getInputData()))}` : counts;
}

/** Fields that an earlier AMKA node wrote. They are not copied to the output, because they would seem to be about this result. */
const NOT_PASSED_ON = new Set([
	...['matched', 'agrees', 'valid', 'reason', 'warning', 'notice', 'deceased'],
	...['same', 'differs', 'missingHere', 'missingThere', 'ssnChanged', 'birthDateIsFictitious', 'registry'],
]);

/**
 * Routes the items to their outputs. With Split by Result, a failed item goes to the second output, like a negative result.
 * @param makesSheet whether the items are the rows in a sheet
 */
function toOutputs(context: IExecuteFunctions, results: Results<ItemResult>, settings: Settings, makesSheet: boolean) {
	const { isSplit, language } = settings;
	const withNotice = ({ item, why }: ItemResult) =>
		withoutUndefined({ ...item, notice: why && noticeOf(why, language) });
	const list = {
		rows: context.getInputData().map(({ json }) => json),
		columns: columnsOf(context),
		timeZone: context.getTimezone(),
	};
	const rows: Results<IDataObject> = makesSheet
		? toSheet(list, results as Results<ItemResult<Comparison>>, language)
		: results.map((result) => (isResult(result) ? withNotice(result) : result));

	const leftOut = settings.includeInputFields && !makesSheet ? NOT_PASSED_ON : undefined;
	const outputOf = (itemIndex: number) => (isSplit && !isPositive(results[itemIndex]) ? 1 : 0);
	const [first = [], second = []] = toItems(context, rows, leftOut, language, outputOf);
	return isSplit ? [first, second] : [first];
}
