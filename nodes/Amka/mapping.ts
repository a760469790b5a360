import type {
	FieldType,
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	ResourceMapperFields,
} from 'n8n-workflow';

import { columnsOf } from '../shared/columns';
import { hidePeoplesNumbers } from '../shared/hide';
import { getParameter, isNothing } from '../shared/parameter';
import { badParameter, fault } from '../shared/problem';
import { COMPARED, COMPARED_NAMES, columnField, labelOf, type ComparedName } from './compareFields';
import { LONGEST_VALUE, normalForm } from './sameness';

/** What an institution has of a person: the texts of each field that is to be compared, none where it has nothing there. */
export type Ours = Map<ComparedName, string[]>;

const PARAMETER = 'Compare With';

/** The fields of the form, which are the same for everybody. Nothing is asked for them. */
export async function mapComparedFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return {
		fields: COMPARED_NAMES.map((id) => ({
			id,
			displayName: COMPARED[id].label,
			required: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			type: 'string' as FieldType,
		})),
	};
}

/**
 * What one row is compared with.
 *
 * @throws Problem where nothing is mapped, two columns fit one field, or a value is no text
 */
export function readOurs(context: IExecuteFunctions, itemIndex: number): Ours {
	// Not `compareWith.value`: that makes n8n check the schema that was stored.
	const { mappingMode, value } = readMapper(context, itemIndex, false);
	if (mappingMode === 'autoMapInputData') {
		return readColumns(context.getInputData()[itemIndex]!.json, comparedColumns(context));
	}

	// A field that was left alone in the form is not compared; one whose expression evaluates to empty is.
	const { value: typed } = readMapper(context, itemIndex, true);
	const mapped = COMPARED_NAMES.filter((name) => !isNothing(typed?.[name]));
	if (mapped.length === 0) {
		throw badParameter(PARAMETER, 'has no field to compare', 'Fill in at least one field, or choose Map Automatically');
	}
	return new Map(mapped.map((name) => [name, textsOf(name, value?.[name])]));
}

function readMapper(context: IExecuteFunctions, itemIndex: number, isRaw: boolean) {
	const given = isRaw
		? context.getNodeParameter('compareWith', itemIndex, {}, { rawExpressions: true })
		: getParameter(context, 'compareWith', PARAMETER, itemIndex, {});
	return (given ?? {}) as { mappingMode?: string; value?: IDataObject | null };
}

const comparedColumnsOfLists = new WeakMap<object, ReadonlyMap<ComparedName, string[]>>();

/**
 * The columns of the list by the fields that they contain, decided once for the rows of a run; none where they are mapped
 * by hand. The exact spelling of a name wins over another.
 */
export function comparedColumns(context: IExecuteFunctions): ReadonlyMap<ComparedName, string[]> {
	const list = columnsOf(context);
	const known = comparedColumnsOfLists.get(list);
	if (known !== undefined) return known;
	const columns = new Map<ComparedName, string[]>();
	for (const column of list.names) {
		const name = columnField(column);
		if (name !== undefined) columns.set(name, [...(columns.get(name) ?? []), column]);
	}
	for (const [name, found] of columns) {
		const exact = found.filter((column) => (COMPARED[name].columns as readonly string[]).includes(column));
		if (name !== 'phone' && exact.length > 0) columns.set(name, exact);
	}
	if (columns.size > 0) {
		comparedColumnsOfLists.set(list, columns);
		return columns;
	}
	// A sheet without a header line has its first row's values there.
	const names = hidePeoplesNumbers(list.names.slice(0, 10).join(', ').slice(0, 1000)).slice(0, 300);
	if (list.names.length === 0) throw fault('emptyList');
	throw badParameter(
		PARAMETER,
		'has no field to compare: no column of the list has the name of one',
		`Name the columns as the fields of the form, in Greek or English, or choose Map Each Column Manually. The list's columns: ${names}`,
	);
}

/** By the names of the list's columns. What fits no field is left alone. */
function readColumns(row: IDataObject, columns: ReadonlyMap<ComparedName, string[]>): Ours {
	return new Map(
		[...columns].map(([name, found]) => {
			if (name === 'phone') return [name, found.flatMap((column) => textsOf(name, row[column]))];
			const { el: field_el, en: field_en } = labelOf(name);
			if (found.length > 1 && found.some((column) => !isNothing(row[column])))
				throw fault('twoColumns', { field_el, field_en, columns: found.slice(0, 3).join(', ') });
			return [name, textsOf(name, row[found[0]!])];
		}),
	);
}

/** A cell's texts: none where it is empty or says "none"; one may contain several phones. */
function textsOf(name: ComparedName, value: unknown): string[] {
	const { kind } = COMPARED[name];
	const { el, en } = labelOf(name);
	const about = { field_el: el, field_en: en };
	const values = kind === 'phone' && Array.isArray(value) ? value : [value];
	const texts = values
		.filter((one) => !isNothing(one))
		.map((one) => {
			const text = typeof one === 'number' && Number.isFinite(one) ? String(one) : one;
			if (typeof text !== 'string') throw fault('notText', about);
			if (text.length > LONGEST_VALUE) throw fault('tooLong', about);
			return text;
		});
	const separate = kind === 'phone' ? texts.flatMap((text) => text.split(/[,;\n]|\s\/\s/u)) : texts;
	return separate.filter((text) => normalForm(text, kind) !== '');
}
