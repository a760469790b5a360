import type { IExecuteFunctions } from 'n8n-workflow';

import { aboutField, columnsNamed, columnsOf, isLeftEmpty, valueIn, type NamedField } from '../../lib/n8n/columns';
import { capitalsWithoutTonos, hasGreekLetter, mixesGreekAndLatin } from '../../lib/greek/letters';
import { clip, shortenNumbers } from '../../lib/texts/notice';
import { getParameter, ifNotGiven, isBlank, readText, refuseExpression } from '../../lib/n8n/parameters';
import { toProblem, fault } from '../../lib/texts/problem';
import { checkAmkaNumber, LONGEST_NUMBER, withItsZero, type AmkaFault } from '../../lib/greek/amkaNumber';
import { dayInAmka, dayOfCount, readBirthDate, shownDate } from './birthDate';

const field = (el: string, en: string, others: string[], normalForm?: NamedField['normalForm']): NamedField => ({
	label: { el, en },
	names: [[el, en, ...others]],
	normalForm,
});

/** The fields of a person, and how the columns of lists are called that contain them. */
export const PERSON_FIELDS = {
	ssn: field('ΑΜΚΑ', 'AMKA', ['Αριθμός ΑΜΚΑ', 'Αρ. ΑΜΚΑ', 'SSN'], withItsZero),
	birthDate: field('Ημερομηνία γέννησης', 'Birth Date', [
		...['Ημ. γέννησης', 'Ημ/νία γέννησης', 'Ημνία γέννησης', 'Ημερ. γέννησης', 'Ημερ/νία γέννησης', 'Γέννηση'],
		...['Ημερομηνία γεννήσεως', 'Ημ. γεννήσεως', 'Ημ/νία γεννήσεως'],
		...['Date of Birth', 'DOB', 'Birthday'],
	]),
	surname: field('Επώνυμο', 'Surname', ['Επίθετο', 'Last Name', 'Family Name']),
};
type PersonField = keyof typeof PERSON_FIELDS;

/** What was typed for a field, or stands in the row's column of its name where the field was left empty in the form. */
function valueOf(context: IExecuteFunctions, itemIndex: number, name: PersonField): unknown {
	const asked = PERSON_FIELDS[name];
	if (!isLeftEmpty(context, name)) {
		const typed = getParameter(context, name, asked.label.en, itemIndex);
		if (typeof typed === 'string') refuseExpression(typed, aboutField(asked.label));
		return typed;
	}
	const columns = columnsNamed(columnsOf(context), asked);
	return valueIn(context.getInputData()[itemIndex]!.json, columns, asked) ?? '';
}

/** Who is asked about, as the registry is asked, and what the person who typed it should know. */
export interface Person {
	ssn: string;
	/** YYYY-MM-DD */
	birthDate: string;
	surname: string;
	warnings: string[];
	/** What these say already of why nobody may match: the name of its words in `reasons`. */
	shows?: 'latinSurname' | 'otherDate' | 'latinSurnameOtherDate';
}

/**
 * What was typed about one row's person. Ten digits that are valid with the zero that a spreadsheet lost get it back; any
 * other number that can't be an AMKA belongs to nobody.
 * @throws Problem that says what is wrong with which field
 */
