import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { foldForComparison, clean } from '../greek/letters';
import { greekMobile } from '../greek/mobile';
import { isTool } from './aiTool';
import { textsOf, type About, type Why } from '../texts/notice';
import type { OtherTodo } from '../texts/reasons';
import { getParameter, isBlank, storedParameter } from './parameters';
import { fault, tryRead, toResult } from '../texts/problem';
import { groupBy } from '../texts/groups';
import { toText } from '../values/text';

/*
 * Finds the columns in a list by their names. An item does not have the columns that are empty in its row, because n8n leaves
 * empty cells of a sheet out. So the columns are collected from all items of a run. If an item lacks the column of a field, the
 * field is empty in this item.
 */

/** A field whose column is found by its name. */
export interface NamedField {
	/** The recommended name of the column, for errors in Greek and English. */
	label: { el: string; en: string };
	/** Groups of names that the column may have. A later group is used only if the list has no column of an earlier group. */
	names: readonly (readonly string[])[];
	/** Returns a value in its normal form: the same text for equal values. */
	normalForm?: (text: string) => string;
}

/** Names of columns of mobiles, and of phones, which may be landlines. */
const MOBILE_COLUMNS = [
	...['Κινητό', 'Κινητό τηλέφωνο', 'Κινητό τηλ.', 'Κινητό τηλ/νο', 'Κινητά', 'Κινητά τηλέφωνα', 'Κινητό για SMS'],
	...['Τηλέφωνο κινητό', 'Τηλ. κινητό', 'Τηλ/νο κινητό', 'Τηλέφωνο κινητού', 'Τηλ. κινητού', 'Τηλ/νο κινητού'],
	...['Αρ. κινητού', 'Αρ. κινητού τηλεφώνου', 'Αριθμός κινητού', 'Αριθμός κινητού τηλεφώνου', 'Αρ. κιν.'],
	...['Κιν.', 'Κιν. τηλ.', 'Κιν. τηλέφωνο', 'Κιν. τηλ/νο', 'Κιν/τό', 'Τηλ. κιν.', 'Αρ. κιν. τηλ.'],
	...['Αρ. κιν. τηλεφώνου', 'Kinito'],
];
const MOBILE_COLUMNS_EN = [
	...['Mobile', 'Mobile Phone', 'Mobile Telephone', 'Mobile Number', 'Mobile Phone Number', 'Mobile No.'],
	...['Mobile Phone No.', 'MSISDN', 'Cell', 'Cell Phone', 'Cell Number', 'Cell No.', 'Cell Phone Number'],
	...['Mobile #', 'Cell #', 'Mob.', 'GSM'],
];
const PHONE_COLUMNS = [
	...['Τηλέφωνο', 'Τηλ.', 'Τηλέφωνα', 'Τηλ/νο', 'Τηλ/να', 'Αρ. τηλεφώνου', 'Αρ. τηλ.', 'Αριθμός τηλεφώνου'],
	...['Τηλ. αριθμός', 'Τηλεφωνικός αριθμός', 'Τηλέφωνο επικοινωνίας', 'Τηλ. επικοινωνίας', 'Tilefono'],
];
const PHONE_COLUMNS_EN = [
	...['Phone', 'Phone Number', 'Phone No.', 'Telephone', 'Telephone Number', 'Telephone No.', 'Tel.', 'Tel. No.'],
	...['Contact Phone', 'Contact Phone Number', 'Contact Number', 'Contact No.', 'Phone #'],
];

/** Words after a column's name that mean the person's own phone, and not that of a parent or a teacher. */
const OF_THE_PERSON = [
	...['1', 'επικοινωνίας', 'επικ.', 'προσωπικό', 'ατομικό', 'μέλους', 'συμμετέχοντος', 'υποψηφίου'],
	...[
		'αιτούντος',
		'αιτούσας',
		'αιτούντος/σας',
		'αιτούντος/ούσας',
		'αποφοίτου',
		'πτυχιούχου',
		'δικαιούχου',
		'υπαλλήλου',
	],
	...['φοιτητή', 'φοιτήτριας', 'φοιτητή/τριας', 'φοιτητή/φοιτήτριας', 'φοιτητών', 'σπουδαστή', 'σπουδαστή/τριας'],
];

/** Returns names of columns for the person's own phone. */
const ofThePerson = (greek: string[], english: string[]) => [
	...greek.flatMap((name) => OF_THE_PERSON.map((whose) => `${name} ${whose}`)),
	...english.flatMap((name) => [`${name} 1`, `Student ${name}`, `Student's ${name}`]),
];

