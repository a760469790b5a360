import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { requireCells, requireValue } from '../../lib/n8n/columns';
import { refuseAlwaysOutputData, toItems, withoutUndefined } from '../../lib/n8n/items';
import { isTool } from '../../lib/n8n/aiTool';
import { readIncludeInputFields, readLanguage } from '../../lib/n8n/node';
import { noticeOf } from '../../lib/texts/notice';
import { getParameter, readChoice, readFlag, readNumberOption } from '../../lib/n8n/parameters';
import { failuresOf, runItems, type Results } from '../../lib/n8n/workerPool';
import { toProblem, tryRead, nodeError, Problem } from '../../lib/texts/problem';
import { numberRows } from '../../lib/texts/rowNumber';
import { countRows, groupByReason } from '../../lib/texts/groups';
import { checkAmkaNumber, tidyAmka } from '../../lib/greek/amkaNumber';
import { openLookup } from './lookup';
import { compare, toSheet, type Comparison } from './compare';
import { options, splitByResult } from './properties';
import { PERSON_FIELDS, readNumber } from './person';
import { validate } from './validate';
import type { Said } from './verdict';

/** What says something of a row, a yes and a no in the summary, and the first output of Split by Result, as the description has it. */
const OPERATIONS = {
	validate: { say: validate, words: ['matched', 'not matched'], firstOutput: 'Matched' },
	compare: { say: compare, words: ['agree', 'do not agree'], firstOutput: 'Agrees' },
	checkNumber: { say: checkNumber, words: ['valid', 'not valid'], firstOutput: 'Valid' },
} as const;

type Operation = keyof typeof OPERATIONS;

/** Runs the node. @returns the items of each output. @throws NodeApiError or NodeOperationError where On Error says to stop */
export async function runAmka(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const settings = readSettings(context);
	const results = await runItems<Said>(context, () => {
		if (settings.problem !== undefined) throw settings.problem;
		const { say } = OPERATIONS[settings.operation];
		const lookup = openLookup(context, settings.concurrency, settings.timeout);
		return {
			concurrency: settings.concurrency,
			async work(itemIndex) {
				const said = say(context, itemIndex, lookup);
				// In a sheet a row with a fault is a row like the others.
				return await (settings.isSheet ? said.catch(toProblem) : said);
			},
		};
	});
	const run = results.map((said) => (said instanceof Problem ? amkaProblem(said) : said));

	const [failure] = failuresOf(run);
	// A sheet in which no row has an answer is none.
	const isSheet = settings.isSheet && run.some(isAnswer);
	const summary = sumUp(context, run, settings.operation);
	if (failure !== undefined && !isSheet && !context.continueOnFail()) {
		// It also says what became of the other rows: the editor shows no items then.
		const ofTheRun = run.length > 1 ? `Of ${countRows(run.length)}: ${summary}` : '';
		throw nodeError(context.getNode(), amkaProblem(failure[1], ofTheRun), failure[0], settings.language);
	}
	if (run.length > 1) {
		const type = failure !== undefined || run.includes(undefined) ? 'warning' : 'info';
		context.addExecutionHints({ message: summary, type, location: 'outputPane' });
	}
	return itemsOf(context, run, { ...settings, isSheet });
}

/** What is true for all rows of a run, taken from the first. What can't be read is as it is by default. */
function readSettings(context: IExecuteFunctions) {
	const problems: Problem[] = [];
	const ifRead = <T>(read: () => T) => tryRead(read, problems);
	const get = (path: string, label: string, fallback?: unknown) => getParameter(context, path, label, 0, fallback);
	const operations = Object.keys(OPERATIONS) as Operation[];
	const outputs = ['lists', 'sheet'] as const;

	const language = ifRead(() => readLanguage(context)) ?? 'el';
	const operation = ifRead(() => readChoice(get('operation', 'Operation'), 'Operation', operations)) ?? 'validate';
	const readOutput = () => readChoice(get('compareOutput', 'Compare Output', 'lists'), 'Compare Output', outputs);
	const isSheet = operation === 'compare' && ifRead(readOutput) === 'sheet';
	// A sheet has one output, and n8n shows the model of an AI agent only the first one.
	const isSplit = !isSheet && !isTool(context) && (ifRead(() => readSplitByResult(context)) ?? true);
	if (isSplit) ifRead(() => refuseAlwaysOutputData(context, 'Split by Result', OPERATIONS[operation].firstOutput));
	const includeInputFields = ifRead(() => readIncludeInputFields(context)) ?? false;
	const isAsked = operation !== 'checkNumber';
	if (isAsked) ifRead(() => requireCells(context, Object.keys(PERSON_FIELDS)));
	const concurrency = (isAsked && ifRead(() => readNumberOption(context, options.concurrency))) || 1;
	/** In seconds. */
	const timeout = (isAsked && ifRead(() => readNumberOption(context, options.timeout))) || 0;
	for (const [name, field] of Object.entries(PERSON_FIELDS))
		if (name === 'ssn' || isAsked) ifRead(() => requireValue(context, name, field.label.en, field));
	/** Why one of these could not be read: then every row fails with it. */
	const [problem] = problems;
	return { language, operation, isSplit, includeInputFields, isSheet, concurrency, timeout, problem };
}

