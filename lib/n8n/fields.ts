import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/*
 * Makes the fields of a node's form. Most functions take these arguments: the label that people see, the name under which a
 * workflow stores the value, arguments for this kind of field, and at last the description and other properties of n8n's
 * fields.
 */

type Rest = Partial<INodeProperties> & { description: string };
type Choices = Partial<INodeProperties> & { options: INodePropertyOptions[] };

/** Returns a function that makes fields of a type with a default. */
const kind =
	<R extends Partial<INodeProperties> = Rest>(type: INodeProperties['type'], standard: INodeProperties['default']) =>
	(displayName: string, name: string, rest: R): INodeProperties => {
		return { displayName, name, type, default: standard, ...rest };
	};

/** Makes a text field, empty by default. */
export const textField = kind('string', '');

/** Makes a switch, off by default. */
export const switchField = kind('boolean', false);

const numberKind =
	(precision: { numberPrecision?: number }) =>
	(displayName: string, name: string, [minValue, maxValue]: [number, number], standard: number, rest: Rest) =>
		kind('number', standard)(displayName, name, { typeOptions: { minValue, maxValue, ...precision }, ...rest });

/** Makes a number field with bounds, both included, and a default. `readNumberOption` reads it by this definition. */
export const numberField = numberKind({});

/** Makes a field for a whole number. */
export const wholeNumberField = numberKind({ numberPrecision: 0 });

/** Makes a field with several choices. @param standard the default choice */
export const choiceField = (displayName: string, name: string, standard: string, rest: Choices) =>
	kind<Choices>('options', standard)(displayName, name, rest);

/** Makes one of the choices of a field. The description is only needed if the label is not enough. */
export const choice = (name: string, value: string, description?: string): INodePropertyOptions =>
	description === undefined ? { name, value } : { name, value, description };

/** Makes a notice between the fields. @param displayName the text of the notice, which may contain HTML */
export const noticeField = (
	name: string,
	displayOptions: INodeProperties['displayOptions'],
	displayName: string,
): INodeProperties => ({ displayName, name, type: 'notice', displayOptions, default: '' });

/** The collection Options of a node's form. Its entries are added by each node. */
export const optionsCollection = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	description:
		'Some options apply to the whole run, so only the value of the first item counts. The documentation says which options these are.',
} as const satisfies INodeProperties;

export const includeInputFields = switchField('Include Input Fields', 'includeInputFields', {
	description: 'Whether each output item includes the columns of its row',
});

/** The switch Include Input Fields, but on by default. The nodes after this one usually need the fields of the input item. */
export const includeInputFieldsByDefault: INodeProperties = {
	...includeInputFields,
	default: true,
	description: 'Whether each output item also contains the fields of its input item',
};

export const timeout = numberField('Timeout', 'timeout', [0.01, 3600], 30, {
	description: 'How many seconds the node waits for the whole answer to a request, up to 3600',
});

export const language = choiceField('Language', 'language', 'el', {
	description: 'The language of notices, pages and sheets',
	options: [choice('English', 'en'), choice('Greek', 'el'), choice('Greek and English', 'both', 'Sheets are in Greek')],
});
