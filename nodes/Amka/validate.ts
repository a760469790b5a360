import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { getParameter, readChoice, readList } from '../shared/parameter';
import { lookUp, type Lookup } from './ask';
import {
	birthDateNoteOf,
	codeOf,
	currentNumber,
	dateOf,
	deathNoteOf,
	deathOf,
	recordText,
	hasNewerNumber,
	ID_TYPE,
	SEX,
	type RecordField,
	type ValidationResult,
} from './registry';
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

/** A matched record in English names, ISO dates and words for codes, where these are known, without what is absent. */
export function simplify(result: ValidationResult, asked: string): IDataObject {
	const field = (name: RecordField) => recordText(result, name);
	const current = currentNumber(result);
	const death = deathOf(result);
	const birthDateNote = birthDateNoteOf(result);
	const deathNote = deathNoteOf(result);

	return withoutAbsent({
		currentSsn: current,
		ssnChanged: current === undefined ? undefined : hasNewerNumber(result, asked),
		givenName: field('name_gr'),
		givenNameLatin: field('name_en'),
		surname: field('surname_cur_gr'),
		surnameLatin: field('surname_cur_en'),
		birthSurname: field('surname_birth_gr'),
		birthSurnameLatin: field('surname_birth_en'),
		fatherName: field('father_gr'),
		fatherNameLatin: field('father_en'),
		motherName: field('mother_gr'),
		motherNameLatin: field('mother_en'),
		sex: codeOf(result, 'sex', SEX),
		birthDate: dateOf(result, 'birth_date'),
		birthDateIsFictitious: typeof birthDateNote === 'string' ? undefined : birthDateNote === true,
		birthDateNote: birthDateNote === true ? undefined : birthDateNote,
		birthCountry: field('birth_country'),
		birthMunicipality: field('birth_municipality'),
		citizenship: field('citizenship'),
		deceased: death === 'unknown' ? undefined : death === 'reported',
		deathNote: deathNote === true ? undefined : deathNote,
		deathDate: dateOf(result, 'death_date'),
		idDocument: withoutAbsent({
			type: codeOf(result, 'id_type', ID_TYPE),
			number: field('id_num'),
			year: field('id_creation_year'),
		}),
		taxId: field('tid'),
		phones: [field('tel1'), field('tel2')].filter((phone) => phone !== undefined),
		address: withoutAbsent({
			street: field('address_street'),
			town: field('address_town'),
			prefecture: field('address_prefecture'),
			postalCode: field('address_zipcode'),
			country: field('address_country'),
		}),
		lastModified: dateOf(result, 'last_mod_date'),
	});
}

/** Drops what is undefined, an empty list or an empty object. */
function withoutAbsent(fields: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(fields).filter(
			([, value]) => value !== undefined && (typeof value !== 'object' || Object.keys(value as object).length > 0),
		),
	);
}
