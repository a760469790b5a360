import type { IExecuteFunctions } from 'n8n-workflow';

import { requireCells, requireValue } from '../../lib/n8n/columns';
import { refuseAlwaysOutputData } from '../../lib/n8n/items';
import { isTool } from '../../lib/n8n/aiTool';
import { readIncludeInputFields, readLanguage } from '../../lib/n8n/node';
import { getParameter, readChoice, readFlag, readNumberOption } from '../../lib/n8n/parameters';
import { tryRead, type Problem } from '../../lib/texts/problem';
import { PERSON_FIELDS, type PersonField } from './person';
import { options, splitByResult } from './properties';
import { findPersonColumns } from './readItem';

export type Operation = 'validate' | 'compare' | 'checkNumber';

/** The first output of Split by Result, as the node's description names it. */
const FIRST_OUTPUT: Record<Operation, string> = { validate: 'Matched', compare: 'Agrees', checkNumber: 'Valid' };

export type Settings = ReturnType<typeof readSettings>;

/** Reads the settings of a run from the first item. A setting that can't be read has its default. */
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
	// A sheet has one output, and n8n shows the model of an AI agent only the first one.
	const isSplit = !isSheet && !isTool(context) && (read(() => readSplitByResult(context)) ?? true);
	if (isSplit) read(() => refuseAlwaysOutputData(context, 'Split by Result', FIRST_OUTPUT[operation]));
	const includeInputFields = read(() => readIncludeInputFields(context)) ?? false;
	const asksRegistry = operation !== 'checkNumber';
	const fields: PersonField[] = asksRegistry ? ['ssn', 'birthDate', 'surname'] : ['ssn'];
	if (asksRegistry) read(() => requireCells(context, fields));
	const concurrency = (asksRegistry && read(() => readNumberOption(context, options.concurrency))) || 1;
	/** In seconds. */
	const timeout = (asksRegistry && read(() => readNumberOption(context, options.timeout))) || 0;
	for (const name of fields) read(() => requireValue(context, name, PERSON_FIELDS[name].label.en, PERSON_FIELDS[name]));
	const columns = read(() => findPersonColumns(context, fields)) ?? {};
	/** Why a setting could not be read. Then every item fails with it. */
	const [problem] = problems;
	return { language, operation, isSplit, includeInputFields, isSheet, concurrency, timeout, columns, problem };
}

function readSplitByResult(context: IExecuteFunctions): boolean {
	const { name, displayName, default: standard } = splitByResult;
	return readFlag(getParameter(context, name, displayName, 0, standard), displayName);
}
