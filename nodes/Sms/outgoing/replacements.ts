import type { IDataObject } from 'n8n-workflow';

import { hidePeoplesNumbers } from '../../shared/hide';
import { badParameter, type Problem } from '../../shared/problem';
import { isNothing } from '../../shared/parameter';
import { fillPlaceholders, placeholdersOf, type Placeholder } from '../predefinedMessages';
import { LONGEST_SMS } from '../segments';
import { numberAsText } from './decimalComma';
import {
	columnNames,
	emptyCell,
	IF_IT_IS_THERE,
	nameOf,
	UNKNOWN_ORIGIN,
	type Missing,
	type Origin,
} from './missingValue';

/** The values of one message, in the order of their positions, and what they make of its text. */
export interface Filled {
	replacements: string[];
	/** Where the predefined message's text is known. */
	text?: string;
	/** How many SMS that text takes. */
	segments?: number;
}

/**
 * Where the values of a row come from: a list of them in the order of positions, or values by the placeholders' names,
 * typed or from the row's columns. With their origin, an error can say why one is missing.
 */
export type Values = ({ list: unknown[] } | { byName: IDataObject } | { columns: IDataObject }) & { origin?: Origin };

/** How values become text. */
interface Rules {
	/** Whether a value may be empty. */
	allowEmpty: boolean;
	/** Whether the fraction of a number is set off by a comma. */
	decimalComma: boolean;
}

/**
 * Makes the replacements of a message, and its text where it is known.
 *
 * @param predefined the message as the operator defined it, where that is known; otherwise which ones the user may choose
 * @param allowEmpty whether a value may be empty
 * @param decimalComma whether a number with a fraction goes out as 8,5
 * @throws Problem that names the value by its label, or by its position where no text is known
 */
export function fill(
	values: Values,
	{ text, whatThereIs }: { text: string | undefined; whatThereIs: () => string },
	allowEmpty: boolean,
	decimalComma: boolean,
): Filled {
	const rules = { allowEmpty, decimalComma };
	const { origin = UNKNOWN_ORIGIN } = values;
	if (text === undefined) {
		if ('list' in values) return { replacements: readListed(values.list, [], origin, rules) };
		throw badParameter(
			'Text of the message',
			'is not known, so its placeholders are not either',
			`Check Service and Message. ${whatThereIs()}. Otherwise add the message to Messages of the credential, as serviceId/messageId: text, or its text to the option Message Text; or give the values in their order under Specify Replacements: Using Fields Below`,
		);
	}
	const found = placeholdersOf(text);
	if ('fault' in found) {
		throw badParameter(
			'Message Text',
			`has a text whose ${found.fault}`,
			'Correct it so that it reads as the operator defined it',
		);
	}
	const replacements =
		'list' in values
			? readListed(values.list, found.placeholders, origin, rules)
			: found.placeholders.map((placeholder) => readNamed(values, placeholder, origin, rules));
	const filled = fillPlaceholders(text, replacements);
	if ('fault' in filled) {
		throw badParameter(
			'Replacements',
			`do not fit. ${filled.fault}`,
			'Add or remove values, or correct the text of the message so that it reads as the operator defined it',
		);
	}
	return { replacements, ...filled };
}

function readListed(list: unknown[], placeholders: Placeholder[], origin: Origin, rules: Rules): string[] {
	return list.map((value, index) => {
		const name = placeholders[index]?.id ?? `Replacement ${index + 1}`;
		return toReplacement(value, name, rules, () => origin.missing(name, value, index));
	});
}

function readNamed(
	values: Exclude<Values, { list: unknown[] }>,
	{ id }: Placeholder,
	origin: Origin,
	rules: Rules,
): string {
	if ('columns' in values)
		return toReplacement(valueOfColumn(values.columns, id, origin), id, rules, () => emptyCell(id));
	const value = values.byName[id];
	return toReplacement(value, id, rules, () => origin.missing(id, value, id));
}

/**
 * The value of the column that has the placeholder's name; nothing where only other rows have it.
 *
 * @throws Problem where no column, or more than one, fits
 */
function valueOfColumn(columns: IDataObject, id: string, origin: Origin): unknown {
	if (Object.hasOwn(columns, id)) return columns[id];
	const fitting = Object.keys(columns).filter((column) => nameOf(column) === nameOf(id));
	if (fitting.length > 1) {
		throw badParameter(
			id,
			`fits two columns (${hidePeoplesNumbers(fitting.slice(0, 3).join(', '))})`,
			'Rename one of them, or give each placeholder its value by hand',
		);
	}
	if (fitting.length === 1) return columns[fitting[0]!];
	if (origin.hasColumn(id)) return null;
	throw badParameter(
		id,
		'has no column',
		`${IF_IT_IS_THERE}. Otherwise name a column ${id}, or give each placeholder its value by hand. ${columnNames(Object.keys(columns))}`,
	);
}

/** One value as the text that is sent. Line breaks and tabs are part of a message. */
function toReplacement(value: unknown, name: string, { allowEmpty, decimalComma }: Rules, why: () => Missing): string {
	if (isNothing(value)) {
		const { problem, mayBeEmpty } = why();
		if (!allowEmpty || !mayBeEmpty) throw problem;
	}
	const text = toText(value, decimalComma);
	if (typeof text !== 'string') throw notText(text, name);
	if (text.length > LONGEST_SMS) {
		throw badParameter(
			name,
			`is longer than ${LONGEST_SMS} characters, and no SMS is`,
			'Check that the expression names the right column',
		);
	}
	if (/[\p{Cs}]|(?![\t\n\r])\p{Cc}/u.test(text)) {
		throw badParameter(name, 'contains control characters or broken Unicode', 'Remove them from the cell');
	}
	return text;
}

/** The editor stores an empty field as null, and databases give null for an empty cell. */
function toText(value: unknown, decimalComma: boolean): unknown {
	if (value === null || value === undefined) return '';
	if (typeof value === 'boolean') return String(value);
	return typeof value === 'number' && Number.isFinite(value) ? numberAsText(value, decimalComma) : value;
}

function notText(value: unknown, name: string): Problem {
	if (typeof value !== 'number') return badParameter(name, 'must be text or a number', 'Check the expression');
	const rule = Number.isNaN(value) ? 'is not a number (NaN)' : 'is too large a number';
	return badParameter(name, rule, 'Check the calculation in the expression, or write the value as text');
}
