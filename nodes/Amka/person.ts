import type { IExecuteFunctions } from 'n8n-workflow';

import { capitalsWithoutTonos, hasGreekLetter, mixesGreekAndLatin } from '../shared/greek';
import { getParameter, isNothing, readFlag, readText } from '../shared/parameter';
import { badParameter } from '../shared/problem';
import { checkAmkaNumber, LONGEST_NUMBER, type AmkaFault } from './amkaNumber';
import { dayInAmka, dayOfCount, isDayCount, readBirthDate } from './date';

/** Who is asked about, as the registry is asked, and what the person who typed it should know. */
export interface Person {
	ssn: string;
	/** YYYY-MM-DD */
	birthDate: string;
	surname: string;
	warnings: string[];
}

/** A number that belongs to nobody, so that there is nothing to ask. */
export interface Nobody {
	ssn: string;
	reason: AmkaFault;
}

/**
 * What was typed about one row's person. Ten digits that are valid with the zero that a spreadsheet lost get it back.
 *
 * @param checkNumberFirst false: a number that can't be an AMKA is asked about all the same
 * @throws Problem that names the parameter and the rule it breaks
 */
export function readPerson(context: IExecuteFunctions, itemIndex: number, checkNumberFirst: boolean): Person | Nobody {
	const typed = readNumberText(getParameter(context, 'ssn', 'AMKA', itemIndex));
	const check = checkAmkaNumber(typed);
	// An apostrophe alone is what a spreadsheet writes before a number that is not there.
	if (isNothing(check.ssn))
		throw badParameter('AMKA', 'is empty', 'Check the cell, and the expression that names its column');
	const hasLostZero = !check.valid && check.reason === 'leadingZero';
	if (!check.valid && !hasLostZero && checkNumberFirst) return { ssn: check.ssn, reason: check.reason };
	const ssn = hasLostZero ? `0${check.ssn}` : readText(check.ssn, 'AMKA', LONGEST_NUMBER);

	const birthDate = readDate(context, itemIndex, ssn);
	const surname = readSurname(context, itemIndex);

	const warnings: string[] = [];
	if (hasLostZero)
		warnings.push(
			'The AMKA had lost the zero at its front, as numbers do in spreadsheets. It was asked about with the zero.',
		);
	// With the check switched off the number may be wrong in other places.
	if (/^\d{11}$/.test(ssn) && !ssn.startsWith(dayInAmka(birthDate))) {
		warnings.push(
			'The birth date differs from the first six digits of the AMKA. That is possible: the number stays when the registry corrects a date.',
		);
	}
	if (mixesGreekAndLatin(surname)) {
		warnings.push('The surname mixes Greek and Latin letters, which look alike and never match.');
	} else if (!hasGreekLetter(surname)) {
		warnings.push(
			'The surname has no Greek letter. The registry compares Greek letters, and nothing was transliterated.',
		);
	}
	return { ssn, birthDate, surname, warnings };
}

/**
 * The text of a number that came as text or as a number; empty where it is nothing.
 *
 * @throws Problem for anything else, and for a text that is far longer than a number
 */
export function readNumberText(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'number' && Number.isFinite(value)) return String(value);
	if (typeof value !== 'string')
		throw badParameter('AMKA', 'must be text or a number', 'Check that the expression names the right column');
	if (value.length > LONGEST_NUMBER) {
		throw badParameter(
			'AMKA',
			`is longer than ${LONGEST_NUMBER} characters`,
			'Check that the expression names the right column',
		);
	}
	return value;
}

function readDate(context: IExecuteFunctions, itemIndex: number, ssn: string): string {
	const typed = getParameter(context, 'birthDate', 'Birth Date', itemIndex);
	const birthDate = readBirthDate(typed, context.getTimezone()) ?? dayOfCount(typed, ssn);
	if (birthDate !== undefined) return birthDate;
	if (isNothing(typed))
		throw badParameter('Birth Date', 'is empty', 'Check the cell, and the expression that names its column');
	throw isDayCount(typed)
		? badParameter(
				'Birth Date',
				'is a number by which spreadsheets count days, and the AMKA begins with another day',
				AS_TEXT,
			)
		: badParameter(
				'Birth Date',
				'is not a date that can be read for certain',
				'Use YYYY-MM-DD or D/M/YYYY (day first, four-digit year)',
			);
}

/** Formatting a column as text shows the number itself. The letters are those of the computer's region. */
const AS_TEXT =
	'Add a column with the formula =TEXT(A2;"dd/mm/yyyy") to the sheet, where A2 is the cell of the date, and use that column. ' +
	'On a computer with Greek regional settings the formula is =TEXT(A2;"ηη/μμ/εεεε")';

function readSurname(context: IExecuteFunctions, itemIndex: number): string {
	const typed = readText(getParameter(context, 'surname', 'Surname', itemIndex), 'Surname', 200).replace(/\s+/gu, ' ');
	const capitalise = readFlag(
		getParameter(context, 'capitaliseSurname', 'Capitalise Surname', itemIndex, true),
		'Capitalise Surname',
	);
	return capitalise ? capitalsWithoutTonos(typed) : typed;
}
