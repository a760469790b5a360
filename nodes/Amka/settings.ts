import type { IExecuteFunctions } from 'n8n-workflow';

import { requireCells, requireValue } from '../../lib/n8n/columns';
import { refuseAlwaysOutputData } from '../../lib/n8n/items';
import { isTool } from '../../lib/n8n/aiTool';
import { readIncludeInputFields, readLanguage } from '../../lib/n8n/node';
import { getParameter, readChoice, readFlag, readNumberOption } from '../../lib/n8n/parameters';
import { tryRead, type Problem } from '../../lib/texts/problem';
import { PERSON_FIELDS, type PersonField } from './parsePerson';
import { options, splitByResult } from './properties';
import { findPersonColumns } from './readItem';

export type Operation = 'validate' | 'compare' | 'checkNumber';

/** The name of the first output if Split by Result is on. The node's description has the same names. */
const FIRST_OUTPUT: Record<Operation, string> = { validate: 'Matched', compare: 'Agrees', checkNumber: 'Valid' };

export type Settings = ReturnType<typeof readSettings>;

/**
 * Reads the settings of a run from the first item. A setting that can't be read gets a fallback value here, and its Problem
 * makes every item fail.
 */
export function readSettings(context: IExecuteFunctions) {
	const problems: Problem[] = [];
	const read = <T>(readIt: () => T) => tryRead(readIt, problems);
	const get = (path: string, label: string, fallback?: unknown) => getParameter(context, path, label, 0, fallback);
	const operations = Object.keys(FIRST_OUTPUT) as Operation[];
	const outputs = ['lists', 'sheet'] as const;

	const language = read(() => readLanguage(context)) ?? 'el';
	const operation = read(() => readChoice(get('operation', 'Operation'), 'Operation', operations)) ?? 'validate';
	const readOutput = () => readChoice(get('compareOutput', 'Compare Output', 'lists'), 'Compare Output', outputs);
	const isSheet = operation === 'compare' && read(readOutput) === 'sheet';
	// A sheet is never split. As a tool of an AI agent the node is not split either, because n8n gives the model only the first
	// output.
	const isSplit = !isSheet && !isTool(context) && (read(() => readSplitByResult(context)) ?? true);
	if (isSplit) read(() => refuseAlwaysOutputData(context, 'Split by Result', FIRST_OUTPUT[operation]));
	const includeInputFields = read(() => readIncludeInputFields(context)) ?? false;
	const asksRegistry = operation !== 'checkNumber';
	const fields: PersonField[] = asksRegistry ? ['ssn', 'birthDate', 'surname'] : ['ssn'];
	if (asksRegistry) read(() => requireCells(context, fields));
	const concurrency = (asksRegistry && read(() => readNumberOption(context, options.concurrency))) || 1;
	/** The time-out of a request, in seconds. */
	const timeout = (asksRegistry && read(() => readNumberOption(context, options.timeout))) || 0;
	for (const name of fields) read(() => requireValue(context, name, PERSON_FIELDS[name].label.en, PERSON_FIELDS[name]));
	const columns = read(() => findPersonColumns(context, fields)) ?? {};
	/** The Problem of the first setting that could not be read. Every item fails with it. */
	const [problem] = problems;
	return { language, operation, isSplit, includeInputFields, isSheet, concurrency, timeout, columns, problem };
}

function readSplitByResult(context: IExecuteFunctions): boolean {
	const { name, displayName, default: standard } = splitByResult;
	return readFlag(getParameter(context, name, displayName, 0, standard), displayName);
}
