import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
	expectIgnored,
	expectRefusal,
	expectStarted,
	forward,
	report,
	signed,
	SUCCESS,
	trigger,
} from '../harness/trigger';

describe('a repeated incoming SMS', () => {
	it('is answered as accepted, and starts no execution', async () => {
		const node = trigger();
		const call = (changes: IDataObject) => node.call(forward({ 'sms-forward-id': '4711', body: 'Ναί', ...changes }));
		expectStarted(await call({}));
		expectIgnored(await call({}));
		expectIgnored(await call({ 'sms-forward-id': 4711, operator: 'x' }));
		expectIgnored(await call({ body: ' Ναί\r\n'.normalize('NFD'), keyword: ' ΒΑ', MSISDN: '6912345678 ' }));
		expectStarted(await call({ 'sms-forward-id': '4712' }));
	});

	it.each(['part-id-1', 0, '0', 'null', '00000000-0000-0000-0000-000000000000'])(
		'counts as new if its text differs, even with the same ID %j',
		async (id) => {
			const node = trigger();
			const call = (body: string) => node.call(forward({ 'sms-forward-id': id, body }));
			for (const body of ['ΦΥΣΙΚΗ', 'ΧΗΜΕΙΑ', '', 'Φυσική']) expectStarted(await call(body));
			for (const body of ['ΦΥΣΙΚΗ', 'ΧΗΜΕΙΑ', '', 'Φυσική']) expectIgnored(await call(body));
		},
	);

	it.each([undefined, null, '', ' ', '\u200b'])(
		'with the ID %j counts as new, because such an ID is not used',
		async (id) => {
			const node = trigger();
			for (let i = 0; i < 2; i++) expectStarted(await node.call(forward({ 'sms-forward-id': id as never })));
		},
	);

	it('is recognised until n8n restarts', async () => {
		const node = trigger();
		const call = forward();
		expectStarted(await node.call(call));
		expectIgnored(await node.call(call));
		node.restart();
		expectStarted(await node.call(call));
	});

	it.each<[string, IDataObject]>([
		['number', { MSISDN: '6912345679' }],
		['keyword', { keyword: 'ΒΑΘΜΟΣ' }],
		['ID', { 'sms-forward-id': '4712' }],
	])('counts as new with another %s', async (_, changes) => {
		const node = trigger();
		for (const each of [{}, changes]) expectStarted(await node.call(forward({ 'sms-forward-id': '4711', ...each })));
	});

	it('is answered with HTTP 500, so that the platform tries again, while the first request is in progress', async () => {
		const node = trigger();
		const call = forward();
		const answers = await Promise.all([node.call(call), node.call(call), node.call(call)]);
		expectStarted(answers.find(({ started }) => started)!);
		const repeats = answers.filter(({ started }) => !started);
		expect(repeats).toHaveLength(2);
		for (const repeat of repeats) expectRefusal(repeat, 500, 'INTERNAL_ERROR');
		expectIgnored(await node.call(call));
	});

	it('starts the workflow each time during a test in the editor', async () => {
		const node = trigger();
		const call = { ...forward(), test: true };
		for (let i = 0; i < 2; i++) expectStarted(await node.call(call));
	});

	it('starts an execution if the earlier requests were rejected', async () => {
		const node = trigger({ keywords: 'ΒΑ' });
		expectRefusal(await node.call(forward({ 'sms-forward-id': '1', 'pre-shared key': 'x' })), 401, 'INVALID_KEY');
		expectRefusal(await node.call(forward({ 'sms-forward-id': '1', keyword: 'Γ' })), 200, 'UNKNOWN_KEYWORD');
		expectRefusal(await node.call(forward({ 'sms-forward-id': '1', MSISDN: '' })), 400, 'INVALID_REQUEST');
		expectStarted(await node.call(forward({ 'sms-forward-id': '1' })));
	});

	it('is accepted if n8n failed to save the execution of the first request', async () => {
		const node = trigger();
		const call = forward();
		const lost = await node.call({ ...call, unrecorded: true });
		expect([lost.status, lost.started]).toEqual([500, undefined]);
		expectStarted(await node.call(call));
		expectIgnored(await node.call(call));
	});
});

it('an incoming SMS does not overwrite static data that the workflow saves at the same moment', async () => {
	const node = trigger();
	const call = node.call(forward());
	node.staticData = { global: { unsubscribed: ['6912345678'] } };
	expectStarted(await call);
	expect(node.staticData).toEqual({ global: { unsubscribed: ['6912345678'] } });
});

