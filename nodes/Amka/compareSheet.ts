import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { columnsOf, ownColumns } from '../shared/columns';
import { noticeOf, type Language } from '../shared/notice';
import type { Results } from '../shared/pool';
import { Problem } from '../shared/problem';
import { isSameAmka } from './amkaNumber';
import type { Comparison } from './compare';
import { labelOf, type ComparedName } from './compareFields';
import { comparedColumns } from './mapping';
import { numberColumns } from './person';
import type { Said } from './verdict';

/** Headings of what the sheet has behind the columns of the list. */
const HEADINGS = {
	el: ['Αποτέλεσμα', 'Διαφέρει', 'Λείπει από εσάς', 'Λείπει από το μητρώο', 'Προσοχή'],
	en: ['Result', 'Differs', 'Missing Here', 'Missing There', 'Note'],
} as const;

const WORDS = {
	notChecked: { el: 'δεν ελέγχθηκε', en: 'not checked' },
	notMatched: { el: 'δεν ταυτοποιήθηκε', en: 'not matched' },
	deceased: { el: 'έχει αποβιώσει', en: 'has died' },
	differs: { el: 'διαφέρει', en: 'differs' },
	incomplete: { el: 'ελλιπές', en: 'incomplete' },
	agrees: { el: 'συμφωνεί', en: 'agrees' },
	newerNumber: { el: 'έχει νεότερο ΑΜΚΑ', en: 'has a newer AMKA' },
	fictitious: { el: 'πλασματική ημερομηνία γέννησης', en: 'fictitious birth date' },
} as const;

/**
 * A comparison as rows for a sheet: every column of the list, and behind them what was found. A row with a fault is a row
 * too. Every row has every column: a sheet has them in the order in which they come first.
 *
 * @returns a row for each that was tried
 */
export function toSheet(
	context: IExecuteFunctions,
	run: Results<Said<Comparison>>,
	language: Language,
): Array<IDataObject | undefined> {
	const inOne = language === 'en' ? 'en' : 'el';
	const own = ownColumns(columnsOf(context).names, HEADINGS, inOne);
	const called = namesIn(context, inOne);
	const numbers = numberColumns(context);
	const rows = context.getInputData();
	return run.map((said, itemIndex) => {
		if (said === undefined) return undefined;
		const { json } = rows[itemIndex]!;
		const cells = Object.fromEntries(own.map((name) => [name, json[name] ?? '']));
		if (!(said instanceof Problem)) {
			// Spreadsheets take the zero at the front away: as text it stays.
			const { ssn } = said.item;
			for (const name of numbers) if (isSameAmka(String(json[name] ?? ''), ssn)) cells[name] = ssn;
		}
		const found = foundIn(said, inOne, called);
		return { ...cells, ...Object.fromEntries(HEADINGS[inOne].map((heading, index) => [heading, found[index]])) };
	});
}

/** What a field is called in the sheet: as the list's own column where it has one. */
function namesIn(context: IExecuteFunctions, inOne: 'el' | 'en'): (name: ComparedName) => string {
	const isByName = (context.getNodeParameter('compareWith', 0, {}) as IDataObject).mappingMode === 'autoMapInputData';
	const columns = isByName ? comparedColumns(context) : new Map<ComparedName, string[]>();
	return (name) => columns.get(name)?.[0] ?? labelOf(name)[inOne];
}

function foundIn(
	said: Said<Comparison> | Problem,
	inOne: 'el' | 'en',
	called: (name: ComparedName) => string,
): [string, string, string, string, string] {
	if (said instanceof Problem) return [WORDS.notChecked[inOne], '', '', '', noticeOf(said.why, inOne)];
	const { item, why } = said;
	const { differs = [], missingHere = [], missingThere = [] } = item;
	const list = (names: ComparedName[]) => names.map(called).join(', ');
	const notes = [
		item.ssnChanged && WORDS.newerNumber[inOne],
		item.birthDateIsFictitious && WORDS.fictitious[inOne],
		item.deceased && item.reason !== 'deceased' && WORDS.deceased[inOne],
		item.reason !== undefined && item.reason !== 'deceased' && why !== undefined && noticeOf(why, inOne),
	];
	return [
		WORDS[resultOf(item)][inOne],
		list(differs),
		list(missingHere),
		list(missingThere),
		notes.filter(Boolean).join(' · '),
	];
}

/** The first that applies. */
function resultOf({ matched, reason, differs = [], missingHere = [] }: Comparison) {
	if (!matched) return 'notMatched';
	if (reason === 'deceased') return 'deceased';
	if (differs.length > 0) return 'differs';
	return missingHere.length > 0 ? 'incomplete' : 'agrees';
}
