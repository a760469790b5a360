import type { IDataObject } from 'n8n-workflow';

import type { Why } from '../../lib/texts/notice';
import { PERSON_WARNINGS } from '../../lib/texts/registry';
import type { AmkaFault } from '../../lib/greek/amkaNumber';
import type { Person } from './parsePerson';
import { deathOf, matchOf, type RegistryRecord } from './registryRecord';

/**
 * The first fields of the item of a look-up. Of the registry's record they show only whether the person matched, and what
 * `deceased`, `reason` and `warning` say about it.
 */
export type Verdict = {
	matched: boolean;
	ssn: string;
	deceased?: true;
	reason?: AmkaFault | 'deceased';
	warning?: string;
};

/** The result of a look-up. If the number can't be an AMKA, the registry is not queried. */
export interface LookupResult {
	verdict: Verdict;
	/**
	 * The registry's record. Undefined if the registry's answer means "no match" but has no usable record, or if the registry
	 * was not queried.
	 */
	record?: RegistryRecord;
	/** The reason, as a text for people, if the verdict is not positive. */
	why?: Why;
}

/** The result of one item. */
export interface ItemResult<Item extends IDataObject = IDataObject> {
	/** The fields of the output item. */
	item: Item;
	/**
	 * The reason, as a text for people, if the result is not positive. It is positive if the person matches and has not died, if
	 * all compared fields agree, or if the number is valid.
	 */
	why?: Why;
	/**
	 * Whether the registry's note on a death has an unknown code, and there is no date of death. A sheet shows this in a cell,
	 * because it has no warnings.
	 */
	isDeathUnknown?: boolean;
}

const DEATH_WARNINGS = { none: [], reported: [PERSON_WARNINGS.hasDied], unknown: [PERSON_WARNINGS.unknownDeath] };

/** Returns the verdict of a look-up. @param record undefined if the answer means "no match" but has no usable record */
export function verdictOf(
	ssn: string,
	record: RegistryRecord | undefined,
	warnings: string[],
	acceptDeceased: boolean,
): Verdict {
	const matched = record !== undefined && matchOf(record) === true;
	const death = matched ? deathOf(record) : 'none';
	const verdict: Verdict = {
		matched,
		ssn,
		...(death === 'reported' && { deceased: true }),
		...(death === 'reported' && !acceptDeceased && { reason: 'deceased' }),
	};
	return withWarnings(verdict, [...warnings, ...DEATH_WARNINGS[death]]);
}

/** Returns a verdict with further warnings. */
export const withWarnings = <V extends { warning?: string }>(verdict: V, more: string[]): V =>
	more.length === 0 ? verdict : { ...verdict, warning: [verdict.warning, ...more].filter(Boolean).join(' ') };

/**
 * Returns the reason, as a text for people, if a verdict is not positive. The text names only facts that people can see in
 * their own input. If the person has died, the text is that of a mismatch: a form may show it to the person who filled in the
 * form, and that person must not learn of a death from it.
 * @param likelyCause a likely cause of a mismatch
 */
export function whyNot({ matched, ssn, reason }: Verdict, likelyCause?: Person['likelyCause']): Why | undefined {
	if (reason !== undefined && reason !== 'deceased') return { reason, about: { value: ssn } };
	return matched && reason === undefined ? undefined : { reason: 'notMatched', about: { todo: likelyCause ?? '' } };
}
