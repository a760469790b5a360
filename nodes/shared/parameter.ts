import type { IExecuteFunctions, IGetNodeParameterOptions, INodeProperties } from 'n8n-workflow';

import { tidy } from './greek';
import { asProblem, badParameter, Problem } from './problem';

/**
 * One parameter, or one option by its path (`options.timeout`), as it comes. Read one by one, so that one whose
 * expression fails takes no other with it; the error names it.
 *
 * @param label the parameter's name as the editor shows it
 * @param fallback for an option that was not added; an expression that evaluates to empty gives undefined or null
 * @throws Problem where its expression fails
 */
export function getParameter(
	context: IExecuteFunctions,
	path: string,
	label: string,
	itemIndex: number,
	fallback?: unknown,
	options?: IGetNodeParameterOptions,
): unknown {
	try {
		return context.getNodeParameter(path, itemIndex, fallback, options);
	} catch (error) {
		throw unreadable(label, error);
	}
}

function unreadable(label: string, error: unknown): Problem {
	const { message, description, details } = asProblem(error);
	return new Problem(`${label} can't be read: ${message}`, description || `Check the expression in ${label}`, details);
}

/*
 * An option has one definition, the one in the form: the readers here take its name, label, default and bounds from there.
 */

/** The value of an option as it comes. @throws Problem that names the option, where its expression fails */
export function getOption(
	context: IExecuteFunctions,
	{ name, displayName, default: standard }: INodeProperties,
	itemIndex: number,
): unknown {
	return getParameter(context, `options.${name}`, displayName, itemIndex, standard);
}

/**
 * The value of an option that is a number.
 *
 * @param definition with both bounds in its `typeOptions`, and a `numberPrecision` where fractions are allowed
 * @param itemIndex an option that counts for the whole run is taken from the first item
 * @throws Problem that names the option and its bounds
 */
export function readNumberOption(context: IExecuteFunctions, definition: INodeProperties, itemIndex = 0): number {
	const { minValue, maxValue, numberPrecision = 0 } = definition.typeOptions!;
	const read = numberPrecision > 0 ? readNumber : readWholeNumber;
	return read(
		getOption(context, definition, itemIndex),
		definition.displayName,
		minValue!,
		maxValue!,
		Number(definition.default) || maxValue!,
	);
}

/** The value of an option that is a switch. @throws Problem that names it, also where its expression evaluates to empty */
export function readFlagOption(context: IExecuteFunctions, definition: INodeProperties, itemIndex = 0): boolean {
	return readFlag(getOption(context, definition, itemIndex), definition.displayName);
}

/** The value of an option that is a text; undefined where it is left empty. @throws Problem that names it */
export function readTextOption(
	context: IExecuteFunctions,
	definition: INodeProperties,
	itemIndex: number,
	maxLength: number,
): string | undefined {
	return readOptionalText(getOption(context, definition, itemIndex), definition.displayName, maxLength);
}

/*
 * What a value means, one reader for each kind. A value comes from a form, an expression or a spreadsheet, so every
 * reader says the same of the same: null, undefined and white space are nothing; nothing is an error, but for a text that
 * may be left out; a list is never taken for a text; a number and its text are the same.
 */

/** Longer than any parameter may be, with all that tidying takes away: not even looked through. In UTF-16 units. */
const LONGEST = 10_000;

const CHECK_COLUMN = 'Check the cell, and the expression that names its column';

/** Whether a value is nothing: not there, or nothing that the eye sees. */
export function isNothing(value: unknown): boolean {
	return (
		value === undefined ||
		value === null ||
		(typeof value === 'string' && value.length <= LONGEST && tidy(value) === '')
	);
}

/**
 * A text that has to be there, without white space around it and invisible characters in it. Control characters are
 * refused: no field of either interface can contain them.
 *
 * @param parameter the parameter's name as the editor shows it
 * @param maxLength in UTF-16 units
 * @throws Problem that names the parameter and the rule
 */
