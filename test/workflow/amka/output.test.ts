import { runNode } from '../harness/engine';
import { serve } from '../harness/wire';
import { ELENI, matches, OPERATION, record, splitting, validate } from './fixtures';

describe('the output', () => {
	it('is the verdict by default, and nothing of the registry is in the stored execution', async () => {
		serve('GET', OPERATION, matches);
		const run = await runNode(validate(), [ELENI]);
		expect(run.json).toEqual([[{ matched: true, ssn: ELENI.ssn }]]);
		expect(run.stored).toContain(ELENI.ssn);
		for (const personal of ['ΕΛΕΝΗ', 'ΠΕΤΡΟΣ', 'ΑΒ000000', 'ΟΔΟΣ', '2100000000'])
			expect(run.stored).not.toContain(personal);
	});

	it('simplified has English names, ISO dates, decoded codes, and leaves absent fields out', async () => {
		serve('GET', OPERATION, matches);
		const run = await runNode(validate({ output: 'simplified' }), [ELENI]);
		expect(run.json).toEqual([
			[
				{
					matched: true,
					ssn: ELENI.ssn,
					currentSsn: ELENI.ssn,
					ssnChanged: false,
					givenName: 'ΕΛΕΝΗ',
					givenNameLatin: 'ELENI',
					surname: 'ΠΑΠΑΔΟΠΟΥΛΟΥ',
					surnameLatin: 'PAPADOPOULOU',
					birthSurname: 'ΔΟΚΙΜΑΣΤΙΚΗ',
					birthSurnameLatin: 'DOKIMASTIKI',
					fatherName: 'ΠΕΤΡΟΣ',
					fatherNameLatin: 'PETROS',
					motherName: 'ΑΝΝΑ',
					motherNameLatin: 'ANNA',
					sex: 'female',
					birthDate: '1999-03-15',
					birthDateIsFictitious: false,
					birthCountry: 'ΕΛΛΑΔΑ',
					birthMunicipality: 'ΔΗΜΟΣ ΔΟΚΙΜΗΣ',
					citizenship: 'ΕΛΛΑΔΑ',
					deceased: false,
					idDocument: { type: 'police identity card', number: 'ΑΒ000000', year: '2015' },
					taxId: '000000000',
					phones: ['2100000000'],
					address: {
						street: 'ΟΔΟΣ ΔΟΚΙΜΗΣ 1',
						town: 'ΔΟΚΙΜΗ',
						prefecture: 'ΔΟΚΙ',
						postalCode: '00000',
						country: 'ΕΛΛΑΔΑ',
					},
					lastModified: '2020-02-01',
				},
			],
		]);
	});

	it.each([
		[{ sex: 'Α' }, { sex: 'male' }],
		[{ sex: 'A' }, { sex: 'male' }],
		[{ sex: 'X' }, { sex: 'X' }],
		[{ sex: 'ΑΡΡΕΝ' }, { sex: 'male' }],
		[{ sex: 'ΘΗΛΥ' }, { sex: 'female' }],
		[{ death_note: 'Ζ' }, { deathNote: 'Ζ', warning: expect.stringContaining('neither yes nor no') as unknown }],
		[
			{ death_note: 'Ζ', death_date: '02/01/2021' },
			{ deceased: true, deathNote: 'Ζ' },
		],
		[{ amka_in: Number(ELENI.ssn) }, { ssnChanged: false }],
		[{ id_type: 'Ο' }, { idDocument: { type: expect.stringMatching(/expatriate/i) as unknown } }],
		[{ id_type: 'O' }, { idDocument: { type: expect.stringMatching(/expatriate/i) as unknown } }],
		[{ id_type: 'Ψ' }, { idDocument: { type: 'Ψ' } }],
		[{ bdate_istrue: 'Π' }, { birthDateIsFictitious: true }],
		[
			{ death_note: 'Λ', death_date: '02/01/2021' },
			{ deceased: true, deathDate: '2021-01-02' },
		],
		[{ death_note: 'Θ' }, { deceased: true }],
		[{ amka_cur: '02058401528' }, { ssnChanged: true, currentSsn: '02058401528', ssn: ELENI.ssn }],
	])('decodes %j', async (given, expected) => {
		serve('GET', OPERATION, { body: { ...record(ELENI.ssn), ...given } });
		const run = await runNode(validate({ output: 'simplified' }), [ELENI]);
		expect(run.json[0]?.[0]).toMatchObject(expected);
	});

	it('takes a record that holds nothing but its verdict', async () => {
		serve('GET', OPERATION, { body: { match: 'true' } });
		const run = await runNode(validate({ output: 'simplified' }), [ELENI]);
		const [item] = run.json[0] ?? [];
		expect(item).toMatchObject({ matched: true, ssn: ELENI.ssn });
		expect(Object.values(item ?? {})).not.toContainEqual('');
		expect(item).not.toHaveProperty('givenName');
	});

	it.each([
		['verdict', { matched: true, ssn: ELENI.ssn }],
		['record', { matched: true, ...record(ELENI.ssn) }],
		['selected', { matched: true, ssn: ELENI.ssn, sex: 'Θ', tel2: '' }],
	])('%s holds exactly what it promises', async (output, expected) => {
		serve('GET', OPERATION, matches);
		const run = await runNode(validate({ output, ...(output === 'selected' && { fields: ['sex', 'tel2'] }) }), [ELENI]);
		expect(run.json).toEqual([[expected]]);
	});

	it('keeps unknown fields of a record', async () => {
		serve('GET', OPERATION, { body: { ...record(ELENI.ssn), new_field: 'x' } });
		const run = await runNode(validate({ output: 'record' }), [ELENI]);
		expect(run.json[0]?.[0]?.new_field).toBe('x');
	});

	it.each([{ error: 'none', details: 'x' }, { matched: 'nonsense' }, { pairedItem: 7 }])(
		'stays a success item with a boolean verdict when the registry adds %j',
		async (more) => {
			serve('GET', OPERATION, { body: { ...record(ELENI.ssn), ...more } });
			const run = await runNode(validate({ output: 'record' }, splitting), [ELENI]);
			expect(run.json[0]).toMatchObject([{ matched: true, ssn: ELENI.ssn }]);
		},
	);

	it.each([
		['record', {}],
		['selected', { fields: "={{ ['error', 'matched', 'name_gr', 'constructor'] }}" }],
	])('asks once, even with Retry On Fail, when a record has a field of the name "error" (%s)', async (output, more) => {
		const sent = serve('GET', OPERATION, { body: { ...record(ELENI.ssn), error: 'none', matched: 'x' } });
		const run = await runNode(validate({ output, ...more }, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }), [
			ELENI,
		]);
		expect(sent).toHaveLength(1);
		expect(run.json[0]).toMatchObject([{ matched: true, ssn: ELENI.ssn, name_gr: 'ΕΛΕΝΗ', registryError: 'none' }]);
		expect(Object.keys(run.json[0]![0]!)).not.toContain('constructor');
	});

	it.each([null, '', undefined])('has the number that was asked about where the record has %p', async (ssn) => {
		serve('GET', OPERATION, { body: { match: 'true', ssn, name_gr: 'ΕΛΕΝΗ' } });
		for (const output of ['record', 'selected']) {
			const run = await runNode(validate({ output, fields: ['ssn', 'name_gr'] }), [ELENI]);
			expect(run.json[0]).toMatchObject([{ matched: true, ssn: ELENI.ssn, name_gr: 'ΕΛΕΝΗ' }]);
		}
	});

	it('compares numbers without the zeros that a spreadsheet or a number in JSON loses', async () => {
		const lost = { ...record('01013099997'), ssn: 1013099997, amka_in: 1013099997, amka_cur: 1013099997 };
		serve('GET', OPERATION, { body: lost });
		const run = await runNode(validate({ output: 'simplified' }), [
			{ ...ELENI, ssn: '01013099997', birthDate: '01/01/1930' },
		]);
		expect(run.json[0]).toMatchObject([{ ssn: '01013099997', currentSsn: '01013099997', ssnChanged: false }]);
	});

	it('takes the chosen fields as a list, or as text with commas', async () => {
		serve('GET', OPERATION, matches);
		for (const fields of ["={{ ['tid', 'sex'] }}", "={{ 'tid, sex' }}", ['tid', 'sex']]) {
			const run = await runNode(validate({ output: 'selected', fields }), [ELENI]);
			expect(run.json).toEqual([[{ matched: true, ssn: ELENI.ssn, sex: 'Θ', tid: '000000000' }]]);
		}
	});
});
