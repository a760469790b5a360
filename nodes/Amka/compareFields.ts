import { lettersAndDigits, type Kind } from './sameness';
import type { RecordField } from './registry';

/** A field that an institution may have too. */
interface ComparedField {
	/** As the form shows it. */
	label: string;
	kind: Kind;
	/** Where the registry has it. A value agrees where it is the same as any of these. */
	registry: RecordField[];
	/** How columns of sheets are called that contain it; `columnField` tells what makes no difference. */
	columns: string[];
}

const LATIN = ['Latin', 'λατινικά', 'λατινικοί χαρακτήρες', 'με λατινικούς χαρακτήρες', 'EN'];

/** The same name in Latin letters: its columns have a word for that behind them. */
const latin = (label: string, field: RecordField, columns: string[]): ComparedField => ({
	label,
	kind: 'text',
	registry: [field],
	columns: columns.flatMap((column) => LATIN.map((word) => `${column} ${word}`)),
});

const GIVEN_NAME = ['Όνομα', 'Κύριο όνομα', 'Μικρό όνομα', 'Given Name', 'First Name', 'Name'];
const SURNAME = ['Επώνυμο', 'Επίθετο', 'Surname', 'Last Name', 'Family Name'];
const BIRTH_SURNAME = [
	'Επώνυμο γέννησης',
	'Πατρικό επώνυμο',
	'Πατρικό επίθετο',
	'Γένος',
	'Birth Surname',
	'Surname at Birth',
	'Maiden Name',
];
const FATHER_NAME = ['Πατρώνυμο', 'Όνομα πατρός', 'Όνομα πατέρα', 'Father Name', "Father's Name", 'Father'];
const MOTHER_NAME = ['Μητρώνυμο', 'Όνομα μητρός', 'Όνομα μητέρας', 'Mother Name', "Mother's Name", 'Mother'];

