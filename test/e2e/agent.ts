import { text } from 'node:stream/consumers';
import type { IDataObject, INode } from 'n8n-workflow';
import type { Execution, N8n, WorkflowFile } from './n8n';
import { listen, type Listening } from './server';
import { builtIn, chain } from './workflows';

/**
 * Lets n8n's AI agent call a tool. The model of the agent is simulated.
 * @param toolNode a node of the tool type that n8n derives from a node which agents may use
 * @param behind tools that are connected to `toolNode`, if it is an agent itself
 * @param beside further tools of the agent
 * @param version the version of the agent: up to 2 the agent calls its tools, from 3 on n8n's engine runs them
 * @param rounds the model's calls, one round after the other; the calls of a round are sent together. A call goes to the first
 * tool, or to the tool that its `tool` names
 * @returns the run, and the answer that the model gets for each call
 */
export async function askAgent(
	n8n: N8n,
	toolNode: INode,
	behind: INode[] = [],
	version = 3,
	rounds: IDataObject[][] = [[{}]],
	beside: INode[] = [],
): Promise<[Execution, string[]]> {
	const model = await startModel(rounds);
	try {
		const key = await n8n.addCredential('openAiApi', { apiKey: 'simulated', url: model.url });
		const agent = builtIn('@n8n/n8n-nodes-langchain.agent', 'agent', version, {
			promptType: 'define',
			text: 'Go',
			options: {},
		});
		const chat: INode = {
			...builtIn('@n8n/n8n-nodes-langchain.lmChatOpenAi', 'model', 1.2, {
				model: { __rl: true, mode: 'id', value: 'simulated' },
				options: {},
			}),
			credentials: { openAiApi: key },
		};
		const workflow = withSubNodes(agent, { ai_languageModel: chat, ai_tool: toolNode });
		for (const node of behind) {
			workflow.nodes.push(node);
			workflow.connections[node.name] = { ai_tool: [[{ node: toolNode.name, type: 'ai_tool', index: 0 }]] };
		}
		for (const node of beside) {
			workflow.nodes.push(node);
			workflow.connections[node.name] = { ai_tool: [[{ node: agent.name, type: 'ai_tool', index: 0 }]] };
		}
		return [await n8n.execute(workflow), model.toolAnswers];
	} finally {
		await model.close();
	}
}

/** Returns a workflow with a root node and its sub-nodes. @param subNodes by the type of their connection, such as `ai_tool` */
export function withSubNodes(root: INode, subNodes: Record<string, INode>): WorkflowFile {
	const workflow = chain('sub-nodes', builtIn('n8n-nodes-base.manualTrigger', 'Start', 1, {}), root);
	for (const [type, node] of Object.entries(subNodes)) {
		workflow.nodes.push(node);
		workflow.connections[node.name] = { [type]: [[{ node: root.name, type: type as 'ai_tool', index: 0 }]] };
	}
	return workflow;
}

/** Starts a simulated OpenAI-compatible model that calls tools in these rounds, and then gives its last answer. */
async function startModel(rounds: IDataObject[][]): Promise<Listening & { toolAnswers: string[] }> {
	const toolAnswers: string[] = [];
	const { url, close } = await listen((incoming, response) => {
		void text(incoming).then((body) => {
			const { messages = [], tools = [] } = JSON.parse(body || '{}') as {
				messages?: Array<{ role: string; content: unknown }>;
				tools?: Array<{ function: { name: string } }>;
			};
			const answers = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
			toolAnswers.push(...answers.slice(toolAnswers.length));
			// The number of rounds that have been answered.
			let round = 0;
			for (let calls = 0; calls < answers.length; calls += rounds[round++]!.length);
			const calls = rounds[round]?.map(({ tool = tools[0]?.function.name, ...args }, index) => ({
				id: `call_${round}_${index}`,
				type: 'function',
				function: { name: tool, arguments: JSON.stringify(args) },
			}));
			const message = { role: 'assistant', content: calls ? null : 'done', tool_calls: calls };
			response.setHeader('content-type', 'application/json').end(
				JSON.stringify({
					id: 'simulated',
					object: 'chat.completion',
					created: 0,
					model: 'simulated',
					choices: [{ index: 0, message, finish_reason: calls ? 'tool_calls' : 'stop' }],
					usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
				}),
			);
		});
	});
	return { url: `${url}/v1`, toolAnswers, close };
}
