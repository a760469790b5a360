import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { getParameter } from '../shared/parameter';
import { checkAmkaNumber } from './amkaNumber';
import { readNumberText } from './person';

/**
 * Whether one row's number is well formed: no credential, no network. An empty value is an answer here, not an
 * error: a sheet with gaps is what this operation is used on.
 *
 * @throws Problem where the value is neither text nor a number
 */
export function checkNumber(context: IExecuteFunctions, itemIndex: number): IDataObject {
	return { ...checkAmkaNumber(readNumberText(getParameter(context, 'ssn', 'AMKA', itemIndex))) };
}
