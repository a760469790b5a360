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

	it.each([
		['simplified', expect.objectContaining({ matched: true, givenName: 'ΕΛΕΝΗ', birthDate: '1999-03-15' })],
		['verdict', { matched: true, ssn: ELENI.ssn }],
		['record', { matched: true, ...record(ELENI.ssn) }],
		['selected', { matched: true, ssn: ELENI.ssn, sex: 'Θ', tel2: '' }],
	])('%s holds exactly what it promises', async (output, expected) => {
		serve('GET', OPERATION, matches);
		const run = await runNode(validate({ output, ...(output === 'selected' && { fields: ['sex', 'tel2'] }) }), [ELENI]);
		expect(run.json).toEqual([[expected]]);
	});

	it.each([{ error: 'none', details: 'x' }, { matched: 'nonsense' }, { pairedItem: 7 }, { new_field: 'x' }])(
		'stays a success item with a boolean verdict when the registry adds %j',
		async (more) => {
			serve('GET', OPERATION, { body: { ...record(ELENI.ssn), ...more } });
			const run = await runNode(validate({ output: 'record' }, splitting), [ELENI]);
			expect(run.json[0]).toMatchObject([{ matched: true, ssn: ELENI.ssn }]);
			if ('new_field' in more) expect(run.json[0]).toMatchObject([more]);
		},
	);

	it.each([
		['record', {}],
		['selected', { fields: "={{ ['error', 'matched', 'name_gr', 'constructor'] }}" }],
	])('asks once, even with Retry On Fail, when a record has a field of the name "error" (%s)', async (output, more) => {
		const sent = serve('GET', OPERATION, { body: { ...record(ELENI.ssn), error: 'none', matched: 'x' } });
		const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const run = await runNode(validate({ output, ...more }, retrying), [ELENI]);
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

	it('takes the chosen fields as a list, or as text with commas', async () => {
		serve('GET', OPERATION, matches);
		for (const fields of ["={{ ['tid', 'sex'] }}", "={{ 'tid, sex' }}", ['tid', 'sex']]) {
			const run = await runNode(validate({ output: 'selected', fields }), [ELENI]);
			expect(run.json).toEqual([[{ matched: true, ssn: ELENI.ssn, sex: 'Θ', tid: '000000000' }]]);
		}
	});
});
