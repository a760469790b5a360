import type { IDataObject } from 'n8n-workflow';

import type { Why } from '../../lib/texts/notice';
import type { AmkaFault } from '../../lib/greek/amkaNumber';
import type { Person } from './person';
import { deathOf, matchOf, type ValidationResult } from './registryRecord';

/** What every item of a person begins with. None of the registry's values is in it. */
export type Verdict = {
	matched: boolean;
	ssn: string;
	deceased?: true;
	reason?: AmkaFault | 'deceased';
	warning?: string;
};

/** What the registry said of one row's person, or the offline check. */
export interface Finding {
	verdict: Verdict;
	/** Undefined where an HTTP status alone says that there is no match, and where nobody was asked. */
	result?: ValidationResult;
	/** Why the verdict is no plain yes, for people. */
	why?: Why;
}

/** What is said of one row, before it is made an item. */
export interface Said<Item extends IDataObject = IDataObject> {
	item: Item;
	/** Why it is no plain yes (matched with nothing that speaks against it, agrees, valid), for people. */
	why?: Why;
	/** Whether the registry's note on a death says neither yes nor no: for a sheet, which has no warnings. */
	isDeathUnknown?: boolean;
}

const NOTES = {
	none: [],
	reported: ['The registry says that this person has died.'],
	unknown: [
		"The registry's note on a death is a code that is not known: it says neither yes nor no. Ask the operator of the service.",
	],
};

export const UNKNOWN_BIRTH_DATE_NOTE =
	"The registry's note on the birth date is a code that is not known: whether the date is fictitious can't be told.";

/** The verdict on a person who was asked about. @param result undefined where an HTTP status alone said "no match" */
export function verdictOf(
	ssn: string,
	result: ValidationResult | undefined,
	warnings: string[],
	acceptDeceased: boolean,
): Verdict {
	const matched = result !== undefined && matchOf(result) === true;
	const death = matched ? deathOf(result) : 'none';
	const verdict: Verdict = {
		matched,
		ssn,
		...(death === 'reported' && { deceased: true }),
		...(death === 'reported' && !acceptDeceased && { reason: 'deceased' }),
	};
	return withWarnings(verdict, [...warnings, ...NOTES[death]]);
}

/** The same with more that there is to be warned of. */
export const withWarnings = <V extends { warning?: string }>(verdict: V, more: string[]): V =>
	more.length === 0 ? verdict : { ...verdict, warning: [verdict.warning, ...more].filter(Boolean).join(' ') };

/**
 * Returns why a verdict is no plain yes, for people; undefined for a plain yes. The text names only what their own input
 * shows. A person who has died gets the text of a mismatch, because a form shows it to visitors, and a death is not
 * theirs to learn.
 */
export function whyNot({ matched, ssn, reason }: Verdict, shows?: Person['shows']): Why | undefined {
	if (reason !== undefined && reason !== 'deceased') return { reason, about: { value: ssn } };
	return matched && reason === undefined ? undefined : { reason: 'notMatched', about: { todo: shows ?? '' } };
}
