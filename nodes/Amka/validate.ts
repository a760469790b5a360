import type { IExecuteFunctions } from 'n8n-workflow';

import { getParameter, readChoice, readList } from '../shared/parameter';
import { questionOf, type Lookup, type Question } from './lookup';
import { toOutput, type OutputForm } from './output';

/**
 * Whether one row's number, birth date and surname belong together.
 *
 * @throws Problem where a parameter breaks its rule
 */
export function validate(context: IExecuteFunctions, itemIndex: number, lookup: Lookup): Question {
	const form = readForm(context, itemIndex);
	return questionOf(context, itemIndex, lookup, form, (answered) => toOutput(answered, form));
}

/** @throws Problem where an expression gives something else: no other form may show more than was asked for */
function readForm(context: IExecuteFunctions, itemIndex: number): OutputForm {
	const output = getParameter(context, 'output', 'Output', itemIndex);
	const kind = readChoice(output, 'Output', ['verdict', 'simplified', 'record', 'selected'] as const);
	if (kind !== 'selected') return { kind };
	return { kind, fields: readList(getParameter(context, 'fields', 'Fields', itemIndex, []), 'Fields') };
}
