import {
	claimEntries,
	endOfCounting,
	isKnownTomorrow,
	isSamePeriod,
	neighbour,
	periodAt,
	sentEntries,
} from '../../../../lib/sentMessages/periods';

const HOUR = 3_600_000;
const at = Date.UTC(2026, 10, 28, 12);

describe('a period of Remember For', () => {
	it.each([
		['day', 10 * HOUR],
		['week', 168 * HOUR],
	] as const)(
		'lasts, with the choice %s, %d milliseconds, and its claims count until the end of the next period',
		(choice, length) => {
			const period = periodAt(choice, at);

			expect(period).toEqual({ choice, number: Math.floor(at / length) });
			expect(periodAt(choice, at + length)).toEqual(neighbour(period, 1));
			expect(periodAt(choice, at - length)).toEqual(neighbour(period, -1));
			expect(periodAt(choice, endOfCounting(period) - 1)).toEqual(neighbour(period, 1));
			expect(periodAt(choice, endOfCounting(period))).not.toEqual(neighbour(period, 1));
		},
	);

	it('is not the same as a period of the other choice (day or week) that has the same number', () => {
		expect(isSamePeriod({ choice: 'day', number: 7 }, { choice: 'day', number: 7 })).toBe(true);
		expect(isSamePeriod({ choice: 'day', number: 7 }, { choice: 'week', number: 7 })).toBe(false);
		expect(isSamePeriod({ choice: 'day', number: 7 }, { choice: 'day', number: 8 })).toBe(false);
	});
});

it('a claim and an accepted message have entries for their own period and for the next period', () => {
	const claim = { choice: 'week', number: 7, key: 'k' } as const;

	expect(claimEntries(claim)).toEqual(['week 7 k', 'week 8 k']);
	expect(sentEntries(claim)).toEqual(['week 7 k sent', 'week 8 k sent']);
});

it('a sent message is certainly remembered until the next day only if Remember For is A Week', () => {
	expect(isKnownTomorrow('week')).toBe(true);
	expect(isKnownTomorrow('day')).toBe(false);
});
