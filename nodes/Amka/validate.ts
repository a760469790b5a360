import type { IDataObject } from 'n8n-workflow';

import { PERSON_WARNINGS } from '../../lib/texts/registry';
import { lookUpPerson, type Session, type LookupInput } from './lookup';
import { birthDateNoteOf, hasNewerNumber, type RegistryRecord } from './registryRecord';
import { simplify } from './simplify';
import { withWarnings, type ItemResult, type LookupResult, type Verdict } from './verdict';

/** The choices of the parameter Output: how much of the registry's record the item contains. */
export const OUTPUTS = ['verdict', 'simplified', 'record', 'selected'] as const;

/** The value of the parameter Output, with its fields. */
export interface OutputChoice {
	kind: (typeof OUTPUTS)[number];
	/** The selected fields of the record. */
	fields: string[];
}

/** Validates a person: do number, birth date and surname belong together? @throws Problem if the registry gives no verdict */
export async function validate(input: LookupInput & { output: OutputChoice }, session: Session): Promise<ItemResult> {
	return toValidation(await lookUpPerson(input, session), input.output);
}

/** Returns the item of a look-up: the fields of the verdict, then those of the record. */
export function toValidation({ verdict, record, why }: LookupResult, output: OutputChoice): ItemResult {
	if (record === undefined) return { item: verdict, why };
	const warned = withWarnings(verdict, outputWarnings(output, verdict, record));
	// The verdict is repeated at the end, so that its values replace those of fields of the record with the same name.
	const item: IDataObject = { ...warned, ...recordFields(warned, record, output), ...warned };
	// `ssn` is an exception: with the choice `record` it has the record's value, if the record has one.
	if (output.kind === 'record' && record.ssn) item.ssn = record.ssn as string;
	return { item, why };
}

/** Returns the fields of the record that the item contains. */
function recordFields(verdict: Verdict, record: RegistryRecord, { kind, fields }: OutputChoice): IDataObject {
	if (kind === 'record') return withoutErrorKey(record);
	// A record that does not match may contain the data of another person. So only the choice `record` returns any of it.
	if (kind === 'verdict' || !verdict.matched) return {};
	if (kind === 'simplified') return simplify(record, verdict.ssn);
	const chosen = Object.entries(record).filter(([name]) => fields.includes(name));
	return withoutErrorKey(Object.fromEntries(chosen));
}

/** Returns warnings about facts that this output does not show in another way. */
function outputWarnings({ kind }: OutputChoice, { matched, ssn }: Verdict, record: RegistryRecord): string[] {
	if (matched && kind === 'verdict' && hasNewerNumber(record, ssn)) return [PERSON_WARNINGS.newerNumber];
	return matched && kind === 'simplified' && typeof birthDateNoteOf(record) === 'string'
		? [PERSON_WARNINGS.unknownBirthDateNote]
		: [];
}

/**
 * Renames a field `error`, because n8n would treat an item with it as failed, and with Retry On Fail would run the node again.
 */
function withoutErrorKey(record: object): IDataObject {
	const { error, ...fields } = record as IDataObject;
	return error === undefined ? fields : { ...fields, registryError: error };
}
