import { hasGreekLetter, clean } from '../greek/letters';
import { greekMobile, isScientificNotation, withoutSeparators } from '../greek/mobile';
import { clip, shortenNumbers } from '../texts/notice';
import { ifNotGiven, isBlank, readText, refuseExpression } from '../n8n/parameters';
import { toProblem, invalidParameter, fault, type Problem } from '../texts/problem';
import type { RecipientRules } from './credential';

const LABEL = { field_el: 'κινητό', field_en: 'mobile number' };

/**
 * The recipient of a message: a Greek mobile number in any spelling, a number abroad with + or 00, or, where the
 * institution has them, a user name. Anything else can't be reached, and is refused before anything is sent.
 * @returns `sent`: as the platform gets it; `normal`: the same for every spelling, which two messages to one person share
 * @throws Problem that says why nobody can be reached
 */
export function readRecipient(value: unknown, { mobileFormat, userNames }: RecipientRules) {
	if (isBlank(value)) throw fault('emptyRecipient', {}, ifNotGiven(value));
	if (typeof value === 'number' && !(Number.isSafeInteger(value) && value > 0))
		throw unreachable(String(value), '', userNames);
	const text = textOf(value);
	const number = text.normalize('NFKC').replace(NATIONAL_ZERO, '$1');
	const mobile = greekMobile(number);
	if (mobile !== undefined) return { sent: mobileFormat === 'international' ? `30${mobile}` : mobile, normal: mobile };
	const plain = withoutSeparators(number);
	// A slash separates two numbers; in a Greek mobile's ten digits there is no room for a second.
	// Nor is there a country +693 to +699: that is a Greek mobile without its 30.
	const abroad = text.includes('/') ? undefined : /^(?:\+|00)(?!0|30|69[3-9])(\d{7,15})$/.exec(plain)?.[1];
	if (abroad !== undefined) return { sent: text, normal: `+${abroad}` };
	if (!userNames || !isUserName(text)) throw unreachable(text, plain, userNames);
	return { sent: text, normal: text.toLowerCase() };
}

/** The zero of calls within a country, as people write it behind the country code: +49 (0)151 … */
const NATIONAL_ZERO = /^(\(?(?:\+|00)[^(]{1,6})\(0\)/;

function textOf(value: unknown): string {
	if (typeof value === 'string') refuseExpression(value, LABEL);
	try {
		// A cell may have two numbers in two lines.
		return readText(typeof value === 'string' ? value.replace(/\s+/gu, ' ') : value, 'Recipient', 100);
	} catch (error) {
		if (typeof value === 'string' && value.length > 100) throw fault('notMobile', { value: clip(value, 40) });
		throw fault('notText', LABEL, toProblem(error).message);
	}
}

/** What expressions and spreadsheets write where a cell is empty. */
const NOBODY = new Set(['null', 'none', 'undefined', 'nan']);

/** `NaT` is what pandas writes for a missing date; `nat` may be a person. */
const isNobody = (text: string) => NOBODY.has(text.toLowerCase()) || text === 'NaT';

const isUserName = (text: string) => /^[A-Za-z][\w.@-]*$/.test(text) && !isNobody(text);

function unreachable(text: string, plain: string, userNames: boolean): Problem {
	if (isScientificNotation(text)) return fault('digitsLost', { value: text });
	if (isNobody(text)) return fault('emptyRecipient');
	const numbers = plain.match(/(?:69|68|94|2\d)\d{8}/g) ?? [];
	// Each by itself: with a comma between them they would be hidden as one.
	if (numbers.length > 1 && numbers.some((one) => !one.startsWith('2')))
		return fault('twoNumbers', {
			value: numbers.map((one) => shortenNumbers(one)).join(', '),
			what: numbers.length > 2 ? 'moreNumbers' : '',
		});
	const digits = plain.replace(/^['’]/, '').replace(/^(?:\+30|0030|30(?=\d{10}$))/, '');
	if (/^2\d{9}$/.test(digits)) return fault('landline', { value: digits });
	const count = /^\d+$/.test(digits) && !hasGreekLetter(text) ? `It has ${digits.length} digits. ` : '';
	const names = userNames
		? '. A user name begins with a Latin letter'
		: isUserName(text)
			? '. For user names, switch on User Names in the credential'
			: '';
	return fault('notMobile', { value: text }, `${count}A number abroad begins with + or 00${names}`);
}

/** The recipient of a row that can't be read otherwise, for its error: as typed, where there is a text. */
export function typedRecipient(value: unknown): string | undefined {
	const text = typeof value === 'number' ? String(value) : value;
	return typeof text === 'string' && text.length <= 100 && clean(text) !== '' ? clean(text) : undefined;
}

/** Recipients in normal form, of a text with commas, semicolons or line breaks, or of a list. @throws Problem that names it */
export function readRecipientList(value: unknown, label: string, userNames: boolean): ReadonlySet<string> {
	const recipients = new Set<string>();
	for (const [index, entry] of entriesOf(value, label).entries()) {
		if (isBlank(entry)) continue;
		try {
			recipients.add(readRecipient(entry, { mobileFormat: 'national', userNames }).normal);
		} catch (error) {
			const { message, description, why } = toProblem(error);
			const todo = why.reason === 'twoNumbers' ? 'Write a comma between them' : description;
			throw invalidParameter(label, `has an entry that is no recipient, number ${index + 1}: ${message}`, todo);
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
		'Write the recipients with commas between them, or correct the expression so that it evaluates to a list of mobile numbers';
	throw invalidParameter(label, `must be a list of recipients, and is of type ${typeof value}`, whatToDo);
}
