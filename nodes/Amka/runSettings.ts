import type { IExecuteFunctions } from 'n8n-workflow';

import { refuseAlwaysOutputData } from '../shared/items';
import { getParameter, readChoice, readFlag, readFlagOption, readNumberOption } from '../shared/parameter';
import { asProblem, type Problem } from '../shared/problem';
import { readLanguage } from '../shared/node';
import type { Language } from '../shared/notice';
import { concurrency, includeInputFields } from './parameters';

const OPERATIONS = ['validate', 'compare', 'checkNumber'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What the outputs of Split by Result are called, as the node's description has them. */
const OUTPUTS: Record<Operation, [yes: string, no: string]> = {
	validate: ['Matched', 'Not Matched'],
	compare: ['Agrees', 'Does Not Agree'],
	checkNumber: ['Valid', 'Not Valid'],
};

/** What is true for all rows of a run, taken from the first. */
export interface RunSettings {
	operation: Operation;
	concurrency: number;
	/** Whether a yes and a no are routed to an output each. */
	isSplit: boolean;
	/** Whether an item contains the columns of its row as well. */
	includeInputFields: boolean;
	/** Whether a comparison puts out a sheet. */
	isSheet: boolean;
	language: Language;
	/** Why one of these could not be read; then every row fails with it. */
	problem?: Problem;
}

export function readRunSettings(context: IExecuteFunctions): RunSettings {
	const read = (path: string, label: string, fallback: unknown) => getParameter(context, path, label, 0, fallback);
	const settings: RunSettings = {
		operation: 'validate',
		concurrency: 1,
		isSplit: false,
		includeInputFields: false,
		isSheet: false,
		language: 'both',
	};
	try {
		settings.operation = readChoice(read('operation', 'Operation', undefined), 'Operation', OPERATIONS);
		settings.isSplit = readFlag(read('splitByResult', 'Split by Result', false), 'Split by Result');
		if (settings.isSplit) refuseAlwaysOutputData(context, 'Split by Result', OUTPUTS[settings.operation][0]);
		settings.includeInputFields = readFlagOption(context, includeInputFields);
		settings.language = readLanguage(context);
		if (settings.operation === 'compare') {
			const output = readChoice(read('compareOutput', 'Compare Output', 'lists'), 'Compare Output', ['lists', 'sheet']);
			settings.isSheet = output === 'sheet';
		}
		if (settings.operation !== 'checkNumber') {
			settings.concurrency = readNumberOption(context, concurrency);
		}
	} catch (error) {
		settings.problem = asProblem(error);
	}
	return settings;
}
