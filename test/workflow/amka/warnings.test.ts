import { runNode } from '../harness/engine';
import { serve } from '../harness/wire';
import { ELENI, matches, OPERATION, record, validate } from './fixtures';

describe('a birth date that differs from the number', () => {
	const row = { ...ELENI, birthDate: '16/03/1999' };

	it.each(['verdict', 'simplified', 'record', 'selected'])('is asked, and is a warning in %s', async (output) => {
		const sent = serve('GET', OPERATION, matches);
		const run = await runNode(validate({ output }), [row, ELENI]);
		expect(sent.map(({ query }) => query.birthdate)).toEqual(['1999-03-16', '1999-03-15']);
		expect(run.json[0]?.[0]).toMatchObject({ matched: true, warning: expect.stringMatching(/birth date/i) as unknown });
		expect(run.json[0]?.[1]).not.toHaveProperty('warning');
	});
});

const OUTPUTS = ['verdict', 'simplified', 'record', 'selected'];

describe('what the person who typed it should know stands right after the verdict', () => {
	const warned = async (row: object, output: string) => {
		const run = await runNode(validate({ output }), [row as never]);
		const json = run.json[0]?.[0] ?? {};
		expect(Object.keys(json).slice(0, 3)).toEqual(['matched', 'ssn', 'warning']);
		expect(json.matched).toBe(true);
		return String(json.warning);
	};

	it.each(OUTPUTS)('a lost zero, in %s', async (output) => {
		serve('GET', OPERATION, matches);
		expect(await warned({ ssn: 1013099997, birthDate: '1/1/1930', surname: 'Δοκιμή' }, output)).toMatch(
			/^The AMKA had lost the zero[^.]*\.[^.]*\.$/,
		);
	});

	it.each(OUTPUTS)('a surname without a Greek letter, in %s', async (output) => {
		const sent = serve('GET', OPERATION, matches);
		expect(await warned({ ...ELENI, surname: 'Papadopoulou' }, output)).toMatch(/no Greek letter/);
		expect(sent[0]?.query.surname).toBe('PAPADOPOULOU');
	});

	it('a surname with letters of both alphabets', async () => {
		const sent = serve('GET', OPERATION, matches);
		expect(await warned({ ...ELENI, surname: 'ΠAΠΑΔΟΠΟΥΛΟΥ' }, 'verdict')).toMatch(/mixes Greek and Latin/);
		expect(sent[0]?.query.surname).toBe('ΠAΠΑΔΟΠΟΥΛΟΥ');
	});

	it('all of it at once', async () => {
		serve('GET', OPERATION, matches);
		const warning = await warned({ ssn: '1013099997', birthDate: '2/1/1930', surname: 'Dokimi' }, 'verdict');
		for (const part of [/lost the zero/, /birth date differs/, /no Greek letter/]) expect(warning).toMatch(part);
	});

	it('a newer number, in the verdict alone, and without the number', async () => {
		serve('GET', OPERATION, { body: { ...record(ELENI.ssn), amka_cur: '02058401528' } });
		expect(await warned(ELENI, 'verdict')).toMatch(/newer AMKA/);
		const run = await runNode(validate(), [ELENI]);
		expect(run.stored).not.toContain('02058401528');
		const simplified = await runNode(validate({ output: 'simplified' }), [ELENI]);
		expect(simplified.json[0]).toMatchObject([{ ssnChanged: true, currentSsn: '02058401528' }]);
	});
});

describe('an answer in another charset', () => {
	/** Greek capitals in ISO 8859-7 and windows-1253, which agree about them: U+0391 is 0xC1. */
	const bytes = (text: string) =>
		Buffer.from(
			[...text].map((letter) => (letter > '\u0390' ? letter.charCodeAt(0) - 0x0391 + 0xc1 : letter.charCodeAt(0))),
		);
	const greek = bytes(JSON.stringify({ match: 'true', ssn: ELENI.ssn, name_gr: 'ΕΛΕΝΗ', sex: 'Θ' }));

	it.each(['iso-8859-7', 'ISO-8859-7', '"windows-1253"', 'windows-1253; q=1'])(
		'is read by the charset it names: %s',
		async (charset) => {
			serve('GET', OPERATION, { body: greek, headers: { 'content-type': `application/json; charset=${charset}` } });
			const run = await runNode(validate({ output: 'simplified' }), [ELENI]);
			expect(run.json[0]?.[0]).toMatchObject({ matched: true, givenName: 'ΕΛΕΝΗ', sex: 'female' });
			expect(run.json[0]?.[0]).not.toHaveProperty('warning');
		},
	);

	it.each(['application/json', 'application/json; charset=klingon'])(
		'leaves a warning where it says nothing that can be read (%s)',
		async (type) => {
			serve('GET', OPERATION, { body: greek, headers: { 'content-type': type } });
			for (const output of OUTPUTS) {
				const run = await runNode(validate({ output }), [ELENI]);
				expect(run.json[0]).toMatchObject([
					{ matched: true, ssn: ELENI.ssn, warning: expect.stringMatching(/could not be read/) as unknown },
				]);
			}
		},
	);
});
