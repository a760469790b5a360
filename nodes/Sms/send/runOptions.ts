import type { IExecuteFunctions } from 'n8n-workflow';

import { readFlag, readNumber, readWholeNumber } from '../../shared/read';

/** How one request is made and repeated. */
export interface RequestOptions {
	/** How often to try again where the message was certainly not taken. */
	retries: number;
	/** Milliseconds. */
	timeout: number;
}

/** What counts for the whole run, read from the first row. */
export interface RunOptions extends RequestOptions {
	concurrency: number;
	messagesPerSecond: number;
	/** 0: without end. */
	skipWithinHours: number;
	includeInputFields: boolean;
}

/**
 * Reads each option by itself, so that one whose expression fails takes no other with it.
 *
 * @throws Problem that names the option and its bounds
 */
export function readRunOptions(context: IExecuteFunctions): RunOptions {
	const option = (name: string, fallback: unknown) => context.getNodeParameter(`options.${name}`, 0, fallback) as unknown;
	return {
		...readRequestOptions(context),
		concurrency: readWholeNumber(option('concurrency', 10), 'Concurrency', 1, 500, 10),
		messagesPerSecond: readNumber(option('messagesPerSecond', 0), 'Messages per Second', 0, 10_000, 10),
		skipWithinHours: readNumber(option('skipWithinHours', 10), 'Skip Within (Hours)', 0, 87_600, 10),
		includeInputFields: readFlag(option('includeInputFields', false), 'Include Input Fields'),
	};
}

/** The same for the options of a single request. */
export function readRequestOptions(context: IExecuteFunctions): RequestOptions {
	return {
		retries: readWholeNumber(context.getNodeParameter('options.retries', 0, 2), 'Retries', 0, 10, 2),
		timeout: readNumber(context.getNodeParameter('options.timeout', 0, 30), 'Timeout', 0.01, 3600, 30) * 1000,
	};
}
