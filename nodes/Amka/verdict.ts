import type { IDataObject } from 'n8n-workflow';

import type { Why } from '../shared/notice';
import type { AmkaFault } from './amkaNumber';
import { deathOf, isMatch, type ValidationResult } from './registry';

/** What is known of one row's person once the registry was asked, or did not have to be. */
export interface Answered {
	/** The number that was asked about. */
	ssn: string;
	/** Undefined where an HTTP status alone said that there is no match, and where nobody was asked. */
	result?: ValidationResult;
	warnings: string[];
	/** Why the number belongs to nobody, so that nobody was asked. */
	reason?: AmkaFault;
	/** Whether somebody who has died counts like everybody else. */
	acceptDeceased: boolean;
}

export interface Verdict {
	matched: boolean;
	ssn: string;
	deceased?: true;
	reason?: AmkaFault | 'deceased';
	warning?: string;
}

const DECEASED = 'The registry says that this person has died.';
const UNKNOWN_DEATH_NOTE =
	"The registry's note on a death is a code that is not known: it says neither yes nor no. Ask the operator of the service.";

export const UNKNOWN_BIRTH_DATE_NOTE =
	"The registry's note on the birth date is a code that is not known: whether the date is fictitious can't be told.";

/** What is said of one row, before it is made an item. Data of JSON: an attempt of Retry On Fail may find it again. */
export interface Said<Item = IDataObject> {
	item: Item;
	/** Whether it is a yes: matched, with nothing that speaks against it; agrees; or valid. */
	isYes: boolean;
	/** Whether the registry knows the person. */
	isMatched: boolean;
	/** For people, where it is no plain yes. */
	why?: Why;
}

/** Why a verdict is no plain yes, for people. */
export function whyNot({ matched, ssn, reason }: Verdict): Why | undefined {
	if (reason !== undefined) return { reason, about: { value: ssn } };
	return matched ? undefined : { reason: 'notMatched' };
}

/**
 * What every item of a person begins with, whatever else it contains. None of the registry's values is in it.
 *
 * @param more what one form alone has to warn of
 */
export function verdictOf({ ssn, result, warnings, reason, acceptDeceased }: Answered, more: string[] = []): Verdict {
	const matched = result !== undefined && isMatch(result);
	const death = matched ? deathOf(result) : 'none';
	const why = death === 'reported' && !acceptDeceased ? 'deceased' : reason;
	const all = [
		...warnings,
		...(death === 'reported' ? [DECEASED] : []),
		...(death === 'unknown' ? [UNKNOWN_DEATH_NOTE] : []),
		...(matched ? more : []),
	];
	return {
		matched,
		ssn,
		...(death === 'reported' && { deceased: true }),
		...(why !== undefined && { reason: why }),
		...(all.length > 0 && { warning: all.join(' ') }),
	};
}
