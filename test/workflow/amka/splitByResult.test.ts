import { runNode } from '../harness/engine';
import { serve } from '../harness/wire';
import { continuing, ELENI, GIORGOS, MARIA, matches, NOTICE, OPERATION, splitting, validate } from './fixtures';

const rows = [ELENI, MARIA, { ...GIORGOS, surname: '' }, GIORGOS, { ...ELENI, ssn: '150399' }];
/** A registry in which Maria does not match. */
const registry = () =>
	serve('GET', OPERATION, (request) =>
		request.query.ssn === MARIA.ssn ? { body: { match: 'false' } } : matches(request),
	);
const pairs = (outputs: Array<Array<{ pairedItem?: unknown }>>) =>
	outputs.map((items) => items.map(({ pairedItem }) => (pairedItem as { item: number }).item));

describe('Split by Result', () => {
	it('gives those who match an output, and those who do not', async () => {
		registry();
		const run = await runNode(validate({ splitByResult: true }), [ELENI, MARIA, { ...ELENI, ssn: '150399' }, GIORGOS]);
		const [eleni, giorgos] = [ELENI, GIORGOS].map(({ ssn }) => ({ matched: true, ssn }));
		const maria = { matched: false, ssn: MARIA.ssn, notice: NOTICE };
		const nobody = { matched: false, ssn: '150399', reason: 'length', notice: expect.any(String) as unknown };
		expect(run.json).toEqual([
			[eleni, giorgos],
			[maria, nobody],
		]);
		expect(pairs(run.outputs).map(String)).toEqual(['0,3', '1,2']);
		expect(run.origins).toEqual([
			[ELENI, GIORGOS],
			[MARIA, { ...ELENI, ssn: '150399' }],
		]);
	});

	it('leaves what could not be asked to the error output, which is the last', async () => {
		registry();
		const run = await runNode(validate({ splitByResult: true }, splitting), rows);
		expect(run.outputs).toHaveLength(3);
		expect(run.json[0]).toMatchObject([{ matched: true }, { matched: true }]);
		expect(run.json[1]).toMatchObject([{ matched: false }, { matched: false }]);
		expect(run.json[2]).toMatchObject([{ error: expect.stringMatching(/surname is missing/) as unknown }]);
		expect(run.origins[2]).toEqual([rows[2]]);
	});

	it('lets nobody pass for matched who could not be asked, where errors have no output', async () => {
		registry();
		const run = await runNode(validate({ splitByResult: true }, continuing), rows);
		expect(pairs(run.outputs).map(String)).toEqual(['0,3', '1,2,4']);
		expect(run.json[1]?.[1]).toMatchObject({ error: expect.stringMatching(/surname is missing/) as unknown });
	});

	it('gives valid and not valid numbers an output each', async () => {
		const parameters = { operation: 'checkNumber', ssn: '={{ $json.ssn }}', splitByResult: true };
		const run = await runNode({ node: 'amka', parameters }, [{ ssn: ELENI.ssn }, { ssn: '' }, { ssn: 1013099997 }]);
		const [no, lost] = ['length', 'leadingZero'].map((reason) => ({ valid: false, reason }));
		expect(run.json).toMatchObject([[{ valid: true }], [no, lost]]);
	});

	it('does not run with Always Output Data, which lets an empty item out on Matched where nobody matches', async () => {
		const asked = registry();
		const refused = await runNode(validate({ splitByResult: true }, { alwaysOutputData: true }), [MARIA]);
		expect(refused.error?.message).toMatch(/Always Output Data must be off for Split by Result/);
		expect(asked).toEqual([]);
		const whole = await runNode(validate({}, { alwaysOutputData: true }), [MARIA]);
		expect(whole.json).toEqual([[{ matched: false, ssn: MARIA.ssn, notice: NOTICE }]]);
	});

	it('as an AI tool every item leaves on the first output', async () => {
		registry();
		const run = await runNode(validate({ splitByResult: true }, { asTool: true }), [MARIA]);
		const task = run.run.data.resultData.runData.Node?.[0];
		expect(task?.data?.ai_tool?.map((items) => items?.map(({ json }) => json))).toEqual([
			[{ matched: false, ssn: MARIA.ssn, notice: NOTICE }],
		]);
	});
});
