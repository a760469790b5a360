import { hasGreekLetter, clean } from '../greek/letters';
import {
	foreignNumber,
	greekLandline,
	greekMobile,
	greekNumbersIn,
	isScientificNotation,
	nationalDigits,
} from '../greek/mobile';
import { clip, shortenNumbers } from '../texts/notice';
import { ifNotGiven, isBlank, readText, refuseExpression } from '../n8n/parameters';
import { toProblem, invalidParameter, fault, type Problem } from '../texts/problem';
import type { RecipientRules } from './credential';

const LABEL = { field_el: 'κινητό', field_en: 'mobile number' };

/**
 * Reads the recipient of a message: a Greek mobile in any spelling, a foreign number with + or 00, or a user name if the
 * institution has user names.
 * @returns `sent`: the text that is sent to the platform; `normal`: the normal form, which is the same for all spellings of a
 * recipient
 * @throws Problem if the value is no recipient
 */
export function readRecipient(value: unknown, { mobileFormat, userNames }: RecipientRules) {
	if (isBlank(value)) throw fault('emptyRecipient', {}, ifNotGiven(value));
	if (typeof value === 'number' && !(Number.isSafeInteger(value) && value > 0))
		throw unreachable(String(value), userNames, '');
	const text = textOf(value);
	const mobile = greekMobile(text);
	if (mobile !== undefined) return { sent: mobileFormat === 'international' ? `30${mobile}` : mobile, normal: mobile };
	const abroad = foreignNumber(text);
	if (abroad !== undefined) return { sent: text, normal: `+${abroad}` };
	if (!userNames || !isUserName(text)) throw unreachable(text, userNames);
	return { sent: text, normal: text.toLowerCase() };
}

function textOf(value: unknown): string {
	if (typeof value === 'string') refuseExpression(value, LABEL);
	try {
		// Line breaks become blanks, because a cell can contain two numbers on two lines.
		return readText(typeof value === 'string' ? value.replace(/\s+/gu, ' ') : value, 'Recipient', 100);
	} catch (error) {
		if (typeof value === 'string' && value.length > 100) throw fault('notMobile', { value: clip(value, 40) });
		throw fault('notText', LABEL, toProblem(error).message);
	}
}

/** Words that expressions and programs write for an empty cell, in lower case. */
const EMPTY_CELL = new Set(['null', 'none', 'undefined', 'nan']);

/**
 * Returns whether a text is a word for an empty cell. pandas writes `NaT` for a missing date. Only this spelling counts, because
 * `nat` can be a user name.
 */
const isEmptyCell = (text: string) => EMPTY_CELL.has(text.toLowerCase()) || text === 'NaT';

const isUserName = (text: string) => /^[A-Za-z][\w.@-]*$/.test(text) && !isEmptyCell(text);

/** Makes the Problem of a text that is no recipient. */
function unreachable(text: string, userNames: boolean, digits = nationalDigits(text)): Problem {
	if (isScientificNotation(text)) return fault('digitsLost', { value: text });
	if (isEmptyCell(text)) return fault('emptyRecipient');
	const numbers = greekNumbersIn(text);
	// Each number is shortened alone. `shortenNumbers` would take several numbers with commas for one number.
	if (numbers.length > 1 && numbers.some((one) => !one.startsWith('2')))
		return fault('twoNumbers', {
			value: numbers.map((one) => shortenNumbers(one)).join(', '),
			what: numbers.length > 2 ? 'moreNumbers' : '',
		});
	const landline = greekLandline(text);
	if (landline !== undefined) return fault('landline', { value: landline });
	const count = /^\d+$/.test(digits) && !hasGreekLetter(text) ? `It has ${digits.length} digits. ` : '';
	const names = userNames
		? '. A user name begins with a Latin letter'
		: isUserName(text)
			? '. If the recipient is a user name, switch on User Names in the credential'
			: '';
	return fault('notMobile', { value: text }, `${count}A foreign number begins with + or 00${names}`);
}

/** Returns the typed recipient, so that the error of an item can name it. Undefined: there is no text, or it is too long. */
export function typedRecipient(value: unknown): string | undefined {
	const text = typeof value === 'number' ? String(value) : value;
	return typeof text === 'string' && text.length <= 100 && clean(text) !== '' ? clean(text) : undefined;
}

/**
 * Reads a list of recipients in normal form, from an array, one number, or a text with commas, semicolons or line breaks.
 * @throws Problem that names the faulty entry, or says that the value is no list
 */
export function readRecipientList(value: unknown, label: string, userNames: boolean): ReadonlySet<string> {
	const recipients = new Set<string>();
	for (const [index, entry] of entriesOf(value, label).entries()) {
		if (isBlank(entry)) continue;
		try {
			recipients.add(readRecipient(entry, { mobileFormat: 'national', userNames }).normal);
		} catch (error) {
			const { message, description, why } = toProblem(error);
			const todo = why.reason === 'twoNumbers' ? 'Put a comma between the numbers' : description;
			throw invalidParameter(label, `has an error in entry number ${index + 1}: ${message}`, todo);
		}
	}
	return recipients;
}

function entriesOf(value: unknown, label: string): unknown[] {
	if (isBlank(value)) return [];
	if (Array.isArray(value)) return value;
	if (typeof value === 'number') return [value];
	if (typeof value === 'string') return value.split(/[,;\r\n]/u).map(clean);
	const whatToDo =
		'Separate the recipients with commas, or correct the expression so that it evaluates to a list of mobile numbers';
	throw invalidParameter(label, `must be a list of recipients, but is of type ${typeof value}`, whatToDo);
}
