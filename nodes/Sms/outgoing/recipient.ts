import { hasGreekLetter, tidy } from '../../shared/greek';
import { greekMobile, isScientificNotation, withoutSeparators } from '../../shared/mobile';
import { badParameter, type Problem } from '../../shared/problem';
import { readText } from '../../shared/parameter';
import type { MobileFormat } from '../credential';

/** Whom a message is for. */
export interface Recipient {
	/** As the platform gets it. */
	sent: string;
	/** The same for every spelling of one number: what two messages to one person have in common. */
	same: string;
}

/**
 * The recipient of a message: a Greek mobile number in any spelling, a number abroad with + or 00, or a user name of
 * the institution. Anything else can't be reached, and is refused before anything is sent.
 *
 * @param normalise false: it goes as typed, unchecked
 * @param label what the error calls it
 * @throws Problem that says why the value can't be reached, without the value
 */
export function readRecipient(
	value: unknown,
	normalise: boolean,
	format: MobileFormat,
	label = 'Recipient',
): Recipient {
	if (typeof value === 'number' && !(Number.isSafeInteger(value) && value > 0))
		throw unreachable(String(value), '', label);
	const text = readText(value, label, 100);
	const mobile = greekMobile(text);
	const plain = withoutSeparators(text.normalize('NFKC'));
	// A slash separates two numbers; in a Greek mobile's ten digits there is no room for a second.
	const abroad = text.includes('/') ? undefined : /^(?:\+|00)(?!0|30)(\d{7,15})$/.exec(plain)?.[1];
	const same = mobile ?? (abroad === undefined ? text : `+${abroad}`);
	if (normalise && mobile !== undefined) return { sent: format === 'international' ? `30${mobile}` : mobile, same };
	if (normalise && abroad === undefined && !isUserName(text)) throw unreachable(text, plain, label);
	return { sent: text, same };
}

/** What expressions and spreadsheets write where a cell is empty. */
const NOBODY = new Set(['null', 'none', 'undefined', 'nan']);

const isUserName = (text: string) => /^[A-Za-z][\w.@-]*$/.test(text) && !NOBODY.has(text.toLowerCase());

function unreachable(text: string, plain: string, label: string): Problem {
	const refuse = (rule: string, whatToDo: string) => badParameter(label, rule, whatToDo);
	const correct = 'Correct the cell: a Greek mobile number has ten digits and begins with 69';
	if (isScientificNotation(text)) {
		return refuse(
			'is a number that a spreadsheet shortened (such as 6.9E9), so its digits are lost',
			'Format the column as text in the spreadsheet',
		);
	}
	if (NOBODY.has(text.toLowerCase()))
		return refuse('is a word for "nothing"', 'Fill in the cell, or leave the row out');
	if ((plain.match(/(?:69|68|94)\d{8}/g) ?? []).length > 1)
		return refuse('contains two numbers', 'Keep one number in the cell, or make two rows of it');
	if (hasGreekLetter(text))
		return refuse('contains Greek words', 'Check that the expression names the column with the mobile numbers');
	const digits = plain.replace(/^['’]/, '').replace(/^(?:\+30|0030|30(?=\d{10}$))/, '');
	if (/^2\d{9}$/.test(digits)) return refuse('is a landline, which takes no SMS', 'Use a mobile number');
	if (/^\d+$/.test(digits)) {
		if (digits.length !== 10)
			return refuse(
				`has ${digits.length} digits, and a Greek mobile number has ten`,
				`${correct}. A number abroad begins with + or 00`,
			);
		return refuse('is no mobile number', `${correct}. A number abroad begins with + or 00`);
	}
	return refuse(
		'is neither a mobile number nor a user name',
		`${correct}. A user name begins with a Latin letter, and then has only Latin letters, digits, _ . @ and -`,
	);
}

/** The recipient of a row that can't be read otherwise, for its error: as typed, where there is a text. */
export function typedRecipient(value: unknown): string | undefined {
	const text = typeof value === 'number' ? String(value) : value;
	return typeof text === 'string' && text.length <= 100 && tidy(text) !== '' ? tidy(text) : undefined;
}
