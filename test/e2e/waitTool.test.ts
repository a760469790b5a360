import type { INode, INodeParameters } from 'n8n-workflow';
import { askAgent, withSubNodes } from './agent';
import { taskOf } from './n8n';
import { tellsModelOfFailure } from './versions';
import { recipient, waitingIn } from './waiting';
import { builtIn } from './workflows';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();
const { waitNode, bodies } = waitingIn(world);

describe('as an AI tool it is rejected instead of hanging', () => {
	const tool = (parameters: INodeParameters): INode =>
		waitNode(
			{ recipient, options: { replacements: '["17"]' }, ...parameters },
			{ name: 'tool', type: 'n8n-nodes-amka-sms.smsSendTool' },
		);

	/** What the editor runs for "Execute step" on a tool. */
	test('when it is tried in the editor', async () => {
		const executor = builtIn('@n8n/n8n-nodes-langchain.toolExecutor', 'executor', 1, { query: '{}' });
		const execution = await world.n8n.execute(withSubNodes(executor, { ai_tool: tool({}) }));

		expect(execution.status).not.toBe('waiting');
		expect(JSON.stringify(execution.result)).toMatch(/can't run as an AI tool/);
		expect(bodies()).toEqual([]);
	});

	test('as the human approval that n8n makes of every such node, where nothing is approved', async () => {
		const approval = { ...tool({}), name: 'approval', type: 'n8n-nodes-amka-sms.smsSendHitlTool' };
		const [execution, answers] = await askAgent(world.n8n, approval, [tool({ operation: 'send' })]);

		expect(execution.status).not.toBe('waiting');
		expect(taskOf(execution, 'approval').error?.message).toMatch(/can't run as an AI tool/);
		expect(answers).toHaveLength(tellsModelOfFailure ? 1 : 0);
		expect(bodies()).toEqual([]);
	});
});

keysStaySecret(world);
