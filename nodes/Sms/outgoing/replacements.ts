import type { IDataObject } from 'n8n-workflow';

import { foldForComparison } from '../../shared/greek';
import { maskNumbers } from '../../shared/mask';
import { badParameter, type Problem } from '../../shared/problem';
import { isNothing } from '../../shared/read';
import { fillPlaceholders, placeholdersOf, type Placeholder } from '../messages';
import { LONGEST_SMS } from '../segments';

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
 * typed or from the row's columns.
 */
export type Values = { list: unknown[] } | { byName: IDataObject } | { columns: IDataObject };

/**
 * Makes the replacements of a message, and its text where it is known.
 *
 * @param text the predefined message as the operator defined it
 * @param allowEmpty whether a value may be empty
 * @throws Problem that names the value by its label, or by its position where no text is known
 */
export function fill(values: Values, text: string | undefined, allowEmpty: boolean): Filled {
	if (text === undefined) {
		if ('list' in values) return { replacements: readListed(values.list, [], allowEmpty) };
		throw badParameter(
			'Text of the message',
			'is not known, so nobody can tell its placeholders',
			'Add it to Messages of the credential, as serviceId/messageId: text, or to the option Message Text; or give the values in their order under Specify Replacements: Using Fields Below',
		);
	}
	const found = placeholdersOf(text);
	if ('fault' in found) {
		throw badParameter('Message Text', `has a text whose ${found.fault}`, 'Correct it so that it reads as the operator defined it');
	}
	const { placeholders } = found;
	const replacements =
		'list' in values
			? readListed(values.list, placeholders, allowEmpty)
			: placeholders.map((placeholder) => {
					const value = 'byName' in values ? values.byName[placeholder.id] : valueOfColumn(values.columns, placeholder);
					return toReplacement(value, placeholder.id, allowEmpty);
				});
	const filled = fillPlaceholders(text, replacements);
	if ('fault' in filled) {
		throw badParameter('Replacements', `do not fit. ${filled.fault}`, 'Add or remove values, or correct the text of the message so that it reads as the operator defined it');
	}
	return { replacements, ...filled };
}

function readListed(list: unknown[], placeholders: Placeholder[], allowEmpty: boolean): string[] {
	return list.map((value, index) => toReplacement(value, placeholders[index]?.id ?? `Replacement ${index + 1}`, allowEmpty));
}

/** What two names of a column have in common: case, accents, blanks, _ and - make no difference. */
const nameOf = (column: string) => foldForComparison(column.slice(0, 1000)).replace(/[\s_-]/gu, '');

/** @throws Problem where no column, or more than one, has the placeholder's name */
function valueOfColumn(columns: IDataObject, { id }: Placeholder): unknown {
	if (Object.hasOwn(columns, id)) return columns[id];
	const fitting = Object.keys(columns).filter((column) => nameOf(column) === nameOf(id));
	if (fitting.length > 1) {
		throw badParameter(id, `fits two columns (${maskNumbers(fitting.slice(0, 3).join(', '))})`, 'Rename one of them, or give each placeholder its value by hand');
	}
	if (fitting.length === 0) {
		// A sheet without a header line has its first row's values there.
		const names = maskNumbers(Object.keys(columns).slice(0, 10).join(', ').slice(0, 1000)).slice(0, 300);
		throw badParameter(id, 'has no column in this row', `Name a column ${id}, or give each placeholder its value by hand. The row's columns: ${names || 'none'}`);
	}
	return columns[fitting[0]!];
}

/** One value as the text that is sent. Line breaks and tabs are part of a message. */
function toReplacement(value: unknown, name: string, allowEmpty: boolean): string {
	// The editor stores an empty field as null, and databases give null for an empty cell.
	const given = value === null ? '' : value;
	const text = typeof given === 'boolean' || (typeof given === 'number' && Number.isFinite(given)) ? String(given) : given;
	if (text === undefined) {
		throw badParameter(name, 'has no value in this row', 'Check the expression: there is no column of that name, or it gives nothing');
	}
	if (typeof text !== 'string') throw notText(text, name);
	if (!allowEmpty && isNothing(text)) {
		throw badParameter(name, 'is empty in this row', 'Fill in the cell (the column exists), leave the row out, or switch on the option Allow Empty Values');
	}
	if (text.length > LONGEST_SMS) {
		throw badParameter(name, `is longer than ${LONGEST_SMS} characters, and no SMS is`, 'Check that the expression names the right column');
	}
	if (/[\p{Cs}]|(?![\t\n\r])\p{Cc}/u.test(text)) {
		throw badParameter(name, 'holds control characters or broken Unicode', 'Remove them from the cell');
	}
	return text;
}

function notText(value: unknown, name: string): Problem {
	if (typeof value !== 'number') return badParameter(name, 'must be text or a number', 'Check the expression');
	const rule = Number.isNaN(value) ? 'is not a number (NaN)' : 'is too large a number';
	return badParameter(name, rule, 'Check the calculation in the expression, or write the value as text');
}
