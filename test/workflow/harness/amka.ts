import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeUnderTest } from './engine';
import type { Reply, Sent } from './httpServer';

/* A simulated registry, and an AMKA node that checks the person of each row. */

export const KEY = 'amka-key-7f3e';
export const BASE = 'https://amka.example.gr';
export const OPERATION = `${BASE}/api/rest/v1/ssn_validation`;

/** Fictitious people as in a form or a sheet. Their AMKA have a valid check digit. */
export const ELENI = { ssn: '15039904568', birthDate: '15/03/1999', surname: 'Παπαδοπούλου' };
export const MARIA = { ssn: '07090512307', birthDate: '7.9.2005', surname: 'Δοκιμαστική' };
export const GIORGOS = { ssn: '31018501234', birthDate: '1985-01-31', surname: 'Παράδειγμας' };

/** Returns a record with all fields. Some codes are in Greek letters, and some in Latin letters that look the same. */
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

/** Matches the text for the visitor in the item of a person who does not match. */
export const NOTICE = expect.stringMatching(/γραμματεία/) as unknown;

/** Returns a credential. @param noMatchStatusCodes the value of that field */
export const credential = (noMatchStatusCodes?: string): NodeUnderTest['credentials'] => ({
	amkaApi: { baseUrl: BASE, apiKey: KEY, ...(noMatchStatusCodes !== undefined && { noMatchStatusCodes }) },
});

/** Returns a response after which the node repeats the request immediately. */
export const failsSoon = (status: number): Reply => ({ status, headers: { 'retry-after': '0' } });

export const matches = (request: Sent): Reply => ({ body: record(request.query.ssn ?? '') });

/** Parameters that read the person from the fields of the item. */
export const OF_ITEM = {
	ssn: '={{ $json.ssn }}',
	birthDate: '={{ $json.birthDate }}',
	surname: '={{ $json.surname }}',
};

/**
 * Returns a node that reads the person from the item. By default the node has one output, and its items have no input
 * fields.
 */
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

/** The values of the parameter Output: how much of the registry's record an item contains. */
export const OUTPUTS = ['verdict', 'simplified', 'record', 'selected'];

export const continuing = { onError: 'continueRegularOutput' } as const;
export const splitting = { onError: 'continueErrorOutput' } as const;

/** Returns rows of this number of different people. */
export const people = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ ...ELENI, surname: 'Α'.repeat(index + 1) }));

/** Checks that a failed item has only the fields of an error, so that a later node cannot take the item for a result. */
export function expectErrorItem(json: IDataObject | undefined, text: RegExp) {
	expect(Object.keys(json ?? {}).sort()).toEqual(['details', 'error', 'message']);
	expect(json?.error).toMatch(text);
	expect(String(json?.error).length + String(json?.message).length).toBeLessThan(600);
}
