import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { getOption, readOptionalText } from '../../shared/parameter';
import { badParameter } from '../../shared/problem';

/* The options that SMS Code alone has. Their readers take name, label, default and bounds from here. */

export const codeLength: INodeProperties = {
	displayName: 'Code Length',
	name: 'codeLength',
	type: 'number',
	typeOptions: { minValue: 4, maxValue: 10 },
	default: 6,
	description: 'How many digits the code has, from 4 to 10',
};

export const maxAttempts: INodeProperties = {
	displayName: 'Max Attempts',
	name: 'maxAttempts',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 10 },
	default: 5,
	description:
		'How many wrong codes may be typed, from 1 to 10. Then nothing is verified and no code sent until the time is over.',
};

export const maxCodesPerHour: INodeProperties = {
	displayName: 'Max Codes per Hour',
	name: 'maxCodesPerHour',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 10_000 },
	default: 500,
	description:
		'For this workflow, so that nobody spends your credits by an open form; 0 is no limit. The last 60 to 70 minutes and the first item count.',
};

export const purpose: INodeProperties = {
	displayName: 'Purpose',
	name: 'purpose',
	type: 'string',
	default: '',
	placeholder: 'e.g. password reset',
	description:
		'What the code is for: it is not valid for anything else. Write the same in Send Code and in Check Code.',
};

export const validMinutes: INodeProperties = {
	displayName: 'Valid (Minutes)',
	name: 'validMinutes',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 60 },
	default: 10,
	description:
		'How long the code is valid at least, from 1 to 60; twice as long at most. Who asks again may get the same code again.',
};

/** In UTF-16 units. */
const LONGEST_PURPOSE = 200;

/**
 * What a code is for. It keeps codes for one thing from being used for another, so an expression that evaluates to empty
 * is an error, never "for anything".
 */
export function readPurpose(context: IExecuteFunctions, itemIndex: number): string {
	const text = getOption(context, purpose, itemIndex);
	if (text === undefined || text === null)
		throw badParameter('Purpose', 'has no value', 'Check the expression: there is no column of that name');
	return readOptionalText(text, 'Purpose', LONGEST_PURPOSE) ?? '';
}
