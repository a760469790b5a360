import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { IGetNodeParameterOptions, ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import {
	aboutField,
	columnKey,
	columnsOf,
	missingColumn,
	MOBILE,
	twoColumns,
	type Columns,
} from '../../lib/n8n/columns';
import { getParameter, isBlank } from '../../lib/n8n/parameters';
import { invalidParameter, fault } from '../../lib/texts/problem';
import type { RecordField } from './registryRecord';
import { LONGEST_VALUE, normalForm, type Kind } from './normalForm';

/** Names of columns for a field, besides the field's own names in English and Greek. */
const COLUMNS = {
	birthSurname: 'Πατρικό επώνυμο, Πατρικό επίθετο, Γένος, Birth Surname, Maiden Name',
	idNumber: `Αριθμός ταυτότητας, Αρ. ταυτότητας, Αριθμός δελτίου ταυτότητας, Δελτίο ταυτότητας, Ταυτότητα,
		ID Number, ID Card, ID Card Number, Identity Number, Identity Card, Identity Card Number`,
	taxId: 'AFM, Αριθμός φορολογικού μητρώου, Tax ID, Tax Identification Number, TIN, VAT Number',
	phone: `${MOBILE.names.flat().join(', ')}, Σταθερό, Σταθερό τηλέφωνο, Τηλέφωνο σταθερό, Τηλέφωνο οικίας,
		Αριθμός τηλεφώνου, Αρ. τηλεφώνου, Telephone Number, Landline, Home Phone`,
	street: 'Οδός και αριθμός, Οδός αριθμός, Διεύθυνση, Street, Street Address, Address',
	postalCode: 'Ταχ. κώδικας, Ταχυδρομικός κώδικας, Ταχ. κωδικός, Ταχυδρομικός κωδικός, Postcode, ZIP, ZIP Code',
};

/**
 * Defines a field that both the registry and an institution may have.
 * @param label the label in the node's form, with the field's names in English and Greek
 * @param registry the registry's fields with this value. An institution's value agrees if it is the same as any of them
 * @param columns further names of columns that contain the field
 */
function field(label: string, registry: RecordField[], columns: string, kind: Kind = 'text') {
	const [, en, el] = /^(.*) \((.*)\)$/.exec(label) as unknown as [string, string, string];
	return { label, en, el, kind, registry, columns: `${el}, ${en}, ${columns}`.split(/,\s*/).filter(Boolean) };
}

/** Words at the end of a column's name that mean "in Latin letters". */
const LATIN = ['Latin', 'λατινικά', 'λατινικοί χαρακτήρες', 'με λατινικούς χαρακτήρες', 'EN'];

/** Defines the field for a person's name in Latin letters, from the field for the name in Greek letters. */
const latin = ({ en, el, columns }: ReturnType<typeof field>, registry: RecordField) => ({
	...field(`${en}, Latin (${el}, λατινικά)`, [registry], ''),
	columns: columns.flatMap((column) => LATIN.map((word) => `${column} ${word}`)),
});

const NAMES = {
	givenName: field('Given Name (Όνομα)', ['name_gr'], 'Κύριο όνομα, Μικρό όνομα, First Name, Name'),
	surname: field('Surname (Επώνυμο)', ['surname_cur_gr'], 'Επίθετο, Last Name, Family Name'),
	birthSurname: field('Surname at Birth (Επώνυμο γέννησης)', ['surname_birth_gr'], COLUMNS.birthSurname),
	fatherName: field("Father's Name (Πατρώνυμο)", ['father_gr'], 'Όνομα πατρός, Όνομα πατέρα, Father Name, Father'),
	motherName: field("Mother's Name (Μητρώνυμο)", ['mother_gr'], 'Όνομα μητρός, Όνομα μητέρας, Mother Name, Mother'),
};

/** The fields by their names in the output, in the order of the form. */
export const COMPARED = {
	...NAMES,
	sex: field('Sex (Φύλο)', ['sex'], 'Gender', 'sex'),
	idNumber: field('Identity Document Number (ΑΔΤ)', ['id_num'], COLUMNS.idNumber, 'number'),
	taxId: field('Tax Number (ΑΦΜ)', ['tid'], COLUMNS.taxId, 'number'),
	phone: field('Phone (Τηλέφωνο, Κινητό)', ['tel1', 'tel2'], COLUMNS.phone, 'phone'),
	street: field('Street and Number (Οδός)', ['address_street'], COLUMNS.street),
	town: field('Town (Πόλη)', ['address_town'], 'City'),
	prefecture: field('Prefecture (Νομός)', ['address_prefecture'], '', 'prefecture'),
	postalCode: field('Postal Code (ΤΚ)', ['address_zipcode'], COLUMNS.postalCode, 'number'),
	country: field('Country of the Address (Χώρα)', ['address_country'], 'Χώρα κατοικίας, Country', 'country'),
	citizenship: field('Citizenship (Υπηκοότητα)', ['citizenship'], 'Ιθαγένεια, Nationality', 'country'),
	birthCountry: field('Country of Birth (Χώρα γέννησης)', ['birth_country'], 'Birth Country', 'country'),
	birthMunicipality: field('Municipality of Birth (Δήμος γέννησης)', ['birth_municipality'], 'Birth Municipality'),
	givenNameLatin: latin(NAMES.givenName, 'name_en'),
	surnameLatin: latin(NAMES.surname, 'surname_cur_en'),
	birthSurnameLatin: latin(NAMES.birthSurname, 'surname_birth_en'),
	fatherNameLatin: latin(NAMES.fatherName, 'father_en'),
	motherNameLatin: latin(NAMES.motherName, 'mother_en'),
};

export type ComparedName = keyof typeof COMPARED;

export const COMPARED_NAMES = Object.keys(COMPARED) as ComparedName[];

const byColumn = new Map(
	COMPARED_NAMES.flatMap((name) => COMPARED[name].columns.map((column) => [columnKey(column), name] as const)),
);

/**
 * Returns the field that a column contains according to its name. For phones, a digit at the end is ignored, because many
 * sheets have two columns of phones.
 */
export function columnField(column: string): ComparedName | undefined {
	const name = columnKey(column);
	const found = byColumn.get(name);
	if (found !== undefined) return found;
	const numbered = byColumn.get(name.replace(/\d$/, ''));
	return numbered === 'phone' ? numbered : undefined;
}

const PARAMETER = 'Compare With';

const FIELD = { required: false, defaultMatch: false, canBeUsedToMatch: false, display: true, type: 'string' } as const;

/** Returns the fields of the node's form. They are always the same, so no request is sent. */
export async function mapComparedFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const names = COMPARED_NAMES.filter((id) => !id.endsWith('Latin')).map((id) => COMPARED[id].el);
	return {
		fields: COMPARED_NAMES.map((id) => ({ id, displayName: COMPARED[id].label, ...FIELD })),
		emptyFieldsNotice: `The node compares the columns that have one of these names: ${names.join(', ')}. English column names work too.`,
	};
}

