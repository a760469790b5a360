import { COMPARED_NAMES, COMPARED, columnField } from '../../../../nodes/Amka/comparedFields';
import { lettersAndDigits, normalForm, type Kind } from '../../../../nodes/Amka/normalForm';

const isSame = (kind: Kind, one: string, other: string) => normalForm(one, kind) === normalForm(other, kind);

/** The kind of a field, the value of the registry, and values of institutions that are equal to it. */
test.each<[Kind, string, string[]]>([
	['text', 'ΜΑΡΙΑ-ΕΛΕΝΗ', ['Μαρία Ελένη', 'Μαρία - Ελένη ', 'Μαρία–Ελένη']],
	['text', 'ΓΙΩΡΓΟΣ', ['Γιώργος', 'γιωργοσ']],
	// Some of these letters were typed with the Latin keyboard.
	['text', 'ΑΝΝΑ', ['΄Αννα', 'ANNA']],
	['text', 'ΕΛΕΝΗ', ['Ἑλένη', 'ΕΛΕNH', 'Ελένη'.normalize('NFD')]],
	['text', 'ΔΟΚΙΜΑΪΔΟΥ', ['Δοκιμαΐδου', 'ΔΟΚΙΜΑΙΔΟΥ']],
	['text', 'ΑΓ ΠΑΡΑΣΚΕΥΗΣ 5', ['Αγ. Παρασκευής 5']],
	['number', '012345678', ['12345678', '12345678.0', '12345678.0\u200b']],
	['number', 'ΑΒ123456', ['AB 123456', 'ΑΒ-123456', 'αβ123456']],
	['number', '10431', ['104 31', '10431.0', '１０４３１']],
	['phone', '6912345678', ['+30 691 234 5678', '306912345678', '0030 6912345678', '6912345678.0']],
	['phone', '2100000000', ['210 000-0000', '(+30) 2100000000', '00302100000000', '\u200b2100000000.0']],
	['phone', '49151000000', ['+49 151 000000']],
	['sex', 'Θ', ['Θ', 'Θήλυ', 'ΘΗΛΥ', 'Female', 'F', 'γυναίκα']],
	['sex', 'Α', ['A', 'άρρεν', 'ΑΡΡΕΝ', 'Άνδρας', 'm', 'Μ', 'male']],
	['country', 'ΕΛΛΑΔΑ', ['Ελληνική', 'Greece']],
	['country', 'ΚΥΠΡΟΣ', ['Κύπρος']],
	[
		'prefecture',
		'ΑΤΤΙ',
		['Αττικής', 'Νομός Αττικής', '\u200bΝ. Αττικής', 'Π.Ε. Αττικής', 'ΠΕ Αττικής', 'ΝΟΜΟΥ ΑΤΤΙΚΗΣ'],
	],
	['prefecture', 'ΧΙΟΣ', ['Χίου', 'Νομός Χίου', 'Χίος']],
	['prefecture', 'ΑΡΤΑ', ['Άρτα', 'Νομός Άρτας', 'Νομός Άρτης']],
	['prefecture', 'ΠΕΛΛ', ['Πέλλας', 'Νομός Πέλλας'.normalize('NFD'), 'Περιφερειακή Ενότητα Πέλλας'.normalize('NFD')]],
])('a field of the kind %s: the registry value %s equals each of %j', (kind, there, here) => {
	for (const one of here) expect([one, isSame(kind, one, there)]).toEqual([one, true]);
});

