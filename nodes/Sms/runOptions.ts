import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { badParameter } from '../shared/errors';
import { readWholeNumber } from '../shared/runRows';

/** What counts for the whole run, read from the first row. */
export interface RunOptions {
	concurrency: number;
	messagesPerSecond: number;
	retries: number;
	skipDuplicates: boolean;
	dryRun: boolean;
}

/** @throws Problem that names the option and the rule it breaks */
export function readRunOptions(context: IExecuteFunctions): RunOptions {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const messagesPerSecond = Number(options.messagesPerSecond ?? 0);
	if (!(messagesPerSecond >= 0 && messagesPerSecond <= 10_000)) {
		throw badParameter('Messages per Second', 'must be a number from 0 to 10000', 'Set 0 for no limit');
	}
	return {
		concurrency: readWholeNumber(options.concurrency, 'Concurrency', 10, 1, 500),
		messagesPerSecond,
		retries: readWholeNumber(options.retries, 'Retries', 2, 0, 10),
		skipDuplicates: readSwitch(options.skipDuplicates, 'Skip Duplicates'),
		dryRun: readSwitch(options.dryRun, 'Dry Run'),
	};
}

/** An option that is on or off. An expression may bring it as text; anything else could mean either, and is refused. */
function readSwitch(value: unknown, option: string): boolean {
	if (value === undefined || value === false || value === 'false') return false;
	if (value === true || value === 'true') return true;
	throw badParameter(option, 'must be true or false', 'Use the switch, or correct the expression');
}
