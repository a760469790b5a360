import type { IExecuteFunctions } from 'n8n-workflow';

import { getParameter } from '../../shared/parameter';
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
	return {
		...readRequestOptions(context),
		concurrency: readWholeNumber(option(context, 'concurrency', 'Concurrency', 10), 'Concurrency', 1, 500, 10),
		messagesPerSecond: readNumber(option(context, 'messagesPerSecond', 'Messages per Second', 0), 'Messages per Second', 0, 10_000, 10),
		skipWithinHours: readSkipWindow(context),
		includeInputFields: readFlag(option(context, 'includeInputFields', 'Include Input Fields', false), 'Include Input Fields'),
	};
}

/** The same for the options of a single request. */
export function readRequestOptions(context: IExecuteFunctions): RequestOptions {
	return {
		retries: readWholeNumber(option(context, 'retries', 'Retries', 2), 'Retries', 0, 10, 2),
		timeout: readNumber(option(context, 'timeout', 'Timeout', 30), 'Timeout', 0.01, 3600, 30) * 1000,
	};
}

/** For how many hours at least a message is not sent again; 0: without end, ten years at most. */
export function readSkipWindow(context: IExecuteFunctions): number {
	return readNumber(option(context, 'skipWithinHours', 'Skip Within (Hours)', 10), 'Skip Within (Hours)', 0, 87_600, 10);
}

const option = (context: IExecuteFunctions, name: string, label: string, fallback: unknown) =>
	getParameter(context, `options.${name}`, label, 0, fallback);
