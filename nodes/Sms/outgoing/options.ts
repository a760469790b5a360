import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { readNumberOption } from '../../shared/parameter';

/* Options that more than one operation or node has. Their readers take name, label, default and bounds from here. */

export const allowEmptyValues: INodeProperties = {
	displayName: 'Allow Empty Values',
	name: 'allowEmptyValues',
	type: 'boolean',
	default: false,
	description: 'Whether a placeholder may be filled with nothing. Otherwise an item with an empty value is refused.',
};

export const concurrency: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 500 },
	default: 10,
	description: 'How many messages are in progress in parallel, from 1 to 500. The value of the first item counts.',
};

export const messageText: INodeProperties = {
	displayName: 'Message Text',
	name: 'messageText',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}',
	description:
		'The predefined message as the operator defined it, instead of the one in the credential, up to 10,000 characters. An item is refused if it has too few or too many values for the placeholders.',
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
	description:
		'Your own name for the message, which its delivery report brings back. It is part of a URL that others see, so use nothing personal. If empty, the node makes one. With If Already Sent: Skip the same message always gets the same reference; with Send each gets a random one.',
};

export const retries: INodeProperties = {
	displayName: 'Retries',
	name: 'retries',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 10 },
	default: 2,
	description:
		'How often to send again, from 0 to 10 times, if the message was certainly not accepted: no connection, HTTP 429, or 503 with Retry-After. If the platform asks for more than five minutes (Retry-After), the node does not try again. What may have been accepted is never sent again. The value of the first item counts.',
};

export const timeout: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 0.01, maxValue: 3600, numberPrecision: 2 },
	default: 30,
	description:
		'How many seconds to wait for the answer of the platform, up to 3600. After that nobody knows whether the message was accepted. The value of the first item counts.',
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
