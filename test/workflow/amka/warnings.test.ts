import { runNode } from '../harness/engine';
import { serve } from '../harness/wire';
import { ELENI, matches, OPERATION, OUTPUTS, record, validate } from './fixtures';

describe('what the person who typed it should know stands right after the verdict', () => {
	const warned = async (row: object, output: string) => {
		const run = await runNode(validate({ output }), [row as never]);
		const json = run.json[0]?.[0] ?? {};
		expect(Object.keys(json).slice(0, 3)).toEqual(['matched', 'ssn', 'warning']);
		expect(json.matched).toBe(true);
		return String(json.warning);
	};

	it.each(OUTPUTS)('what is odd about number, date and surname, all at once, in %s', async (output) => {
		const sent = serve('GET', OPERATION, matches);
		const warning = await warned({ ssn: 1013099997, birthDate: '2/1/1930', surname: 'Papadopoulou' }, output);
		expect(warning).toMatch(/^The AMKA had lost the zero[^.]*\.[^.]*\. The birth date differs.*no Greek letter/);
		const { ssn, birthdate, surname } = sent[0]!.query;
		expect([ssn, birthdate, surname]).toEqual(['01013099997', '1930-01-02', 'PAPADOPOULOU']);
	});

	it.each([
		[{ ...ELENI, birthDate: '16/03/1999' }, /^The birth date differs/],
		[{ ...ELENI, surname: 'Papadopoulou' }, /^The surname has no Greek letter/],
		[{ ssn: '1013099997', birthDate: '1/1/1930', surname: 'Δοκιμή' }, /^The AMKA had lost the zero[^.]*\.[^.]*\.$/],
	])('or one of them: %j', async (row, text) => {
		serve('GET', OPERATION, matches);
		expect(await warned(row, 'verdict')).toMatch(text);
		expect((await runNode(validate(), [ELENI])).json[0]?.[0]).not.toHaveProperty('warning');
	});

	it('a surname with letters of both alphabets', async () => {
		const sent = serve('GET', OPERATION, matches);
		expect(await warned({ ...ELENI, surname: 'ΠAΠΑΔΟΠΟΥΛΟΥ' }, 'verdict')).toMatch(/mixes Greek and Latin/);
		expect(sent[0]?.query.surname).toBe('ΠAΠΑΔΟΠΟΥΛΟΥ');
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

	it.each(['application/json', 'application/json; charset=klingon'])(
		'leaves a warning where it says nothing that can be read (%s)',
		async (type) => {
			serve('GET', OPERATION, { body: greek, headers: { 'content-type': type } });
			const warning = expect.stringMatching(/could not be read/) as unknown;
			for (const output of OUTPUTS) {
				const run = await runNode(validate({ output }), [ELENI]);
				expect(run.json[0]).toMatchObject([{ matched: true, ssn: ELENI.ssn, warning }]);
			}
		},
	);
});
