import { clean } from '../greek/letters';
import { toText, isDateObject } from './text';

/* Words that programs write in place of a missing value. They must not reach people as if they were values. */

/** Longer texts are not searched, in UTF-16 units. They are longer than any SMS, and are rejected for their length. */
const LONGEST = 50_000;

/** Words that are rejected as a whole value, in exactly this spelling. The surname «Null» is a value. */
const ALONE = new Set([
	...['undefined', 'null', 'NULL', 'NaN', 'nan', 'NaT'],
	// Errors of Excel, in English and Greek, of Google Sheets and of Calc.
	...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NUM!', '#NULL!', '#SPILL!', '#CALC!', '#ERROR!'],
	...['#GETTING_DATA', '#FIELD!', '#BLOCKED!', '#CONNECT!', '#UNKNOWN!', '#BUSY!', '#PYTHON!'],
	...['#Δ/Υ', '#ΤΙΜΗ!', '#ΑΝΑΦ!', '#ΔΙΑΙΡ/0!', '#ΟΝΟΜΑ?', '#ΑΡΙΘ!', '#ΚΕΝΟ!'],
]);
/** Matches the text of a cell that is too narrow, and an error of Calc. */
const CELL = /^(?:#{3,}|Err:\d+)$/;
/** Matches texts that are rejected anywhere in a value. */
const INSIDE = /\[object Object\]|Invalid Date(?:Time)?|\ufffd/;
/** Matches the word unless it stands between Latin letters. «στιςundefined» also comes from a missing column. */
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

/** Returns whether a value looks like a missing one: it is a name such as Null, or it contains one of these words. */
export function looksLikeNonValue(value: string, isComposed: () => boolean): boolean {
	if (value.length > LONGEST) return false;
	const text = clean(value);
	if (MAYBE.has(text) || UNDEFINED.test(text)) return true;
	if (text.split(/[\s(),;:]+/u).some((word) => word.startsWith('#') && ALONE.has(word))) return true;
	return NULL_OR_NAN.test(text) && isComposed();
}

/** Matches columns as n8n's editor writes them (of this node's input or of an earlier node), and texts in quotation marks. */
const COLUMNS =
	/\$(?:(?:input|\((?:"[^"\\]*"|'[^'\\]*')\))\.(?:item|first\(\)|last\(\))\.)?json(?:\??\.[\p{L}_$][\p{L}\p{N}_$]*|\[(?:"[^"\\]*"|'[^'\\]*'|\d+)\])*|"[^"\\]*"|'[^'\\]*'/gu;

/**
 * Returns whether an expression composes the value of a field: any expression other than a plain column or a list of plain
 * columns.
 * @param raw the typed text of the field, before n8n evaluates it
 */
export function isComposedBy(raw: unknown): boolean {
	const text = toText(raw).slice(0, LONGEST);
	return text.startsWith('=') && !/^=\s*\{\{\s*(?:\[[\s,]*\])?\s*\}\}\s*$/.test(text.replace(COLUMNS, ''));
}
