import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode } from '../harness/engine';
import { serve } from '../harness/httpServer';
import { OPERATION, OUTPUTS, record, validate } from '../harness/amka';

/** An invented person. The registry of these tests reports this person as deceased. */
const PERSON = { ssn: '01013099997', birthDate: '01/01/1930', surname: 'Δοκιμαστικός' };
const INPUTS: Array<[what: string, more: IDataObject]> = [
	['as on the identity card', {}],
	['with a surname in Latin letters', { surname: 'Dokimastikos' }],
	['with another birth date', { birthDate: '02/01/1930' }],
	['with Latin letters and another birth date', { surname: 'Dokimastikos', birthDate: '02/01/1930' }],
	['without the leading zero', { ssn: 1013099997 }],
];

/** Returns the item for a person whom the registry reports as deceased, and the item for a person who does not match. */
async function bothItems(person: IDataObject, parameters: INodeParameters): Promise<[IDataObject, IDataObject]> {
	let answer: IDataObject = {};
	serve('GET', OPERATION, ({ query: { ssn = '' } }) => ({ body: { ...record(ssn), match: true, ...answer } }));
	const items: IDataObject[] = [];
	for (answer of [{ death_note: 'Λ', death_date: '05/03/2020' }, { match: 'false' }]) {
		const { json } = await runNode(validate({ splitByResult: true, ...parameters }), [person]);
		expect(json[0]).toEqual([]);
		items.push(json[1]![0]!);
	}
	return items as [IDataObject, IDataObject];
}

describe.each(['el', 'en', 'both'])('the notice about a person who has died, in the language %s', (language) => {
	const compare = { operation: 'compare', compareWith: { mappingMode: 'defineBelow', value: { sex: 'Α' } } };

	const forms: INodeParameters[] = [...OUTPUTS.map((output) => ({ output })), compare];
	const cases = INPUTS.flatMap(([what, more]) => forms.map((parameters) => [what, more, parameters] as const));

	it.each(cases)(
		'does not reveal the death: it equals the notice for a person who does not match (input %s, %j, parameters %j)',
		async (_, more, parameters) => {
			const [died, notMatched] = await bothItems({ ...PERSON, ...more }, { ...parameters, options: { language } });
			expect(died.notice).toEqual(expect.any(String));
			expect(died.notice).toBe(notMatched.notice);
			expect(died.notice).not.toMatch(/αποβι|died|dead|θάνατ|death/i);
		},
	);
});

it('the item of a person who has died has `deceased`, a reason and a warning for the workflow', async () => {
	const [died, notMatched] = await bothItems(PERSON, {});
	expect(died).toMatchObject({ matched: true, deceased: true, reason: 'deceased' });
	expect(died.warning).toMatch(/has died/);
	for (const name of ['deceased', 'reason', 'warning']) expect(notMatched).not.toHaveProperty(name);
});

it('with Accept Deceased, a person who has died leaves at the output Matched without a notice', async () => {
	serve('GET', OPERATION, ({ query: { ssn = '' } }) => ({ body: { ...record(ssn), death_note: 'Λ' } }));
	const { json } = await runNode(validate({ splitByResult: true, options: { acceptDeceased: true } }), [PERSON]);
	expect(json).toMatchObject([[{ matched: true, deceased: true }], []]);
	expect(json[0]![0]).not.toHaveProperty('notice');
});

it.each(INPUTS)(
	'the sheet of Compare reports that a person has died, without advice about a mismatch (input %s)',
	async (_, more) => {
		serve('GET', OPERATION, ({ query: { ssn = '' } }) => ({ body: { ...record(ssn), death_note: 'Λ' } }));
		const compareWith = { mappingMode: 'defineBelow', value: { sex: 'Θ' } };
		const sheet = { operation: 'compare', compareOutput: 'sheet', compareWith };
		const { json } = await runNode(validate(sheet), [{ ...PERSON, ...more }]);
		expect(json[0]).toMatchObject([{ Αποτέλεσμα: 'έχει αποβιώσει', Διαφέρει: '', Προσοχή: '' }]);
	},
);
