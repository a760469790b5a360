import type { INodeParameters } from 'n8n-workflow';

import { runNode, type NodeUnderTest } from '../harness/engine';
import { serve } from '../harness/httpServer';
import { credential, ELENI, MARIA, matches, NOTICE, OF_ITEM, OPERATION } from '../harness/amka';

/* Tests a new AMKA node in which only the fields of the person are filled in. */

const newNode = (parameters: INodeParameters = {}, more: Partial<NodeUnderTest> = {}): NodeUnderTest => ({
	node: 'amka',
	parameters: { ...OF_ITEM, ...parameters },
	credentials: credential(),
	...more,
});

const items = [
	{ ...ELENI, mobile: '6900000001' },
	{ ...MARIA, mobile: '6900000002' },
];
const COMPARED = { operation: 'compare', compareWith: { mappingMode: 'autoMapInputData', value: null } };

beforeEach(() => {
	serve('GET', OPERATION, (request) =>
		request.query.ssn === MARIA.ssn ? { body: { match: 'false' } } : matches(request),
	);
});

describe('a new AMKA node', () => {
	it('includes the input fields, and routes people who do not match to the second output', async () => {
		const run = await runNode(newNode(), items);
		expect(run.json).toEqual([
			[{ ...items[0], matched: true, ssn: ELENI.ssn }],
			[{ ...items[1], matched: false, ssn: MARIA.ssn, notice: NOTICE }],
		]);
	});

	it('routes valid and invalid numbers of Check Number to two outputs', async () => {
		const run = await runNode(newNode({ operation: 'checkNumber' }), [ELENI, { ssn: '1' }]);
		expect(run.json).toMatchObject([[{ valid: true, surname: ELENI.surname }], [{ valid: false }]]);
	});

	it('routes, in Compare, people whose data agrees and other people to two outputs', async () => {
		const rows = ['Ελένη', 'Άννα'].map((name) => ({ ...ELENI, Όνομα: name }));
		const run = await runNode(newNode(COMPARED), rows);
		expect(run.json).toMatchObject([[{ agrees: true, Όνομα: 'Ελένη' }], [{ agrees: false, Όνομα: 'Άννα' }]]);
	});

	it('returns a sheet on one output, even with Always Output Data', async () => {
		const rows = ['Ελένη', 'Άννα'].map((name) => ({ ...ELENI, Όνομα: name }));
		for (const alwaysOutputData of [false, true]) {
			const run = await runNode(newNode({ ...COMPARED, compareOutput: 'sheet' }, { alwaysOutputData }), rows);
			expect(run.json).toMatchObject([[{ Αποτέλεσμα: 'συμφωνεί' }, { Αποτέλεσμα: 'διαφέρει' }]]);
		}
	});

	it('returns the errors on one output if it could not make the sheet', async () => {
		const unreachable = { credentials: { amkaApi: new Error('the store is down') } };
		const node = newNode({ ...COMPARED, compareOutput: 'sheet' }, { ...unreachable, onError: 'continueRegularOutput' });
		const run = await runNode(
			node,
			[ELENI, MARIA].map((person) => ({ ...person, Όνομα: 'Άννα' })),
		);
		expect(run.json).toMatchObject([[{ error: 'the store is down' }, { error: 'the store is down' }]]);
	});

	it('returns an error for each item if Always Output Data is on', async () => {
		const run = await runNode(newNode({}, { alwaysOutputData: true, onError: 'continueRegularOutput' }), items);
		const error = expect.stringMatching(/Always Output Data must be off for Split by Result/) as unknown;
		expect(run.json[1]).toMatchObject([{ error }, { error }]);
	});

	it("as an AI agent's tool returns only its own fields, on one output", async () => {
		const run = await runNode(newNode({ options: { includeInputFields: true } }, { asTool: true }), items);
		const tasks = run.run.data.resultData.runData.Node!.map(({ data }) => data?.ai_tool?.[0]?.[0]?.json);
		expect(tasks).toEqual([
			{ matched: true, ssn: ELENI.ssn },
			{ matched: false, ssn: MARIA.ssn, notice: NOTICE },
		]);
	});
});
