import type { IDataObject } from 'n8n-workflow';

import { columnsOfPlaceholder, missingColumn, valueIn, type Columns } from '../n8n/columns';
import { dateAsText } from '../values/dateText';
import { findNonValue } from '../values/nonValue';
import { ifNotGiven, isBlank, refuseExpression } from '../n8n/parameters';
import type { About } from '../texts/notice';
import { fault } from '../texts/problem';
import { redactPersonalNumbers } from '../texts/redact';
import { toText } from '../values/text';
import { fillPlaceholders, placeholderWithoutPosition, type MessageText } from './placeholders';
import { LONGEST_SMS } from './segments';
import { findWarning, type ValueWarning } from './warnings/find';

/**
 * The values of an item for the placeholders of its message. They are a list in the order of positions, or values by the names of
 * placeholders, or the columns of the item.
 */
export type Values = ({ list: unknown[] } | { byName: IDataObject } | { row: IDataObject; columns: Columns }) & {
	/** IANA name of the workflow's time zone. Dates are written in it. */
	timeZone: string;
	/** Returns whether an expression other than a plain column composed the value of a placeholder. */
	isComposed: (placeholder: string | undefined) => boolean;
};

/**
 * Makes the replacements of a message, in the order of their positions. If the text of the message is known, the result also has
 * the filled text and its length in SMS.
 * @param predefined the message. `known`: the operator's text, if it is known. `describeKnownMessages`: describes the messages
 * that the user can choose, for an error
 * @param options `allowEmpty`: whether a value may be empty. `own`: a value that the node adds, and its index among the
 * replacements. `isList`: whether the message comes from a list, so that errors may mention rows and columns
 * @throws Problem if a value can't be sent, if the number of values is wrong, or if the text is needed and not known. A value is
 * named by its placeholder, or by its position if no text is known
 */
export function makeReplacements(
	values: Values,
	predefined: {
		serviceId: string;
		messageId: string;
		known: MessageText | undefined;
		describeKnownMessages: () => string;
	},
	{ allowEmpty, own, isList }: { allowEmpty: boolean; own?: { place: number; text: string }; isList: boolean },
): { replacements: string[]; text?: string; segments?: number; warnings: ValueWarning[] } {
	const { known } = predefined;
	const placeholders = known?.placeholders ?? [];
	const warnings: ValueWarning[] = [];
	const replacementOf = (value: unknown, index: number) => {
		const label = labelOf(placeholders[index], index);
		const isComposed = () => values.isComposed(placeholders[index]);
		const date = dateAsText(value, values.timeZone);
		const replacement = date ?? toReplacement(value, label, { allowEmpty, isList, isComposed });
		const warning = findWarning(value, replacement, placeholders[index], date !== undefined, isComposed);
		if (warning !== undefined) {
			// A text may contain a personal number. A number or a date stays whole, so that people see why there is a warning.
			const isText = typeof value === 'string' && date === undefined;
			warnings.push({ ...warning, ...label, value: isText ? redactPersonalNumbers(replacement) : replacement });
		}
		return replacement;
	};
	let replacements: string[];
	if ('list' in values) {
		const list = own === undefined ? values.list : values.list.toSpliced(own.place, 0, own.text);
		replacements = list.map(replacementOf);
		if (known === undefined) return { replacements, warnings };
	} else if (known === undefined) {
		const value = `${predefined.serviceId}/${predefined.messageId}`;
		const whatToDo = `Check Service and Message. ${predefined.describeKnownMessages()}. If Service and Message are right, add the message to the field Messages in the credential, as serviceId/messageId: text. Or enter the values in the right order in the option Replacements`;
		throw fault('unknownMessage', { value }, whatToDo);
	} else {
		const valueOf = (id: string) =>
			'byName' in values ? valueOfField(values, id) : valueOfColumn(values, id, placeholders, isList);
		replacements = placeholders.map((id, index) =>
			index === own?.place ? own.text : replacementOf(valueOf(id), index),
		);
	}
	const forgotten = placeholderWithoutPosition(known.text);
	if (forgotten !== undefined) warnings.push({ kind: 'noPosition', field_el: '', field_en: '', value: forgotten });
	const filled = fillPlaceholders(known, replacements);
	if (!('fault' in filled)) return { replacements, ...filled, warnings };
	const [wanted, given] = [placeholders.length, replacements.length];
	if (wanted === given) throw fault('tooLong', { field_el: 'κείμενο', field_en: 'text' }, filled.fault);
	const whatToDo =
		wanted === 0
			? 'Remove the option Replacements'
			: 'Correct the list in the option Replacements. Or remove the option: the node then uses the field Placeholders';
	throw fault('wrongCount', { wanted, given }, `${filled.fault}. ${whatToDo}`);
}

