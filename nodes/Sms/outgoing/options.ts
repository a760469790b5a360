import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { readNumberOption } from '../../shared/parameter';

/* Options that more than one operation or node has. Their readers take name, label, default and bounds from here. */

export const concurrency: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 500 },
	default: 10,
	description: 'How many messages are in progress in parallel, from 1 to 500. The first item counts.',
};

export const messageText: INodeProperties = {
	displayName: 'Message Text',
	name: 'messageText',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}',
	description: 'The predefined message as the operator defined it, instead of the one in the credential',
};

export const noReport: INodeProperties = {
	displayName: 'No Delivery Report',
	name: 'noReport',
	type: 'boolean',
	default: false,
	description: 'Whether to ask for no delivery report, although the credential has a URL for them',
};

export const reference: INodeProperties = {
	displayName: 'Reference',
	name: 'reference',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json["ΑΜ"] }}',
	description: 'Your own name for the message, which its report brings back. Others see it: use nothing personal.',
};

export const retries: INodeProperties = {
	displayName: 'Retries',
	name: 'retries',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 10 },
	default: 2,
	description: 'How often to send again what was certainly not accepted, from 0 to 10 times. The first item counts.',
};

export const timeout: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 0.01, maxValue: 3600, numberPrecision: 2 },
	default: 30,
	description: 'How many seconds to wait for the answer of the platform, up to 3600. The first item counts.',
};

/** How one request is made and repeated. */
export interface RequestOptions {
	/** How often to send again if the message was certainly not accepted. */
	retries: number;
	/** Milliseconds. */
	timeout: number;
}

/** @throws Problem that names the option and its bounds */
export function readRequestOptions(context: IExecuteFunctions): RequestOptions {
	return { retries: readNumberOption(context, retries), timeout: readNumberOption(context, timeout) * 1000 };
}
