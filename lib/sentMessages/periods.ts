import type { Remembers } from '../texts/advice';

/*
 * Remembers a message for a limited time in n8n's list, although the list keeps no times.
 *
 * Time is cut into periods. A message that is claimed in a period gets two entries, one for this period and one for the next.
 * It counts as claimed while the list has the entry of the current period: for one period at least and for two at most. An
 * accepted message gets two more entries in the same way. A claim without them is a message of unknown outcome.
 *
 * Asking means recording (see `list.ts`), so a question leaves entries behind if n8n is killed before they are removed. That
 * is why everything has two entries, and why the two are asked in two questions: one entry alone proves nothing.
 */

/** The choices of Remember For. Each has periods of its own. */
export const CHOICES = ['day', 'week'] as const;
export type RememberFor = (typeof CHOICES)[number];

/** Returns whether the same list may be sent again the next day without sending any message twice. */
export const isKnownTomorrow = (rememberFor: Remembers): boolean => rememberFor === 'week';

/** The length of a period in milliseconds. A day's is ten hours, so that a message of the next day is never skipped. */
const LENGTH: Record<RememberFor, number> = { day: 10 * 3_600_000, week: 168 * 3_600_000 };

export interface Period {
	choice: RememberFor;
	/** Counted from 1970. */
	number: number;
}

/** A message that was claimed in a period. */
export type Claim = Period & { key: string };

/** Returns the period of a choice at a moment. @param at in milliseconds since 1970 */
export const periodAt = (choice: RememberFor, at: number): Period => ({
	choice,
	number: Math.floor(at / LENGTH[choice]),
});

/** Returns when a claim of this period stops counting: at the end of the next period. In milliseconds since 1970. */
export const endOfCounting = ({ choice, number }: Period): number => (number + 2) * LENGTH[choice];

export const isSamePeriod = (one: Period, other: Period): boolean =>
	one.choice === other.choice && one.number === other.number;

/** Returns the period's name, as entries of the list and the hashes of references contain it. */
export const nameOf = ({ choice, number }: Period): string => `${choice} ${number}`;

/** Returns the period before (-1) or after (1). */
export const neighbour = <P extends Period>(period: P, by: -1 | 1): P => ({ ...period, number: period.number + by });

const entriesOf = (claim: Claim, what: '' | ' sent'): [string, string] => [
	`${nameOf(claim)} ${claim.key}${what}`,
	`${nameOf(neighbour(claim, 1))} ${claim.key}${what}`,
];

/** Returns the two entries of a claim: for its period and for the next one. */
export const claimEntries = (claim: Claim) => entriesOf(claim, '');

/** Returns the two entries of an accepted message. */
export const sentEntries = (claim: Claim) => entriesOf(claim, ' sent');