export function readPerson(context: IExecuteFunctions, itemIndex: number): Person | { ssn: string; reason: AmkaFault } {
	const { ssn: typed, reason } = checkAmkaNumber(readNumber(context, itemIndex));
	// An apostrophe alone is what a spreadsheet writes before a number that is not there.
	if (isBlank(typed)) throw fault('emptyNumber', {}, ifNotGiven(valueOf(context, itemIndex, 'ssn')));
	const hasLostZero = reason === 'leadingZero';
	if (reason !== undefined && !hasLostZero) return { ssn: typed, reason };
	const ssn = hasLostZero ? `0${typed}` : typed;

	const birthDate = readDate(context, itemIndex, ssn);
	const surname = readSurname(context, itemIndex);

	const isOtherDate = !ssn.startsWith(dayInAmka(birthDate));
	const warnings = [
		hasLostZero &&
			'The AMKA had lost the zero at its front, as numbers do in spreadsheets. It was asked about with the zero.',
		isOtherDate &&
			'The birth date differs from the first six digits of the AMKA. That is possible: the number stays when the registry corrects a date.',
		mixesGreekAndLatin(surname) && 'The surname mixes Greek and Latin letters, which look alike and never match.',
		!hasGreekLetter(surname) &&
			'The surname has no Greek letter. The registry compares Greek letters, and nothing was transliterated.',
	].filter((warning) => warning !== false);
	const ofLatin = isOtherDate ? 'latinSurnameOtherDate' : 'latinSurname';
	const shows = /\p{Script=Latin}/u.test(surname) ? ofLatin : isOtherDate ? 'otherDate' : undefined;
	return { ssn, birthDate, surname, warnings, shows };
}

/** The number of a row as it was typed; empty where it is nothing. @throws Problem for what can be no number */
export function readNumber(context: IExecuteFunctions, itemIndex: number): string {
	const value = valueOf(context, itemIndex, 'ssn');
	if (value === undefined || value === null) return '';
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	if (typeof value !== 'string') throw fault('notText', aboutField(PERSON_FIELDS.ssn.label));
	if (value.length > LONGEST_NUMBER) throw fault('tooLong', aboutField(PERSON_FIELDS.ssn.label));
	return value;
}

function readDate(context: IExecuteFunctions, itemIndex: number, ssn: string): string {
	const typed = valueOf(context, itemIndex, 'birthDate');
	const birthDate = readBirthDate(typed, context.getTimezone()) ?? dayOfCount(typed, ssn);
	if (birthDate !== undefined) return birthDate;
	if (isBlank(typed)) throw fault('emptyDate', {}, ifNotGiven(typed));
	if (typeof typed !== 'string' && typeof typed !== 'number')
		throw fault('notText', aboutField(PERSON_FIELDS.birthDate.label));
	const counted = shownDate(typed, context.getTimezone());
	if (counted !== undefined)
		throw fault(
			'badDate',
			{ date: counted, what: 'dayAsNumber', todo: 'dayAsText' },
			`Its number is ${typed}. ${AS_TEXT}`,
		);
	const text = clip(String(typed).slice(0, 1000), 40);
	throw fault('badDate', { date: /^(?:\D*\d){0,8}\D*$/.test(text) ? text : shortenNumbers(text) });
}

/** Formatting a column as text shows the number itself. The letters are those of the computer's region. */
const AS_TEXT =
	'For a whole column of such dates, add one with the formula =TEXT(A2,"dd/mm/yyyy") to the sheet, where A2 is the cell of the date, and use that column. ' +
	'On a computer with Greek regional settings the formula is =TEXT(A2;"ηη/μμ/εεεε")';

/**
 * Reads the surname as the registry writes names: capitals without tonos, single spaces, ordinary hyphens without
 * spaces around them. A dialytika that was typed stays. Word processors turn a hyphen into an en dash.
 */
function readSurname(context: IExecuteFunctions, itemIndex: number): string {
	const typed = valueOf(context, itemIndex, 'surname');
	if (isBlank(typed)) throw fault('emptySurname', {}, ifNotGiven(typed));
	try {
		return capitalsWithoutTonos(withPlainHyphens(readText(typed, 'Surname', 200)));
	} catch (error) {
		const isLong = typeof typed === 'string' && typed.length > 200;
		throw fault(isLong ? 'tooLong' : 'notText', aboutField(PERSON_FIELDS.surname.label), toProblem(error).message);
	}
}

/** Replaces every dash (also U+2212, the minus sign) and the spaces around it by one hyphen, other white space by one space. */
const withPlainHyphens = (name: string) => name.replace(/\s*[\p{Pd}\u2212]+\s*/gu, '-').replace(/\s+/gu, ' ');
