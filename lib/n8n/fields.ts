import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/*
 * The fields of a form. Each function takes the label that people see and the name under which a workflow stores the
 * value, then what the kind of field needs, and last the description with whatever else n8n knows of a field.
 */

type Rest = Partial<INodeProperties> & { description: string };
type Choices = Partial<INodeProperties> & { options: INodePropertyOptions[] };

/** A kind of field, by its type and default: a function that makes one of it. */
const kind =
	<R extends Partial<INodeProperties> = Rest>(type: INodeProperties['type'], standard: INodeProperties['default']) =>
	(displayName: string, name: string, rest: R): INodeProperties => {
		return { displayName, name, type, default: standard, ...rest };
	};

/** A text, empty by default. */
export const textField = kind('string', '');

/** A switch, off by default. */
export const switchField = kind('boolean', false);

const numberKind =
	(precision: { numberPrecision?: number }) =>
	(displayName: string, name: string, [minValue, maxValue]: [number, number], standard: number, rest: Rest) =>
		kind('number', standard)(displayName, name, { typeOptions: { minValue, maxValue, ...precision }, ...rest });

/** A number within bounds, both included, and what it is by default: all that `readNumberOption` needs to know. */
export const numberField = numberKind({});

/** The same for a number that has no fractions. */
export const wholeNumberField = numberKind({ numberPrecision: 0 });

/** One of several choices, and which it is by default. */
export const choiceField = (displayName: string, name: string, standard: string, rest: Choices) =>
	kind<Choices>('options', standard)(displayName, name, rest);

/** One of the choices: its label, its value and, where the label does not say it all, what it means. */
export const choice = (name: string, value: string, description?: string): INodePropertyOptions =>
	description === undefined ? { name, value } : { name, value, description };

/** Words between the fields, with nothing to fill in. @param displayName the words, which may have HTML in them */
export const noticeField = (
	name: string,
	displayOptions: INodeProperties['displayOptions'],
	displayName: string,
): INodeProperties => ({ displayName, name, type: 'notice', displayOptions, default: '' });

/** The options of a form, without the options themselves. */
export const optionsCollection = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	description: 'An option that counts for the whole run (see the documentation) takes the value of the first item',
} as const satisfies INodeProperties;

export const includeInputFields = switchField('Include Input Fields', 'includeInputFields', {
	description: 'Whether each item begins with the columns of its row',
});

/** The same, on by default: the nodes after this one usually need the fields of the input item. */
export const includeInputFieldsByDefault: INodeProperties = {
	...includeInputFields,
	default: true,
	description: 'Whether each item begins with the fields of its input item',
};

export const timeout = numberField('Timeout', 'timeout', [0.01, 3600], 30, {
	description: 'How many seconds each attempt waits for the whole answer, up to 3600',
});

export const language = choiceField('Language', 'language', 'el', {
	description: 'The language of notices, pages and sheets',
	options: [choice('English', 'en'), choice('Greek', 'el'), choice('Greek and English', 'both', 'Sheets are in Greek')],
});
