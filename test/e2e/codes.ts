import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { call as callUrl } from './calls';
import type { World } from './world';
import { builtIn } from './workflows';

/* Common functions of the tests of one-time codes. */

/** Returns the code in the last message that the platform accepted. */
export const codeOnThePhone = (world: World): string => /(\d+)\D*$/.exec(world.sandbox.messages.at(-1)!.text)![1]!;

/** Returns another code of the same length. */
export const another = (code: string): string =>
	String((Number(code) + 1) % 10 ** code.length).padStart(code.length, '0');

const webhook = (path: string): INode => ({
	...builtIn('n8n-nodes-base.webhook', path, 2, { path, httpMethod: 'POST', responseMode: 'lastNode' }),
	webhookId: randomUUID(),
});

export interface CodeService {
	/** Sends a code to a number. @returns the item of Send Code, or n8n's answer if the run failed */
	ask(mobile: string): Promise<IDataObject>;
	/** Checks a typed code. @returns the item of Check Code */
	type(verificationId: unknown, code: unknown): Promise<IDataObject>;
}

/** Publishes a workflow with two webhooks: one sends a code, and the other webhook checks it. */
export async function publishCodes(world: World, more: INodeParameters = {}): Promise<CodeService> {
	const options = { validMinutes: 60, ...more };
	const codeNode = (name: string, parameters: INodeParameters): INode => ({
		...world.node('smsCode', parameters),
		name,
	});
	const [ask, type] = [`ask-${randomUUID()}`, `type-${randomUUID()}`];
	const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];
	const id = await world.n8n.addWorkflow({
		name: 'codes',
		nodes: [
			webhook(ask),
			codeNode('Send Code', {
				operation: 'sendCode',
				serviceId: '103',
				messageId: '1',
				recipient: '={{ $json.body.mobile }}',
				options,
			}),
			webhook(type),
			codeNode('Check Code', {
				operation: 'checkCode',
				verificationId: '={{ $json.body.id }}',
				code: '={{ $json.body.code }}',
			}),
			builtIn('n8n-nodes-base.noOp', 'Done', 1, {}),
		],
		connections: {
			[ask]: { main: [to('Send Code')] },
			[type]: { main: [to('Check Code')] },
			'Check Code': { main: [to('Done'), to('Done')] },
		},
		settings: { executionOrder: 'v1' },
	});
	await world.n8n.publish(id);
	const call = async (path: string, body: object): Promise<IDataObject> =>
		(await callUrl(`${world.n8n.url}/webhook/${path}`, body))[1] as IDataObject;
	return {
		ask: async (mobile) => await call(ask, { mobile }),
		type: async (verificationId, code) => await call(type, { id: verificationId, code }),
	};
}
