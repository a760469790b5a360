import type { IExecuteFunctions, IGetNodeParameterOptions, INodeProperties } from 'n8n-workflow';

import { clean } from '../greek/letters';
import { invalidParameter, fault, Problem, toResult } from '../texts/problem';
import { toText } from '../values/text';
import { isTool } from './aiTool';
import { NEEDS_ENGINE, planReading, type ReadingPlan } from './plainColumns';

/**
 * Reads a parameter, or an option by its path (`options.timeout`), for an item. Parameters are read one by one, so that an
 * expression that fails affects only its own parameter. A parameter without expressions is read once per run. A plain column is
 * read from the item (see `plainColumns.ts`).
 * @param label the label in the editor, for the error
 * @param fallback the value of an option that was not added. It does not replace an expression's undefined or null
 * @throws Problem that names the parameter if its expression fails
 */
export function getParameter(
	context: IExecuteFunctions,
	path: string,
	label: string,
	itemIndex: number,
	fallback?: unknown,
	options?: IGetNodeParameterOptions,
): unknown {
	const value = readParameter(context, path, itemIndex, fallback, options);
	if (!(value instanceof Problem)) return value;
	const { message, description, details } = value;
	const whatToDo = description || `Check the expression in ${label}`;
	throw new Problem(`${label} can't be read: ${message}`, whatToDo, details);
}

function readParameter(
	context: IExecuteFunctions,
	path: string,
	itemIndex: number,
	fallback: unknown,
	options: IGetNodeParameterOptions | undefined,
): unknown {
	const askEngine = () => toResult(() => context.getNodeParameter(path, itemIndex, fallback, options) as unknown);
	const parameter = parameterOf(context, path);
	const { plan } = parameter;
	if (plan === 'sameForAllItems') return (parameter.known ??= { value: askEngine() }).value;
	// The items of an AI agent's tool are no rows with columns, so n8n's engine reads its parameters. With `options`, n8n may
	// return only a part of the value.
	if (plan === 'expressionEngine' || options !== undefined || isTool(context)) return askEngine();
	const value = plan(context.getInputData()[itemIndex]!.json);
	return value === NEEDS_ENGINE ? askEngine() : value;
}

/** Returns a parameter as the workflow stores it, with its expressions. Null: the option was not added. */
export const storedParameter = (context: IExecuteFunctions, path: string): unknown => parameterOf(context, path).stored;

/** A parameter of a run. */
interface Parameter {
	/** The parameter as the workflow stores it. */
	stored: unknown;
	plan: ReadingPlan;
	/** The value, if it is the same for all items and was read before. */
	known?: { value: unknown };
}

const parametersOfRuns = new WeakMap<IExecuteFunctions, Map<string, Parameter>>();

/** Returns a parameter of the run. How it is read is decided once per run. */
function parameterOf(context: IExecuteFunctions, path: string): Parameter {
	let parameters = parametersOfRuns.get(context);
	if (parameters === undefined) parametersOfRuns.set(context, (parameters = new Map()));
	let parameter = parameters.get(path);
	if (parameter === undefined) {
		const stored = toResult(() => context.getNodeParameter(path, 0, null, { rawExpressions: true }) as unknown);
		const plan = stored instanceof Problem ? 'expressionEngine' : planReading(stored);
		parameters.set(path, (parameter = { stored, plan }));
	}
	return parameter;
}

/*
 * Functions that read options of the collection Options. They get the same definition of the option as the node's form. If an
 * option applies to the whole run, the value of the first item is read.
 */

/** Returns the value of an option without checking it. */
export function getOption(context: IExecuteFunctions, definition: INodeProperties, itemIndex: number): unknown {
	const { name, displayName, default: standard } = definition;
	return getParameter(context, `options.${name}`, displayName, itemIndex, standard);
}

/**
 * Reads a number.
 * @param definition the definition of the option. Its `typeOptions` have both bounds, and `numberPrecision` 0 for whole numbers
 */
export function readNumberOption(context: IExecuteFunctions, definition: INodeProperties, itemIndex = 0): number {
	const { minValue, maxValue, numberPrecision } = definition.typeOptions!;
	const value = getOption(context, definition, itemIndex);
	// The error has an example. If the default is 0, which means "no limit", the example is a small limit.
	const example = Number(definition.default) || Math.min(maxValue!, 10);
	return readNumber(value, definition.displayName, [minValue!, maxValue!], example, numberPrecision === 0);
}

/** Reads a switch. @throws Problem if its expression gives neither true nor false */
export function readFlagOption(context: IExecuteFunctions, definition: INodeProperties, itemIndex = 0): boolean {
	return readFlag(getOption(context, definition, itemIndex), definition.displayName);
}

/** Reads a text. Undefined: the option is empty or was not added. */
export function readTextOption(
	context: IExecuteFunctions,
	definition: INodeProperties,
	itemIndex: number,
	maxLength: number,
): string | undefined {
	const { displayName } = definition;
	const text = readOptionalText(getOption(context, definition, itemIndex), displayName, maxLength);
	if (text !== undefined) refuseExpression(text, { field_el: displayName, field_en: displayName });
	return text;
}

/**
 * Returns the advice for a value that is undefined or null, because its expression returned no value. Undefined: the value is
 * neither.
 */
export const ifNotGiven = (value: unknown): string | undefined => ((value ?? null) === null ? NOT_GIVEN : undefined);

