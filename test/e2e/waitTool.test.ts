import type { INode, INodeParameters } from 'n8n-workflow';
import { askAgent, withSubNodes } from './agent';
import { taskOf } from './n8n';
import { tellsModelOfFailure } from './versions';
import { recipient, waitingIn } from './waiting';
import { builtIn } from './workflows';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();
const { waitNode, bodies } = waitingIn(world);

describe("Send and Wait as an AI agent's tool fails instead of waiting forever", () => {
	const tool = (parameters: INodeParameters): INode =>
		waitNode(
			{ recipient, options: { replacements: '["17"]' }, ...parameters },
			{ name: 'tool', type: 'n8n-nodes-amka-sms.smsSendTool' },
		);

	/** The node `executor` runs the tool, as in the execution that the editor's button "Execute step" starts. */
	test('if it is executed as a single step in the editor', async () => {
		const executor = builtIn('@n8n/n8n-nodes-langchain.toolExecutor', 'executor', 1, { query: '{}' });
		const execution = await world.n8n.execute(withSubNodes(executor, { ai_tool: tool({}) }));

		expect(execution.status).not.toBe('waiting');
		expect(JSON.stringify(execution.result)).toMatch(/can't run as an AI tool/);
		expect(bodies()).toEqual([]);
	});

	test('if it is used as the step for human approval that n8n derives from every node that can be a tool', async () => {
		const approval = { ...tool({}), name: 'approval', type: 'n8n-nodes-amka-sms.smsSendHitlTool' };
		const [execution, answers] = await askAgent(world.n8n, approval, [tool({ operation: 'send' })]);

		expect(execution.status).not.toBe('waiting');
		expect(taskOf(execution, 'approval').error?.message).toMatch(/can't run as an AI tool/);
		expect(answers).toHaveLength(tellsModelOfFailure ? 1 : 0);
		expect(bodies()).toEqual([]);
	});
});

keysStaySecret(world);
