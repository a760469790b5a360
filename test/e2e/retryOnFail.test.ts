import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import type { Trouble } from '../../sandbox/trouble';
import { taskOf, until } from './n8n';
import { items, mobile, rowsUpTo, sendingIn } from './sending';
import { keysStaySecret, useWorld } from './world';

const world = useWorld();
const { send, trouble, requests, taken } = sendingIn(world);

describe("with n8n's Retry On Fail, every row that was taken is taken once", () => {
	const rows = rowsUpTo(3);

	interface Way {
		outcome: 'rejected' | 'unknown';
		/** Whether the platform takes the message all the same. */
		takes: boolean;
		trouble: Partial<Trouble>;
		parameters?: (bad: number) => INodeParameters;
	}
	const ways: Record<string, Way> = {
		'an unknown service': {
			outcome: 'rejected',
			takes: false,
			trouble: {},
			parameters: (bad) => ({ serviceId: `={{ $itemIndex === ${bad} ? '999' : '101' }}` }),
		},
		'HTTP 500': { outcome: 'unknown', takes: false, trouble: { answer: '500' } },
		'a cut connection': { outcome: 'unknown', takes: true, trouble: { answer: 'cutAfter' } },
		// Held until the test lets go: no clock but the node's own time-out.
		'no answer in time': { outcome: 'unknown', takes: true, trouble: { holdUntilTaken: 1000 } },
	};
	const settings: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
	const matrix = Object.keys(ways).flatMap((way) =>
		(way === 'a cut connection' ? [0, 1, 2] : [1]).flatMap((bad) =>
			settings.flatMap((onError) =>
				(['skip', 'send'] as const).map((ifAlreadySent) => [way, bad, onError, ifAlreadySent] as const),
			),
		),
	);

	test.each(matrix)('%s at row %d, On Error: %s, If Already Sent: %s', async (name, bad, onError, ifAlreadySent) => {
		const way = ways[name]!;
		const stops = onError === 'stopWorkflow';
		trouble({ ...way.trouble, recipient: mobile(bad) });
		const execution = await send(
			rows,
			// One at a time where it stops, so that there are rows that were not tried.
			{ timeout: 3, ...(stops && { concurrency: 1 }) },
			{ retryOnFail: true, maxTries: 3, waitBetweenTries: 1, onError },
			{ ifAlreadySent, ...way.parameters?.(bad) },
		);
		trouble({ holdUntilTaken: 0 });
		await until('the platform is done', () => world.sandbox.inFlight === 0);

		// A row of unknown outcome stops one try, and not the next: the rows after it are sent.
		const tried = (index: number): boolean => !stops || index <= bad || way.outcome === 'unknown';
		// When it goes on, n8n runs the node again only where the very first row failed.
		const again = way.outcome === 'rejected' && (stops || bad === 0) ? 3 : 1;
		expect(requests(rows)).toEqual(rows.map((_, index) => (tried(index) ? (index === bad ? again : 1) : 0)));
		expect(taken(rows)).toEqual(rows.map((_, index) => Number(tried(index) && (index !== bad || way.takes))));

		const failed = {
			error: expect.any(String),
			message: expect.any(String),
			details: expect.objectContaining({ outcome: way.outcome, recipient: mobile(bad) }),
		};
		const good = ({ recipient }: IDataObject): IDataObject => ({
			accepted: true,
			serviceId: '101',
			messageId: '2',
			text: 'Οι βαθμοί της εξεταστικής ανακοινώθηκαν.',
			segments: 1,
			recipient,
			reference: expect.any(String),
			sentAt: expect.any(String),
		});
		if (stops) {
			expect(execution.status).toBe('error');
			expect(taskOf(execution, 'smsSend').error).toMatchObject({
				context: { itemIndex: bad, details: { outcome: way.outcome } },
				description: expect.stringContaining(
					way.outcome === 'unknown'
						? '2 accepted, 0 rejected, 1 unknown, 0 skipped'
						: [
								'0 accepted, 1 rejected, 0 unknown, 0 skipped, 2 not tried',
								'1 accepted, 1 rejected, 0 unknown, 0 skipped, 1 not tried',
								'2 accepted, 1 rejected, 0 unknown, 0 skipped',
							][bad]!,
				),
			});
			return;
		}
		expect(execution.status).toBe('success');
		const others = rows.filter((_, index) => index !== bad);
		if (onError === 'continueRegularOutput') {
			expect(items(execution)).toEqual(rows.map((row, index) => (index === bad ? failed : good(row))));
			expect(items(execution, 1)).toEqual([]);
		} else {
			expect(items(execution)).toEqual(others.map(good));
			expect(items(execution, 1)).toEqual([{ ...rows[bad], ...failed }]);
		}
	});
});

keysStaySecret(world);