/** Returns the name of a value for errors: its placeholder, or its position if the text of the message is not known. */
const labelOf = (placeholder: string | undefined, index: number) => ({
	field_el: placeholder ?? `τιμή ${index + 1}`,
	field_en: placeholder ?? `replacement ${index + 1}`,
});

/**
 * Returns the value in the field of a placeholder.
 * @throws Problem if the form has no such field, because it was removed or the text has changed
 */
function valueOfField({ byName }: { byName: IDataObject }, id: string): unknown {
	if (Object.hasOwn(byName, id)) return byName[id];
	throw fault(
		'emptyValue',
		{ field_el: id, field_en: id },
		'Placeholders has no field for this value: press "Add placeholder to send"',
	);
}

/**
 * Returns the value in the column of the placeholder's name.
 * @param placeholders all placeholders of the message. A column with the exact name of another placeholder is not used
 * @param isList whether the message comes from a list
 * @throws Problem if no column has the name, or if two columns have it and their values differ in this row
 */
function valueOfColumn(
	{ row, columns }: { row: IDataObject; columns: Columns },
	id: string,
	placeholders: string[],
	isList: boolean,
): unknown {
	const label = { el: id, en: id };
	const found = columnsOfPlaceholder(columns, id, placeholders);
	if (found.length === 0) throw missingColumn(columns, label, { isList });
	return valueIn(row, found, { label }) ?? null;
}

const CORRECT_VALUE =
	'Correct the cell or leave the row out. If the cell is right, correct the expression in the field';

/** Returns a value as the text that is sent, in Unicode's composed form (NFC). It may contain line breaks and tabs. */
function toReplacement(
	value: unknown,
	about: ReturnType<typeof labelOf>,
	{ allowEmpty, isList, isComposed }: { allowEmpty: boolean; isList: boolean; isComposed: () => boolean },
): string {
	const aboutEmpty: About = isList ? about : { ...about, todo: 'emptyRecipient' };
	if (value === undefined) throw fault('emptyValue', aboutEmpty, ifNotGiven(value));
	if (isBlank(value) && !allowEmpty)
		throw fault('emptyValue', aboutEmpty, 'If the value may be empty, switch on the option Allow Empty Values');
	const nonValue = findNonValue(value, isComposed);
	if (nonValue !== undefined) throw fault('notValue', { ...about, ...nonValue }, CORRECT_VALUE);
	// The number (a payment code, for example) has more digits than JavaScript can store. So its last digits may already be
	// wrong.
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw fault('digitsLost', { value: toText(value) });
	if (typeof value === 'boolean') return String(value).toUpperCase();
	const text = value === null ? '' : typeof value === 'number' ? numberAsText(value) : value;
	if (typeof text !== 'string') throw fault('notText', about);
	if (text.length > LONGEST_SMS) throw fault('tooLong', about);
	refuseExpression(text, about);
	const isBroken = /[\p{Cs}]|(?![\t\n\r])\p{Cc}/u.test(text);
	if (isBroken) throw fault('notText', about, 'The value contains control characters or broken Unicode');
	// Invisible characters before an accent are removed, because they would prevent the composition of the letter and the accent.
	// Other invisible characters stay.
	return text.replace(/\p{Cf}+(\p{M}?)/gu, (unseen, accent: string) => accent || unseen).normalize('NFC');
}

/**
 * Returns a number as people write it in Greek, with a decimal comma. A number with decimals is rounded to fifteen digits, as in
 * a spreadsheet. Undefined: the number is not finite.
 */
function numberAsText(number: number): string | undefined {
	if (!Number.isFinite(number)) return undefined;
	return Number.isInteger(number) ? String(number) : String(Number(number.toPrecision(15))).replace('.', ',');
}
