import type { Remembers } from '../texts/advice';

/*
 * Periods of time. They limit how long n8n's list remembers a message, although the list stores no times.
 *
 * Time is divided into periods. Before a message is sent it is claimed: n8n's list gets two entries for it, one for the current
 * period and one for the next. The message counts as claimed while the list has the entry of the current period. So it counts
 * for one period at least and for two periods at most. An accepted message gets two more entries in the same way. If a message
 * has a claim but not these two entries, its outcome is unknown.
 *
 * The list can only be queried by recording entries (see `list.ts`). So a query leaves entries behind if n8n is killed before
 * they are removed. That is why a claim and an outcome have two entries each, and why the two are queried one after the other:
 * one entry alone proves nothing.
 */

/** The choices of the parameter Remember For. Each choice has periods of its own. */
export const CHOICES = ['day', 'week'] as const;
export type RememberFor = (typeof CHOICES)[number];

/** Returns whether the same list may be sent again on the next day without any message being sent twice. */
export const isKnownTomorrow = (rememberFor: Remembers): boolean => rememberFor === 'week';

/**
 * The length of a period in milliseconds. With the choice `day` a period has ten hours. A message is remembered for two periods
 * at most, so the same message is not skipped at the same time on the next day.
 */
const LENGTH: Record<RememberFor, number> = { day: 10 * 3_600_000, week: 168 * 3_600_000 };

/** A period of a choice of Remember For. */
export interface Period {
	choice: RememberFor;
	/** The number of the period, counted from 1970. */
	number: number;
}

/** A message that was claimed in a period. */
export type Claim = Period & { key: string };

/** Returns the period of a choice at a moment. @param at in milliseconds since 1970 */
export const periodAt = (choice: RememberFor, at: number): Period => ({
	choice,
	number: Math.floor(at / LENGTH[choice]),
});

/** Returns when a claim of this period stops counting, in milliseconds since 1970. This is the end of the next period. */
export const endOfCounting = ({ choice, number }: Period): number => (number + 2) * LENGTH[choice];

export const isSamePeriod = (one: Period, other: Period): boolean =>
	one.choice === other.choice && one.number === other.number;

/**
 * Returns the name of a period. The entries of messages and counters contain this name. It is also one of the values that are
 * hashed to make a reference.
 */
export const periodName = ({ choice, number }: Period): string => `${choice} ${number}`;

/** Returns the period before (-1) or after (1) a period. */
export const neighbour = <P extends Period>(period: P, by: -1 | 1): P => ({ ...period, number: period.number + by });

const entriesOf = (claim: Claim, what: '' | ' sent'): [string, string] => [
	`${periodName(claim)} ${claim.key}${what}`,
	`${periodName(neighbour(claim, 1))} ${claim.key}${what}`,
];

/** Returns the two entries of a claim: for its period and for the next one. */
export const claimEntries = (claim: Claim) => entriesOf(claim, '');

/** Returns the two entries of an accepted message. */
export const sentEntries = (claim: Claim) => entriesOf(claim, ' sent');
