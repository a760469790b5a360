import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { expectStarted, forward, report, trigger } from './calls';

/** The outputs as the editor shows them. */
async function shown(parameters: INodeParameters) {
	const workflow = trigger(parameters).load();
	await workflow.expression.acquireIsolate();
	try {
		const node = workflow.getNode('Node')!;
		const outputs = NodeHelpers.getNodeOutputs(
			workflow,
			node,
			workflow.nodeTypes.getByName(node.type)!.description as never,
		);
		return outputs.map((output) =>
			typeof output === 'string' ? output : [output.type, output.displayName].join(': '),
		);
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

const both = ['smsForward', 'deliveryReport'];

describe('the outputs', () => {
	it.each<[string[], string, number]>([
		[both, 'forward', 0],
		[both, 'dlr', 1],
		[['deliveryReport', 'smsForward'], 'dlr', 1],
		[['smsForward'], 'forward', 0],
		[['deliveryReport'], 'dlr', 1],
	])('for %j put a call of %s on the right one', async (events, path, expected) => {
		const node = trigger({ events });
		const answer = await node.call(path === 'dlr' ? report() : forward());
		expectStarted(answer);
		expect(answer.started?.map(({ length }) => length)).toEqual([0, 1].map((output) => (output === expected ? 1 : 0)));
		expect(answer.execution?.outputs[expected]).toHaveLength(1);
	});

	it.each([[both], [['smsForward']], [['deliveryReport']], [[]]])(
		'are always two, with labels (%j)',
		async (events) => {
			expect(await shown({ events })).toEqual(['main: Message', 'main: Report']);
		},
	);

	it.each<[string, INodeParameters, string[]]>([
		['keywords', { keywords: 'ΒΑ, ΣΙΤΙΣΗ' }, ['main: ΒΑ', 'main: ΣΙΤΙΣΗ']],
		['keywords in lines', { keywords: ' ΒΑ\n\u200bΣΙΤΙΣΗ,,' }, ['main: ΒΑ', 'main: ΣΙΤΙΣΗ']],
		['no keyword', { keywords: ' ,' }, ['main: Message', 'main: Report']],
		['an expression that fails', { keywords: "={{ $('Nowhere').item.json.x }}" }, ['main: Message', 'main: Report']],
		['keywords and reports', { keywords: 'ΒΑ', events: both }, ['main: Message', 'main: Report']],
		['keywords, switched off', { keywords: 'ΒΑ', keywordOutputs: false }, ['main: Message', 'main: Report']],
	])('by keyword, with %s', async (_, parameters, expected) => {
		expect(await shown({ events: ['smsForward'], keywordOutputs: true, ...parameters })).toEqual(expected);
	});
});
