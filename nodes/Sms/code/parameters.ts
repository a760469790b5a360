import type { IExecuteFunctions } from 'n8n-workflow';

import { badParameter } from '../../shared/problem';
import { readOptionalText } from '../../shared/read';
import type { Platform } from '../credential';

/** In UTF-16 units. */
const LONGEST_PURPOSE = 200;

/**
 * What a code is for. It keeps codes for one thing from being used for another, so an expression that gives nothing is
 * an error, never "for anything".
 */
export function readPurpose(context: IExecuteFunctions, itemIndex: number): string {
	const purpose: unknown = context.getNodeParameter('options.purpose', itemIndex, '');
	if (purpose === undefined || purpose === null) throw badParameter('Purpose', 'has no value', 'Check the expression: there is no column of that name');
	return readOptionalText(purpose, 'Purpose', LONGEST_PURPOSE) ?? '';
}

/** A number as messages to it go out. */
export const toRecipient = (mobile: string, { mobileFormat }: Pick<Platform, 'mobileFormat'>): string => (mobileFormat === 'international' ? `30${mobile}` : mobile);