describe('a delivery report that resembles an earlier request', () => {
	it('starts only one execution for each message and status', async () => {
		const node = trigger();
		const query = signed('grades', 'r-1', { mid: 'm-1' });
		expectStarted(await node.call(report({ status: 'SENT' }, query)));
		expectStarted(await node.call(report({ status: 'DELIVRD' }, query)));
		expectIgnored(await node.call(report({ status: 'DELIVRD' }, query)));
		for (const status of [' delivrd', 'Delivered']) expectIgnored(await node.call(report({ status }, query)));
		const later = Math.floor(Date.now() / 1000) + 500;
		expectIgnored(await node.call(report({ status: 'SENT' }, signed('grades', 'r-1', { mid: 'm-1', exp: later }))));
		expectIgnored(await node.call(report({ status: 'SENT' }, signed('grades', 'r-2', { mid: 'm-1' }))));
		expectStarted(await node.call(report({ status: 'SENT' }, signed('grades', 'r-1', { mid: 'm-2' }))));
	});

	it('starts an execution for each of several messages with the same reference, such as a student number', async () => {
		const node = trigger();
		for (let message = 0; message < 3; message++)
			expectStarted(await node.call(report({}, signed('grades', 'student 17'))));
	});

	it('without a signature is never a duplicate', async () => {
		const node = trigger({ acceptUnsignedReports: true });
		for (let i = 0; i < 2; i++) expectStarted(await node.call(report({}, {})));
	});

	it('is not a repetition of an incoming SMS with the same ID', async () => {
		const node = trigger();
		expectStarted(await node.call(forward({ 'sms-forward-id': 'same', MSISDN: 'DELIVRD' })));
		expectStarted(await node.call(report({}, signed('grades', 'same', { mid: 'same' }))));
	});
});

describe('the answer to the platform', () => {
	const last = async (items: INodeExecutionData[]) => [
		items.map(() => ({ json: { result: '1', errorCode: 'FULL', error: 'Κλειστό' } })),
	];
	const fails = async () => {
		throw new Error('the workflow fails');
	};

	it('comes immediately with Respond Immediately, even if the workflow fails later', async () => {
		const answer = await trigger({ respond: 'onReceived' }, {}, { then: fails }).call(forward());
		expect([answer.status, answer.text]).toEqual([200, SUCCESS]);
		expect(answer.returned?.noWebhookResponse).toBeFalsy();
		expect(answer.execution?.status).toBe('error');
	});

	it('comes after the last node, with the output of that node', async () => {
		const answer = await trigger({ respond: 'lastNode' }, {}, { then: last }).call(forward());
		expect([answer.status, answer.json]).toEqual([200, { result: '1', errorCode: 'FULL', error: 'Κλειστό' }]);
	});

	it('comes from the Respond to Webhook node, with its content', async () => {
		async function then(this: IExecuteFunctions, items: INodeExecutionData[]) {
			this.sendResponse({ body: JSON.parse(SUCCESS), statusCode: 202, headers: { 'x-by': 'workflow' } });
			return [items];
		}
		const answer = await trigger({ respond: 'responseNode' }, {}, { then }).call(forward());
		expect(answer).toMatchObject({ status: 202, text: SUCCESS, headers: { 'x-by': 'workflow' } });
	});

	it.each(['lastNode', 'responseNode'])('comes immediately for rejected requests, with %s', async (respond) => {
		const node = trigger({ respond, keywords: 'ΒΑ' }, {}, { then: last });
		expectRefusal(await node.call(forward({ 'pre-shared key': 'x' })), 401, 'INVALID_KEY');
		expectRefusal(await node.call(forward({ keyword: 'Γ' })), 200, 'UNKNOWN_KEYWORD');
	});

	it.each(['onReceived', 'lastNode', 'responseNode'])('comes immediately for reports, with %s', async (respond) => {
		expectStarted(await trigger({ respond }).call(report()));
	});

	describe.each(['lastNode', 'responseNode'])('to a repeated request with %s', (respond) => {
		const answering = (result: () => string | undefined, wait = Promise.resolve()) => {
			async function then(this: IExecuteFunctions) {
				await wait;
				const json = { result: result(), errorCode: '', error: '' };
				if (respond === 'responseNode') this.sendResponse({ body: json, statusCode: 200, headers: {} });
				return [[{ json }]];
			}
			return trigger({ respond }, {}, { then });
		};

		it('is HTTP 500 while the workflow runs, and later states that the event was accepted', async () => {
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

		it('comes from a new run of the workflow if the result of the first run was "1"', async () => {
			for (const taken of ['0', undefined]) {
				const results = ['1', '1', taken];
				const node = answering(() => results.shift());
				const call = forward();
				for (let i = 0; i < 3; i++) expect((await node.call(call)).started).toBeDefined();
				expectIgnored(await node.call(call));
			}
		});

		it.each([false, true])(
			'comes from a new run of the workflow if the first run failed (n8n restarted: %s)',
			async (restarted) => {
				let healthy = false;
				const node = answering(() => {
					if (!healthy) throw new Error('the workflow fails');
					return '0';
				});
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
