import { aboutField, type NamedField } from '../../lib/n8n/columns';
import { capitalsWithoutTonos, hasGreekLetter, mixesGreekAndLatin } from '../../lib/greek/letters';
import { clip, shortenNumbers } from '../../lib/texts/notice';
import { ifNotGiven, isBlank, readText } from '../../lib/n8n/parameters';
import { toProblem, fault } from '../../lib/texts/problem';
import { PERSON_WARNINGS } from '../../lib/texts/registry';
import { checkAmkaNumber, LONGEST_NUMBER, withItsZero, type AmkaFault } from '../../lib/greek/amkaNumber';
import { dayInAmka, dayOfCount, readBirthDate, shownDate } from './birthDate';

const field = (el: string, en: string, others: string[], normalForm?: NamedField['normalForm']): NamedField => ({
	label: { el, en },
	names: [[el, en, ...others]],
	normalForm,
});

/** The fields of a person, and the names of the columns that contain them. */
export const PERSON_FIELDS = {
	ssn: field('ΑΜΚΑ', 'AMKA', ['Αριθμός ΑΜΚΑ', 'Αρ. ΑΜΚΑ', 'SSN'], withItsZero),
	birthDate: field('Ημερομηνία γέννησης', 'Birth Date', [
		...['Ημ. γέννησης', 'Ημ/νία γέννησης', 'Ημνία γέννησης', 'Ημερ. γέννησης', 'Ημερ/νία γέννησης', 'Γέννηση'],
		...['Ημερομηνία γεννήσεως', 'Ημ. γεννήσεως', 'Ημ/νία γεννήσεως'],
		...['Date of Birth', 'DOB', 'Birthday'],
	]),
	surname: field('Επώνυμο', 'Surname', ['Επίθετο', 'Last Name', 'Family Name']),
};
export type PersonField = keyof typeof PERSON_FIELDS;

/** The fields of a person as they were read from an item. Their values may have any type. */
export type PersonInput = Record<PersonField, unknown>;

/** The person of a look-up in the form that the registry expects, with warnings for the person who typed the fields. */
export interface Person {
	ssn: string;
	/** The birth date as YYYY-MM-DD. */
	birthDate: string;
	surname: string;
	warnings: string[];
	/** The key of the text (in `reasons`) that explains a mismatch. */
	likelyCause?: 'latinSurname' | 'otherDate' | 'latinSurnameOtherDate';
}

/**
 * Reads a person from the fields of an item. If a spreadsheet dropped the zero at the front of the number, the zero is added
 * again.
 * @returns the person. `invalidNumber`: the number can't be an AMKA, so the registry is not queried
 * @throws Problem that names the field and its fault
 */
export function parsePerson(
	input: PersonInput,
	timeZone: string,
): { person: Person } | { invalidNumber: { ssn: string; reason: AmkaFault } } {
	const { ssn: typed, reason } = checkAmkaNumber(toNumberText(input.ssn));
	// The cleaned number may be blank although the cell is not: a cell without a number may contain an apostrophe.
	if (isBlank(typed)) throw fault('emptyNumber', {}, ifNotGiven(input.ssn));
	const hasLostZero = reason === 'leadingZero';
	if (reason !== undefined && !hasLostZero) return { invalidNumber: { ssn: typed, reason } };
	const ssn = hasLostZero ? `0${typed}` : typed;

	const birthDate = parseDate(input.birthDate, ssn, timeZone);
	const surname = parseSurname(input.surname);

	const isOtherDate = !ssn.startsWith(dayInAmka(birthDate));
	const warnings = [
		hasLostZero && PERSON_WARNINGS.lostZero,
		isOtherDate && PERSON_WARNINGS.otherDate,
		mixesGreekAndLatin(surname) && PERSON_WARNINGS.mixedLetters,
		!hasGreekLetter(surname) && PERSON_WARNINGS.noGreekLetter,
	].filter((warning) => warning !== false);
	const likelyCause = likelyCauseOf(/\p{Script=Latin}/u.test(surname), isOtherDate);
	return { person: { ssn, birthDate, surname, warnings, likelyCause } };
}

function likelyCauseOf(hasLatin: boolean, isOtherDate: boolean): Person['likelyCause'] {
	if (hasLatin && isOtherDate) return 'latinSurnameOtherDate';
	if (hasLatin) return 'latinSurname';
	return isOtherDate ? 'otherDate' : undefined;
}

/** Returns a number as text, and a missing number as an empty text. @throws Problem if the value can't be a number */
export function toNumberText(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	if (typeof value !== 'string') throw fault('notText', aboutField(PERSON_FIELDS.ssn.label));
	if (value.length > LONGEST_NUMBER) throw fault('tooLong', aboutField(PERSON_FIELDS.ssn.label));
	return value;
}

function parseDate(typed: unknown, ssn: string, timeZone: string): string {
	const birthDate = readBirthDate(typed, timeZone) ?? dayOfCount(typed, ssn);
	if (birthDate !== undefined) return birthDate;
	if (isBlank(typed)) throw fault('emptyDate', {}, ifNotGiven(typed));
	if (typeof typed !== 'string' && typeof typed !== 'number')
		throw fault('notText', aboutField(PERSON_FIELDS.birthDate.label));
	const counted = shownDate(typed, timeZone);
	if (counted !== undefined)
		throw fault(
			'badDate',
			{ date: counted, what: 'dayAsNumber', todo: 'dayAsText' },
			`The cell contains the date as the number ${typed}. ${AS_TEXT}`,
		);
	const text = clip(String(typed).slice(0, 1000), 40);
	throw fault('badDate', { date: /^(?:\D*\d){0,8}\D*$/.test(text) ? text : shortenNumbers(text) });
}

/**
 * The advice for a column whose dates are numbers of days. It names a formula, because formatting the column as text would show
 * the numbers. The letters of the formula depend on the region of the computer.
 */
const AS_TEXT =
	'If all dates in the column are numbers, add a column with the formula =TEXT(A2,"dd/mm/yyyy"), and use the new column. In the formula, A2 stands for the first cell with a date. ' +
	'On a computer with Greek regional settings the formula is =TEXT(A2;"ηη/μμ/εεεε")';

/**
 * Reads the surname in the form of the registry: capitals without tonos, single spaces, and plain hyphens without spaces around
 * them. A typed dialytika stays. Dashes become hyphens, because word processors turn a hyphen into an en dash.
 */
function parseSurname(typed: unknown): string {
	if (isBlank(typed)) throw fault('emptySurname', {}, ifNotGiven(typed));
	try {
		return capitalsWithoutTonos(withPlainHyphens(readText(typed, 'Surname', 200)));
	} catch (error) {
		const isLong = typeof typed === 'string' && typed.length > 200;
		throw fault(isLong ? 'tooLong' : 'notText', aboutField(PERSON_FIELDS.surname.label), toProblem(error).message);
	}
}

/**
 * Replaces one or more dashes (also U+2212, the minus sign) and the spaces around them by one hyphen. Other white space becomes
 * one space.
 */
const withPlainHyphens = (name: string) =>
	name.replace(/\s*[\p{Pd}\u2212][\p{Pd}\u2212\s]*/gu, '-').replace(/\s+/gu, ' ');
