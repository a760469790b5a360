import type { IDataObject } from 'n8n-workflow';

import { PERSON_WARNINGS } from '../../lib/texts/registry';
import { lookUp, type Lookup, type LookupInput } from './lookup';
import { birthDateNoteOf, hasNewerNumber, type ValidationResult } from './registryRecord';
import { simplify } from './simplify';
import { withWarnings, type ItemResult, type LookupResult, type Verdict } from './verdict';

/** How much of the registry's answer an item contains. */
export const OUTPUTS = ['verdict', 'simplified', 'record', 'selected'] as const;

export interface OutputForm {
	kind: (typeof OUTPUTS)[number];
	/** The selected fields of the record. */
	fields: string[];
}

/** Asks the registry whether number, birth date and surname belong to one person. @throws Problem if there is no answer */
export async function validate(input: LookupInput & { form: OutputForm }, lookup: Lookup): Promise<ItemResult> {
	return toValidation(await lookUp(input, lookup), input.form);
}

/** Returns the item of a look-up. It begins with the verdict. */
export function toValidation({ verdict, result, why }: LookupResult, form: OutputForm): ItemResult {
	if (result === undefined) return { item: verdict, why };
	const warned = withWarnings(verdict, formWarnings(form, verdict, result));
	return { item: { ...warned, ...addedTo(warned, result, form) }, why };
}

/** Returns the fields that an output adds. The node's own fields win, except the number, which the record may have too. */
function addedTo(verdict: Verdict, result: ValidationResult, { kind, fields }: OutputForm): IDataObject {
	if (kind === 'record') return { ...withoutErrorKey(result), ...verdict, ssn: (result.ssn || verdict.ssn) as string };
	// An answer that does not match may contain the data of another person, so the item has none of it.
	if (kind === 'verdict' || !verdict.matched) return {};
	if (kind === 'simplified') return simplify(result, verdict.ssn);
	const chosen = Object.entries(result).filter(([name]) => fields.includes(name));
	return { ...withoutErrorKey(Object.fromEntries(chosen)), ...verdict };
}

function formWarnings({ kind }: OutputForm, { matched, ssn }: Verdict, result: ValidationResult): string[] {
	if (matched && kind === 'verdict' && hasNewerNumber(result, ssn)) return [PERSON_WARNINGS.newerNumber];
	return matched && kind === 'simplified' && typeof birthDateNoteOf(result) === 'string'
		? [PERSON_WARNINGS.unknownBirthDateNote]
		: [];
}

/** Renames a field `error`: n8n would take the item for a failed one and run the node again. */
function withoutErrorKey(result: object): IDataObject {
	const { error, ...record } = result as IDataObject;
	return error === undefined ? record : { ...record, registryError: error };
}
