import type { Remembers } from '../../shared/advice';

/*
 * How n8n's list, which keeps no times and can be asked only by recording, remembers messages for a time. Time is cut
 * into periods as long as a message is remembered at least. A claim, and the mark of an accepted message, are two
 * entries each, for their period and for the next one: so a message is known for one period at least and for two at
 * most. What is recorded to ask is taken out again. A kill in between leaves half of a claim or of a mark, which counts as
 * none, unless the other half is there from before. Then any message, also one that was sent, may read as unknown; and
 * after two such kills an unknown one as sent. What is remembered always has no period, and one entry each: there one
 * kill is enough.
 */

export type RememberFor = 'day' | 'week' | 'always';

/** The length of a period in milliseconds. A day's is ten hours, so that what repeats after twenty is never left out. */
const PERIODS: Record<RememberFor, number> = { day: 10 * 3_600_000, week: 168 * 3_600_000, always: Infinity };

/** Whether the same list may be sent again the next day without anybody getting the message twice. */
export const isKnownTomorrow = (rememberFor: Remembers) => rememberFor === 'week' || rememberFor === 'always';

/** What each choice asks and records, its own first: a longer one knows what was sent under a shorter one. */
const ASKED: Record<RememberFor, RememberFor[]> = {
	day: ['day'],
	week: ['week', 'day'],
	always: ['always', 'week', 'day'],
};

/** A message that was claimed in a period of one window. */
type Claim = { key: string; window: RememberFor; period: number };

export interface Known {
	state: 'new' | 'sent' | 'unknown';
	/** When it was, or would be, first claimed: the name of a window and a period. Undefined where nobody asked. */
	since?: string;
}

/** Of a message that nobody asks about. */
export const NOT_ASKED: Known = { state: 'new' };

const periodAt = (window: RememberFor, at: number) => Math.floor(at / PERIODS[window]);
const sinceOf = ({ window, period }: Omit<Claim, 'key'>) => `${window} ${period}`;

/** A claim, or its mark: for its period, and for the next one. */
export const entriesOf = ({ key, window, period }: Claim, what: '' | ' sent' = ''): string[] => {
	const entry = (at: number) => `${window}${at} ${key}${what}`;
	return window === 'always' ? [entry(0)] : [entry(period), entry(period + 1)];
};

/** The entries of a choice for messages that are claimed at a moment, in milliseconds since 1970. */
export function windowsOf(rememberFor: RememberFor) {
	const claimsAt = (key: string, at: number) =>
		ASKED[rememberFor].map((window): Claim => ({ key, window, period: periodAt(window, at) }));
	return {
		claimsAt,
		claimOf: (key: string, at: number) => claimsAt(key, at).flatMap((claim) => entriesOf(claim)),
		markOf: (key: string, at: number) => claimsAt(key, at).flatMap((claim) => entriesOf(claim, ' sent')),
		/** Since when a message is known that is claimed now. */
		sinceAt: (at: number) => sinceOf({ window: rememberFor, period: periodAt(rememberFor, at) }),
	};
}

/**
 * What is known of messages of which at least one entry of a claim was there.
 * @param ask records entries, to be taken out again @returns those that were not there
 * @param claims those claims, of one message the one of its own choice first
 * @param fresh what of their entries was not there before this question or claim
 * @param acceptedAt when a message was claimed that is known to be accepted
 * @returns nothing of a message that was not claimed
 */
export async function knownOf(
	ask: (entries: string[]) => Promise<ReadonlySet<string>>,
	claims: Claim[],
	fresh: ReadonlySet<string>,
	acceptedAt: (key: string) => number | undefined,
): Promise<Map<string, Known>> {
	// Half of a claim is one of the period before, or what a question left behind that was killed.
	const isHalf = (claim: Claim) => fresh.has(entriesOf(claim)[1] ?? '');
	const halves = claims.filter(isHalf).map((claim) => ({ ...claim, period: claim.period - 1 }));
	const early = await ask(halves.map((claim) => entriesOf(claim)[0]!));
	const found = [
		...claims.filter((claim) => !isHalf(claim)),
		...halves.filter((claim) => !early.has(entriesOf(claim)[0]!)),
	];
	const isAccepted = ({ key, window, period }: Claim) => {
		const at = acceptedAt(key);
		return at !== undefined && periodAt(window, at) === period;
	};
	const unmarked = new Set<Claim>();
	// In two questions, so that no question is taken for a mark.
	for (const half of [0, 1]) {
		const asked = found.filter((claim) => !isAccepted(claim) && !unmarked.has(claim) && entriesOf(claim)[half]);
		const markOf = (claim: Claim) => entriesOf(claim, ' sent')[half]!;
		const added = await ask(asked.map(markOf));
		for (const claim of asked) if (added.has(markOf(claim))) unmarked.add(claim);
	}
	const known = new Map<string, Known>();
	for (const claim of [...found.filter((one) => !unmarked.has(one)), ...unmarked]) {
		if (known.has(claim.key)) continue;
		known.set(claim.key, { state: unmarked.has(claim) ? 'unknown' : 'sent', since: sinceOf(claim) });
	}
	return known;
}
