import type { INode } from 'n8n-workflow';
import { taskOf } from './n8n';
import { hints, mobile, rowsUpTo, sendingIn } from './sending';
import { builtIn, chain, withRows } from './workflows';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();
const { sendNode, send, trouble, requests, taken } = sendingIn(world);

describe('what an admin is told at the end', () => {
	test('a sum of what became of the rows', async () => {
		trouble({ answer: 'cutAfter', recipient: mobile(1) });
		const execution = await send(
			[...rowsUpTo(3), { recipient: mobile(0) }, { recipient: 'nobody' }],
			{},
			{ onError: 'continueErrorOutput' },
		);

		expect(taskOf(execution, 'smsSend').hints).toEqual([
			expect.objectContaining({
				message: expect.stringContaining('2 accepted, 1 rejected, 1 unknown, 1 skipped'),
				type: 'warning',
			}),
			expect.objectContaining({ message: expect.stringMatching(/^1 row was not sent/), type: 'warning' }),
		]);
	});

	describe('a Delivery Report URL that no report will come to is a warning, and the message goes out', () => {
		beforeEach(() => trouble({ report: 'lost' }));
		const withReportTo = (dlrUrl: string): INode => sendNode({}, {}, { dlrUrl });

		test.each([
			['plain http', 'http://n8n.example.gr/webhook/abc/dlr', /plain http/],
			['another ending', 'https://n8n.example.gr/webhook/abc', /does not end in \/dlr/],
		])('%s', async (_, dlrUrl, warning) => {
			const execution = await world.n8n.execute(withRows(rowsUpTo(2), withReportTo(dlrUrl)));

			expect(taskOf(execution, 'smsSend').hints).toEqual([
				expect.objectContaining({ message: expect.stringContaining('2 accepted') }),
				expect.objectContaining({ message: expect.stringMatching(warning), type: 'warning' }),
			]);
			expect(taken(rowsUpTo(2))).toEqual([1, 1]);
		});

		test.each([
			['a public address', 'https://n8n.example.gr/webhook/abc/dlr'],
			['a test address while somebody tries the workflow', 'https://n8n.example.gr/webhook-test/abc/dlr'],
		])('not so %s', async (_, dlrUrl) => {
			const execution = await world.n8n.execute(withRows(rowsUpTo(1), withReportTo(dlrUrl)));

			expect(hints(execution)).toEqual([]);
			expect(taken(rowsUpTo(1))).toEqual([1]);
		});

		test('nor an address on this computer where the platform is on it too', async () => {
			const execution = await send(rowsUpTo(1), {}, {}, { dlrUrl: 'http://localhost:5678/webhook/abc/dlr' });

			expect(hints(execution)).toEqual([]);
			expect(taken(rowsUpTo(1))).toEqual([1]);
		});

		test('the address for messages is refused before anything is sent', async () => {
			const execution = await send(rowsUpTo(1), {}, {}, { dlrUrl: 'https://n8n.example.gr/webhook/abc/forward' });

			expect(taskOf(execution, 'smsSend').error?.message).toMatch(/Delivery Report URL ends in \/forward/);
			expect(requests(rowsUpTo(1))).toEqual([0]);
		});

		test('a test address in an active workflow', async () => {
			const path = `scale-${Date.now()}`;
			const webhook = builtIn('n8n-nodes-base.webhook', 'Webhook', 2, { path, httpMethod: 'POST', options: {} });
			const id = await world.n8n.addWorkflow(
				chain(
					'active',
					{ ...webhook, webhookId: path },
					sendNode(
						{},
						{},
						{
							dlrUrl: 'https://n8n.example.gr/webhook-test/abc/dlr',
							recipient: '={{ $json.body.recipient }}',
						},
					),
				),
			);
			await world.n8n.publish(id);
			await fetch(`${world.n8n.url}/webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(rowsUpTo(1)[0]),
			});
			const [execution] = await world.n8n.executionsWhenEnded(id, 1);

			expect(hints(execution!)).toEqual([expect.stringMatching(/test URL/)]);
			expect(taken(rowsUpTo(1))).toEqual([1]);
		});
	});
});

keysStaySecret(world);
