import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { expectIgnored, expectRefusal, expectStarted, forward, report, SUCCESS, trigger } from './calls';

describe('when the platform gets its answer', () => {
	const last = async (items: INodeExecutionData[]) => [
		items.map(() => ({ json: { result: '1', errorCode: 'FULL', error: 'Κλειστό' } })),
	];

	it('at once: before the workflow runs, and whatever becomes of it', async () => {
		const answer = await trigger(
			{ respond: 'onReceived' },
			{},
			{
				then: async () => {
					throw new Error('the workflow fails');
				},
			},
		).call(forward());
		expect([answer.status, answer.text]).toEqual([200, SUCCESS]);
		expect(answer.returned?.noWebhookResponse).toBeFalsy();
		expect(answer.execution?.status).toBe('error');
	});

	it('after the last node: what that node gives', async () => {
		const answer = await trigger({ respond: 'lastNode' }, {}, { then: last }).call(forward());
		expect([answer.status, answer.json]).toEqual([200, { result: '1', errorCode: 'FULL', error: 'Κλειστό' }]);
	});

	it('with the Respond to Webhook node: what that node says', async () => {
		const answer = await trigger(
			{ respond: 'responseNode' },
			{},
			{
				async then(this: IExecuteFunctions, items) {
					this.sendResponse({
						body: { result: '0', errorCode: '', error: '' },
						statusCode: 202,
						headers: { 'x-by': 'workflow' },
					});
					return [items];
				},
			},
		).call(forward());
		expect(answer).toMatchObject({ status: 202, text: SUCCESS, headers: { 'x-by': 'workflow' } });
	});

	it.each(['lastNode', 'responseNode'])('refusals are answered at once with %s, too', async (respond) => {
		const node = trigger({ respond, keywords: 'ΒΑ' }, {}, { then: last });
		expectRefusal(await node.call(forward({ 'pre-shared key': 'x' })), 401, 'INVALID_KEY');
		expectRefusal(await node.call(forward({ keyword: 'Γ' })), 200, 'UNKNOWN_KEYWORD');
	});

	it.each(['onReceived', 'lastNode', 'responseNode'])('reports are answered at once with %s, too', async (respond) => {
		expectStarted(await trigger({ respond }).call(report()));
	});

	describe.each(['lastNode', 'responseNode'])('and a call is repeated with %s', (respond) => {
		const answering = (result: () => string | undefined, wait = Promise.resolve()) =>
			trigger(
				{ respond },
				{},
				{
					async then(this: IExecuteFunctions) {
						await wait;
						const json = { result: result(), errorCode: '', error: '' };
						if (respond === 'responseNode') this.sendResponse({ body: json, statusCode: 200, headers: {} });
						return [[{ json }]];
					},
				},
			);

		it('while the workflow runs: it is told to call again, and afterwards that it was taken', async () => {
			let finish = () => {};
			const node = answering(() => '0', new Promise((done) => (finish = done)));
			const call = forward();
			const first = node.call(call);
			await new Promise(setImmediate);
			for (let i = 0; i < 2; i++) expectRefusal(await node.call(call), 500, 'INTERNAL_ERROR');
			finish();
			expect((await first).json).toMatchObject({ result: '0' });
			expectIgnored(await node.call(call));
		});

		it('after the workflow answered with the result "1": it starts again, until it answers another', async () => {
			for (const taken of ['0', undefined]) {
				const results = ['1', '1', taken];
				const node = answering(() => results.shift());
				const call = forward();
				for (let i = 0; i < 3; i++) expect((await node.call(call)).started).toBeDefined();
				expectIgnored(await node.call(call));
			}
		});
	});

	describe.each(['lastNode', 'responseNode'])('and the workflow failed with %s', (respond) => {
		it.each([false, true])(
			'the message gets through when the platform calls again (n8n restarted: %s)',
			async (restarted) => {
				let healthy = false;
				const node = trigger(
					{ respond },
					{},
					{
						async then(this: IExecuteFunctions, items) {
							if (!healthy) throw new Error('the workflow fails');
							if (respond === 'responseNode') this.sendResponse({ body: { result: '0' } });
							return [items];
						},
					},
				);
				const call = forward();
				expect((await node.call(call)).status).toBe(500);
				healthy = true;
				if (restarted) node.restart();
				expect((await node.call(call)).started).toBeDefined();
				expect((await node.call(call)).started).toBeUndefined();
			},
		);
	});
});
