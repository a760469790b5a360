import {
	deathOf,
	recordText,
	hasNewerNumber,
	isAboutAnother,
	matchOf,
	RECORD_FIELDS,
	registryRecord,
} from '../../../../nodes/Amka/registryRecord';

describe('registryRecord', () => {
	it.each<[boolean | undefined, unknown[]]>([
		[true, ['true', true, ' TRUE ', 'True\n']],
		[false, ['false', ' False', false, '0', 0, 'NO', 'No ']],
		[undefined, ['', 'error', '1', 1, 'true!', 'truefalse', 't rue', 'yes', 'ναι']],
	])('reads the result %s from each of these: %j', (expected, words) => {
		for (const match of words) expect([match, matchOf({ match: match as string })]).toEqual([match, expected]);
	});

	it('ignores a __proto__ in the response body', () => {
		const parsed = registryRecord.parse(JSON.parse('{"match":"false","__proto__":{"match":"true","polluted":1}}'));
		expect(matchOf(parsed)).toBe(false);
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});
});

describe('isAboutAnother', () => {
	const ASKED = '01013099997';

	it.each([
		{},
		{ ssn: ASKED, amka_in: ASKED },
		{ ssn: 1013099997, amka_in: ' 1013099997 ' },
		{ ssn: '', amka_in: null },
		{ ssn: {}, amka_in: [] },
		{ amka_cur: '31018501234' },
	])('returns false for the record %j and the requested number', (given) => {
		expect(isAboutAnother({ match: 'true', ...given }, ASKED)).toBe(false);
	});

	it.each([{ ssn: '31018501234' }, { amka_in: 31018501234 }, { ssn: '•••' }, { ssn: '0'.repeat(1000) + '1013099997' }])(
		'returns true for %j, which does not have the requested number',
		(given) => {
			expect(isAboutAnother({ match: 'true', ...given }, ASKED)).toBe(true);
		},
	);
});

test('the current number in a record counts as newer only if its digits differ from the requested number', () => {
	const newer = (amka_cur: unknown) => hasNewerNumber({ match: 'true', amka_cur }, '01013099997');
	expect([1013099997, '01013099997 ', '', null, undefined].map(newer)).toEqual([false, false, false, false, false]);
	expect(newer('31018501234')).toBe(true);
});

test('each field of a registry record has its own description, without field names', () => {
	const meanings = Object.values(RECORD_FIELDS);
	expect(new Set(meanings).size).toBe(36);
	for (const meaning of meanings) expect(meaning).not.toMatch(/_/);
});

test.each(['', ' ', '-', ' . ', '--', '–', '...', null, undefined, {}])(
	'a field of a registry record with %j counts as missing',
	(tid) => {
		expect(recordText({ match: 'true', tid }, 'tid')).toBeUndefined();
	},
);

test.each([
	[{}, 'none'],
	[{ death_note: '-', death_date: '.' }, 'none'],
	[{ death_date: '00/00/0000' }, 'none'],
	[{ death_note: 'Θ' }, 'reported'],
	[{ death_note: 'λ' }, 'reported'],
	[{ death_date: '31/12/2020' }, 'reported'],
	[{ death_note: 'Ζ', death_date: '31/12/2020' }, 'reported'],
	[{ death_note: 'Ζ' }, 'unknown'],
	[{ death_note: 'constructor' }, 'unknown'],
])('a registry record with %j gives the death state %s', (record, expected) => {
	expect(deathOf({ match: 'true', ...record })).toBe(expected);
});
