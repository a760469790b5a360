import type { INodeParameters } from 'n8n-workflow';
import { askAgent } from './agent';
import { sendingIn } from './sending';
import type { PackageNode } from './workflows';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();
const { trouble, requests } = sendingIn(world);

/*
 * An agent that calls its tools itself raises the number of the run at each attempt, so that an attempt of Retry On Fail
 * can't be told from a second request: the same message goes out once in an execution.
 */
describe.each([2, 3])('called by an agent of type version %i, with Retry On Fail', (version) => {
	const recipient = '6900000001';
	const tools: Array<[string, PackageNode, INodeParameters]> = [
		[
			'SMS Send with Send',
			'smsSend',
			{
				operation: 'send',
				ifAlreadySent: 'send',
				recipient,
				serviceId: '101',
				messageId: '1',
				placeholders: { mappingMode: 'defineBelow', value: { Μάθημα: 'Φυσική', Βαθμός: '8' } },
			},
		],
		[
			'SMS Send with Skip',
			'smsSend',
			{
				operation: 'send',
				recipient,
				serviceId: '101',
				messageId: '1',
				placeholders: { mappingMode: 'defineBelow', value: { Μάθημα: 'Φυσική', Βαθμός: '8' } },
			},
		],
		['Send Code', 'smsCode', { operation: 'sendCode', recipient, serviceId: '103', messageId: '1' }],
	];

	test.each(tools)(
		'%s: where no answer says what became of the message, the platform is asked once',
		async (_, node, parameters) => {
			trouble({ answer: '500', recipient });
			const base = world.node(node, parameters);
			const tool = {
				...base,
				name: 'tool',
				type: `${base.type}Tool`,
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 1,
			};
			await askAgent(world.n8n, tool, [], version);
			expect(requests([{ recipient }])).toEqual([1]);
		},
	);
});

keysStaySecret(world);
