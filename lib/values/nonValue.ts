import { clean } from '../greek/letters';
import { toText, isDateObject } from './text';

/* Finds words that programs write in place of a missing value, such as `undefined`. They must not be sent to people as values. */

/** The longest text that is searched, in UTF-16 units. A longer text is longer than any SMS, and is rejected for its length. */
const LONGEST = 50_000;

/** Words that are rejected if they are the whole value. The spelling must be exactly this: «Null» is a surname. */
const ALONE = new Set([
	...['undefined', 'null', 'NULL', 'NaN', 'nan', 'NaT'],
	// Errors of Excel, in English and Greek, of Google Sheets and of Calc.
	...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NUM!', '#NULL!', '#SPILL!', '#CALC!', '#ERROR!'],
	...['#GETTING_DATA', '#FIELD!', '#BLOCKED!', '#CONNECT!', '#UNKNOWN!', '#BUSY!', '#PYTHON!'],
	...['#Δ/Υ', '#ΤΙΜΗ!', '#ΑΝΑΦ!', '#ΔΙΑΙΡ/0!', '#ΟΝΟΜΑ?', '#ΑΡΙΘ!', '#ΚΕΝΟ!'],
]);
/** Matches the text that a spreadsheet shows in a cell that is too narrow (`####`), and an error of Calc (`Err:502`). */
const CELL = /^(?:#{3,}|Err:\d+)$/;
/** Matches texts that are rejected anywhere in a value. */
const INSIDE = /\[object Object\]|Invalid Date(?:Time)?|\ufffd/;
/** Matches `undefined` unless it is part of a Latin word. «στιςundefined» matches, because it comes from a missing column. */
const UNDEFINED = /(?<![A-Za-z_])undefined(?![A-Za-z_])/;
/** Matches `null` and `NaN` as whole words. */
const NULL_OR_NAN = /(?<![\p{L}\p{N}_])(?:null|NaN)(?![\p{L}\p{N}_])/u;
/** Words that may be names. They only cause a warning. */
const MAYBE = new Set(['Null', 'None', 'Undefined']);

/**
 * Returns the word that shows that a value is missing, as the data of a fault `notValue`. Undefined: there is no such word.
 * @param isComposed returns whether an expression composed the value
 */
export function findNonValue(
	value: unknown,
	isComposed: () => boolean,
): { value: string; what?: 'lostLetters' } | undefined {
	if (Number.isNaN(value)) return { value: 'NaN' };
	// An invalid Date or DateTime has no JSON text. Valid dates were converted to text before this check.
	if (isDateObject(value) && value.toJSON() === null) return { value: 'Invalid Date' };
	if (typeof value !== 'string' || value.length > LONGEST) return undefined;
	const text = clean(value);
	if (ALONE.has(text) || CELL.test(text)) return { value: text };
	const found = INSIDE.exec(text)?.[0] ?? (UNDEFINED.test(text) && isComposed() ? 'undefined' : undefined);
	if (found === undefined) return undefined;
	return found === '\ufffd' ? { value: found, what: 'lostLetters' } : { value: found };
}

/**
 * Returns whether a value may be a missing one. This is so if it is a word that may be a name, such as Null, or if it contains
 * `undefined` or the error of a spreadsheet. `null` and `NaN` count only if an expression composed the value.
 */
export function looksLikeNonValue(value: string, isComposed: () => boolean): boolean {
	if (value.length > LONGEST) return false;
	const text = clean(value);
	if (MAYBE.has(text) || UNDEFINED.test(text)) return true;
	if (text.split(/[\s(),;:]+/u).some((word) => word.startsWith('#') && ALONE.has(word))) return true;
	return NULL_OR_NAN.test(text) && isComposed();
}

/**
 * Matches a column in an expression as n8n's editor writes it (of this node's input or of an earlier node), and a text in
 * quotation marks.
 */
const COLUMNS =
	/\$(?:(?:input|\((?:"[^"\\]*"|'[^'\\]*')\))\.(?:item|first\(\)|last\(\))\.)?json(?:\??\.[\p{L}_$][\p{L}\p{N}_$]*|\[(?:"[^"\\]*"|'[^'\\]*'|\d+)\])*|"[^"\\]*"|'[^'\\]*'/gu;

/**
 * Returns whether an expression composes the value of a field. The result is false for a text without an expression, for a plain
 * column, for a text in quotation marks, and for a list of these. It is true for any other expression.
 * @param raw the typed text of the field, before n8n evaluates it
 */
export function isComposedBy(raw: unknown): boolean {
	const text = toText(raw).slice(0, LONGEST);
	return text.startsWith('=') && !/^=\s*\{\{\s*(?:\[[\s,]*\])?\s*\}\}\s*$/.test(text.replace(COLUMNS, ''));
}
