import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { operationUrl } from '../../lib/http/baseUrl';
import { textField } from '../../lib/n8n/fields';
import { foldForComparison } from '../../lib/greek/letters';
import { readList } from '../../lib/n8n/parameters';
import { invalidParameter } from '../../lib/texts/problem';
import { cleanKey } from '../../lib/values/text';
import { checkAmkaNumber, isSameAmka } from '../../lib/greek/amkaNumber';
import { readBirthDate } from './birthDate';

/*
 * The interface of the AMKA service: its URL, its headers, and the record that it returns. Quoted names such as
 * "Authentication" are headings of the operator's document.
 */

/** Returns the Authorization header ("Authentication", 1): the word Token, one space, the key. */
export const authorization = (apiKey: unknown) => `Token ${cleanKey(apiKey)}`;

/** Headers of a look-up besides the key. A GET request has no body, but the operator's own clients send this header too. */
export const LOOKUP_HEADERS = { 'Content-Type': 'application/json' };

/** Returns the URL of a credential's service. @throws Problem if its Base URL or its key can't be used */
export function serviceUrl({ baseUrl, apiKey }: IDataObject): string {
	const key = cleanKey(apiKey);
	// These are the characters that a header may contain (RFC 9110, 5.5), except the space and the tab. White space in the
	// middle means that the key was pasted as two lines.
	if (!/^[\x21-\x7e\x80-\xff]+$/.test(key)) {
		const rule = key === '' ? 'is empty' : 'contains spaces, line breaks or letters that are not allowed in a key';
		throw invalidParameter('API Key', rule, 'Correct it in the credential');
	}
	return operationUrl(baseUrl, '/api/rest/v1/ssn_validation');
}

/** The field in the credential with the HTTP statuses that mean "no match". */
export const NO_MATCH_CODES = textField('No-Match Status Codes', 'noMatchStatusCodes', {
	placeholder: 'e.g. 400, 404',
	description:
		'The HTTP statuses (400 to 499) that your AMKA service uses to say "no match". All other statuses of 400 and above are errors. You can also list 200: then a JSON answer with status 200 is also treated as "no match" if its field match can\'t be read.',
});

/**
 * HTTP statuses that never mean "no match". With these, the key was rejected, a proxy requires a login, the request timed out, or
 * there were too many requests.
 */
const NEVER_NO_MATCH = ['401', '403', '407', '408', '429'];

/**
 * Reads the HTTP statuses that mean "no match" for the service of a credential.
 * @throws Problem if a status can't mean that
 */
export function readNoMatchCodes({ noMatchStatusCodes }: IDataObject): number[] {
	const codes = readList(noMatchStatusCodes, NO_MATCH_CODES.displayName);
	if (codes.every((code) => code === '200' || (/^4\d\d$/.test(code) && !NEVER_NO_MATCH.includes(code))))
		return codes.map(Number);
	throw invalidParameter(
		`${NO_MATCH_CODES.displayName} in the credential`,
		`may contain only 200 and HTTP statuses from 400 to 499, except ${NEVER_NO_MATCH.join(', ')}`,
		'Remove the other statuses, because they mean that the registry could not be queried. Separate the statuses with commas, as in 400, 404, or leave the field empty',
	);
}

/**
 * Returns whether a body looks like a web page: a text that begins with `<`. The AMKA service sends no pages, so a page comes
 * from another server or a proxy.
 */
export const isPage = (body: unknown) => typeof body === 'string' && /^\s*</.test(body);

/**
 * Returns whether an answer without a verdict means "no match", because the credential lists its status. With status 200 the body
 * has no usable `match`, and it has to be a JSON object, a list or null: a text comes from another server. With a status from 400
 * to 499 any body except a web page means "no match", also an empty one.
 * @param codes the statuses that mean "no match", from the credential
 */
export const isNoMatch = (status: number, body: unknown, codes: number[]): boolean =>
	codes.includes(status) && (status === 200 ? typeof body === 'object' : !isPage(body));

/**
 * The fields of a record except `match` ("Resources and their fields"), with their meanings as the node's form shows them. The
 * operator's document calls a record "validation result".
 */
export const RECORD_FIELDS = {
	ssn: 'AMKA, as Queried',
	amka_in: 'AMKA, as Received by the Registry',
	amka_cur: 'AMKA, Current',
	name_gr: 'Given Name, Greek',
	name_en: 'Given Name, Latin',
	surname_cur_gr: 'Surname, Current, Greek',
	surname_cur_en: 'Surname, Current, Latin',
	surname_birth_gr: 'Surname, at Birth, Greek',
	surname_birth_en: 'Surname, at Birth, Latin',
	father_gr: "Father's Name, Greek",
	father_en: "Father's Name, Latin",
	mother_gr: "Mother's Name, Greek",
	mother_en: "Mother's Name, Latin",
	sex: 'Sex, Code',
	birth_date: 'Birth, Date',
	bdate_istrue: 'Birth, Note on the Date (Π: Fictitious)',
	birth_country: 'Birth, Country',
	birth_country_code: 'Birth, Country Code',
	birth_municipality: 'Birth, Municipality',
	birth_municipality_greek_code: 'Birth, Municipality Code',
	citizenship: 'Citizenship',
	death_date: 'Death, Date',
	death_note: 'Death, Note (Θ, Λ: Reported)',
	id_type: 'Identity Document, Type Code',
	id_num: 'Identity Document, Number',
	id_creation_year: 'Identity Document, Year',
	tid: 'Tax Number (ΑΦΜ)',
	last_mod_date: 'Last Change of the Record',
	tel1: 'Telephone 1',
	tel2: 'Telephone 2',
	address_street: 'Address, Street',
	address_town: 'Address, Town',
	address_prefecture: 'Address, Prefecture, First Letters',
	address_zipcode: 'Address, Postal Code',
	address_country: 'Address, Country',
	address_country_code: 'Address, Country Code',
} as const;

