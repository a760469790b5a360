import { COMPARED_NAMES, COMPARED, columnField } from '../../nodes/Amka/compareFields';
import { lettersAndDigits, normalForm, type Kind } from '../../nodes/Amka/sameness';

const isSame = (kind: Kind, one: string, other: string) => normalForm(one, kind) === normalForm(other, kind);

/** As institutions have them on the left, as the registry has them on the right. */
describe('the same', () => {
	it.each<[Kind, string, string]>([
		['text', 'Μαρία Ελένη', 'ΜΑΡΙΑ-ΕΛΕΝΗ'],
		['text', 'Μαρία - Ελένη ', 'ΜΑΡΙΑ ΕΛΕΝΗ'],
		['text', 'Παπαδοπούλου–Γεωργίου', 'ΠΑΠΑΔΟΠΟΥΛΟΥ - ΓΕΩΡΓΙΟΥ'],
		['text', 'Γιώργος', 'ΓΙΩΡΓΟΣ'],
		['text', 'γιωργοσ', 'ΓΙΩΡΓΟΣ'],
		['text', '΄Αννα', 'ΑΝΝΑ'],
		['text', 'Ἑλένη', 'ΕΛΕΝΗ'],
		['text', 'ΕΛΕΝΗ', 'ΕΛΕΝΗ'.normalize('NFD')],
		['text', 'Δοκιμαΐδου', 'ΔΟΚΙΜΑΪΔΟΥ'],
		['text', 'Δοκιμαΐδου', 'ΔΟΚΙΜΑΙΔΟΥ'],
		// Typed with the Latin keyboard: A, N and E, H.
		['text', 'ANNA', 'ΑΝΝΑ'],
		['text', 'ΕΛΕNH', 'ΕΛΕΝΗ'],
		['text', 'Αγ. Παρασκευής 5', 'ΑΓ ΠΑΡΑΣΚΕΥΗΣ 5'],
		['text', 'Δοκιμαστικός\u200b', 'ΔΟΚΙΜΑΣΤΙΚΟΣ'],
		['number', '12345678', '012345678'],
		['number', '12345678.0', '012345678'],
		['number', '012345678', '012345678'],
		['number', 'AB 123456', 'ΑΒ123456'],
		['number', 'ΑΒ-123456', 'ΑΒ123456'],
		['number', 'αβ123456', 'ΑΒ123456'],
		['number', '104 31', '10431'],
		['number', '10431.0', '10431'],
		['number', '０１２', '12'],
		['phone', '+30 691 234 5678', '6912345678'],
		['phone', '306912345678', '6912345678'],
		['phone', '0030 6912345678', '6912345678'],
		['phone', '6912345678.0', '6912345678'],
		['phone', '210 000-0000', '2100000000'],
		['phone', '(+30) 2100000000', '2100000000'],
		['phone', '00302100000000', '2100000000'],
		['phone', '+49 151 000000', '0049151000000'.slice(2)],
		['sex', 'Θ', 'Θ'],
		['sex', 'Θήλυ', 'Θ'],
		['sex', 'Female', 'Θ'],
		['sex', 'F', 'Θ'],
		['sex', 'γυναίκα', 'ΘΗΛΥ'],
		['sex', 'A', 'Α'],
		['sex', 'άρρεν', 'Α'],
		['sex', 'Άνδρας', 'Α'],
		['sex', 'm', 'ΑΡΡΕΝ'],
		['sex', 'Μ', 'Α'],
		['sex', 'male', 'A'],
		['country', 'Ελληνική', 'ΕΛΛΑΔΑ'],
		['country', 'Greece', 'ΕΛΛΑΔΑ'],
		['country', 'Κύπρος', 'ΚΥΠΡΟΣ'],
		['prefecture', 'Αττικής', 'ΑΤΤΙ'],
		['prefecture', 'Νομός Αττικής', 'ΑΤΤΙ'],
		['prefecture', 'Ν. Αττικής', 'ΑΤΤΙ'],
	])('%s: %s and %s', (kind, here, there) => {
		expect(isSame(kind, here, there)).toBe(true);
	});
});

