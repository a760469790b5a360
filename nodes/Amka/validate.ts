import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { getParameter, readChoice, readList } from '../../lib/n8n/parameters';
import { lookUp, type Lookup } from './lookup';
import { birthDateNoteOf, hasNewerNumber, type ValidationResult } from './registryRecord';
import { simplify } from './simplify';
import { UNKNOWN_BIRTH_DATE_NOTE, withWarnings, type Finding, type Said, type Verdict } from './verdict';

/** How much of an answer a row's item contains. */
export interface OutputForm {
	kind: 'verdict' | 'simplified' | 'record' | 'selected';
	/** Of the record, where they are selected. */
	fields: string[];
}

/** Whether a row's number, birth date and surname belong together. @throws Problem as its readers do */
export async function validate(context: IExecuteFunctions, itemIndex: number, lookup: Lookup): Promise<Said> {
	const form = readForm(context, itemIndex);
	return sayOutput(await lookUp(context, itemIndex, lookup), form);
}

/** @throws Problem where an expression gives something else: no other form may show more than was asked for */
function readForm(context: IExecuteFunctions, itemIndex: number): OutputForm {
	const output = getParameter(context, 'output', 'Output', itemIndex);
	const kind = readChoice(output, 'Output', ['verdict', 'simplified', 'record', 'selected'] as const);
	if (kind !== 'selected') return { kind, fields: [] };
	return { kind, fields: readList(getParameter(context, 'fields', 'Fields', itemIndex, []), 'Fields') };
}

/** What is said of a person who was asked about. Its item begins with the verdict, in every form. */
export function sayOutput({ verdict, result, why }: Finding, form: OutputForm): Said {
	if (result === undefined) return { item: verdict, why };
	const warned = withWarnings(verdict, formWarnings(form, verdict, result));
	return { item: { ...warned, ...addedTo(warned, result, form) }, why };
}

/** What a form adds to a verdict. What is ours wins, but for a number that the record has. */
function addedTo(verdict: Verdict, result: ValidationResult, { kind, fields }: OutputForm): IDataObject {
	if (kind === 'record') return { ...withoutErrorKey(result), ...verdict, ssn: (result.ssn || verdict.ssn) as string };
	// An answer that does not match may contain someone else's data: it goes no further.
	if (kind === 'verdict' || !verdict.matched) return {};
	if (kind === 'simplified') return simplify(result, verdict.ssn);
	const chosen = Object.entries(result).filter(([name]) => fields.includes(name));
	return { ...withoutErrorKey(Object.fromEntries(chosen)), ...verdict };
}

function formWarnings({ kind }: OutputForm, { matched, ssn }: Verdict, result: ValidationResult): string[] {
	if (matched && kind === 'verdict' && hasNewerNumber(result, ssn))
		return ['The registry has a newer AMKA for this person. To see it, choose another Output.'];
	return matched && kind === 'simplified' && typeof birthDateNoteOf(result) === 'string'
		? [UNKNOWN_BIRTH_DATE_NOTE]
		: [];
}

/** As received, but for a field named `error`: n8n would take the item for a failed one and ask again. */
function withoutErrorKey(result: object): IDataObject {
	const { error, ...record } = result as IDataObject;
	return error === undefined ? record : { ...record, registryError: error };
}
