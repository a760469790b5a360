import type { IExecuteFunctions } from 'n8n-workflow';

import { readFlagOption } from '../shared/parameter';
import { COMPARED, COMPARED_NAMES, labelOf, type ComparedName } from './compareFields';
import { questionOf, type Lookup, type Question } from './lookup';
import { readOurs, type Ours } from './mapping';
import { showRegistryValues } from './parameters';
import {
	BIRTH_DATE_NOTE,
	codeOf,
	fieldOf,
	hasNewerNumber,
	isBirthDateNoteUnknown,
	type ValidationResult,
} from './registry';
import { normalForm } from './sameness';
import { UNKNOWN_BIRTH_DATE_NOTE, verdictOf, whyNot, type Answered, type Said, type Verdict } from './verdict';

/** What a comparison says of a person, under the names that its item has. */
export interface Comparison extends Verdict, Partial<Lists> {
	agrees: boolean;
	ssnChanged?: true;
	birthDateIsFictitious?: true;
	/** The registry's own text of what differs or is missing here, where it was asked for. */
	registry?: Record<string, string | string[]>;
}

/**
 * Compares what an institution has of one row's person with the registry's record. The item contains names of fields, and
 * none of the registry's values unless they were asked for.
 *
 * @throws Problem where a parameter breaks its rule
 */
export function compare(context: IExecuteFunctions, itemIndex: number, lookup: Lookup): Question<Comparison> {
	const ours = readOurs(context, itemIndex);
	const isShown = readFlagOption(context, showRegistryValues, itemIndex);
	return questionOf(context, itemIndex, lookup, [[...ours], isShown], (answered) =>
		sayComparison(answered, ours, isShown),
	);
}

/**
 * What is said of a person who was compared.
 *
 * @param isShown whether it contains the registry's own text of what differs or is missing here
 */
export function sayComparison(answered: Answered, ours: Ours, isShown: boolean): Said<Comparison> {
	const { result } = answered;
	const isNoteUnknown = result !== undefined && isBirthDateNoteUnknown(result);
	const verdict = verdictOf(answered, isNoteUnknown ? [UNKNOWN_BIRTH_DATE_NOTE] : []);
	const { matched, ssn, ...more } = verdict;
	const not = whyNot(verdict);
	if (!matched || result === undefined) {
		return { item: { matched, ssn, agrees: false, ...more }, isYes: false, isMatched: false, why: not };
	}

	const lists = compareFields(ours, result);
	const notSame = [...lists.differs, ...lists.missingHere];
	const agrees = notSame.length === 0 && not === undefined;
	const why = not ?? (agrees ? undefined : { reason: 'doesNotAgree' as const, about: namesOf(notSame) });
	const item: Comparison = {
		matched,
		ssn,
		agrees,
		...lists,
		...more,
		...(hasNewerNumber(result, ssn) && { ssnChanged: true }),
		...(codeOf(result, 'bdate_istrue', BIRTH_DATE_NOTE) === true && { birthDateIsFictitious: true }),
		...(isShown &&
			notSame.length > 0 && { registry: Object.fromEntries(notSame.map((name) => [name, shownOf(name, result)])) }),
	};
	return { item, isYes: agrees, isMatched: true, ...(why !== undefined && { why }) };
}

const namesOf = (names: ComparedName[]) => ({
	fields_el: names.map((name) => labelOf(name).el).join(', '),
	fields_en: names.map((name) => labelOf(name).en).join(', '),
});

type Lists = Record<'same' | 'differs' | 'missingHere' | 'missingThere', ComparedName[]>;

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
	return registry
		.map((field) => fieldOf(result, field))
		.filter((value) => value !== undefined && normalForm(value, kind) !== '') as string[];
}

/** As the output has it: phones are a list, because the registry has two. */
function shownOf(name: ComparedName, result: ValidationResult): string | string[] {
	const values = valuesOf(name, result);
	return name === 'phone' ? values : values[0]!;
}
