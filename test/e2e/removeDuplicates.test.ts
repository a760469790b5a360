import type { IDataObject, INode } from 'n8n-workflow';
import { items, type Execution } from './n8n';
import { sendingIn } from './sending';
import { builtIn, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();
const { sendNode } = sendingIn(world);

describe('SMS Send in a workflow with a Remove Duplicates node that has the scope Workflow', () => {
	const removing = (parameters: IDataObject): INode =>
		builtIn('n8n-nodes-base.removeDuplicates', 'Remove Duplicates', 2, {
			...{ operation: 'removeItemsSeenInPreviousExecutions', options: { scope: 'workflow' } },
			...(parameters as object),
		});
	const sent = async (...nodes: INode[]): Promise<Execution> =>
		await world.n8n.execute(withRows([{ recipient: '6900000001', number: 7 }], ...nodes));

	test('fails with an error that names the Remove Duplicates node and gives advice, if that node compares a number with the highest stored number', async () => {
		const node = removing({
			logic: 'removeItemsUpToStoredIncrementalKey',
			incrementalDedupeValue: '={{ $json.number }}',
		});
		const execution = await sent(node, sendNode({}, { onError: 'continueErrorOutput' }));
		expect(items(execution, 1)).toMatchObject([
			{
				error: expect.stringContaining('A Remove Duplicates node of this workflow has the scope Workflow') as unknown,
				message: expect.stringContaining('set that node back to its earlier operation, with the scope Node') as unknown,
			},
		]);
		expect(world.sandbox.messages).toEqual([]);
	});

	test('works after the admin has cleared the list and set the scope Node, as the error advises', async () => {
		const highest = { logic: 'removeItemsUpToStoredIncrementalKey', incrementalDedupeValue: '={{ $json.number }}' };
		const workflow = withRows([{ recipient: '6900000001', number: 7 }], removing(highest), sendNode());
		const id = await world.n8n.addWorkflow(workflow);
		const run = async (parameters: IDataObject): Promise<Execution> => {
			const nodes = workflow.nodes.map((node) =>
				node.name === 'Remove Duplicates' ? { ...node, parameters: parameters as INode['parameters'] } : node,
			);
			const { versionId } = await world.n8n.rest<{ versionId: string }>('GET', `/workflows/${id}`);
			await world.n8n.rest('PATCH', `/workflows/${id}`, { ...workflow, nodes, versionId });
			return await world.n8n.executeSaved(id);
		};
		const { operation } = removing({}).parameters;
		expect((await world.n8n.executeSaved(id)).status).toBe('error');

		// SMS Send, which runs after Remove Duplicates, can use the list again.
		const cleared = { operation: 'clearDeduplicationHistory', mode: 'cleanDatabase', options: { scope: 'workflow' } };
		expect(items(await run(cleared))).toMatchObject([{ accepted: true }]);
		const repaired = await run({ operation, ...highest, options: { scope: 'node' } });
		expect(items(repaired)).toMatchObject([{ accepted: false, skipReason: 'sentBefore' }]);
		expect(world.sandbox.messages).toHaveLength(1);
	});

	test('works if Remove Duplicates remembers values', async () => {
		const node = removing({ logic: 'removeItemsWithAlreadySeenKeyValues', dedupeValue: '={{ $json.number }}' });
		expect(items(await sent(node, sendNode()))).toMatchObject([{ accepted: true }]);
	});
});

keysStaySecret(world);
