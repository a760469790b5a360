import type { IDataObject } from 'n8n-workflow';

import type { Why } from '../../lib/texts/notice';
import { PERSON_WARNINGS } from '../../lib/texts/registry';
import type { AmkaFault } from '../../lib/greek/amkaNumber';
import type { Person } from './person';
import { deathOf, matchOf, type ValidationResult } from './registryRecord';

/** The first fields of every person's item. They contain no value of the registry. */
export type Verdict = {
	matched: boolean;
	ssn: string;
	deceased?: true;
	reason?: AmkaFault | 'deceased';
	warning?: string;
};

/** The result of a look-up, or of the offline check if the registry was not asked. */
export interface LookupResult {
	verdict: Verdict;
	/** Undefined if an HTTP status alone says that there is no match, or if the registry was not asked. */
	result?: ValidationResult;
	/** The reason for people if the verdict is not a yes. */
	why?: Why;
}

/** The result of one item. */
export interface ItemResult<Item extends IDataObject = IDataObject> {
	item: Item;
	/** The reason for people if the answer is not a yes. A yes is: matches and has not died, agrees, or is valid. */
	why?: Why;
	/** Whether the registry's note on a death has an unknown code. A sheet shows it, because it has no warnings. */
	isDeathUnknown?: boolean;
}

const NOTES = { none: [], reported: [PERSON_WARNINGS.hasDied], unknown: [PERSON_WARNINGS.unknownDeath] };

/** Returns the verdict of a look-up. @param result undefined if an HTTP status alone said "no match" */
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

/** Returns a verdict with further warnings. */
export const withWarnings = <V extends { warning?: string }>(verdict: V, more: string[]): V =>
	more.length === 0 ? verdict : { ...verdict, warning: [verdict.warning, ...more].filter(Boolean).join(' ') };

/**
 * Returns the reason for people if a verdict is not a yes. Undefined for a yes. The text names only facts that people can see
 * in their own input. If the person has died, it is the text of a mismatch, because a form shows it to visitors, who must not
 * learn of a death.
 */
export function whyNot({ matched, ssn, reason }: Verdict, likelyCause?: Person['likelyCause']): Why | undefined {
	if (reason !== undefined && reason !== 'deceased') return { reason, about: { value: ssn } };
	return matched && reason === undefined ? undefined : { reason: 'notMatched', about: { todo: likelyCause ?? '' } };
}
