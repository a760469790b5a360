import type { IDataObject } from 'n8n-workflow';

import {
	birthDateNoteOf,
	codeOf,
	currentNumber,
	dateOf,
	deathNoteOf,
	deathOf,
	hasNewerNumber,
	ID_TYPE,
	recordText,
	SEX,
	type RecordField,
	type RegistryRecord,
} from './registryRecord';

/**
 * Returns a matched record with English names, ISO dates and words for known codes. Unknown codes, and dates of an unknown
 * form, stay as they are. Empty fields are left out.
 * @param asked the number that was looked up
 */
export function simplify(record: RegistryRecord, asked: string): IDataObject {
	const field = (name: RecordField) => recordText(record, name);
	const current = currentNumber(record);
	const death = deathOf(record);
	const birthDateNote = birthDateNoteOf(record);
	const deathNote = deathNoteOf(record);

	return withoutAbsent({
		currentSsn: current,
		ssnChanged: current === undefined ? undefined : hasNewerNumber(record, asked),
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
		sex: codeOf(record, 'sex', SEX),
		birthDate: dateOf(record, 'birth_date'),
		birthDateIsFictitious: typeof birthDateNote === 'string' ? undefined : birthDateNote === true,
		birthDateNote: birthDateNote === true ? undefined : birthDateNote,
		birthCountry: field('birth_country'),
		birthMunicipality: field('birth_municipality'),
		citizenship: field('citizenship'),
		deceased: death === 'unknown' ? undefined : death === 'reported',
		deathNote: deathNote === true ? undefined : deathNote,
		deathDate: dateOf(record, 'death_date'),
		idDocument: withoutAbsent({
			type: codeOf(record, 'id_type', ID_TYPE),
			number: field('id_num'),
			year: field('id_creation_year'),
		}),
		taxId: taxNumber(field('tid')),
		phones: [field('tel1'), field('tel2')].filter((phone) => phone !== undefined),
		address: withoutAbsent({
			street: field('address_street'),
			town: field('address_town'),
			prefecture: field('address_prefecture'),
			postalCode: field('address_zipcode'),
			country: field('address_country'),
		}),
		lastModified: dateOf(record, 'last_mod_date'),
	});
}

/** Removes the two zeros that the registry puts before some tax numbers of nine digits. */
const taxNumber = (text: string | undefined) => text?.replace(/^00(?=\d{9}$)/, '');

/** Removes fields that are undefined, an empty list or an empty object. */
const withoutAbsent = (fields: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => !isAbsent(value)));

const isAbsent = (value: unknown) =>
	value === undefined || (typeof value === 'object' && Object.keys(value!).length === 0);