export type RecordField = keyof typeof RECORD_FIELDS;

/** The schema of a record. Only `match` is required, because records are incomplete. Unknown fields are kept. */
export const registryRecord = z
	.object({ match: z.union([z.string(), z.boolean(), z.number().refine((value) => Number.isFinite(value))]) })
	.passthrough();

export type RegistryRecord = z.infer<typeof registryRecord>;

/** The schema of an empty answer. Some services answer an unknown number with HTTP 200 and an empty answer. */
export const withoutRecord = z.union([z.literal(''), z.null(), z.object({}).strict(), z.array(z.never())]);

/**
 * Returns whether number, birth date and surname belong together, according to `match`. Case and white space of `match` are
 * ignored. Undefined: `match` has an unknown value.
 */
export function matchOf({ match }: RegistryRecord): boolean | undefined {
	const word = String(match).slice(0, 100).trim().toLowerCase();
	if (word === 'true') return true;
	return ['false', '0', 'no'].includes(word) ? false : undefined;
}

/**
 * Returns a field's text without white space around it. Undefined: the field is missing, is neither text nor a number, is
 * empty, or has only dashes and dots. Records contain dashes and dots in place of an empty value.
 */
export function recordText(record: RegistryRecord, name: RecordField): string | undefined {
	const value = record[name];
	if (typeof value === 'number') return String(value);
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	return /^[\s.\p{Pd}]*$/u.test(text.slice(0, 100)) ? undefined : text;
}

/** Returns whether an answer repeats, in `ssn` or `amka_in`, a different number from the one that was looked up. */
export function isAboutAnother(body: unknown, asked: string): boolean {
	const record = Object(body) as RegistryRecord;
	return (['ssn', 'amka_in'] as const).some((name) => {
		const repeated = recordText(record, name);
		return repeated !== undefined && !isSameAmka(repeated, asked);
	});
}

/**
 * Returns the person's current number from the record. If its leading zero was lost, it is added. Undefined: the record has no
 * current number.
 */
export function currentNumber(record: RegistryRecord): string | undefined {
	const current = recordText(record, 'amka_cur');
	if (current === undefined) return undefined;
	const { ssn, reason } = checkAmkaNumber(current);
	return reason === 'leadingZero' ? `0${ssn}` : current;
}

/** Returns whether another number has replaced the person's number. */
export function hasNewerNumber(record: RegistryRecord, asked: string): boolean {
	const current = currentNumber(record);
	return current !== undefined && !isSameAmka(current, asked);
}

/** Returns a date of the record as YYYY-MM-DD, or unchanged if it has an unknown form. Undefined: it has no digit from 1 to 9. */
export function dateOf(record: RegistryRecord, name: RecordField): string | undefined {
	const value = recordText(record, name);
	if (value === undefined || !/[1-9]/.test(value.slice(0, 100))) return undefined;
	return readBirthDate(value, 'UTC') ?? value;
}

/** Returns the note on the birth date. True: the date is fictitious. A text: an unknown code. Undefined: there is no note. */
export const birthDateNoteOf = (record: RegistryRecord) => codeOf(record, 'bdate_istrue', BIRTH_DATE_NOTE);

/** Returns the note on a death. True: a death was reported. A text: an unknown code. Undefined: there is no note. */
export const deathNoteOf = (record: RegistryRecord) => codeOf(record, 'death_note', DEATH_NOTE);

/**
 * Returns whether the record reports a death, by a note or a date. `unknown`: there is no date, and the meaning of the note is
 * not known.
 */
export function deathOf(record: RegistryRecord): 'reported' | 'none' | 'unknown' {
	const note = deathNoteOf(record);
	if (note === true || dateOf(record, 'death_date') !== undefined) return 'reported';
	return note === undefined ? 'none' : 'unknown';
}

/** Returns the meaning of a code, or the code itself if it is not known. Undefined: the field is empty. */
export function codeOf<T>(record: RegistryRecord, name: RecordField, codes: Map<string, T>): T | string | undefined {
	const code = recordText(record, name);
	if (code === undefined || code.length > 20) return code;
	return codes.get(foldForComparison(code)) ?? code;
}

/** Makes a map from codes in their form for comparison. The registry writes Α, Τ, Μ and Ο as Greek or as Latin letters. */
const byFoldedCode = <T>(codes: Record<string, T>): Map<string, T> =>
	new Map(Object.entries(codes).map(([code, meaning]) => [foldForComparison(code), meaning]));

export const SEX = byFoldedCode({ Α: 'male', ΑΡΡΕΝ: 'male', Θ: 'female', ΘΗΛΥ: 'female' });

export const ID_TYPE = byFoldedCode({
	Τ: 'police identity card',
	Δ: 'passport',
	Ο: 'expatriate card',
	Μ: 'family register entry',
	Σ: 'military card',
	Λ: 'birth certificate',
	Α: 'other document',
});

const BIRTH_DATE_NOTE = byFoldedCode({ Π: true });
/** The codes that report a death, with or without a certificate. */
const DEATH_NOTE = byFoldedCode({ Θ: true, Λ: true });
