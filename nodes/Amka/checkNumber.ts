import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { badParameter } from '../shared/errors';
import { checkAmkaNumber } from './amkaNumber';

/**
 * Whether one row's number is well formed: no credential, no network. An empty value is an answer here, not an
 * error: a sheet with gaps is what this operation is used on.
 *
 * @throws Problem where the value is neither text nor a number
 */
export function checkNumber(context: IExecuteFunctions, itemIndex: number): INodeExecutionData {
	const value = context.getNodeParameter('ssn', itemIndex);
	if (value !== undefined && value !== null && typeof value !== 'string' && typeof value !== 'number') {
		throw badParameter('AMKA', 'must be text or a number', 'Check that the expression names the right column');
	}
	return { json: { ...checkAmkaNumber(String(value ?? '')) }, pairedItem: { item: itemIndex } };
}
