import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { foldForComparison, clean } from '../greek/letters';
import { greekMobile } from '../greek/mobile';
import { isTool } from './aiTool';
import { textsOf, type About, type Why } from '../texts/notice';
import type { OtherTodo } from '../texts/reasons';
import { getParameter, isBlank } from './parameters';
import { fault, tryRead, toResult } from '../texts/problem';
import { groupBy } from '../texts/groups';
import { toText } from '../values/text';

/*
 * The columns of a list by their names. A reader of sheets leaves empty cells out of their rows, so which column a
 * field's is, is decided from all rows of a run; in a row where that is empty, the field is empty.
 */

/** A field that is taken from a list by the names that its column may have. */
export interface NamedField {
	/** What the field is called in a fault, in Greek and English: the name that its column should have. */
	label: { el: string; en: string };
	/** Names of its column. Those of a later group count only where the list has none of the groups before it. */
	names: readonly (readonly string[])[];
	/** A value in the form in which two are the same. */
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

/** Words behind a name that say whose phone it is: the row's own person, never a parent or a teacher. */
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

const ofThePerson = (greek: string[], english: string[]) => [
	...greek.flatMap((name) => OF_THE_PERSON.map((whose) => `${name} ${whose}`)),
	...english.flatMap((name) => [`${name} 1`, `Student ${name}`, `Student's ${name}`]),
];

/** The mobile of a person: a column of phones is one where there is none of mobiles. */
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

/** What a field's faults call it. */
export const aboutField = ({ el, en }: NamedField['label']) => ({ field_el: el, field_en: en });

/**
 * What two names of a column have in common: case, accents, final sigma, spaces and signs make no difference, nor does
 * a remark in brackets at the end, as in «Κινητό (69...)», but for a number or an alphabet, which tell columns apart.
 */
export const columnKey = (name: string): string =>
	foldForComparison(name.slice(0, 1000)).replace(REMARK, '').replace(SIGNS, '');

/** The same, but a remark in brackets makes a difference. */
const fullKey = (name: string): string => foldForComparison(name.slice(0, 1000)).replace(SIGNS, '');

/**
 * The heading of a column that a reader of sheets has renamed because an earlier one has it too: SheetJS, n8n's reader,
 * makes `Βαθμός_1` and `Βαθμός_2` of the second and the third `Βαθμός`. Others stay as they are.
 */
const beforeRenaming = (name: string): string => name.replace(/(?<=[^_])_\d{1,3}$/, '');

/** In the form for comparison, in which λατινικά and αγγλικά begin with these letters. */
const REMARK = /(?<=\S ?)(?:\((?! ?\d+ ?\)|[^()]*(?:LATIN|ΛATIN|AΓΓΛIK)|EN ?\))[^()]*\)[\s:*"'\p{Pf}]*)+$/u;
const SIGNS = /[\s.,:*_/()\p{Pd}\u2212"'\p{Pi}\p{Pf}„‚]/gu;

/** The columns of a list, in its order. */
export interface Columns {
	names: string[];
	/** By what their names have in common. */
	byKey: Map<string, string[]>;
	/** The same for renamed columns alone, by the name that they had before. */
	renamed: Map<string, string[]>;
	/** The first rows, in which there may be headings. */
	firstRows: IDataObject[];
	/** The columns of each placeholder, so that they are looked for once and not in every row. */
	ofPlaceholders: Map<string, string[]>;
}

const FIRST_ROWS = 10;

const columnsOfLists = new WeakMap<object, Columns>();

/** Gathered once for the rows of a run. */
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

/** The columns of rows in the order of their list: what the fullest row has not stands behind the column before it elsewhere. */
export function namesInOrder(rows: object[]): string[] {
	/** The column behind each; the first one is behind undefined. */
	const next = new Map<string | undefined, string | undefined>();
	for (const names of rows.map(Object.keys).sort((one, other) => other.length - one.length)) {
		let before: string | undefined;
		for (const name of names) {
			if (!next.has(name)) next.set(name, next.get(before)).set(before, name);
			before = name;
		}
	}
	const inOrder: string[] = [];
	for (let name = next.get(undefined); name !== undefined; name = next.get(name)) inOrder.push(name);
	return inOrder;
}

/**
 * Refuses an empty sheet, or a file that is none, as one fault, where its rows are read.
 * @param fields parameters that a row needs. @throws Problem where one of them has no value in any row, and no row has a cell
 */
export function requireCells(context: IExecuteFunctions, fields: string[]): void {
	const rows = context.getInputData();
	if (isTool(context) || rows.some(({ json }) => !Object.values(json).every(isBlank))) return;
	const isMissing = (name: string) =>
		rows.every((_, itemIndex) => isBlank(tryRead(() => context.getNodeParameter(name, itemIndex, ''))));
	if (fields.some(isMissing)) throw emptyList();
}

/**
 * Refuses an expression that gives nothing in any row, not even an empty text: it names no column of the list. What an
 * empty list is, `requireCells` says. @param byName whether the column is found by its name where the field is empty
 * @throws Problem of the whole list, that names its columns
 */
export function requireValue(
	context: IExecuteFunctions,
	name: string,
	label: string,
	field: NamedField,
	byName = true,
) {
	const typed = context.getNodeParameter(name, 0, '', { rawExpressions: true });
	if (typeof typed !== 'string' || !typed.startsWith('=') || isTool(context)) return;
	// One that can't be read is a fault of its row, in words of its own.
	const givesSomething = (_: unknown, itemIndex: number) =>
		(toResult(() => context.getNodeParameter(name, itemIndex, '') as unknown) ?? null) !== null;
	if (context.getInputData().some(givesSomething)) return;
	const missing = missingColumn(columnsOf(context), field.label);
	if (missing.why.reason === 'emptyList') return;
	const aboutColumns = (todo: OtherTodo): Why => ({
		...missing.why,
		about: { ...missing.why.about, what: 'inNoRow', todo },
	});
	const [, columnsAre] = textsOf(aboutColumns('columns'), 'en');
	const orElse = byName ? ', or leave the field empty: then the column is found by its name' : '';
	const description = `Correct it${orElse}. ${columnsAre}`;
	const why = aboutColumns('tellColumns');
	throw missing.copyWith({ message: `The expression in ${label} gave nothing`, description, why });
}

/** Whether a parameter was left empty in the form: an expression that evaluates to nothing is another thing. */
export function isLeftEmpty(context: IExecuteFunctions, name: string, itemIndex = 0): boolean {
	return isBlank(context.getNodeParameter(name, itemIndex, '', { rawExpressions: true }));
}

/**
 * Returns the columns of a parameter that was left empty in the form. Undefined: it has a value or an expression.
 * @throws Problem if the list has no such column
 */
export const columnsIfLeftEmpty = (
	context: IExecuteFunctions,
	name: string,
	field: NamedField,
): string[] | undefined => (isLeftEmpty(context, name) ? columnsNamed(columnsOf(context), field) : undefined);

/** Returns an item's value of such a parameter. @param columns of `columnsIfLeftEmpty` @throws Problem if two of them differ */
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

/** The keys of a field's names, by group: computing them takes 10 ms, and the names never change. */
const keysOfNames = new WeakMap<NamedField['names'], string[][]>();

function keysOf(names: NamedField['names']): string[][] {
	const known = keysOfNames.get(names);
	if (known !== undefined) return known;
	const keys = names.map((group) => [...new Set(group.map(columnKey))]);
	keysOfNames.set(names, keys);
	return keys;
}

/** A field's columns in every row of a run. @throws Problem a fault of the whole list, where it has none, or nothing */
export function columnsNamed(columns: Columns, { label, names }: NamedField): string[] {
	for (const keys of keysOf(names)) {
		const found = keys.flatMap((key) => [...(columns.byKey.get(key) ?? []), ...(columns.renamed.get(key) ?? [])]);
		if (found.length > 0) return columns.names.filter((name) => found.includes(name));
	}
	throw missingColumn(columns, label, { names: names.flat() });
}

/**
 * Returns the columns that fit a placeholder, in the list's order. A column that has the exact name of another
 * placeholder fits that one alone. If a column has the placeholder's name without a remark in brackets, those with one
 * («Βαθμός (ολογράφως)») are other columns.
 */
export function columnsOfPlaceholder(columns: Columns, placeholder: string, placeholders: string[]): string[] {
	const inMessage = JSON.stringify([placeholder, placeholders]);
	const found = columns.ofPlaceholders.get(inMessage) ?? findColumns(columns, placeholder, placeholders);
	columns.ofPlaceholders.set(inMessage, found);
	return found;
}

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

/** The fault of a list in which there is nothing; whoever tries a node out has none. */
const emptyList = () => fault('emptyList', {}, WITHOUT_LIST);

const WITHOUT_LIST =
	'Without a list, fill in the fields of this node, with Map Each Column Manually where it has that choice';

/**
 * Returns the fault of a list that lacks a column; of one without any column, that it is empty.
 * @param names what the column may be called: if a row has such a cell, the headings are in that row
 * @param isList whether the message comes from a list. The call of an AI agent never does: n8n gives it a number
 */
export function missingColumn(
	columns: Columns,
	label: NamedField['label'],
	{ names = [label.el], isList = true }: { names?: string[]; isList?: boolean } = {},
) {
	if (!isList || columns.names.includes('toolCallId'))
		return fault('missingColumn', { ...aboutField(label), what: 'noValue', todo: 'tellValue' }, WITHOUT_LIST);
	if (columns.names.length === 0) return emptyList();
	// How a sheet's reader calls columns without a heading: often a title stands above the headings.
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

/** Whether headings are Greek of another charset, as of a web page in windows-1253 that is called .xls. */
const areUnread = (names: string[]) =>
	!names.some((name) => /[\u0370-\u03ff]/.test(name)) && names.some((name) => /[^\x00-\x7f]{3}/u.test(name));

/** A row's value of a field; undefined where its cell is empty. @throws Problem where two of its columns differ */
export function valueIn(row: IDataObject, found: string[], field: Omit<NamedField, 'names'>): unknown {
	const { label, normalForm = clean } = field;
	const values = found.map((name) => row[name]).map((value) => (isBlank(value) ? undefined : value));
	if (new Set(values.map((value) => normalForm(toText(value).slice(0, 1000)))).size < 2) return values[0];
	throw twoColumns(found, label);
}

/** The fault of a row in which columns that fit one field differ. */
export function twoColumns(found: string[], label: NamedField['label']) {
	const renamed = found.find((name) => beforeRenaming(name) !== name && found.length > 1);
	const about: About = { ...aboutField(label), columns: found.slice(0, 3).join(', '), many: found.length > 2 ? 1 : 0 };
	return fault('twoColumns', renamed === undefined ? about : { ...about, todo: 'sameHeading', renamed });
}
