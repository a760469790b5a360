import { simplify } from '../../../../nodes/Amka/simplify';
import { toValidation, type OutputChoice } from '../../../../nodes/Amka/validate';
import { verdictOf, whyNot } from '../../../../nodes/Amka/verdict';
import type { RegistryRecord } from '../../../../nodes/Amka/registryRecord';
import { record } from '../../../workflow/harness/amka';

/** A complete record of an invented person, with code letters as the registry mixes them (Latin A and T, Greek Λ). */
const RECORD = {
	...record('01013099997'),
	...{ sex: 'A', birth_date: '01/01/1930', death_date: '02/03/2020', death_note: 'Λ', last_mod_date: '04/05/2021' },
};

describe('simplify', () => {
	const ASKED = '01013099997';

	it('decodes a complete record', () => {
		expect(simplify(RECORD, ASKED)).toEqual({
			currentSsn: '01013099997',
			ssnChanged: false,
			...{ givenName: 'ΕΛΕΝΗ', givenNameLatin: 'ELENI', surname: 'ΠΑΠΑΔΟΠΟΥΛΟΥ', surnameLatin: 'PAPADOPOULOU' },
			...{ birthSurname: 'ΔΟΚΙΜΑΣΤΙΚΗ', birthSurnameLatin: 'DOKIMASTIKI' },
			...{ fatherName: 'ΠΕΤΡΟΣ', fatherNameLatin: 'PETROS', motherName: 'ΑΝΝΑ', motherNameLatin: 'ANNA' },
			...{ sex: 'male', birthDate: '1930-01-01', birthDateIsFictitious: false },
			...{ birthCountry: 'ΕΛΛΑΔΑ', birthMunicipality: 'ΔΗΜΟΣ ΔΟΚΙΜΗΣ', citizenship: 'ΕΛΛΑΔΑ' },
			...{ deceased: true, deathDate: '2020-03-02' },
			idDocument: { type: 'police identity card', number: 'ΑΒ000000', year: '2015' },
			...{ taxId: '000000000', phones: ['2100000000'], lastModified: '2021-05-04' },
			address: {
				...{ street: 'ΟΔΟΣ ΔΟΚΙΜΗΣ 1', town: 'ΔΟΚΙΜΗ', prefecture: 'ΔΟΚΙ', postalCode: '00000', country: 'ΕΛΛΑΔΑ' },
			},
		});
	});

	it('omits absent, empty and null fields', () => {
		expect(simplify({ match: 'true', name_gr: '', tel1: null, sex: ' ' }, ASKED)).toEqual({
			birthDateIsFictitious: false,
			deceased: false,
		});
	});

	it.each<[unknown, unknown, boolean, string]>([
		[ASKED, ' 31018501234 ', true, '31018501234'],
		[undefined, '31018501234', true, '31018501234'],
		[undefined, `${ASKED} `, false, ASKED],
		// A number whose leading zero is missing is still the same number.
		[1013099997, 1013099997, false, ASKED],
		[1013099997, ASKED, false, ASKED],
	])(
		'compares the requested number in the record, %j, with the current number %j: `ssnChanged` is %s',
		(amka_in, amka_cur, ssnChanged, currentSsn) => {
			expect(simplify({ match: 'true', amka_in, amka_cur }, ASKED)).toMatchObject({ currentSsn, ssnChanged });
		},
	);

	it('translates the known codes of `death_note` and `bdate_istrue` into true, and omits the codes', () => {
		expect(simplify({ match: 'true', death_note: 'Λ', bdate_istrue: 'Π' }, ASKED)).toEqual({
			deceased: true,
			birthDateIsFictitious: true,
		});
	});

	it('returns an unknown code of `death_note` or `bdate_istrue` itself', () => {
		expect(simplify({ match: 'true', death_note: 'Ζ', bdate_istrue: 'Ω' }, ASKED)).toEqual({
			deathNote: 'Ζ',
			birthDateNote: 'Ω',
		});
		expect(simplify({ match: 'true', death_note: 'Ζ', death_date: '31/12/2020' }, ASKED)).toMatchObject({
			deceased: true,
			deathNote: 'Ζ',
			birthDateIsFictitious: false,
		});
	});

	it.each<[string, string[], object]>([
		['sex', ['Α', 'A', 'ΑΡΡΕΝ', 'Άρρεν', 'APPEN'], { sex: 'male' }],
		['sex', ['Θ', 'θ', 'ΘΗΛΥ'], { sex: 'female' }],
		['sex', ['Z'], { sex: 'Z' }],
		['sex', ['constructor'], { sex: 'constructor' }],
		['id_type', ['T', 'Τ'], { idDocument: { type: 'police identity card' } }],
		['id_type', ['Δ'], { idDocument: { type: 'passport' } }],
		['id_type', ['O', 'Ο'], { idDocument: { type: 'expatriate card' } }],
		['id_type', ['M'], { idDocument: { type: 'family register entry' } }],
		['id_type', ['Σ'], { idDocument: { type: 'military card' } }],
		['id_type', ['Λ'], { idDocument: { type: 'birth certificate' } }],
		['id_type', ['A'], { idDocument: { type: 'other document' } }],
		['id_type', ['?'], { idDocument: { type: '?' } }],
		['bdate_istrue', ['Π'], { birthDateIsFictitious: true }],
		['death_date', ['31/12/2020'], { deceased: true, deathDate: '2020-12-31' }],
		['birth_date', ['1995'], { birthDate: '1995' }],
		['tid', ['00012345678', ' 00012345678 '], { taxId: '012345678' }],
		['tid', ['012345678'], { taxId: '012345678' }],
		['tid', ['01012345678'], { taxId: '01012345678' }],
		['tid', ['0012345678'], { taxId: '0012345678' }],
		['tid', ['000012345678'], { taxId: '000012345678' }],
		['tid', ['00A12345678'], { taxId: '00A12345678' }],
	])('decodes the field %s from each of the values %j', (field, values, expected) => {
		for (const value of values) expect(simplify({ match: 'true', [field]: value }, ASKED)).toMatchObject(expected);
	});
});

