import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeUnderTest } from './engine';
import type { Reply, Sent } from './httpServer';

/* The registry of these tests, and a node that asks it about the person of each row. */

export const KEY = 'amka-key-7f3e';
export const BASE = 'https://amka.example.gr';
export const OPERATION = `${BASE}/api/rest/v1/ssn_validation`;

/** Items as a form or sheet contains them. The numbers are well formed and fictitious. */
export const ELENI = { ssn: '15039904568', birthDate: '15/03/1999', surname: 'Παπαδοπούλου' };
export const MARIA = { ssn: '07090512307', birthDate: '7.9.2005', surname: 'Δοκιμαστική' };
export const GIORGOS = { ssn: '31018501234', birthDate: '1985-01-31', surname: 'Παράδειγμας' };

/** A record with every field filled, some codes in Greek letters and some in the Latin letters of the same look. */
export const record = (ssn: string): Record<string, string> & { match: string; ssn: string } => ({
	...{ match: 'true', ssn, amka_in: ssn, amka_cur: ssn },
	...{ name_gr: 'ΕΛΕΝΗ', name_en: 'ELENI', surname_cur_gr: 'ΠΑΠΑΔΟΠΟΥΛΟΥ', surname_cur_en: 'PAPADOPOULOU' },
	...{ surname_birth_gr: 'ΔΟΚΙΜΑΣΤΙΚΗ', surname_birth_en: 'DOKIMASTIKI' },
	...{ father_gr: 'ΠΕΤΡΟΣ', father_en: 'PETROS', mother_gr: 'ΑΝΝΑ', mother_en: 'ANNA' },
	...{ sex: 'Θ', birth_date: '15/03/1999', bdate_istrue: '', birth_country: 'ΕΛΛΑΔΑ', birth_country_code: 'ΕΛ' },
	...{ birth_municipality: 'ΔΗΜΟΣ ΔΟΚΙΜΗΣ', birth_municipality_greek_code: 'ΔΟΚΙ', citizenship: 'ΕΛΛΑΔΑ' },
	...{ death_date: '', death_note: '', id_type: 'T', id_num: 'ΑΒ000000', id_creation_year: '2015' },
	...{ tid: '000000000', last_mod_date: '01/02/2020', tel1: '2100000000', tel2: '' },
	...{ address_street: 'ΟΔΟΣ ΔΟΚΙΜΗΣ 1', address_town: 'ΔΟΚΙΜΗ', address_prefecture: 'ΔΟΚΙ', address_zipcode: '00000' },
	...{ address_country: 'ΕΛΛΑΔΑ', address_country_code: 'ΕΛ' },
});

/** Returns the text for the visitor from an item of a person who does not match. */
export const NOTICE = expect.stringMatching(/γραμματεία/) as unknown;

/** @param noMatchStatusCodes as they stand in its field */
export const credential = (noMatchStatusCodes?: string): NodeUnderTest['credentials'] => ({
	amkaApi: { baseUrl: BASE, apiKey: KEY, ...(noMatchStatusCodes !== undefined && { noMatchStatusCodes }) },
});

/** An answer after which the question is asked again at once. */
export const failsSoon = (status: number): Reply => ({ status, headers: { 'retry-after': '0' } });

export const matches = (request: Sent): Reply => ({ body: record(request.query.ssn ?? '') });

/** The parameters that take a person from the fields of an item. */
export const OF_ITEM = {
	ssn: '={{ $json.ssn }}',
	birthDate: '={{ $json.birthDate }}',
	surname: '={{ $json.surname }}',
};

/** Returns a node that reads its person from the item, and by default returns only its own fields on one output. */
export const validate = (
	{ options, ...parameters }: INodeParameters = {},
	more: Partial<NodeUnderTest> = {},
): NodeUnderTest => ({
	node: 'amka',
	parameters: {
		...OF_ITEM,
		splitByResult: false,
		...parameters,
		options: { includeInputFields: false, ...(options as INodeParameters | undefined) },
	},
	credentials: credential(),
	...more,
});

/** How much of an answer a row's item may contain. */
export const OUTPUTS = ['verdict', 'simplified', 'record', 'selected'];

export const continuing = { onError: 'continueRegularOutput' } as const;
export const splitting = { onError: 'continueErrorOutput' } as const;

/** Rows of as many different persons. */
export const people = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ ...ELENI, surname: 'Α'.repeat(index + 1) }));

/** Returns the expected fields of a failed item, without any field that could route it to another branch. */
export function expectErrorItem(json: IDataObject | undefined, text: RegExp) {
	expect(Object.keys(json ?? {}).sort()).toEqual(['details', 'error', 'message']);
	expect(json?.error).toMatch(text);
	expect(String(json?.error).length + String(json?.message).length).toBeLessThan(600);
}