const NOT_GIVEN =
	'If the cell is not empty, correct the expression. Perhaps it names a column that the list does not have. If the value is a number, add .toString() before .trim() or .replace()';

/** Throws a Problem if a text looks like an expression that n8n did not evaluate. @param about the names of the field */
export function refuseExpression(text: string, about: { field_el: string; field_en: string }): void {
	// Only the beginning is searched, because longer texts are refused elsewhere for their length.
	if (!/\{\{|^[\s\p{Cf}]*(?:\$json|\$\(|=\$)/u.test(text.slice(0, 50_000))) return;
	throw fault(
		'expression',
		{ ...about, value: text },
		'If the field is set to Fixed, switch it to Expression. If the code is in a cell of the list, correct the cell',
	);
}

/*
 * Functions that read values, one for each kind of value. Null, undefined and white space are blank. A blank value is an error,
 * except for an optional text or list. A list is never accepted as a text. A number may be given as a text, and a text as a
 * number. Each function that reads a value throws a Problem that names the parameter and the rule that its value breaks.
 */

/** The longest text of a parameter that is cleaned, in UTF-16 units. Longer texts are rejected without being searched. */
const LONGEST = 10_000;

/** Returns whether a value is missing or has no visible character. */
export function isBlank(value: unknown): boolean {
	const text = value ?? '';
	return typeof text === 'string' && text.length <= LONGEST && clean(text) === '';
}

/**
 * Reads a text that must not be blank, and removes white space around it and invisible characters. Control characters and broken
 * Unicode are rejected, because no field of either service's interface can contain them.
 * @param maxLength the longest text in UTF-16 units, 10,000 at most
 */
export function readText(value: unknown, parameter: string, maxLength: number): string {
	if (isBlank(value)) throw invalidParameter(parameter, 'is empty', CHECK_COLUMN);
	const text = Number.isFinite(value) ? toText(value) : value;
	if (typeof text !== 'string') throw invalidParameter(parameter, `must be text, but is ${kindOf(text)}`, CHECK_COLUMN);
	const cleaned = text.length > LONGEST ? text : clean(text);
	if (cleaned.length > maxLength) {
		const rule = `is longer than ${maxLength} characters`;
		throw invalidParameter(parameter, rule, 'Check that the expression names the right column');
	}
	if (/[\p{Cc}\p{Cs}]/u.test(cleaned)) {
		const rule = 'contains control characters or broken Unicode';
		throw invalidParameter(parameter, rule, 'Remove line breaks and tabs from the value');
	}
	return cleaned;
}

const CHECK_COLUMN = 'Check the cell, and the expression that names its column';

/** Returns the kind of a value that is no text, for the error. */
function kindOf(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'number' ? 'a number that is not finite' : `of type ${typeof value}`;
}

/** Reads an optional text. Undefined: the value is blank. */
export function readOptionalText(value: unknown, parameter: string, maxLength: number): string | undefined {
	return isBlank(value) ? undefined : readText(value, parameter, maxLength);
}

/** Returns a short text without white space around it and without invisible characters. Any other value stays unchanged. */
const asWord = (value: unknown) => (typeof value === 'string' && value.length < 100 ? clean(value) : value);

/**
 * Reads a switch, which may be given as a text. A blank value is an error, so that a missing column can't switch off a safeguard.
 */
export function readFlag(value: unknown, parameter: string): boolean {
	const word = asWord(value);
	if (word === true || (typeof word === 'string' && /^true$/i.test(word))) return true;
	if (word === false || (typeof word === 'string' && /^false$/i.test(word))) return false;
	const rule = isBlank(value) ? 'has no value' : 'must be true or false';
	const whatToDo = 'Use the switch, or correct the expression so that it evaluates to true or false for every item';
	throw invalidParameter(parameter, rule, whatToDo);
}

/** Reads a number within bounds, both included. @param example a valid number, for the error */
export function readNumber(
	value: unknown,
	parameter: string,
	[min, max]: [number, number],
	example: number,
	isWhole = true,
): number {
	const word = asWord(value);
	const number = typeof word === 'string' && word.length < 100 && word !== '' ? Number(word) : word;
	if (typeof number === 'number' && number >= min && number <= max && (!isWhole || Number.isInteger(number)))
		return number;
	const kind = isWhole ? 'a whole number' : 'a number';
	const rule = isBlank(value) ? 'has no value' : `must be ${kind} from ${min} to ${max}`;
	throw invalidParameter(parameter, rule, `Set a number such as ${example}`);
}

/** Reads a value that must be one of several choices, such as the name of an operation. */
export function readChoice<T extends string>(value: unknown, parameter: string, choices: readonly T[]): T {
	const found = choices.find((choice) => choice === asWord(value));
	if (found !== undefined) return found;
	const rule = isBlank(value) ? 'has no value' : 'has an unknown value';
	throw invalidParameter(parameter, rule, `Use one of these: ${choices.join(', ')}`);
}

/**
 * Reads a list, or a text with commas, semicolons or line breaks between its entries. Entries are cleaned, and blank entries are
 * left out.
 */
export function readList(value: unknown, parameter: string): string[] {
	const list = typeof value === 'string' && value.length <= LONGEST ? value.split(/[,;\n]/u) : [value].flat();
	return list.filter((entry) => !isBlank(entry)).map((entry) => readText(entry, parameter, LONGEST));
}
