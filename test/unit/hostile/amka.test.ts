import fc from 'fast-check';
import { DateTime } from 'luxon';

import { checkAmkaNumber } from '../../../lib/greek/amkaNumber';
import { readBirthDate } from '../../../nodes/Amka/birthDate';
import { simplify } from '../../../nodes/Amka/simplify';
import { matchOf, RECORD_FIELDS, registryRecord } from '../../../nodes/Amka/registryRecord';
import { body, overTheWire, text, value, type Body } from '../../hostile/generators';
import { holds } from '../../hostile/property';

const short = (of: fc.Arbitrary<string>) => of.map((long) => long.slice(0, 300));

describe('for any record of the AMKA registry,', () => {
	const records: fc.Arbitrary<Body> = fc.record(
		Object.fromEntries([
			['match', fc.constantFrom<unknown>('true', 'true', 'false', true, '')],
			...Object.keys(RECORD_FIELDS).map(
				(name) =>
					[name, fc.oneof(short(text), fc.constantFrom('01/01/1995', 'Α', 'A', 'Τ', 'Θ', 'Λ', 'Π', '', null))] as const,
			),
		]) as Record<string, fc.Arbitrary<unknown>>,
		{ requiredKeys: ['match'] },
	);
	const names = new Set([
		...['currentSsn', 'ssnChanged', 'givenName', 'surname', 'birthSurname', 'fatherName', 'motherName'],
		...['givenNameLatin', 'surnameLatin', 'birthSurnameLatin', 'fatherNameLatin', 'motherNameLatin', 'sex'],
		...['birthDate', 'birthDateIsFictitious', 'birthDateNote', 'birthCountry', 'birthMunicipality', 'citizenship'],
		...['deceased', 'deathNote', 'deathDate', 'idDocument', 'taxId', 'phones', 'address', 'lastModified'],
	]);

	holds(
		'the person matches only if `match` is true, as a text or a boolean, and the simplified record has only documented fields with text or booleans',
		3,
		body(records),
		(answered) => {
			const answer = overTheWire(answered);
			const parsed = registryRecord.safeParse(answer);
			if (!parsed.success) return;
			const own = (answer as Body).match;
			expect(matchOf(parsed.data) === true).toBe(own === 'true' || own === true);
			expect(Object.getPrototypeOf(parsed.data)).toBe(Object.prototype);

			const simplified = simplify(parsed.data, '01013099997');
			for (const [name, shown] of Object.entries(simplified)) {
				expect(names.has(name)).toBe(true);
				const leaves = typeof shown === 'object' && shown !== null ? Object.values(shown) : [shown];
				for (const leaf of leaves) expect(['string', 'boolean']).toContain(typeof leaf);
			}
			const { deceased, deathNote, birthDateIsFictitious, birthDateNote, ssnChanged = false } = simplified;
			expect(typeof ssnChanged).toBe('boolean');
			// Either `deceased` is true or false, or `deathNote` has the unknown note of the registry. The same is true for the
			// birth date.
			expect([true, false, 'string']).toContain(deceased ?? typeof deathNote);
			expect([true, false, 'string']).toContain(birthDateIsFictitious ?? typeof birthDateNote);
			expect([Object.getPrototypeOf(simplified)]).toEqual([Object.prototype]);
		},
	);
});

