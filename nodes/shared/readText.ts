import { badParameter } from './errors';
import { tidy } from './greek';

/** Longer than any parameter may be, with all that tidying takes away: not even looked through. In UTF-16 units. */
const LONGEST = 10_000;

/**
 * A parameter's value as text. Expressions and spreadsheets bring numbers where text is meant; anything else
 * that is not text is refused, and so are control characters, which no field of either interface can hold.
 *
 * @param parameter the parameter's name as the editor shows it
 * @param maxLength in UTF-16 units
 * @throws Problem that names the parameter and the rule
 */
export function readText(value: unknown, parameter: string, maxLength: number): string {
	const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
	const column = 'Check the expression, and that the column it names exists in the row';
	if (text === undefined || text === null || text === '') {
		throw badParameter(parameter, 'is empty', column);
	}
	if (typeof text !== 'string') {
		throw badParameter(parameter, `must be text, and is ${Array.isArray(text) ? 'a list' : `of type ${typeof text}`}`, column);
	}
	const isAbsurd = text.length > LONGEST;
	const tidied = isAbsurd ? text : tidy(text);
	if (tidied === '') throw badParameter(parameter, 'is empty', column);
	if (isAbsurd || tidied.length > maxLength) {
		throw badParameter(parameter, `is longer than ${maxLength} characters`, 'Check that the expression names the right column');
	}
	if (/[\p{Cc}\p{Cs}]/u.test(tidied)) {
		throw badParameter(parameter, 'holds control characters or broken Unicode', 'Remove line breaks and tabs from the value');
	}
	return tidied;
}
