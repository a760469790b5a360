import { runNode } from '../harness/engine';
import { serve } from '../harness/wire';
import { BASE, continuing, ELENI, expectErrorItem, KEY, matches, OPERATION, validate } from './fixtures';

describe('the question', () => {
	it('is the one the interface describes', async () => {
		const sent = serve('GET', OPERATION, matches);
		await runNode(validate(), [ELENI]);
		expect(sent).toEqual([
			{
				method: 'GET',
				url: OPERATION,
				query: { ssn: '15039904568', birthdate: '1999-03-15', surname: 'ΠΑΠΑΔΟΠΟΥΛΟΥ' },
				headers: expect.objectContaining({
					authorization: `Token ${KEY}`,
					accept: expect.stringContaining('application/json'),
				}) as unknown,
				body: '',
			},
		]);
	});

	it.each([
		['Μάιος', 'ΜΑΙΟΣ'],
		['Μαΐου', 'ΜΑΪΟΥ'],
		["  d'Example  Smith ", "D'EXAMPLE SMITH"],
		['ραφτόπουλος-Δοκιμής', 'ΡΑΦΤΟΠΟΥΛΟΣ-ΔΟΚΙΜΗΣ'],
		['ΔΟΚΙΜΗ & ΥΙΟΣ+', 'ΔΟΚΙΜΗ & ΥΙΟΣ+'],
	])('has the surname %s in capitals without tonos', async (surname, expected) => {
		const sent = serve('GET', OPERATION, matches);
		await runNode(validate(), [{ ...ELENI, surname }]);
		expect(sent.map(({ query }) => query.surname)).toEqual([expected]);
	});

	it.each([
		['a Date a spreadsheet made', '={{ $json.birthDate }}'],
		['a Date an expression made', "={{ new Date('1999-03-15') }}"],
		['a Date of midnight in Athens', "={{ DateTime.fromISO('1999-03-15').toJSDate() }}"],
		["n8n's own toDateTime()", "={{ '1999-03-15'.toDateTime() }}"],
		['a luxon DateTime in another zone', "={{ DateTime.fromISO('1999-03-15T23:00', { zone: 'America/New_York' }) }}"],
	])('has the birth date of %s, not shifted', async (_, birthDate) => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate({ birthDate }), [{ ...ELENI, birthDate: new Date('1999-03-15') as never }]);
		expect(run.error?.message).toBeUndefined();
		expect(sent.map(({ query }) => query.birthdate)).toEqual(['1999-03-15']);
	});

	it('has the same day for an instant as a Date, and as the JSON text of it, in the zone of the workflow', async () => {
		const sent = serve('GET', OPERATION, matches);
		const midnight = new Date('1999-03-14T22:00:00.000Z');
		const rows = [
			{ ...ELENI, birthDate: midnight as never },
			{ ...ELENI, birthDate: midnight.toJSON(), surname: 'Άλλη' },
		];
		for (const timezone of ['Europe/Athens', 'America/New_York']) await runNode(validate({}, { timezone }), rows);
		expect(sent.map(({ query }) => query.birthdate)).toEqual(['1999-03-15', '1999-03-15', '1999-03-14', '1999-03-14']);
	});

	it('carries a pasted key without what came along', async () => {
		const sent = serve('GET', OPERATION, matches);
		await runNode(validate({}, { credentials: { amkaApi: { baseUrl: BASE, apiKey: `\u200b ${KEY}\n` } } }), [ELENI]);
		expect(sent[0]?.headers.authorization).toBe(`Token ${KEY}`);
	});

	it.each([
		['', /API Key is empty/],
		['amka-\nkey', /API Key contains/],
		['κλειδί', /API Key contains/],
	])('is not sent with the key %j, which no header can carry', async (apiKey, text) => {
		const sent = serve('GET', OPERATION, matches);
		const credentials = { amkaApi: { baseUrl: BASE, apiKey } };
		const run = await runNode(validate({}, { ...continuing, credentials }), [ELENI]);
		expect(sent).toEqual([]);
		expectErrorItem(run.json[0]?.[0], text);
	});
});