/** An institution's data of a person: the texts of each compared field. An empty list means that there is no value. */
export type Ours = Map<ComparedName, string[]>;

/**
 * Reads the institution's data of an item.
 * @throws Problem if no field is mapped, if two columns contain the same field (except phones), or if a value is too long or is
 * neither text nor a number
 */
export function readOurs(context: IExecuteFunctions, itemIndex: number): Ours {
	if (readMapper(context, 0, { rawExpressions: true }).mappingMode === 'autoMapInputData') {
		const columns = columnsByField(columnsOf(context));
		if (columns.size === 0) throw missingColumn(columnsOf(context), ANY_FIELD);
		return readColumns(context.getInputData()[itemIndex]!.json, columns);
	}
	// A field that was left empty in the form is not compared. A field whose expression evaluates to empty is compared.
	const { value: typed } = readMapper(context, itemIndex, { rawExpressions: true });
	const mapped = COMPARED_NAMES.filter((name) => !isBlank(typed?.[name]));
	if (mapped.length === 0)
		throw invalidParameter(PARAMETER, 'has no field to compare', 'Fill in a field, or choose Map Automatically');
	const { value } = readMapper(context, itemIndex);
	return new Map(mapped.map((name) => [name, cellTexts(name, value?.[name])]));
}

/**
 * Reads the whole parameter. If only its part `compareWith.value` were read, n8n would validate the values against the list of
 * fields that is stored in the workflow.
 */
const readMapper = (context: IExecuteFunctions, itemIndex: number, how?: IGetNodeParameterOptions) =>
	(getParameter(context, 'compareWith', PARAMETER, itemIndex, {}, how) ?? {}) as {
		mappingMode?: string;
		value?: IDataObject | null;
	};

/** The results of `columnsByField`, by list. */
const columnsOfLists = new WeakMap<Columns, Map<ComparedName, string[]>>();

/** Returns the columns in a list by field. They are computed once for all items of a run. */
export function columnsByField(list: Columns): Map<ComparedName, string[]> {
	const columns = columnsOfLists.get(list) ?? byField(list.names);
	columnsOfLists.set(list, columns);
	return columns;
}

/**
 * Sorts columns by field. If a column has the exact spelling of a field's name, other columns of the field are ignored. Phones
 * may have several columns.
 */
function byField(columns: string[]): Map<ComparedName, string[]> {
	const fields = new Map<ComparedName, string[]>();
	for (const column of columns) {
		const name = columnField(column);
		if (name !== undefined) fields.set(name, [...(fields.get(name) ?? []), column]);
	}
	for (const [name, found] of fields) {
		const exact = found.filter((column) => COMPARED[name].columns.includes(column));
		if (name !== 'phone' && exact.length > 0) fields.set(name, exact);
	}
	return fields;
}

const ANY_FIELD = {
	el: 'Όνομα, Πατρώνυμο, ΑΦΜ ή άλλο στοιχείο',
	en: 'Given Name, Surname or another detail',
};

/** Reads the fields by the names of the list's columns. Other columns are ignored. */
function readColumns(row: IDataObject, columns: Map<ComparedName, string[]>): Ours {
	return new Map(
		[...columns].map(([name, found]) => {
			if (name !== 'phone' && found.length > 1 && found.some((column) => !isBlank(row[column])))
				throw twoColumns(found, COMPARED[name]);
			return [name, found.flatMap((column) => cellTexts(name, row[column]))];
		}),
	);
}

/** Returns the texts of a cell. A cell may contain several phones. Empty: the cell is empty or has a text such as "-". */
function cellTexts(name: ComparedName, value: unknown): string[] {
	const { kind } = COMPARED[name];
	const isPhone = kind === 'phone';
	return (isPhone && Array.isArray(value) ? value : [value])
		.filter((one) => !isBlank(one))
		.flatMap((one) => {
			const text = typeof one === 'number' && Number.isFinite(one) ? String(one) : one;
			if (typeof text !== 'string') throw fault('notText', aboutField(COMPARED[name]));
			if (text.length > LONGEST_VALUE) throw fault('tooLong', aboutField(COMPARED[name]));
			return isPhone ? text.split(/[,;\n]|\s\/\s/u) : [text];
		})
		.filter((text) => normalForm(text, kind) !== '');
}
