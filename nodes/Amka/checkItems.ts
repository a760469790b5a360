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
import { openLookup, type Lookup } from './lookup';
import { toNumberText } from './person';
import { readCompareInput, readSsn, readValidateInput } from './readItem';
import { readSettings, type Operation, type Settings } from './settings';
import { validate } from './validate';
import type { ItemResult } from './verdict';

/** How the summary names positive and negative answers. */
const ANSWER_NAMES: Record<Operation, [yes: string, no: string]> = {
	validate: ['matched', 'not matched'],
	compare: ['agree', 'do not agree'],
	checkNumber: ['valid', 'not valid'],
};

/**
 * Checks all items of a run.
 * @returns the items of each output
 * @throws NodeApiError or NodeOperationError if an item fails and On Error is Stop
 */
export async function checkItems(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const settings = readSettings(context);
	const results = await runItems<ItemResult>(context, () => {
		if (settings.problem !== undefined) throw settings.problem;
		const lookup = openLookup(context, settings.concurrency, settings.timeout);
		return {
			concurrency: settings.concurrency,
			async work(itemIndex) {
				const checked = checkItem(context, itemIndex, settings, lookup);
				// A faulty item is also a row of the sheet, so it does not stop the run.
				return await (settings.isSheet ? checked.catch(toProblem) : checked);
			},
		};
	});
	const run = results.map((result) => (result instanceof Problem ? withoutOutcome(result) : result));

	const [failure] = failuresOf(run);
	// If no item has an answer, there is no sheet.
	const isSheet = settings.isSheet && run.some(isAnswer);
	const summary = summarise(context, run, settings);
	if (failure !== undefined && !isSheet && !context.continueOnFail()) {
		// The error also counts the other items, because the editor shows no items of a failed run.
		const ofTheRun = run.length > 1 ? `Of ${countRows(run.length)}: ${summary}` : '';
		const row = numberRows(context.getInputData()).numbers[failure[0]];
		throw nodeError(context.getNode(), withoutOutcome(failure[1], ofTheRun), row, settings.language);
	}
	// The item of a failed look-up leaves at the second output, while the editor shows the first.
	if (run.length > 1 || failure !== undefined) {
		const type = failure !== undefined || run.includes(undefined) ? 'warning' : 'info';
		context.addExecutionHints({ message: summary, type, location: 'outputPane' });
	}
	return toOutputs(context, run, { ...settings, isSheet });
}

/** Reads one item, then checks it. @throws Problem if it can't be read or checked */
async function checkItem(context: IExecuteFunctions, itemIndex: number, settings: Settings, lookup: Lookup) {
	const { operation, columns } = settings;
	if (operation === 'checkNumber') return checkNumber(readSsn(context, itemIndex, columns));
	if (operation === 'compare') return await compare(readCompareInput(context, itemIndex, columns), lookup);
	return await validate(readValidateInput(context, itemIndex, columns), lookup);
}

const isAnswer = (result: ItemResult | Problem | undefined): result is ItemResult =>
	result !== undefined && !(result instanceof Problem);
const isYes = (result: ItemResult | Problem | undefined) => isAnswer(result) && result.why === undefined;

/** Returns a problem without `outcome`, which is about messages. @param more text to append to the description */
function withoutOutcome(problem: Problem, more = ''): Problem {
	const { outcome: _, ...details } = problem.details;
	return problem.copyWith({ description: [problem.description, more].filter(Boolean).join('. '), details });
}

/**
 * Sums up a run, as in "3 matched, 1 not matched, 2 failed, 5 not tried. The surname is missing: 2 items (item 2 (…307),
 * item 5 (…568))".
 */
function summarise(context: IExecuteFunctions, run: Results<ItemResult>, { operation, columns }: Settings): string {
	const answers = run.filter(isAnswer);
	const yes = answers.filter(isYes).length;
	const unknown = operation === 'compare' ? answers.filter(({ item }) => item.matched === false).length : 0;
	const failures = failuresOf(run);
	const notTried = run.filter((result) => result === undefined).length;
	const [yesName, noName] = ANSWER_NAMES[operation];
	const counts = [
		`${yes} ${yesName}`,
		`${answers.length - yes - unknown} ${noName}`,
		...(operation === 'compare' ? [`${unknown} not matched`] : []),
		`${failures.length} failed`,
		...(notTried > 0 ? [`${notTried} not tried`] : []),
	].join(', ');
	const named = failures.map(([itemIndex, problem]): [number, Problem] => {
		// The summary names an item by the last digits of its number. An error itself contains no number.
		const ssn = tryRead(() => cleanAmka(toNumberText(readSsn(context, itemIndex, columns))));
		return [itemIndex, ssn === undefined ? problem : problem.withDetails({ ssn })];
	});
	return failures.length > 0 ? `${counts}. ${groupByReason(named, numberRows(context.getInputData()))}` : counts;
}

/** Fields of an earlier AMKA node, which would be wrong beside this answer. */
const NOT_PASSED_ON = new Set([
	...['matched', 'agrees', 'valid', 'reason', 'warning', 'notice', 'deceased'],
	...['same', 'differs', 'missingHere', 'missingThere', 'ssnChanged', 'birthDateIsFictitious', 'registry'],
]);

/** Routes the items to their outputs. A failed item never goes to the output of a yes. */
function toOutputs(context: IExecuteFunctions, run: Results<ItemResult>, settings: Settings) {
	const { isSplit, isSheet, language } = settings;
	const withNotice = ({ item, why }: ItemResult) =>
		withoutUndefined({ ...item, notice: why && noticeOf(why, language) });
	const list = {
		rows: context.getInputData().map(({ json }) => json),
		columns: columnsOf(context),
		timeZone: context.getTimezone(),
	};
	const rows: Results<IDataObject> = isSheet
		? toSheet(list, run as Results<ItemResult<Comparison>>, language)
		: run.map((result) => (isAnswer(result) ? withNotice(result) : result));

	const yes = new Set(rows.filter((_, itemIndex) => isYes(run[itemIndex])));
	const leftOut = settings.includeInputFields && !isSheet ? NOT_PASSED_ON : undefined;
	const outputOf = (row: IDataObject | Problem) => (isSplit && !yes.has(row) ? 1 : 0);
	const [first = [], second = []] = toItems(context, rows, leftOut, language, outputOf);
	return isSplit ? [first, second] : [first];
}
