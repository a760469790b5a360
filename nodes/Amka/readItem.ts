import type { IExecuteFunctions } from 'n8n-workflow';

import { aboutField, columnsIfLeftEmpty, readFieldOrColumn } from '../../lib/n8n/columns';
import { getParameter, readChoice, readFlagOption, readList, refuseExpression } from '../../lib/n8n/parameters';
import { readOurs } from './comparedFields';
import { PERSON_FIELDS, type PersonField, type PersonInput } from './parsePerson';
import { options } from './properties';
import { OUTPUTS, type OutputChoice } from './validate';

/* Reads the parameters of an item, once. The code that works with the values gets no n8n context. */

/** For each field of a person that was left empty in the node's form: the columns that contain it. */
type PersonColumns = Partial<Record<PersonField, string[]>>;

/**
 * Finds the columns of the fields that were left empty in the form, once for all items.
 * @throws Problem if such a field has no column in the list
 */
export function findPersonColumns(context: IExecuteFunctions, names: PersonField[]): PersonColumns {
	return Object.fromEntries(names.map((name) => [name, columnsIfLeftEmpty(context, name, PERSON_FIELDS[name])]));
}

/** Reads the AMKA of an item. @throws Problem if it can't be read */
export const readSsn = (context: IExecuteFunctions, itemIndex: number, columns: PersonColumns): unknown =>
	readPersonField(context, itemIndex, 'ssn', columns);

function readPersonField(context: IExecuteFunctions, itemIndex: number, name: PersonField, columns: PersonColumns) {
	const field = PERSON_FIELDS[name];
	const value = readFieldOrColumn(context, itemIndex, { name, label: field.label.en }, field, columns[name]);
	if (columns[name] === undefined && typeof value === 'string') refuseExpression(value, aboutField(field.label));
	return value;
}

const readPersonInput = (context: IExecuteFunctions, itemIndex: number, columns: PersonColumns): PersonInput => ({
	ssn: readPersonField(context, itemIndex, 'ssn', columns),
	birthDate: readPersonField(context, itemIndex, 'birthDate', columns),
	surname: readPersonField(context, itemIndex, 'surname', columns),
});

/** Reads an item of Validate. @throws Problem that names the parameter that can't be read */
export const readValidateInput = (context: IExecuteFunctions, itemIndex: number, columns: PersonColumns) => ({
	output: readOutputChoice(context, itemIndex),
	acceptDeceased: readFlagOption(context, options.acceptDeceased, itemIndex),
	person: readPersonInput(context, itemIndex, columns),
});

/** Reads an item of Compare. @throws Problem that names the parameter that can't be read */
export const readCompareInput = (context: IExecuteFunctions, itemIndex: number, columns: PersonColumns) => ({
	ours: readOurs(context, itemIndex),
	showRegistryValues: readFlagOption(context, options.showRegistryValues, itemIndex),
	acceptDeceased: readFlagOption(context, options.acceptDeceased, itemIndex),
	person: readPersonInput(context, itemIndex, columns),
});

/**
 * Reads the parameter Output and its fields.
 * @throws Problem if one of them can't be read. A default could show more data than the user wants
 */
function readOutputChoice(context: IExecuteFunctions, itemIndex: number): OutputChoice {
	const kind = readChoice(getParameter(context, 'output', 'Output', itemIndex), 'Output', OUTPUTS);
	if (kind !== 'selected') return { kind, fields: [] };
	return { kind, fields: readList(getParameter(context, 'fields', 'Fields', itemIndex, []), 'Fields') };
}