describe('for any data that people type about a person,', () => {
	const day = fc
		.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
		.map((date) => date.toISOString().slice(0, 10));

	holds(
		'a birth date is read as the same day in each accepted format',
		1.25,
		fc.tuple(day, fc.constantFrom('/', '-', '.'), fc.boolean()),
		([iso, separator, padded]) => {
			const [year, month, date] = iso.split('-') as [string, string, string];
			const [d, m] = padded ? [date, month] : [String(Number(date)), String(Number(month))];
			const greek = `${d}${separator}${m}${separator}${year}`;
			for (const written of [iso, `${iso}T23:30:00+14:00`, greek, new Date(iso), ` ${iso}\u200b`])
				expect(readBirthDate(written, 'Europe/Athens')).toBe(iso);
		},
	);

	const zone = fc.constantFrom('Europe/Athens', 'America/New_York', 'America/Sao_Paulo', 'Pacific/Kiritimati', 'UTC');

	holds(
		'an instant is read as the same day from a Date and from its JSON text',
		1,
		fc.tuple(fc.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }), zone),
		([date, timeZone]) => {
			const read = readBirthDate(date, timeZone);
			expect(readBirthDate(JSON.parse(JSON.stringify(date)), timeZone)).toBe(read);
			// The day that was read is less than a day away from the given instant.
			expect(Math.abs(Date.parse(read!) - date.getTime())).toBeLessThan(86_400_000);
		},
	);

	holds(
		"midnight in the workflow's time zone is read as the day that begins then",
		1,
		fc.tuple(day, zone),
		([iso, timeZone]) => {
			const [year, month, date] = iso.split('-').map(Number) as [number, number, number];
			const midnight = DateTime.fromObject({ year, month, day: date }, { zone: timeZone }).startOf('day');
			expect([timeZone, readBirthDate(midnight.toJSDate(), timeZone)]).toEqual([timeZone, iso]);
			expect(readBirthDate(midnight, timeZone)).toBe(iso);
		},
	);

	holds('a value is read as no date, or as an existing day whose year it contains', 1.25, value, (given) => {
		const read = readBirthDate(given, 'Europe/Athens');
		if (read === undefined) return;
		expect(read).toMatch(/^\d{4}-\d\d-\d\d$/);
		expect(new Date(read).toISOString().slice(0, 10)).toBe(read);
		const digits = String(given).normalize('NFKC').replace(/\D/g, '');
		// An instant on New Year's Eve may be New Year's Day in the time zone.
		expect([read.slice(0, 4), String(Number(read.slice(0, 4)) - 1)].some((year) => digits.includes(year))).toBe(true);
	});

	const luhn = (number: string) =>
		[...number].reverse().reduce((sum, digit, i) => {
			const doubled = Number(digit) * (1 + (i % 2));
			return sum + Math.floor(doubled / 10) + (doubled % 10);
		}, 0) % 10;
	/** A valid AMKA number. Its check digit is found by trying all digits. */
	const amka = fc.tuple(day, fc.nat(9999)).map(([iso, serial]) => {
		const [year, month, date] = iso.split('-') as [string, string, string];
		const stem = `${date}${month}${year.slice(2)}${String(serial).padStart(4, '0')}`;
		return [...'0123456789'].map((check) => stem + check).find((number) => luhn(number) === 0)!;
	});

	holds(
		'a valid AMKA number is accepted, and rejected if any digit is changed',
		1.25,
		amka.chain((number) => fc.tuple(fc.constant(number), fc.nat(10), fc.integer({ min: 1, max: 9 }))),
		([number, at, by]) => {
			expect(checkAmkaNumber(number)).toMatchObject({ valid: true, ssn: number });
			const changed = number.slice(0, at) + String((Number(number[at]) + by) % 10) + number.slice(at + 1);
			expect(checkAmkaNumber(changed).valid).toBe(false);
		},
	);

	holds(
		'a text is accepted as an AMKA number of 11 digits, or rejected with one of six reasons',
		1.25,
		text,
		(given) => {
			const check = checkAmkaNumber(given);
			if (!check.valid)
				expect(['personalNumber', 'length', 'leadingZero', 'characters', 'date', 'checkDigit']).toContain(check.reason);
			else expect(check.ssn).toMatch(/^\d{11}$/);
		},
	);

	holds(
		'an AMKA number is accepted in each usual format, and rejected with a reason if its leading zero is missing',
		1,
		fc.tuple(
			amka,
			fc.array(fc.constantFrom('', '', '', ' ', '-', '\u2013', ' - ', '\u200b', '\u00a0'), {
				minLength: 10,
				maxLength: 10,
			}),
			fc.constantFrom('', "'", '’'),
			fc.constantFrom('', '.0', ',00'),
			fc.boolean(),
		),
		([number, between, before, behind, wide]) => {
			const digits = [...number].map((digit) => (wide ? String.fromCharCode(digit.charCodeAt(0) + 0xfee0) : digit));
			const written = before + digits.map((digit, i) => digit + (between[i] ?? '')).join('') + behind;
			expect(checkAmkaNumber(written)).toMatchObject({ valid: true, ssn: number });
			if (number.startsWith('0'))
				expect(checkAmkaNumber(number.slice(1))).toMatchObject({ valid: false, reason: 'leadingZero' });
		},
	);
});
