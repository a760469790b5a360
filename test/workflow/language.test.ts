import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode, type NodeUnderTest } from './harness/engine';
import { continuing, OPERATION, row, send, TAKEN, withCredential } from './harness/send';
import { serve } from './harness/wire';

/* What is said where a run as a whole fails is in the language that was chosen, and with the columns that were. */

const few = withCredential({ maxMessagesPerRun: 1 });
const el = { language: 'el' };
const code = (operation: string, more: Partial<NodeUnderTest>): NodeUnderTest => ({
	...{ node: 'smsCode', credentials: few.credentials, ...more },
	parameters: {
		operation,
		serviceId: 's',
		messageId: 'm',
		recipient: '6912345678',
		verificationId: 'x',
		code: '1',
		options: el,
	},
});

describe.each<[string, NodeUnderTest]>([
	['a list that is too long', send({}, el, few)],
	['a list without its column', send({ recipient: '' }, el)],
	['a list for one message', send({ operation: 'sendAndWait' }, el)],
	['an option of Who Got It', send({ operation: 'followUp' }, { ...el, lateAfterHours: -1 })],
	['too many codes', code('sendCode', {})],
	['codes with Always Output Data', code('checkCode', { alwaysOutputData: true })],
	['a setting of AMKA', { node: 'amka', parameters: { splitByResult: "={{ 'x' }}", options: el as INodeParameters } }],
])('%s', (_, spec) => {
	const isGreek = { details: { notice: expect.stringMatching(/^(?!.* \/ ).*[α-ω]{3}/) as unknown } };
	const rows = [1, 2].map((last): IDataObject => ({ ΑΜ: last }));

	it('is said in Greek in its items', async () => {
		const run = await runNode({ ...spec, ...continuing }, rows);
		const items = run.json.flat().filter(({ error }) => error !== undefined);
		expect(items).toMatchObject(items.map(() => isGreek));
		expect(items).not.toEqual([]);
	});

	it('is said in Greek where it stops the run', async () => {
		expect((await runNode(spec, rows)).error).toMatchObject({ context: isGreek });
	});
});

it('a row of a run that can not begin keeps its columns, unless it is these that can not be read', async () => {
	const sent = serve('POST', OPERATION, TAKEN);
	const run = await runNode(send({}, { includeInputFields: true }, { ...few, ...continuing }), [row(1), row(2)]);
	expect(run.json[0]).toMatchObject([1, 2].map((last) => ({ details: { reason: 'tooManyRows', input: row(last) } })));
	const unreadable = send({}, { includeInputFields: true, language: 'gr' }, continuing);
	expect((await runNode(unreadable, [row(1)])).json[0]).toMatchObject([
		{ error: expect.stringMatching(/^Language/) as unknown, details: { input: row(1) } },
	]);
	expect(sent).toEqual([]);
});