describe('not the same', () => {
	it.each<[Kind, string, string]>([
		['text', 'Γεώργιος', 'ΓΙΩΡΓΟΣ'],
		['text', 'Μαρία', 'ΜΑΡΙΑ-ΕΛΕΝΗ'],
		['text', 'Eleni', 'ΕΛΕΝΗ'],
		['text', 'Δοκιμής 1', 'ΔΟΚΙΜΗΣ 11'],
		['text', '01', '1'],
		['number', '12345678', '123456780'],
		['number', '012345678', '112345678'],
		['number', 'ΑΒ012345', 'ΑΒ12345'],
		['number', '0', '1'],
		['phone', '6912345678', '6912345679'],
		['phone', '2100000000', '302100000'],
		['phone', '6912345678', '+49 6912345678'],
		['sex', 'Θ', 'Α'],
		['sex', 'άλλο', 'Α'],
		['country', 'Ελλάδα', 'ΚΥΠΡΟΣ'],
		['prefecture', 'Αχαΐας', 'ΑΤΤΙ'],
	])('%s: %s and %s', (kind, here, there) => {
		expect(isSame(kind, here, there)).toBe(false);
	});
});

it.each(['', ' ', '-', '.', '—', ' - ', '...', '/', "'", '\u200b', '\u00a0'])(
	'"%s" says that there is nothing, in any field',
	(nothing) => {
		for (const name of COMPARED_NAMES) expect(normalForm(nothing, COMPARED[name].kind)).toBe('');
	},
);

describe('a column', () => {
	it.each<[string, string]>([
		['Όνομα', 'givenName'],
		['ονομα', 'givenName'],
		['ΟΝΟΜΑ', 'givenName'],
		['first_name', 'givenName'],
		['givenName', 'givenName'],
		['Επώνυμο', 'surname'],
		['ΕΠΙΘΕΤΟ', 'surname'],
		['Πατρώνυμο', 'fatherName'],
		['Όνομα πατρός', 'fatherName'],
		['ΟΝΟΜΑ ΠΑΤΡΟΣ', 'fatherName'],
		["Father's name", 'fatherName'],
		['fatherName', 'fatherName'],
		['Μητρώνυμο', 'motherName'],
		['Όνομα μητρός', 'motherName'],
		['Φύλο', 'sex'],
		['Υπηκοότητα', 'citizenship'],
		['Ιθαγένεια', 'citizenship'],
		['ΑΔΤ', 'idNumber'],
		['Α.Δ.Τ.', 'idNumber'],
		['Αριθμός ταυτότητας', 'idNumber'],
		['Αρ. Ταυτότητας', 'idNumber'],
		['ΑΦΜ', 'taxId'],
		['Α.Φ.Μ.', 'taxId'],
		['Τηλέφωνο', 'phone'],
		['Τηλέφωνο 1', 'phone'],
		['τηλεφωνο2', 'phone'],
		['Κινητό', 'phone'],
		['Mobile', 'phone'],
		['Οδός', 'street'],
		['Διεύθυνση', 'street'],
		['Πόλη', 'town'],
		['ΤΚ', 'postalCode'],
		['Τ.Κ.', 'postalCode'],
		['Ταχ. κώδικας', 'postalCode'],
		['Ταχ. Κωδικός', 'postalCode'],
		['Όνομα (λατινικά)', 'givenNameLatin'],
		['Surname Latin', 'surnameLatin'],
		['Όνομα πατρός - Λατινικά', 'fatherNameLatin'],
	])('%s is %s', (column, field) => {
		expect(columnField(column)).toBe(field);
	});

	it.each([
		'',
		'-',
		'ΑΜΚΑ',
		'Ονοματεπώνυμο',
		'Ημ. γέννησης',
		'Ημερομηνία γέννησης',
		'ΑΜ',
		'Τμήμα',
		'Email',
		'Όνομα 2',
		'constructor',
		'__proto__',
		'Κ'.repeat(5000),
	])('%s is none of them', (column) => {
		expect(columnField(column)).toBeUndefined();
	});

	it('is one field, and each field is found by its own name and by the words of the form', () => {
		const all = COMPARED_NAMES.flatMap((name) =>
			COMPARED[name].columns.map((column) => [lettersAndDigits(column), name]),
		);
		const byColumn = new Map<string, Set<string>>();
		for (const [column, name] of all) byColumn.set(column!, (byColumn.get(column!) ?? new Set()).add(name!));
		expect([...byColumn].filter(([, names]) => names.size > 1)).toEqual([]);
		for (const name of COMPARED_NAMES) {
			expect([name, columnField(name)]).toEqual([name, name]);
			// "Phone (Τηλέφωνο, Κινητό)"
			const [english, greek] = COMPARED[name].label.replace(')', '').split(' (') as [string, string];
			expect([english, columnField(english)]).toEqual([english, name]);
			const words = name.endsWith('Latin') ? [greek] : greek.split(', ');
			for (const word of words) expect([word, columnField(word)]).toEqual([word, name]);
		}
	});
});
