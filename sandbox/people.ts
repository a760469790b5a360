/**
 * The people of the sandbox's registry. All are invented: the names are Greek words for "example", "test" or "fake", and
 * no number belongs to a real person. The numbers are well formed, because the AMKA node checks that before a request.
 */

/** One record in an answer of the registry: only fields of the interface document, and all values are strings. */
export type Person = Readonly<Record<string, string>>;

/** A person of the sandbox: the record in the registry, and the mobile that only the page shows. */
export interface SandboxPerson {
	record: Person;
	mobile: string;
}

const everyField: Person = {
	amka_in: '',
	amka_cur: '',
	name_gr: 'ΠΑΡΑΔΕΙΓΜΑΣ',
	name_en: 'PARADEIGMAS',
	surname_cur_gr: 'ΔΟΚΙΜΑΣΤΙΚΟΣ',
	surname_cur_en: 'DOKIMASTIKOS',
	surname_birth_gr: 'ΔΟΚΙΜΑΣΤΙΚΟΣ',
	surname_birth_en: 'DOKIMASTIKOS',
	father_gr: 'ΥΠΟΘΕΤΙΚΟΣ',
	father_en: 'YPOTHETIKOS',
	mother_gr: 'ΥΠΟΘΕΤΙΚΗ',
	mother_en: 'YPOTHETIKI',
	sex: 'Α',
	birth_date: '',
	bdate_istrue: '',
	birth_country: 'ΕΛΛΑΔΑ',
	birth_country_code: 'ΕΛ',
	birth_municipality: 'ΔΗΜΟΣ ΔΟΚΙΜΩΝ',
	birth_municipality_greek_code: 'ΔΟΚΙ',
	citizenship: 'ΕΛΛΑΔΑ',
	death_date: '',
	death_note: '',
	id_type: 'Τ',
	id_num: 'ΔΔ000000',
	id_creation_year: '2010',
	tid: '000000000',
	last_mod_date: '01/02/2024',
	tel1: '2100000000',
	tel2: '',
	address_street: 'ΟΔΟΣ ΔΟΚΙΜΗΣ 1',
	address_town: 'ΔΟΚΙΜΟΥΠΟΛΗ',
	address_prefecture: 'ΔΟΚΙ',
	address_zipcode: '00000',
	address_country: 'ΕΛΛΑΔΑ',
	address_country_code: 'ΕΛ',
};

const man = (amka: string, birthDate: string, differences: Person = {}): Person => ({
	...everyField,
	amka_in: amka,
	amka_cur: amka,
	birth_date: birthDate,
	...differences,
});

const woman = (amka: string, birthDate: string, differences: Person = {}): Person =>
	man(amka, birthDate, {
		name_gr: 'ΠΑΡΑΔΕΙΓΜΑ',
		name_en: 'PARADEIGMA',
		surname_cur_gr: 'ΔΟΚΙΜΑΣΤΙΚΟΥ',
		surname_cur_en: 'DOKIMASTIKOU',
		surname_birth_gr: 'ΠΛΑΣΤΟΥ',
		surname_birth_en: 'PLASTOU',
		sex: 'Θ',
		...differences,
	});

/** The people. A comment names what is unusual about a record. Each such peculiarity was seen in practice, or is documented. */
export const people: readonly Person[] = [
	// The codes A and T are Latin letters here. In other records they are Greek letters. The operator's own sample mixes both.
	man('21068302674', '21/06/1983', { sex: 'A', id_type: 'T' }),
	// The AMKA was replaced: the current AMKA (amka_cur) differs from that in the request (amka_in).
	man('31018501234', '31/01/1985', { amka_cur: '31018599998' }),
	// This person died (Λ: reported with a certificate), and the birth date is only a placeholder (Π).
	man('01013099997', '01/01/1930', {
		bdate_istrue: 'Π',
		death_note: 'Λ',
		death_date: '05/03/2020',
		id_type: 'Ο',
	}),
	// The code Ω is not documented. The node must pass it on unchanged.
	woman('02058401528', '02/05/1984', { id_type: 'Ω' }),
	woman('15039904568', '15/03/1999', { id_type: 'M', tel2: '6900000000' }),
	// The surname keeps its dialytika (Ϊ).
	woman('07090512307', '07/09/2005', { surname_cur_gr: 'ΔΟΚΙΜΑΪΔΟΥ', surname_cur_en: 'DOKIMAIDOU' }),
	// Most fields are absent, and some are empty.
	{
		amka_in: '29020000013',
		amka_cur: '29020000013',
		name_gr: 'ΚΕΝΟΣ',
		surname_cur_gr: 'ΔΟΚΙΜΑΣΤΙΚΟΣ',
		birth_date: '29/02/2000',
		sex: '',
		tid: '',
	},
	// Two surnames, a tax number whose leading zero spreadsheets drop, and a mobile with its country code.
	woman('12050101026', '12/05/2001', {
		name_gr: 'ΠΑΡΑΔΕΙΓΜΑ-ΜΑΡΙΑ',
		name_en: 'PARADEIGMA-MARIA',
		surname_cur_gr: 'ΔΟΚΙΜΑΣΤΙΚΟΥ-ΠΛΑΣΤΟΥ',
		surname_cur_en: 'DOKIMASTIKOU-PLASTOU',
		id_num: 'ΑΒ123456',
		tid: '012345678',
		tel1: '306900000008',
		address_zipcode: '10431',
	}),
	// Spreadsheets drop the leading zero of this AMKA.
	man('05069903176', '05/06/1999', { tid: '098765432', tel1: '6900000009' }),
	man('17060002510', '17/06/2000', { tel1: '6900000010' }),
	// A dash and a dot stand for empty values.
	woman('30099711340', '30/09/1997', {
		mother_gr: '-',
		mother_en: '-',
		id_type: '',
		id_num: '.',
		id_creation_year: '',
	}),
];

/** Returns the people of a new sandbox, with a mobile for each. */
export const newPeople = (): SandboxPerson[] =>
	people.map((record, index) => ({ record, mobile: `69000000${String(index + 1).padStart(2, '0')}` }));

/** Returns the record of a person whom a user invented on the page. Fields that the form lacks have default values. */
export function inventedPerson(amka: string, birthDate: string, surname: string, name: string): Person {
	// The tenth digit is odd for men and even for women.
	const person = Number(amka[9]) % 2 === 1 ? man : woman;
	const [year, month, day] = birthDate.split('-');
	return person(amka, `${day}/${month}/${year}`, {
		name_gr: name,
		name_en: '',
		surname_cur_gr: surname,
		surname_cur_en: '',
		surname_birth_gr: surname,
		surname_birth_en: '',
	});
}