/** The field for the mobile of a person. If the list has no column of mobiles, a column of phones is used. */
export const MOBILE: NamedField = {
	label: { el: 'Κινητό', en: 'Κινητό (Mobile)' },
	names: [
		[...MOBILE_COLUMNS, ...MOBILE_COLUMNS_EN],
		ofThePerson(MOBILE_COLUMNS, MOBILE_COLUMNS_EN),
		[...PHONE_COLUMNS, ...PHONE_COLUMNS_EN],
		ofThePerson(PHONE_COLUMNS, PHONE_COLUMNS_EN),
	],
	normalForm: (text) => greekMobile(text) ?? clean(text),
};

/** Returns the names of a field for the texts of its errors. */
export const aboutField = ({ el, en }: NamedField['label']) => ({ field_el: el, field_en: en });

/**
 * Returns the name of a column in a form for comparison. Case, accents, final sigma, look-alike letters, spaces and signs make no
 * difference. A remark in brackets at the end, as in «Κινητό (69...)», makes no difference either, unless it is a number or the
 * name of an alphabet.
 */
export const columnKey = (name: string): string =>
	foldForComparison(name.slice(0, 1000)).replace(REMARK, '').replace(SIGNS, '');

/** Returns the name of a column in the form for comparison, but with its remark in brackets. */
const fullKey = (name: string): string => foldForComparison(name.slice(0, 1000)).replace(SIGNS, '');

/**
 * Returns the heading that the sheet probably has, from the name of a column. n8n reads sheets with SheetJS, which renames
 * repeated headings: the second and the third `Βαθμός` become `Βαθμός_1` and `Βαθμός_2`.
 */
const beforeRenaming = (name: string): string => name.replace(/(?<=[^_])_\d{1,3}$/, '');

/**
 * Matches a remark at the end of a name in the form for comparison. A number does not match. A remark that names an alphabet does
 * not match either: it is EN, or it contains LATIN, or it contains ΛATIN or AΓΓΛIK, the beginnings of λατινικά and αγγλικά in
 * that form.
 */