test.each<[Kind, string, string[]]>([
	['text', 'ΓΙΩΡΓΟΣ', ['Γεώργιος']],
	['text', 'ΜΑΡΙΑ-ΕΛΕΝΗ', ['Μαρία']],
	['text', 'ΕΛΕΝΗ', ['Eleni']],
	['text', '1', ['01']],
	['number', '012345678', ['123456780', '112345678']],
	['number', 'ΑΒ12345', ['ΑΒ012345']],
	['phone', '6912345678', ['6912345679', '+49 6912345678']],
	['phone', '302100000', ['2100000000']],
	['sex', 'Α', ['Θ', 'άλλο']],
	['country', 'ΚΥΠΡΟΣ', ['Ελλάδα']],
	['prefecture', 'ΑΤΤΙ', ['Αχαΐας']],
])('a field of the kind %s: the registry value %s differs from each of %j', (kind, there, here) => {
	for (const one of here) expect([one, isSame(kind, one, there)]).toEqual([one, false]);
});

test('normalForm shortens the name of a prefecture only between two characters', () => {
	const form = normalForm('각𐀀', 'prefecture');
	expect(form).not.toMatch(/\p{Cs}/u);
	expect(normalForm(form, 'prefecture')).toBe(form);
});

test.each(['', ' ', '-', '.', '—', ' - ', '...', '/', "'", '\u200b', '\u00a0'])(
	'the value "%s" counts as empty in each compared field',
	(nothing) => {
		for (const name of COMPARED_NAMES) expect(normalForm(nothing, COMPARED[name].kind)).toBe('');
	},
);

describe('a column heading', () => {
	it.each(
		Object.entries({
			givenName: ['Όνομα', 'ονομα', 'ΟΝΟΜΑ', 'first_name', 'givenName'],
			surname: ['Επώνυμο', 'ΕΠΙΘΕΤΟ'],
			fatherName: ['Πατρώνυμο', 'Όνομα πατρός', 'ΟΝΟΜΑ ΠΑΤΡΟΣ', "Father's name", 'fatherName'],
			motherName: ['Μητρώνυμο', 'Όνομα μητρός'],
			sex: ['Φύλο'],
			citizenship: ['Υπηκοότητα', 'Ιθαγένεια'],
			idNumber: ['ΑΔΤ', 'Α.Δ.Τ.', 'Αριθμός ταυτότητας', 'Αρ. Ταυτότητας'],
			taxId: ['ΑΦΜ', 'Α.Φ.Μ.'],
			phone: ['Τηλέφωνο', 'Τηλέφωνο 1', 'τηλεφωνο2', 'Κινητό', 'Mobile'],
			street: ['Οδός', 'Διεύθυνση'],
			town: ['Πόλη'],
			postalCode: ['ΤΚ', 'Τ.Κ.', 'Ταχ. κώδικας', 'Ταχ. Κωδικός'],
			givenNameLatin: ['Όνομα (λατινικά)'],
			surnameLatin: ['Surname Latin'],
			fatherNameLatin: ['Όνομα πατρός - Λατινικά'],
		}),
	)('of the field %s is recognised in each of these: %j', (field, columns) => {
		for (const column of columns) expect([column, columnField(column)]).toEqual([column, field]);
	});

	it.each([
		...['', '-', 'ΑΜΚΑ', 'Ονοματεπώνυμο', 'Ημ. γέννησης', 'Ημερομηνία γέννησης', 'ΑΜ', 'Τμήμα', 'Email', 'Όνομα 2'],
		...['constructor', '__proto__', 'Κ'.repeat(5000)],
	])('such as "%s" belongs to no field', (column) => {
		expect(columnField(column)).toBeUndefined();
	});

	it('belongs to one field only, and each field is found by its name and by its label in the form', () => {
		const byColumn = new Map<string, string>();
		for (const name of COMPARED_NAMES) {
			const { columns, label, en, el } = COMPARED[name];
			for (const column of new Set(columns.map(lettersAndDigits))) {
				expect([column, byColumn.get(column)]).toEqual([column, undefined]);
				byColumn.set(column, name);
			}
			// For example "Phone (Τηλέφωνο, Κινητό)".
			expect(label).toBe(`${en} (${el})`);
			for (const word of [name, en, ...(name.endsWith('Latin') ? [el] : el.split(', '))])
				expect([word, columnField(word)]).toEqual([word, name]);
		}
	});
});