const readSplitByResult = (context: IExecuteFunctions): boolean => {
	const { name, displayName, default: standard } = splitByResult;
	return readFlag(getParameter(context, name, displayName, 0, standard), displayName);
};

/** An empty value is an answer here, not an error: a sheet with gaps is what this operation is used on. */
async function checkNumber(context: IExecuteFunctions, itemIndex: number): Promise<Said> {
	const check = checkAmkaNumber(readNumber(context, itemIndex));
	if (check.valid) return { item: { ...check } };
	const reason = check.ssn === '' ? 'emptyNumber' : check.reason;
	return { item: { ...check }, why: { reason, about: { value: check.ssn } } };
}

const isAnswer = (said: Said | Problem | undefined): said is Said => said !== undefined && !(said instanceof Problem);
const isYes = (said: Said | Problem | undefined) => isAnswer(said) && said.why === undefined;

/** A problem without `outcome`, which says what became of a message: here none is sent. @param more to be said behind it */
function amkaProblem(problem: Problem, more = ''): Problem {
	const { outcome: _, ...details } = problem.details;
	return problem.copyWith({ description: [problem.description, more].filter(Boolean).join('. '), details });
}

/** As in "3 matched, 1 not matched, 2 failed, 5 not tried. The surname is missing: 2 rows (row 2 (…307), row 5 (…568))". */
function sumUp(context: IExecuteFunctions, run: Results<Said>, operation: Operation): string {
	const answers = run.filter(isAnswer);
	const yes = answers.filter(isYes).length;
	const unknown = operation === 'compare' ? answers.filter(({ item }) => item.matched === false).length : 0;
	const failures = failuresOf(run);
	const notTried = run.filter((result) => result === undefined).length;
	const [yesWords, noWords] = OPERATIONS[operation].words;
	const counts = [
		`${yes} ${yesWords}`,
		`${answers.length - yes - unknown} ${noWords}`,
		...(operation === 'compare' ? [`${unknown} not matched`] : []),
		`${failures.length} failed`,
		...(notTried > 0 ? [`${notTried} not tried`] : []),
	].join(', ');
	const known = failures.map(([itemIndex, problem]): [number, Problem] => {
		// By the end of its number a row is known here; an error itself contains no number.
		const ssn = tryRead(() => tidyAmka(readNumber(context, itemIndex)));
		return [itemIndex, ssn === undefined ? problem : problem.withDetails({ ssn })];
	});
	return failures.length > 0 ? `${counts}. ${groupByReason(known, numberRows(context.getInputData()))}` : counts;
}

/** Columns of an earlier AMKA node, which would say what is not true of this answer. */
const NOT_PASSED_ON = new Set([
	...['matched', 'agrees', 'valid', 'reason', 'warning', 'notice', 'deceased'],
	...['same', 'differs', 'missingHere', 'missingThere', 'ssnChanged', 'birthDateIsFictitious', 'registry'],
]);

/** Items by output. A failed row leaves where no yes does, so that nobody counts as matched whom nobody asked about. */
function itemsOf(context: IExecuteFunctions, run: Results<Said>, settings: ReturnType<typeof readSettings>) {
	const { isSplit, isSheet, language } = settings;
	const withNotice = ({ item, why }: Said) => withoutUndefined({ ...item, notice: why && noticeOf(why, language) });
	const rows: Results<IDataObject> = isSheet
		? toSheet(context, run as Results<Said<Comparison>>, language)
		: run.map((said) => (isAnswer(said) ? withNotice(said) : said));

	const yes = new Set(rows.filter((_, itemIndex) => isYes(run[itemIndex])));
	const leftOut = settings.includeInputFields && !isSheet ? NOT_PASSED_ON : undefined;
	const outputOf = (row: IDataObject | Problem) => (isSplit && !yes.has(row) ? 1 : 0);
	const [first = [], second = []] = toItems(context, rows, leftOut, language, outputOf);
	return isSplit ? [first, second] : [first];
}
