import { clean } from '../greek/letters';
import { toText, isDateObject } from './text';

/* Words that programs write where there is no value. They must not reach people as if they were one. */

/** Longer texts than any SMS are refused for their length, without being searched. In UTF-16 units. */
const LONGEST = 50_000;

/** Refused if a value is nothing else, in exactly this spelling: the surname «Null» is a value. */
const ALONE = new Set([
	...['undefined', 'null', 'NULL', 'NaN', 'nan', 'NaT'],
	// Errors of Excel, in English and Greek, of Google Sheets and of Calc.
	...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NUM!', '#NULL!', '#SPILL!', '#CALC!', '#ERROR!'],
	...['#GETTING_DATA', '#FIELD!', '#BLOCKED!', '#CONNECT!', '#UNKNOWN!', '#BUSY!', '#PYTHON!'],
	...['#Δ/Υ', '#ΤΙΜΗ!', '#ΑΝΑΦ!', '#ΔΙΑΙΡ/0!', '#ΟΝΟΜΑ?', '#ΑΡΙΘ!', '#ΚΕΝΟ!'],
]);
/** A cell that is too narrow, and an error of Calc. */
const CELL = /^(?:#{3,}|Err:\d+)$/;
/** Refused wherever they stand in a text. */
const INSIDE = /\[object Object\]|Invalid Date(?:Time)?|\ufffd/;
/** Not between Latin letters. «στιςundefined» is a column that is missing, too. */
const UNDEFINED = /(?<![A-Za-z_])undefined(?![A-Za-z_])/;
const NULL_OR_NAN = /(?<![\p{L}\p{N}_])(?:null|NaN)(?![\p{L}\p{N}_])/u;
/** Words that may be names. */
const MAYBE = new Set(['Null', 'None', 'Undefined']);

/**
 * Looks for something that is not a value.
 * @param isComposed whether an expression composed the value
 * @returns what a fault `notValue` is about, or undefined for a value
 */
export function findNonValue(
	value: unknown,
	isComposed: () => boolean,
): { value: string; what?: 'lostLetters' } | undefined {
	if (Number.isNaN(value)) return { value: 'NaN' };
	// An invalid Date or DateTime: a valid one was written as text before.
	if (isDateObject(value) && value.toJSON() === null) return { value: 'Invalid Date' };
	if (typeof value !== 'string' || value.length > LONGEST) return undefined;
	const text = clean(value);
	if (ALONE.has(text) || CELL.test(text)) return { value: text };
	const found = INSIDE.exec(text)?.[0] ?? (UNDEFINED.test(text) && isComposed() ? 'undefined' : undefined);
	if (found === undefined) return undefined;
	return found === '\ufffd' ? { value: found, what: 'lostLetters' } : { value: found };
}

/** Whether a text that is a value looks like none: as the name Null does, or one of these words inside a text. */
export function looksLikeNonValue(value: string, isComposed: () => boolean): boolean {
	if (value.length > LONGEST) return false;
	const text = clean(value);
	if (MAYBE.has(text) || UNDEFINED.test(text)) return true;
	if (text.split(/[\s(),;:]+/u).some((word) => word.startsWith('#') && ALONE.has(word))) return true;
	return NULL_OR_NAN.test(text) && isComposed();
}

/** A column as n8n's editor writes it, also of an earlier node, and texts between quotation marks. */
const COLUMNS =
	/\$(?:(?:input|\((?:"[^"\\]*"|'[^'\\]*')\))\.(?:item|first\(\)|last\(\))\.)?json(?:\??\.[\p{L}_$][\p{L}\p{N}_$]*|\[(?:"[^"\\]*"|'[^'\\]*'|\d+)\])*|"[^"\\]*"|'[^'\\]*'/gu;

/**
 * Whether a field of a form composes its value: whether it is an expression other than a plain column or a list of them.
 * @param raw the field as it was typed, before n8n evaluates it
 */
export function isComposedBy(raw: unknown): boolean {
	const text = toText(raw).slice(0, LONGEST);
	return text.startsWith('=') && !/^=\s*\{\{\s*(?:\[[\s,]*\])?\s*\}\}\s*$/.test(text.replace(COLUMNS, ''));
}
