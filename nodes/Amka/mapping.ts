import type {
	FieldType,
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	ResourceMapperFields,
} from 'n8n-workflow';

import { hidePeoplesNumbers } from '../shared/hide';
import { getParameter, isNothing } from '../shared/parameter';
import { badParameter } from '../shared/problem';
import { COMPARED, COMPARED_NAMES, columnField, type ComparedName } from './compareFields';
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
	if (mappingMode === 'autoMapInputData') return readColumns(context.getInputData()[itemIndex]!.json);

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

/** By the names of a row's columns. What fits no field is left alone. */
function readColumns(row: IDataObject): Ours {
	const columns = new Map<ComparedName, string[]>();
	for (const column of Object.keys(row)) {
		const name = columnField(column);
		if (name !== undefined) columns.set(name, [...(columns.get(name) ?? []), column]);
	}
	if (columns.size === 0) {
		// A sheet without a header line has its first row's values there.
		const names = hidePeoplesNumbers(Object.keys(row).slice(0, 10).join(', ').slice(0, 1000)).slice(0, 300);
		throw badParameter(
			PARAMETER,
			'has no field to compare: no column of this row has the name of one',
			`Name the columns as the fields of the form, in Greek or English, or choose Map Each Column Manually. The row's columns: ${names || 'none'}`,
		);
	}
	return new Map(
		[...columns].map(([name, found]) => {
			if (found.length > 1 && name !== 'phone') {
				throw badParameter(
					COMPARED[name].label,
					`fits two columns (${found.slice(0, 3).join(', ').slice(0, 200)})`,
					'Rename one of them, or choose Map Each Column Manually',
				);
			}
			return [name, found.flatMap((column) => textsOf(name, row[column]))];
		}),
	);
}

/** A cell's texts: none where it is empty or says "none"; one may contain several phones. */
function textsOf(name: ComparedName, value: unknown): string[] {
	const { label, kind } = COMPARED[name];
	const values = kind === 'phone' && Array.isArray(value) ? value : [value];
	const texts = values
		.filter((one) => !isNothing(one))
		.map((one) => {
			const text = typeof one === 'number' && Number.isFinite(one) ? String(one) : one;
			if (typeof text !== 'string')
				throw badParameter(
					label,
					'must be text or a number',
					'Check the cell, and the expression that names its column',
				);
			if (text.length > LONGEST_VALUE) {
				throw badParameter(
					label,
					`is longer than ${LONGEST_VALUE} characters`,
					'Check that the expression names the right column',
				);
			}
			return text;
		});
	const separate = kind === 'phone' ? texts.flatMap((text) => text.split(/[,;\n]|\s\/\s/u)) : texts;
	return separate.filter((text) => normalForm(text, kind) !== '');
}
