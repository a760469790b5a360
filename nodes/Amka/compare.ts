import type { IDataObject } from 'n8n-workflow';

import { columnKey, type Columns, type NamedField } from '../../lib/n8n/columns';
import { openResultSheet, type Headings } from '../../lib/n8n/resultSheet';
import { noticeOf, textsOf, type Language } from '../../lib/texts/notice';
import { PERSON_WARNINGS } from '../../lib/texts/registry';
import { COMPARE_CELLS as CELLS, COMPARE_HEADINGS } from '../../lib/texts/resultSheets';
import type { Results } from '../../lib/n8n/workerPool';
import { Problem } from '../../lib/texts/problem';
import { isDateColumn } from '../../lib/values/sheetCell';
import { toText } from '../../lib/values/text';
import { checkAmkaNumber, withItsZero } from '../../lib/greek/amkaNumber';
import { lookUpPerson, type Session, type LookupInput } from './lookup';
import { columnsByField, COMPARED, COMPARED_NAMES, type ComparedName, type Ours } from './comparedFields';
import { shownDate } from './birthDate';
import { PERSON_FIELDS } from './parsePerson';
import { birthDateNoteOf, deathOf, recordText, hasNewerNumber, type RegistryRecord } from './registryRecord';
import { normalForm } from './normalForm';
import { withWarnings, type ItemResult, type LookupResult, type Verdict } from './verdict';

/** The item of a comparison. */
export type Comparison = Verdict &
	Partial<Lists> & {
		agrees: boolean;
		ssnChanged?: true;
		birthDateIsFictitious?: true;
		/** The registry's values of fields that differ or that the institution's data lack, if Show Registry Values is on. */
		registry?: Record<string, string | string[]>;
	};

/**
 * The compared fields by their result. `missingHere`: the institution's data lack the value. `missingThere`: the registry lacks
 * it.
 */
type Lists = Record<'same' | 'differs' | 'missingHere' | 'missingThere', ComparedName[]>;

type CompareInput = LookupInput & { ours: Ours; showRegistryValues: boolean };

/** Compares an institution's data of a person with the registry's record. @throws Problem if the registry gives no verdict */
export async function compare(input: CompareInput, session: Session): Promise<ItemResult<Comparison>> {
	return toComparison(await lookUpPerson(input, session), input.ours, input.showRegistryValues);
}

/**
 * Returns the item of a comparison.
 * @param isShown whether the item has the registry's values of fields that differ or that the institution's data lack
 */
export function toComparison(
	{ verdict, record, why: whyNot }: LookupResult,
	ours: Ours,
	isShown: boolean,
): ItemResult<Comparison> {
	const { matched, ssn, ...more } = verdict;
	if (!matched || record === undefined) return { item: { matched, ssn, agrees: false, ...more }, why: whyNot };

	const lists = compareFields(ours, record);
	const note = birthDateNoteOf(record);
	const notSame = [...lists.differs, ...lists.missingHere];
	const why = whyNot ?? (notSame.length > 0 ? { reason: 'doesNotAgree' as const, about: namesOf(notSame) } : undefined);
	const item: Comparison = {
		...{ matched, ssn, agrees: why === undefined, ...lists },
		...withWarnings(more, typeof note === 'string' ? [PERSON_WARNINGS.unknownBirthDateNote] : []),
		...(hasNewerNumber(record, ssn) && { ssnChanged: true }),
		...(note === true && { birthDateIsFictitious: true }),
		...(isShown &&
			notSame.length > 0 && { registry: Object.fromEntries(notSame.map((name) => [name, shownOf(name, record)])) }),
	};
	return { item, why, isDeathUnknown: deathOf(record) === 'unknown' };
}

const namesOf = (names: ComparedName[]) => ({
	fields_el: names.map((name) => COMPARED[name].el).join(', '),
	fields_en: names.map((name) => COMPARED[name].en).join(', '),
});

/**
 * Sorts the mapped fields into lists by their result. A field is in no list if neither the institution nor the registry has a
 * value for it.
 */
export function compareFields(ours: Ours, record: RegistryRecord): Lists {
	const lists: Lists = { same: [], differs: [], missingHere: [], missingThere: [] };
	for (const name of COMPARED_NAMES) {
		const ourValues = ours.get(name);
		if (ourValues === undefined) continue;
		const { kind } = COMPARED[name];
		const registryValues = valuesOf(name, record).map((value) => normalForm(value, kind));
		if (ourValues.length === 0 && registryValues.length === 0) continue;
		if (ourValues.length === 0) lists.missingHere.push(name);
		else if (registryValues.length === 0) lists.missingThere.push(name);
		else
			lists[ourValues.some((value) => registryValues.includes(normalForm(value, kind))) ? 'same' : 'differs'].push(
				name,
			);
	}
	return lists;
}

