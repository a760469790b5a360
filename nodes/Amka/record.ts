import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { foldForComparison } from '../shared/greek';
import { readBirthDate } from './birthDate';

/** The fields of the validation result but `match`, by their exact names ("Resources and their fields"). */
export const RECORD_FIELDS = [
	'ssn',
	'amka_in',
	'amka_cur',
	'name_gr',
	'name_en',
	'surname_cur_gr',
	'surname_cur_en',
	'surname_birth_gr',
	'surname_birth_en',
	'father_gr',
	'father_en',
	'mother_gr',
	'mother_en',
	'sex',
	'birth_date',
	'bdate_istrue',
	'birth_country',
	'birth_country_code',
	'birth_municipality',
	'birth_municipality_greek_code',
	'citizenship',
	'death_date',
	'death_note',
	'id_type',
	'id_num',
	'id_creation_year',
	'tid',
	'last_mod_date',
	'tel1',
	'tel2',
	'address_street',
	'address_town',
	'address_prefecture',
	'address_zipcode',
	'address_country',
	'address_country_code',
] as const;

type RecordField = (typeof RECORD_FIELDS)[number];

/**
 * The validation result as it arrives. `match` is text; anything but "true" is no match. Every other field may
 * be missing, empty or null: records of real people are not complete. Fields beyond the documented ones stay.
 */
export const validationResult = z
	.object({ match: z.union([z.string(), z.boolean()]) })
	.passthrough();

export type ValidationResult = z.infer<typeof validationResult>;

/** What HTTP 200 can hold: a record, or nothing at all, which becomes undefined. Some services say so of an unknown number. */
export const answerOfTheRegistry = z.union([
	validationResult,
	z.union([z.literal(''), z.null(), z.object({}).strict(), z.array(z.unknown()).max(0)]).transform(() => undefined),
]);

/** Whether the registry says that number, birth date and surname belong together. */
export function isMatch(result: ValidationResult): boolean {
	return result.match === true || result.match === 'true';
}

/**
 * Code letters, keyed by their folded form: the registry writes Α, Τ, Μ and Ο sometimes in Greek, sometimes as
 * the Latin letter of the same look.
 */
const SEX: Record<string, string> = { [foldForComparison('Α')]: 'male', Θ: 'female' };
const ID_TYPE: Record<string, string> = {
	[foldForComparison('Τ')]: 'police identity card',
	Δ: 'passport',
	[foldForComparison('Ο')]: 'expatriate card',
	[foldForComparison('Μ')]: 'family register entry',
	Σ: 'military card',
	Λ: 'birth certificate',
	[foldForComparison('Α')]: 'other document',
};
const BIRTH_DATE_NOTE: Record<string, boolean> = { '': false, Π: true };
const DEATH_NOTE: Record<string, boolean> = { Θ: true, Λ: true };

/**
 * A matched record in English camelCase names, ISO dates and decoded codes, without the fields that are absent
 * or empty. Code letters that are not known pass through as they came, and so do dates that are not DD/MM/YYYY.
 *
 * @param asked the AMKA that was asked about
 */
export function simplify(result: ValidationResult, asked: string): IDataObject {
	const field = (name: RecordField): string | undefined => {
		const value = result[name];
		if (typeof value === 'number') return String(value);
		return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
	};
	const date = (name: RecordField) => {
		const value = field(name);
		return value === undefined ? undefined : (readBirthDate(value, 'UTC') ?? value);
	};
	const decode = <T>(name: RecordField, codes: Record<string, T>): T | string | undefined => {
		const letter = field(name);
		if (letter === undefined || letter.length > 20) return letter;
		return codes[foldForComparison(letter)] ?? letter;
	};

	const queried = field('amka_in') ?? field('ssn') ?? asked;
	const current = field('amka_cur');
	const deathDate = date('death_date');

	return withoutAbsent({
		currentSsn: current,
		ssnChanged: current === undefined ? undefined : current !== queried,
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
		sex: decode('sex', SEX),
		birthDate: date('birth_date'),
		birthDateIsFictitious: decode('bdate_istrue', BIRTH_DATE_NOTE) ?? false,
		birthCountry: field('birth_country'),
		birthMunicipality: field('birth_municipality'),
		citizenship: field('citizenship'),
		deceased: decode('death_note', DEATH_NOTE) ?? deathDate !== undefined,
		deathDate,
		idDocument: withoutAbsent({
			type: decode('id_type', ID_TYPE),
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
		lastModified: date('last_mod_date'),
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
