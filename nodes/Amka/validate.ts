import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { getParameter } from '../shared/parameter';
import { readChoice, readList } from '../shared/read';
import { lookUp, type Lookup } from './lookup';
import { toOutput, type OutputForm } from './output';

/**
 * Asks the registry whether one row's number, birth date and surname belong together.
 *
 * @throws Problem where a parameter breaks its rule (nothing is sent then) or the registry could not be asked
 */
export async function validate(context: IExecuteFunctions, itemIndex: number, lookup: Lookup): Promise<IDataObject> {
	const form = readForm(context, itemIndex);
	return await lookUp(context, itemIndex, lookup, form, (answered) => toOutput(answered, form));
}

/** @throws Problem where an expression gives something else: no other form may show more than was asked for */
function readForm(context: IExecuteFunctions, itemIndex: number): OutputForm {
	const output = getParameter(context, 'output', 'Output', itemIndex);
	const kind = readChoice(output, 'Output', ['verdict', 'simplified', 'record', 'selected'] as const);
	if (kind !== 'selected') return { kind };
	return { kind, fields: readList(getParameter(context, 'fields', 'Fields', itemIndex, []), 'Fields') };
}
