import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { getParameter, readChoice, readList } from '../shared/parameter';
import { questionOf, type Lookup, type Question } from './lookup';
import {
	BIRTH_DATE_NOTE,
	codeOf,
	currentNumber,
	dateOf,
	DEATH_NOTE,
	deathOf,
	fieldOf,
	hasNewerNumber,
	ID_TYPE,
	isBirthDateNoteUnknown,
	SEX,
	type ValidationResult,
} from './registry';
import { UNKNOWN_BIRTH_DATE_NOTE, verdictOf, whyNot, type Answered, type Said, type Verdict } from './verdict';

/** How much of an answer a row's item contains. */
export type OutputForm = { kind: 'verdict' | 'simplified' | 'record' } | { kind: 'selected'; fields: string[] };

/**
 * Whether one row's number, birth date and surname belong together.
 *
 * @throws Problem where a parameter breaks its rule
 */
export function validate(context: IExecuteFunctions, itemIndex: number, lookup: Lookup): Question<IDataObject> {
	const form = readForm(context, itemIndex);
	return questionOf(context, itemIndex, lookup, form, (answered) => sayOutput(answered, form));
}

/** @throws Problem where an expression gives something else: no other form may show more than was asked for */
function readForm(context: IExecuteFunctions, itemIndex: number): OutputForm {
	const output = getParameter(context, 'output', 'Output', itemIndex);
	const kind = readChoice(output, 'Output', ['verdict', 'simplified', 'record', 'selected'] as const);
	if (kind !== 'selected') return { kind };
	return { kind, fields: readList(getParameter(context, 'fields', 'Fields', itemIndex, []), 'Fields') };
}

/**
 * What is said of a person who was asked about. Its item begins with the verdict, the number and what there is to be warned of,
 * in every form.
 */
export function sayOutput(answered: Answered, form: OutputForm): Said {
	const verdict = verdictOf(answered, formWarnings(form, answered.result, answered.ssn));
	const why = whyNot(verdict);
	return {
		item: itemOf(answered, form, verdict),
		isYes: verdict.matched && verdict.reason === undefined,
		isMatched: verdict.matched,
		...(why !== undefined && { why }),
	};
}

function itemOf({ result, ssn }: Answered, form: OutputForm, verdict: Verdict): IDataObject {
	const known = verdict.matched ? result : undefined;
	switch (form.kind) {
		case 'verdict':
			return { ...verdict };
		case 'simplified':
			return { ...verdict, ...(known !== undefined && simplify(known, ssn)) };
		case 'record':
			// What is ours wins, but for a number that the record has.
			return { ...verdict, ...withoutErrorKey(result ?? {}), ...verdict, ssn: (result?.ssn || ssn) as string };
		case 'selected': {
			// An answer that does not match may contain someone else's data: it goes no further.
			const chosen = Object.entries(known ?? {}).filter(([name]) => form.fields.includes(name));
			return { ...verdict, ...withoutErrorKey(Object.fromEntries(chosen)), ...verdict };
		}
	}
}

/** What one form alone has to say of a match. */
function formWarnings({ kind }: OutputForm, result: ValidationResult | undefined, ssn: string): string[] {
	if (result === undefined) return [];
	if (kind === 'verdict' && hasNewerNumber(result, ssn))
		return ['The registry has a newer AMKA for this person. To see it, choose another Output.'];
	if (kind === 'simplified' && isBirthDateNoteUnknown(result)) return [UNKNOWN_BIRTH_DATE_NOTE];
	return [];
}

/** As received, but for a field named `error`: n8n would take the item for a failed one and ask again. */
function withoutErrorKey(result: object): IDataObject {
	const { error, ...record } = result as IDataObject;
	return error === undefined ? record : { ...record, registryError: error };
}

/**
 * A matched record in English camelCase names, ISO dates and decoded codes, without the fields that are absent
 * or empty. Codes that are not known pass through as they came, those of a yes or no in place of it, and so do dates
 * that are not DD/MM/YYYY.
 *
 * @param asked the AMKA that was asked about
 */
export function simplify(result: ValidationResult, asked: string): IDataObject {
	const field = (name: Parameters<typeof fieldOf>[1]) => fieldOf(result, name);
	const current = currentNumber(result);
	const death = deathOf(result);
	const birthDateNote = codeOf(result, 'bdate_istrue', BIRTH_DATE_NOTE);
	const deathNote = codeOf(result, 'death_note', DEATH_NOTE);

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
		birthDateIsFictitious: isBirthDateNoteUnknown(result) ? undefined : birthDateNote === true,
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
			([, value]) =>
				value !== undefined && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0),
		),
	);
}