export function readText(value: unknown, parameter: string, maxLength: number): string {
	if (isNothing(value)) throw badParameter(parameter, 'is empty', CHECK_COLUMN);
	const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
	if (typeof text !== 'string') throw badParameter(parameter, `must be text, and is ${kindOf(text)}`, CHECK_COLUMN);
	const isAbsurd = text.length > LONGEST;
	const tidied = isAbsurd ? text : tidy(text);
	if (isAbsurd || tidied.length > maxLength) {
		throw badParameter(
			parameter,
			`is longer than ${maxLength} characters`,
			'Check that the expression names the right column',
		);
	}
	if (/[\p{Cc}\p{Cs}]/u.test(tidied)) {
		throw badParameter(
			parameter,
			'contains control characters or broken Unicode',
			'Remove line breaks and tabs from the value',
		);
	}
	return tidied;
}

/** The same for a text that may be left out: undefined where it is nothing. */
export function readOptionalText(value: unknown, parameter: string, maxLength: number): string | undefined {
	return isNothing(value) ? undefined : readText(value, parameter, maxLength);
}

/**
 * A switch. An expression may bring true and false as text; anything else could mean either, so it is refused,
 * and so is nothing: a switch that guards something is never off by a column that is not there.
 *
 * @throws Problem that names the parameter
 */
export function readFlag(value: unknown, parameter: string): boolean {
	const text = typeof value === 'string' && value.length < 100 ? tidy(value).toLowerCase() : value;
	if (text === true || text === 'true') return true;
	if (text === false || text === 'false') return false;
	throw badParameter(
		parameter,
		isNothing(value) ? 'has no value' : 'must be true or false',
		'Use the switch, or correct the expression so that it evaluates to true or false for every item',
	);
}

/**
 * A number within bounds, both included.
 *
 * @param example what to set, for the error
 * @throws Problem that names the parameter and its bounds
 */
export function readNumber(value: unknown, parameter: string, min: number, max: number, example: number): number {
	const number = asNumber(value);
	if (number === undefined || number < min || number > max)
		throw outOfBounds(value, parameter, 'a number', min, max, example);
	return number;
}

/** The same for a whole number. */
export function readWholeNumber(value: unknown, parameter: string, min: number, max: number, example: number): number {
	const number = asNumber(value);
	if (number === undefined || !Number.isInteger(number) || number < min || number > max) {
		throw outOfBounds(value, parameter, 'a whole number', min, max, example);
	}
	return number;
}

function asNumber(value: unknown): number | undefined {
	if (typeof value === 'number') return Number.isNaN(value) ? undefined : value;
	if (typeof value !== 'string' || value.length > 100 || tidy(value) === '') return undefined;
	const number = Number(tidy(value));
	return Number.isNaN(number) ? undefined : number;
}

function outOfBounds(
	value: unknown,
	parameter: string,
	kind: string,
	min: number,
	max: number,
	example: number,
): Problem {
	return badParameter(
		parameter,
		isNothing(value) ? 'has no value' : `must be ${kind} from ${min} to ${max}`,
		`Set a number such as ${example}`,
	);
}

/**
 * One of several words, such as an operation.
 *
 * @throws Problem that names the parameter and the words
 */
export function readChoice<T extends string>(value: unknown, parameter: string, choices: readonly T[]): T {
	const text = typeof value === 'string' && value.length < 100 ? tidy(value) : value;
	const found = choices.find((choice) => choice === text);
	if (found !== undefined) return found;
	throw badParameter(
		parameter,
		isNothing(value) ? 'has no value' : 'has an unknown value',
		`Use one of these: ${choices.join(', ')}`,
	);
}

/**
 * A list of words: a text with commas or line breaks between them, or a list of texts and numbers.
 *
 * @returns the words without white space around them, and without those that are nothing; perhaps none
 * @throws Problem where it is neither
 */
export function readList(value: unknown, parameter: string): string[] {
	if (isNothing(value)) return [];
	if (Array.isArray(value)) {
		return value.filter((entry) => !isNothing(entry)).map((entry) => readText(entry, parameter, LONGEST));
	}
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text !== 'string')
		throw badParameter(
			parameter,
			`must be a list, and is ${kindOf(text)}`,
			'Write the entries with commas between them',
		);
	if (text.length > LONGEST) throw badParameter(parameter, `is longer than ${LONGEST} characters`, 'Shorten the list');
	return text
		.split(/[,\n]/u)
		.map(tidy)
		.filter((entry) => entry !== '');
}

function kindOf(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'number' ? 'no finite number' : `of type ${typeof value}`;
}
