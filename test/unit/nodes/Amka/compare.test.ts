import { compareFields, toComparison } from '../../../../nodes/Amka/compare';
import { COMPARED_NAMES, type Ours } from '../../../../nodes/Amka/comparedFields';
import { RECORD_FIELDS } from '../../../../nodes/Amka/registryRecord';
import { verdictOf, whyNot } from '../../../../nodes/Amka/verdict';

/** The registry's record of a fictitious person. */
const RECORD = {
	match: 'true',
	ssn: '15039904568',
	amka_cur: '15039904568',
	name_gr: 'ΜΑΡΙΑ-ΕΛΕΝΗ',
	surname_cur_gr: 'ΔΟΚΙΜΑΣΤΙΚΟΥ',
	father_gr: 'ΥΠΟΘΕΤΙΚΟΣ',
	mother_gr: '-',
	sex: 'Θ',
	tid: '012345678',
	tel1: '2100000000',
	tel2: '6900000005',
	address_street: 'ΟΔΟΣ ΔΟΚΙΜΗΣ 1',
	death_note: '',
	bdate_istrue: '',
};
const ours = (of: Record<string, string[]>): Ours => new Map(Object.entries(of)) as Ours;
/** Returns the item of a comparison if the registry's record also has the fields `more`. */
const itemOf = (more: object, mine: Ours, isShown = false, acceptDeceased = false) => {
	const result = { ...RECORD, ...more };
	const verdict = verdictOf(RECORD.ssn, result, [], acceptDeceased);
	return toComparison({ verdict, record: result, why: whyNot(verdict) }, mine, isShown).item;
};
const EQUAL = ours({ givenName: ['Μαρία Ελένη'], sex: ['Θήλυ'], taxId: ['12345678'], phone: ['+30 690 000 0005'] });

describe('compareFields', () => {
	it('sorts fields into equal, different, missing in our data, and missing in the registry', () => {
		const mine = ours({
			...{ givenName: ['Μαρία'], fatherName: ['Υποθετικός'], motherName: ['Υποθετική'], town: ['Δοκιμούπολη'] },
			...{ sex: [], taxId: [], birthCountry: [] },
		});
		expect(compareFields(mine, RECORD)).toEqual({
			...{ same: ['fatherName'], differs: ['givenName'] },
			...{ missingHere: ['sex', 'taxId'], missingThere: ['motherName', 'town'] },
		});
	});

	it.each<[string[], string]>([
		[['6900000005'], 'same'],
		[['210 0000000'], 'same'],
		[['6911111111', '00306900000005'], 'same'],
		[['6911111111'], 'differs'],
		[[], 'missingHere'],
	])('puts our phones %j, compared with two phones of the registry, into the list %s', (phone, list) => {
		expect(compareFields(ours({ phone }), RECORD)).toMatchObject({ [list]: ['phone'] });
	});
});

describe('the item of a comparison', () => {
	it('has `agrees: true` if only the registry lacks a field', () => {
		const item = itemOf({}, ours({ motherName: ['Υποθετική'] }));
		expect(item).toMatchObject({ agrees: true, missingThere: ['motherName'] });
	});

	it('states a newer number, a fictitious birth date and unknown notes only if the record has them', () => {
		const special = { agrees: true, ssnChanged: true, birthDateIsFictitious: true };
		expect(itemOf({ amka_cur: '31018501234', bdate_istrue: 'Π' }, EQUAL)).toMatchObject(special);
		const warning = expect.stringMatching(/death.*birth date/s) as unknown;
		expect(itemOf({ bdate_istrue: 'Ω', death_note: 'Ζ' }, EQUAL)).toMatchObject({ agrees: true, warning });
		for (const name of ['ssnChanged', 'birthDateIsFictitious', 'warning'])
			expect(itemOf({}, EQUAL)).not.toHaveProperty(name);
	});

	it('has `agrees: false` if the person has died, unless Accept Deceased is on', () => {
		const died = { death_note: 'Λ', death_date: '05/03/2020' };
		const has = { matched: true, deceased: true };
		expect(itemOf(died, EQUAL)).toMatchObject({ ...has, agrees: false, reason: 'deceased', differs: [] });
		const accepted = itemOf(died, EQUAL, false, true);
		expect(accepted).toMatchObject({ ...has, agrees: true });
		expect(accepted).not.toHaveProperty('reason');
	});

	it.each([
		['does not match the registry', { matched: false }],
		['has a number with a wrong check digit', { matched: false, reason: 'checkDigit' as const }],
	])('has no lists of fields if the person %s', (_, verdict) => {
		for (const result of [undefined, RECORD]) {
			const { item } = toComparison({ verdict: { ssn: RECORD.ssn, ...verdict }, record: result }, EQUAL, true);
			expect(item).toEqual({ ssn: RECORD.ssn, agrees: false, ...verdict });
		}
	});

	const SOME = ours({ givenName: ['Άννα'], surname: ['Δοκιμαστικού'], street: [], phone: ['6911111111'] });

	it("contains the registry's values of fields that differ or are missing in our data, if Show Registry Values is on", () => {
		expect(itemOf({}, SOME, true).registry).toEqual({
			givenName: 'ΜΑΡΙΑ-ΕΛΕΝΗ',
			street: 'ΟΔΟΣ ΔΟΚΙΜΗΣ 1',
			phone: ['2100000000', '6900000005'],
		});
		expect(itemOf({}, EQUAL, true)).not.toHaveProperty('registry');
	});
});

test('compareFields finds a registry value for each of the 22 fields', () => {
	const all = new Map(COMPARED_NAMES.map((name) => [name, []]));
	const everything = Object.fromEntries(Object.keys(RECORD_FIELDS).map((field) => [field, '1']));
	expect(compareFields(all, { match: 'true', ...everything }).missingHere).toEqual(COMPARED_NAMES);
	expect(COMPARED_NAMES).toHaveLength(22);
});
