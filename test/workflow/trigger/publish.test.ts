import { HookContext } from 'n8n-core';
import type { INode, INodeParameters } from 'n8n-workflow';

import { trigger } from './calls';

/** What n8n does with each webhook when the workflow is published or listens for a test. */
async function publish(parameters: INodeParameters): Promise<boolean[]> {
	const workflow = trigger({ events: ['smsForward'], keywordOutputs: true, ...parameters });
	const loaded = workflow.load();
	const { data } = workflow.additionalData('trigger');
	const methods = workflow.nodeType.webhookMethods as Record<
		string,
		Record<string, (this: HookContext) => Promise<boolean>>
	>;
	const answers: boolean[] = [];
	for (const name of ['default', 'setup']) {
		for (const method of ['checkExists', 'create', 'delete']) {
			answers.push(
				await methods[name]![method]!.call(
					new HookContext(loaded, loaded.getNode('Node') as INode, data, 'trigger', 'activate'),
				),
			);
		}
	}
	return answers;
}

test.each<[string, INodeParameters]>([
	['an output for each keyword', { keywords: 'ΒΑ, Βαθμός' }],
	['keywords that are an expression', { keywordOutputs: false, keywords: '={{ $vars.missing }}' }],
	['no keywords', { keywordOutputs: false, keywords: '' }],
	['reports beside them', { events: ['smsForward', 'deliveryReport'], keywords: 'ΒΑ, ba' }],
])('a trigger with %s can be published', async (_, parameters) => {
	expect(await publish(parameters)).toEqual(Array(6).fill(true));
});

test.each([
	['ΒΑ, ba', /^Keywords has "ba" twice/],
	[' ,', /^Keywords is empty, so there is no output/],
	['={{ "ΒΑ" }}', /^Keywords is an expression, and the outputs can't be known from one/],
])('an output for each keyword can not, with %j', async (keywords, message) => {
	await expect(publish({ keywords })).rejects.toThrow(
		expect.objectContaining({
			name: 'NodeOperationError',
			message: expect.stringMatching(message) as unknown,
			description: expect.stringMatching(/./) as unknown,
		}),
	);
});