/** By the names that the output has for them, in the order in which the form shows them. */
export const COMPARED = {
	givenName: { label: 'Given Name (Όνομα)', kind: 'text', registry: ['name_gr'], columns: GIVEN_NAME },
	surname: { label: 'Surname (Επώνυμο)', kind: 'text', registry: ['surname_cur_gr'], columns: SURNAME },
	birthSurname: {
		label: 'Surname at Birth (Επώνυμο γέννησης)',
		kind: 'text',
		registry: ['surname_birth_gr'],
		columns: BIRTH_SURNAME,
	},
	fatherName: { label: "Father's Name (Πατρώνυμο)", kind: 'text', registry: ['father_gr'], columns: FATHER_NAME },
	motherName: { label: "Mother's Name (Μητρώνυμο)", kind: 'text', registry: ['mother_gr'], columns: MOTHER_NAME },
	sex: { label: 'Sex (Φύλο)', kind: 'sex', registry: ['sex'], columns: ['Φύλο', 'Sex', 'Gender'] },
	idNumber: {
		label: 'Identity Document Number (ΑΔΤ)',
		kind: 'number',
		registry: ['id_num'],
		columns: [
			'ΑΔΤ',
			'Αριθμός ταυτότητας',
			'Αρ. ταυτότητας',
			'Αριθμός δελτίου ταυτότητας',
			'Δελτίο ταυτότητας',
			'Ταυτότητα',
			'ID Number',
			'ID Card',
			'ID Card Number',
			'Identity Number',
			'Identity Card',
			'Identity Card Number',
			'Identity Document Number',
		],
	},
	taxId: {
		label: 'Tax Number (ΑΦΜ)',
		kind: 'number',
		registry: ['tid'],
		columns: [
			'ΑΦΜ',
			'AFM',
			'Αριθμός φορολογικού μητρώου',
			'Tax ID',
			'Tax Number',
			'Tax Identification Number',
			'TIN',
			'VAT Number',
		],
	},
	phone: {
		label: 'Phone (Τηλέφωνο, Κινητό)',
		kind: 'phone',
		registry: ['tel1', 'tel2'],
		columns: [
			'Τηλέφωνο',
			'Τηλ.',
			'Κινητό',
			'Κιν.',
			'Σταθερό',
			'Κινητό τηλέφωνο',
			'Τηλέφωνο κινητό',
			'Σταθερό τηλέφωνο',
			'Τηλέφωνο σταθερό',
			'Τηλέφωνο οικίας',
			'Τηλέφωνο επικοινωνίας',
			'Αριθμός κινητού',
			'Αριθμός τηλεφώνου',
			'Phone',
			'Phone Number',
			'Telephone',
			'Telephone Number',
			'Mobile',
			'Mobile Number',
			'Mobile Phone',
			'Cell Phone',
			'Landline',
			'Home Phone',
		],
	},
	street: {
		label: 'Street and Number (Οδός)',
		kind: 'text',
		registry: ['address_street'],
		columns: [
			'Οδός',
			'Οδός και αριθμός',
			'Οδός αριθμός',
			'Διεύθυνση',
			'Street',
			'Street and Number',
			'Street Address',
			'Address',
		],
	},
	town: { label: 'Town (Πόλη)', kind: 'text', registry: ['address_town'], columns: ['Πόλη', 'Town', 'City'] },
	prefecture: {
		label: 'Prefecture (Νομός)',
		kind: 'prefecture',
		registry: ['address_prefecture'],
		columns: ['Νομός', 'Prefecture'],
	},
	postalCode: {
		label: 'Postal Code (ΤΚ)',
		kind: 'number',
		registry: ['address_zipcode'],
		columns: [
			'ΤΚ',
			'Ταχ. κώδικας',
			'Ταχυδρομικός κώδικας',
			'Ταχ. κωδικός',
			'Ταχυδρομικός κωδικός',
			'Postal Code',
			'Postcode',
			'ZIP',
			'ZIP Code',
		],
	},
	country: {
		label: 'Country of the Address (Χώρα)',
		kind: 'country',
		registry: ['address_country'],
		columns: ['Χώρα', 'Χώρα κατοικίας', 'Country', 'Country of the Address'],
	},
	citizenship: {
		label: 'Citizenship (Υπηκοότητα)',
		kind: 'country',
		registry: ['citizenship'],
		columns: ['Υπηκοότητα', 'Ιθαγένεια', 'Citizenship', 'Nationality'],
	},
	birthCountry: {
		label: 'Country of Birth (Χώρα γέννησης)',
		kind: 'country',
		registry: ['birth_country'],
		columns: ['Χώρα γέννησης', 'Birth Country', 'Country of Birth'],
	},
	birthMunicipality: {
		label: 'Municipality of Birth (Δήμος γέννησης)',
		kind: 'text',
		registry: ['birth_municipality'],
		columns: ['Δήμος γέννησης', 'Birth Municipality', 'Municipality of Birth'],
	},
	givenNameLatin: latin('Given Name, Latin (Όνομα, λατινικά)', 'name_en', GIVEN_NAME),
	surnameLatin: latin('Surname, Latin (Επώνυμο, λατινικά)', 'surname_cur_en', SURNAME),
	birthSurnameLatin: latin('Surname at Birth, Latin (Επώνυμο γέννησης, λατινικά)', 'surname_birth_en', BIRTH_SURNAME),
	fatherNameLatin: latin("Father's Name, Latin (Πατρώνυμο, λατινικά)", 'father_en', FATHER_NAME),
	motherNameLatin: latin("Mother's Name, Latin (Μητρώνυμο, λατινικά)", 'mother_en', MOTHER_NAME),
} as const satisfies Record<string, ComparedField>;

export type ComparedName = keyof typeof COMPARED;

export const COMPARED_NAMES = Object.keys(COMPARED) as ComparedName[];

/** What a field is called for people, in Greek and English: the form has both. */
export function labelOf(name: ComparedName): { el: string; en: string } {
	const [, en, el] = /^(.*) \((.*)\)$/.exec(COMPARED[name].label) as unknown as [string, string, string];
	return { el, en };
}

const byColumn = new Map(
	COMPARED_NAMES.flatMap((name) => COMPARED[name].columns.map((column) => [lettersAndDigits(column), name] as const)),
);

/**
 * The field that a column contains by its name. Case, accents, dots, dashes and spaces make no difference, nor does a single
 * digit behind the name of a phone: many sheets have two of them.
 *
 * @returns undefined for a column that is none of these
 */
export function columnField(column: string): ComparedName | undefined {
	const name = lettersAndDigits(column.slice(0, 200));
	const found = byColumn.get(name);
	if (found !== undefined) return found;
	const numbered = byColumn.get(name.replace(/\d$/, ''));
	return numbered === 'phone' ? numbered : undefined;
}