/** Returns the registry's texts of a field, without texts such as "-" that mean that there is no value. */
function valuesOf(name: ComparedName, record: RegistryRecord): string[] {
	const { kind, registry } = COMPARED[name];
	return registry.flatMap((field) => recordText(record, field) ?? []).filter((value) => normalForm(value, kind) !== '');
}

/**
 * Returns the registry's value of a field as the output shows it. Phones are a list, because the registry has two phone fields.
 */
const shownOf = (name: ComparedName, record: RegistryRecord): string | string[] =>
	name === 'phone' ? valuesOf(name, record) : valuesOf(name, record)[0]!;

const HEADINGS: Headings = {
	names: COMPARE_HEADINGS,
	firstCells: new Set(Object.values(CELLS).flatMap(({ el, en }) => [el, en])),
	mark: 'ΑΜΚΑ',
};

/** The input list of a comparison. */
interface InputList {
	rows: IDataObject[];
	columns: Columns;
	timeZone: string;
}

/**
 * Returns the rows in a sheet. Each row has the user's own columns, and then the result or the fault. Undefined:
 * the item was not tried.
 */
export function toSheet(
	{ rows, columns, timeZone }: InputList,
	results: Results<ItemResult<Comparison>>,
	language: Language,
) {
	const sheetLanguage = language === 'en' ? 'en' : 'el';
	const columnsOfField = ({ names }: NamedField) =>
		names.flat().flatMap((name) => columns.byKey.get(columnKey(name)) ?? []);
	const numbers = new Set(columnsOfField(PERSON_FIELDS.ssn));
	const dates = new Set([...columnsOfField(PERSON_FIELDS.birthDate), ...columns.names.filter(isDateColumn)]);
	const cellOf = (name: string, row: IDataObject) => {
		// Spreadsheets remove the zero at the front of a number. So a valid number is written as a text with its zero.
		const ssn = numbers.has(name) ? withItsZero(toText(row[name])) : '';
		if (checkAmkaNumber(ssn).valid) return ssn;
		return dates.has(name) ? shownDate(row[name], timeZone) : undefined;
	};
	const sheet = openResultSheet({
		...{ rows, columns: columns.names, headings: HEADINGS, language: sheetLanguage, timeZone, cellOf },
	});
	const columnsOfFields = columnsByField(columns);
	const columnNamed = (name: ComparedName) => columnsOfFields.get(name)?.[0] ?? COMPARED[name][sheetLanguage];
	return results.map((result, itemIndex) => {
		if (result === undefined) return undefined;
		return sheet.row(rows[itemIndex]!, resultCells(result, sheetLanguage, columnNamed));
	});
}

/** Returns the cells of a row that show its result. */
function resultCells(
	result: ItemResult<Comparison> | Problem,
	sheetLanguage: 'el' | 'en',
	columnNamed: (name: ComparedName) => string,
) {
	if (result instanceof Problem)
		return [CELLS.notChecked[sheetLanguage], '', '', '', noticeOf(result.why, sheetLanguage)];
	const { item, why, isDeathUnknown } = result;
	const { differs = [], missingHere = [], missingThere = [] } = item;
	const lists = [differs, missingHere, missingThere].map((names) => names.map(columnNamed).join(', '));
	const notes = [
		!item.matched && why?.reason === 'notMatched' && why.about?.todo !== '' && textsOf(why, sheetLanguage)[1],
		item.ssnChanged && CELLS.newerNumber[sheetLanguage],
		item.birthDateIsFictitious && CELLS.fictitious[sheetLanguage],
		isDeathUnknown && CELLS.unknownDeath[sheetLanguage],
		item.deceased && item.reason !== 'deceased' && CELLS.deceased[sheetLanguage],
		item.reason !== undefined && item.reason !== 'deceased' && why !== undefined && noticeOf(why, sheetLanguage),
	];
	return [CELLS[firstResultOf(item)][sheetLanguage], ...lists, notes.filter(Boolean).join(' · ')];
}

/** Returns the most important result that applies to a row. */
function firstResultOf({ matched, reason, differs = [], missingHere = [] }: Comparison) {
	if (!matched) return 'notMatched';
	if (reason === 'deceased') return 'deceased';
	if (differs.length > 0) return 'differs';
	return missingHere.length > 0 ? 'incomplete' : 'agrees';
}
