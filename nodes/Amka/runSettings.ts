import type { IExecuteFunctions } from 'n8n-workflow';

import { refuseAlwaysOutputData } from '../shared/emptyItems';
import { getParameter } from '../shared/parameter';
import { asProblem, type Problem } from '../shared/problem';
import { readChoice, readFlag, readWholeNumber } from '../shared/read';

const OPERATIONS = ['validate', 'checkNumber'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What holds for all rows of a run, taken from the first. */
export interface RunSettings {
	operation: Operation;
	concurrency: number;
	/** Whether a yes and a no leave on an output each. */
	isSplit: boolean;
	/** Why one of these could not be read; then every row fails with it. */
	problem?: Problem;
}

export function readRunSettings(context: IExecuteFunctions): RunSettings {
	const read = (path: string, label: string, fallback: unknown) => getParameter(context, path, label, 0, fallback);
	const settings: RunSettings = { operation: 'validate', concurrency: 1, isSplit: false };
	try {
		settings.operation = readChoice(read('operation', 'Operation', undefined), 'Operation', OPERATIONS);
		settings.isSplit = readFlag(read('splitByResult', 'Split by Result', false), 'Split by Result');
		if (settings.isSplit) refuseAlwaysOutputData(context, 'Split by Result', settings.operation === 'validate' ? 'Matched' : 'Valid');
		if (settings.operation === 'validate') {
			settings.concurrency = readWholeNumber(read('options.concurrency', 'Concurrency', 5), 'Concurrency', 1, 50, 5);
		}
	} catch (error) {
		settings.problem = asProblem(error);
	}
	return settings;
}