describe('toValidation', () => {
	const forms: OutputChoice[] = [
		...(['verdict', 'simplified', 'record'] as const).map((kind) => ({ kind, fields: [] })),
		{ kind: 'selected', fields: ['tid'] },
	];
	const LIVING = { ...RECORD, death_date: '', death_note: '' };
	const [verdictOnly, simplified] = forms as [OutputChoice, OutputChoice];
	const say = (result: RegistryRecord | undefined, form: OutputChoice, warnings: string[] = [], accepted = false) => {
		const verdict = verdictOf(RECORD.ssn, result, warnings, accepted);
		return toValidation({ verdict, record: result, why: whyNot(verdict) }, form);
	};
	const itemOf = (...given: Parameters<typeof say>) => say(...given).item;

	it.each(forms)(
		'gives the same reason for the notice if the person does not match or has died, and none for a match, with the output %j',
		(form) => {
			expect(say({ ...RECORD, match: 'false' }, form).why).toMatchObject({ reason: 'notMatched' });
			expect(say(undefined, form).why).toMatchObject({ reason: 'notMatched' });
			expect(say(RECORD, form).why).toEqual(say(undefined, form).why);
			expect(say(LIVING, form).why).toBeUndefined();
		},
	);

	it.each(forms)(
		'reports that the person has died, and gives this as the reason unless it is accepted, with the output %j',
		(form) => {
			const warning = expect.stringMatching(/has died(?!.*2020)/) as unknown;
			const died = { matched: true, deceased: true, warning };
			expect(itemOf(RECORD, form)).toMatchObject({ ...died, reason: 'deceased' });
			const accepted = itemOf(RECORD, form, [], true);
			expect(accepted).toMatchObject(died);
			expect(accepted).not.toHaveProperty('reason');
		},
	);

	it.each(forms)(
		'omits `deceased` and adds a warning for an unknown note about a death, with the output %j',
		(form) => {
			const json = itemOf({ ...LIVING, death_note: 'Ζ' }, form);
			expect(json).toMatchObject({ matched: true, warning: expect.stringContaining('unknown code') as unknown });
			expect(json).not.toHaveProperty('deceased');
			expect(json).not.toHaveProperty('reason');
		},
	);

	it('does not mention a death if the person does not match', () => {
		expect(itemOf({ ...RECORD, match: 'false' }, verdictOnly)).toEqual({ matched: false, ssn: RECORD.ssn });
	});

	it('warns of an unknown note about the birth date only if the output would state whether the date is fictitious', () => {
		expect(itemOf({ ...LIVING, bdate_istrue: 'Ω' }, simplified).warning).toMatch(/birth date/);
		expect(itemOf({ ...LIVING, bdate_istrue: 'Ω' }, verdictOnly)).not.toHaveProperty('warning');
	});
});
