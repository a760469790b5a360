import type { IExecuteFunctions } from 'n8n-workflow';

import { columnKey, columnsOf, splitResultColumns, type Headings, type NamedField } from '../../lib/n8n/columns';
import { noticeOf, textsOf, type Language } from '../../lib/texts/notice';
import { readFlagOption } from '../../lib/n8n/parameters';
import type { Results } from '../../lib/n8n/workerPool';
import { Problem } from '../../lib/texts/problem';
import { isOfDates, shownCell } from '../../lib/values/sheetCell';
import { toText } from '../../lib/values/text';
import { checkAmkaNumber, withItsZero } from '../../lib/greek/amkaNumber';
import { lookUp, type Lookup } from './lookup';
import { columnsByField, COMPARED, COMPARED_NAMES, readOurs, type ComparedName, type Ours } from './compareFields';
import { shownDate } from './birthDate';
import { options } from './properties';
import { PERSON_FIELDS } from './person';
import { birthDateNoteOf, deathOf, recordText, hasNewerNumber, type ValidationResult } from './registryRecord';
import { normalForm } from './sameValue';
import { UNKNOWN_BIRTH_DATE_NOTE, withWarnings, type Finding, type Said, type Verdict } from './verdict';

/** What a comparison says of a person, under the names that its item has. */
export type Comparison = Verdict &
	Partial<Lists> & {
		agrees: boolean;
		ssnChanged?: true;
		birthDateIsFictitious?: true;
		/** The registry's own text of what differs or is missing here, where it was asked for. */
		registry?: Record<string, string | string[]>;
	};

type Lists = Record<'same' | 'differs' | 'missingHere' | 'missingThere', ComparedName[]>;

/** Compares one row's person with the registry's record, by names of fields. @throws Problem as its readers do */
export async function compare(context: IExecuteFunctions, itemIndex: number, lookup: Lookup): Promise<Said> {
	const ours = readOurs(context, itemIndex);
	const isShown = readFlagOption(context, options.showRegistryValues, itemIndex);
	return sayComparison(await lookUp(context, itemIndex, lookup), ours, isShown);
}

/** What is said of a comparison. @param isShown whether with the registry's own text of what is not the same */
export function sayComparison({ verdict, result, why: not }: Finding, ours: Ours, isShown: boolean): Said<Comparison> {
	const { matched, ssn, ...more } = verdict;
	if (!matched || result === undefined) return { item: { matched, ssn, agrees: false, ...more }, why: not };

	const lists = compareFields(ours, result);
	const note = birthDateNoteOf(result);
	const notSame = [...lists.differs, ...lists.missingHere];
	const why = not ?? (notSame.length > 0 ? { reason: 'doesNotAgree' as const, about: namesOf(notSame) } : undefined);
	const item: Comparison = {
		...{ matched, ssn, agrees: why === undefined, ...lists },
		...withWarnings(more, typeof note === 'string' ? [UNKNOWN_BIRTH_DATE_NOTE] : []),
		...(hasNewerNumber(result, ssn) && { ssnChanged: true }),
		...(note === true && { birthDateIsFictitious: true }),
		...(isShown &&
			notSame.length > 0 && { registry: Object.fromEntries(notSame.map((name) => [name, shownOf(name, result)])) }),
	};
	return { item, why, isDeathUnknown: deathOf(result) === 'unknown' };
}

const namesOf = (names: ComparedName[]) => ({
	fields_el: names.map((name) => COMPARED[name].el).join(', '),
	fields_en: names.map((name) => COMPARED[name].en).join(', '),
});

/** The mapped fields by what a comparison says of each. What neither side has is in no list. */
export function compareFields(ours: Ours, result: ValidationResult): Lists {
	const lists: Lists = { same: [], differs: [], missingHere: [], missingThere: [] };
	for (const name of COMPARED_NAMES) {
		const here = ours.get(name);
		if (here === undefined) continue;
		const { kind } = COMPARED[name];
		const there = valuesOf(name, result).map((value) => normalForm(value, kind));
		if (here.length === 0 && there.length === 0) continue;
		if (here.length === 0) lists.missingHere.push(name);
		else if (there.length === 0) lists.missingThere.push(name);
		else lists[here.some((value) => there.includes(normalForm(value, kind))) ? 'same' : 'differs'].push(name);
	}
	return lists;
}

/** The registry's texts of a field, without those that say "none". */
function valuesOf(name: ComparedName, result: ValidationResult): string[] {
	const { kind, registry } = COMPARED[name];
	return registry.flatMap((field) => recordText(result, field) ?? []).filter((value) => normalForm(value, kind) !== '');
}