const REMARK = /(?<=\S ?)(?:\((?! ?\d+ ?\)|[^()]*(?:LATIN|ΛATIN|AΓΓΛIK)|EN ?\))[^()]*\)[\s:*"'\p{Pf}]*)+$/u;
const SIGNS = /[\s.,:*_/()\p{Pd}\u2212"'\p{Pi}\p{Pf}„‚]/gu;

/** The columns in a list. */
export interface Columns {
	/** The names of all columns, in the order of the list. */
	names: string[];
	/** The columns by their names in the form for comparison. */
	byKey: Map<string, string[]>;
	/** The columns that SheetJS has probably renamed, by their heading in the sheet (in the form for comparison). */
	renamed: Map<string, string[]>;
	/** The first items. They may contain the headings, if the sheet has a title above its headings. */
	firstRows: IDataObject[];
	/**
	 * The columns that were found for each placeholder. They are kept, so that they are searched once and not for every item.
	 */
	ofPlaceholders: Map<string, string[]>;
}

const FIRST_ROWS = 10;

const columnsOfLists = new WeakMap<object, Columns>();

/** Returns the columns of a run's items. They are collected once. */
export function columnsOf(context: Pick<IExecuteFunctions, 'getInputData'>): Columns {
	const rows = context.getInputData();
	const known = columnsOfLists.get(rows);
	if (known !== undefined) return known;
	const names = namesInOrder(rows.map(({ json }) => json));
	const renamed = names.filter((name) => beforeRenaming(name) !== name);
	const columns = {
		names,
		byKey: groupBy(names, columnKey),
		renamed: groupBy(renamed, (name) => columnKey(beforeRenaming(name))),
		firstRows: rows.slice(0, FIRST_ROWS).map(({ json }) => json),
		ofPlaceholders: new Map<string, string[]>(),
	};
	columnsOfLists.set(rows, columns);
	return columns;
}

/**
 * Returns the columns of all items in the order of the list. The item with most columns gives the order. A column that this item
 * lacks is inserted after the column before it in another item.
 */
export function namesInOrder(rows: object[]): string[] {
	/** For each column the column after it. The key `undefined` has the first column. */
	const next = new Map<string | undefined, string | undefined>();
	for (const names of rows.map(Object.keys).sort((one, other) => other.length - one.length)) {
		let before: string | undefined;
		for (const name of names) {
			if (!next.has(name)) {
				// Inserts the column between `before` and the column that came after `before`.
				next.set(name, next.get(before));
				next.set(before, name);
			}
			before = name;
		}
	}
	const inOrder: string[] = [];
	for (let name = next.get(undefined); name !== undefined; name = next.get(name)) inOrder.push(name);
	return inOrder;
}

/**
 * Throws one Problem of the whole list if the sheet is empty or the file could not be read. This is so if no item has a cell with
 * content, and one of the required parameters is blank for every item. A call of an AI agent's tool has no list, so nothing is
 * thrown then.
 * @param fields the required parameters
 */
export function requireCells(context: IExecuteFunctions, fields: string[]): void {
	const rows = context.getInputData();
	if (isTool(context) || rows.some(({ json }) => !Object.values(json).every(isBlank))) return;
	const isMissing = (name: string) =>
		rows.every((_, itemIndex) => isBlank(tryRead(() => context.getNodeParameter(name, itemIndex, ''))));
	if (fields.some(isMissing)) throw emptyList();
}

/**
 * Throws one Problem of the whole list if an expression gives undefined or null for every item. Then the expression names no
 * column of the list, so the Problem lists the columns. Nothing is thrown for an AI agent's tool, which has no list, or for a
 * list without columns (see `requireCells`).
 * @param byName whether the node finds the column by its name if the field is empty
 */
export function requireValue(
	context: IExecuteFunctions,
	name: string,
	label: string,
	field: NamedField,
	byName = true,
) {
	const typed = storedParameter(context, name);
	if (typeof typed !== 'string' || !typed.startsWith('=') || isTool(context)) return;
	// If an expression fails, it counts as a value here. Its item fails later, with its own error.
	const givesSomething = (_: unknown, itemIndex: number) =>
		(toResult(() => getParameter(context, name, label, itemIndex, '')) ?? null) !== null;
	if (context.getInputData().some(givesSomething)) return;
	const missing = missingColumn(columnsOf(context), field.label);
	if (missing.why.reason === 'emptyList') return;
	const aboutColumns = (todo: OtherTodo): Why => ({
		...missing.why,
		about: { ...missing.why.about, what: 'inNoRow', todo },
	});
	const [, columnsAre] = textsOf(aboutColumns('columns'), 'en');
	const orElse = byName ? ', or leave the field empty, so that the node finds the column by its name' : '';
	const description = `Correct the expression${orElse}. ${columnsAre}`;
	const why = aboutColumns('tellColumns');
	throw missing.copyWith({ message: `The expression in ${label} returned no value`, description, why });
}

/**
 * Returns whether a parameter was left empty in the node's form. An expression was not left empty, even if it evaluates to empty.
 */
export const isLeftEmpty = (context: IExecuteFunctions, name: string): boolean =>
	isBlank(storedParameter(context, name));

/**
 * Returns the columns for a parameter that was left empty in the node's form. Undefined: it has a value or an expression.
 * @throws Problem if the list has no column with a name of the field
 */
export const columnsIfLeftEmpty = (
	context: IExecuteFunctions,
	name: string,
	field: NamedField,
): string[] | undefined => (isLeftEmpty(context, name) ? columnsNamed(columnsOf(context), field) : undefined);

/**
 * Returns an item's value of a parameter. If the parameter was left empty, the value comes from the columns.
 * @param columns the result of `columnsIfLeftEmpty`
 * @throws Problem if the values in two of the columns differ
 */
export function readFieldOrColumn(
	context: IExecuteFunctions,
	itemIndex: number,
	parameter: { name: string; label: string },
	field: NamedField,
	columns: string[] | undefined,
): unknown {
	if (columns === undefined) return getParameter(context, parameter.name, parameter.label, itemIndex);
	return valueIn(context.getInputData()[itemIndex]!.json, columns, field) ?? '';
}

/** The results of `keysOf`. Computing them takes 10 ms, and the names of a field never change. */
const keysOfNames = new WeakMap<NamedField['names'], string[][]>();

/** Returns the names of a field in the form for comparison, by group. */
function keysOf(names: NamedField['names']): string[][] {
	const known = keysOfNames.get(names);
	if (known !== undefined) return known;
	const keys = names.map((group) => [...new Set(group.map(columnKey))]);
	keysOfNames.set(names, keys);
	return keys;
}

/** Returns the columns of a field. @throws Problem of the whole list if the list has no such column or is empty */
function columnsNamed(columns: Columns, { label, names }: NamedField): string[] {
	for (const keys of keysOf(names)) {
		const found = keys.flatMap((key) => [...(columns.byKey.get(key) ?? []), ...(columns.renamed.get(key) ?? [])]);
		if (found.length > 0) return columns.names.filter((name) => found.includes(name));
	}
	throw missingColumn(columns, label, { names: names.flat() });
}

/**
 * Returns the columns for a placeholder, in the order of the list. A column with the exact name of another placeholder is only
 * for that placeholder. If a column has the placeholder's name without a remark in brackets, columns with a remark («Βαθμός
 * (ολογράφως)») are not used.
 */
export function columnsOfPlaceholder(columns: Columns, placeholder: string, placeholders: string[]): string[] {
	const inMessage = JSON.stringify([placeholder, placeholders]);
	const found = columns.ofPlaceholders.get(inMessage) ?? findColumns(columns, placeholder, placeholders);
	columns.ofPlaceholders.set(inMessage, found);
	return found;
}

/** Finds the columns for a placeholder, for `columnsOfPlaceholder`. */
function findColumns(columns: Columns, placeholder: string, placeholders: string[]): string[] {
	const key = columnKey(placeholder);
	const alike = columns.byKey.get(key) ?? [];
	const wanted = fullKey(placeholder);
	const isExact = (name: string) => fullKey(name) === wanted || fullKey(beforeRenaming(name)) === wanted;
	const found = new Set([...alike, ...(columns.renamed.get(key) ?? [])]);
	const fitting = columns.names.filter(
		(name) => found.has(name) && (name === placeholder || !placeholders.includes(name)),
	);
	const exact = fitting.filter(isExact);
	return exact.length > 0 ? exact : fitting;
}

/** Makes the Problem of an empty list. Its advice is also for people who try a node without a list. */
const emptyList = () => fault('emptyList', {}, WITHOUT_LIST);

const WITHOUT_LIST =
	'If you have no list, fill in the fields of this node. If the node has Mapping Column Mode, first set it to Map Each Column Manually';

/** The advice for a placeholder of a single message, such as a reply. */
const FILL_IN = 'Set Mapping Column Mode to Map Each Column Manually, and fill in the field';

/**
 * Makes the Problem of a list that lacks a column. If the list has no columns at all, the Problem says that it is empty.
 * @param names the names that the column may have. If a cell of a row has such a name, the headings are in that row
 * @param isList whether the message comes from a list. A tool call of an AI agent is recognised by the id that n8n gives it, and
 * never comes from a list
 */
export function missingColumn(
	columns: Columns,
	label: NamedField['label'],
	{ names = [label.el], isList = true }: { names?: string[]; isList?: boolean } = {},
) {
	const isFromModel = columns.names.includes('toolCallId');
	if (!isList || isFromModel) {
		const advice = isList ? WITHOUT_LIST : FILL_IN;
		// An admin who sets up a reply or a code needs to see which fields reached the node. A tool call of an AI agent has no
		// fields.
		const given = isFromModel ? [] : columns.names.slice(0, 10);
		const has = given.length > 0 ? `. The item has these fields: ${given.join(', ')}` : '';
		return fault('missingColumn', { ...aboutField(label), what: 'noValue', todo: 'tellValue' }, advice + has);
	}
	if (columns.names.length === 0) return emptyList();
	// n8n gives these names to columns without a heading. A title above the headings is a frequent cause.
	const isNameless = (name: string) => /^__EMPTY(_\d+)?$/.test(name);
	const few = (nameless: string) =>
		[...new Set(columns.names.map((name) => (isNameless(name) ? nameless : name)))].slice(0, 10).join(', ');
	const about = { ...aboutField(label), columns_el: few('(χωρίς όνομα)'), columns_en: few('(no name)') };
	const keys = new Set(names.map(columnKey));
	const isHeading = (cell: unknown) => typeof cell === 'string' && keys.has(columnKey(cell));
	const areBelow =
		columns.names.some(isNameless) || columns.firstRows.some((row) => Object.values(row).some(isHeading));
	const todo = areUnread(columns.names) ? 'letters' : areBelow ? 'headings' : '';
	return fault('missingColumn', { ...about, todo });
}

/**
 * Returns whether headings seem to be Greek that was read in a wrong charset. An example is a web page in windows-1253 whose file
 * is called .xls.
 */
const areUnread = (names: string[]) =>
	!names.some((name) => /[\u0370-\u03ff]/.test(name)) && names.some((name) => /[^\x00-\x7f]{3}/u.test(name));

/**
 * Returns an item's value of a field. Undefined: the cell is empty.
 * @throws Problem if the values in two columns differ, or if only one of them has a value
 */
export function valueIn(row: IDataObject, found: string[], field: Omit<NamedField, 'names'>): unknown {
	const { label, normalForm = clean } = field;
	const values = found.map((name) => row[name]).map((value) => (isBlank(value) ? undefined : value));
	if (new Set(values.map((value) => normalForm(toText(value).slice(0, 1000)))).size < 2) return values[0];
	throw twoColumns(found, label);
}

/** Makes the Problem of an item in which two columns of a field have different values. */
export function twoColumns(found: string[], label: NamedField['label']) {
	const renamed = found.find((name) => beforeRenaming(name) !== name && found.length > 1);
	const about: About = { ...aboutField(label), columns: found.slice(0, 3).join(', '), many: found.length > 2 ? 1 : 0 };
	return fault('twoColumns', renamed === undefined ? about : { ...about, todo: 'sameHeading', renamed });
}