/** As the output has it: phones are a list, because the registry has two. */
const shownOf = (name: ComparedName, result: ValidationResult): string | string[] =>
	name === 'phone' ? valuesOf(name, result) : valuesOf(name, result)[0]!;

const WORDS = {
	notChecked: { el: 'δεν ελέγχθηκε', en: 'not checked' },
	notMatched: { el: 'δεν ταυτοποιήθηκε', en: 'not matched' },
	deceased: { el: 'έχει αποβιώσει', en: 'has died' },
	differs: { el: 'διαφέρει', en: 'differs' },
	incomplete: { el: 'ελλιπές', en: 'incomplete' },
	agrees: { el: 'συμφωνεί', en: 'agrees' },
	newerNumber: { el: 'έχει νεότερο ΑΜΚΑ', en: 'has a newer AMKA' },
	unknownDeath: {
		el: 'άγνωστη ένδειξη θανάτου: ελέγξτε το στο έγγραφο',
		en: 'unknown note on a death: check the document',
	},
	fictitious: { el: 'πλασματική ημερομηνία γέννησης', en: 'fictitious birth date' },
} as const;

const HEADINGS: Headings = {
	names: {
		el: ['Αποτέλεσμα', 'Διαφέρει', 'Λείπει από εσάς', 'Λείπει από το μητρώο', 'Προσοχή'],
		en: ['Result', 'Differs', 'Missing Here', 'Missing There', 'Note'],
	},
	words: new Set(Object.values(WORDS).flatMap(({ el, en }) => [el, en])),
	mark: 'ΑΜΚΑ',
};

/** A comparison as rows for a sheet: every column of the list, then what was found, also of a row with a fault. */
export function toSheet(context: IExecuteFunctions, run: Results<Said<Comparison>>, language: Language) {
	const inOne = language === 'en' ? 'en' : 'el';
	const columns = columnsOf(context);
	const rows = context.getInputData().map(({ json }) => json);
	const { own, ours } = splitResultColumns(rows, columns.names, HEADINGS, inOne);
	const columnsOfField = ({ names }: NamedField) =>
		names.flat().flatMap((name) => columns.byKey.get(columnKey(name)) ?? []);
	const numbers = columnsOfField(PERSON_FIELDS.ssn);
	const dates = [...columnsOfField(PERSON_FIELDS.birthDate), ...columns.names.filter(isOfDates)];
	const timeZone = context.getTimezone();
	const called = columnsByField(columns);
	const columnNamed = (name: ComparedName) => called.get(name)?.[0] ?? COMPARED[name][inOne];
	return run.map((said, itemIndex) => {
		if (said === undefined) return undefined;
		const row = rows[itemIndex]!;
		const cells = Object.fromEntries(own.map((name) => [name, shownCell(name, row[name] ?? '', timeZone)]));
		for (const name of numbers) {
			// Spreadsheets take the zero at the front away: as text it stays.
			const ssn = withItsZero(toText(row[name]));
			if (checkAmkaNumber(ssn).valid) cells[name] = ssn;
		}
		for (const name of dates) cells[name] = shownDate(row[name], timeZone) ?? cells[name]!;
		const found = foundIn(said, inOne, columnNamed);
		ours.forEach((heading, index) => (cells[heading] = found[index]!));
		return cells;
	});
}

function foundIn(said: Said<Comparison> | Problem, inOne: 'el' | 'en', columnNamed: (name: ComparedName) => string) {
	if (said instanceof Problem) return [WORDS.notChecked[inOne], '', '', '', noticeOf(said.why, inOne)];
	const { item, why, isDeathUnknown } = said;
	const { differs = [], missingHere = [], missingThere = [] } = item;
	const lists = [differs, missingHere, missingThere].map((names) => names.map(columnNamed).join(', '));
	const notes = [
		!item.matched && why?.reason === 'notMatched' && why.about?.todo !== '' && textsOf(why, inOne)[1],
		item.ssnChanged && WORDS.newerNumber[inOne],
		item.birthDateIsFictitious && WORDS.fictitious[inOne],
		isDeathUnknown && WORDS.unknownDeath[inOne],
		item.deceased && item.reason !== 'deceased' && WORDS.deceased[inOne],
		item.reason !== undefined && item.reason !== 'deceased' && why !== undefined && noticeOf(why, inOne),
	];
	return [WORDS[resultWord(item)][inOne], ...lists, notes.filter(Boolean).join(' · ')];
}

/** The first that applies. */
function resultWord({ matched, reason, differs = [], missingHere = [] }: Comparison) {
	if (!matched) return 'notMatched';
	if (reason === 'deceased') return 'deceased';
	if (differs.length > 0) return 'differs';
	return missingHere.length > 0 ? 'incomplete' : 'agrees';
}
