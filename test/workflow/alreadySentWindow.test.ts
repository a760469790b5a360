import { TestWorkflow } from './harness/engine';
import { continuing, LOST, OPERATION, row, send, TAKEN } from './harness/send';
import { serve } from './harness/wire';

const HOUR = 3_600_000;

/** The time that a message was sent at, within a period of ten hours: as it begins, in it, and as it ends. */
const starts = [0, 3.7, 9.99].map((hours) => 480_000 * HOUR + hours * HOUR);

/** What became of one message, sent by the same node at these hours after the first. */
async function sendAt(start: number, hours: number[], options = {}): Promise<Array<'sent' | 'skipped'>> {
	serve('POST', OPERATION, TAKEN);
	const workflow = new TestWorkflow(send({}, options));
	const now = jest.spyOn(Date, 'now');
	const became: Array<'sent' | 'skipped'> = [];
	try {
		for (const hour of [0, ...hours]) {
			now.mockReturnValue(start + hour * HOUR);
			const run = await workflow.run([row(1)]);
			became.push(run.json[0]![0]!.skipped === true ? 'skipped' : 'sent');
		}
	} finally {
		now.mockRestore();
	}
	return became;
}

describe.each(starts)('a message that was sent at %d', (start) => {
	it('is skipped for ten hours at least', async () => {
		expect(await sendAt(start, [0.01, 5, 9.99, 10])).toEqual([
			'sent',
			'skipped',
			'skipped',
			'skipped',
			expect.anything(),
		]);
	});

	it.each([20, 23, 24, 25])(
		'is sent again after %d hours, as one of every day, however often it was skipped between',
		async (day) => {
			expect(await sendAt(start, [9, 9.9, day])).toEqual(['sent', 'skipped', 'skipped', 'sent']);
		},
	);

	it('is skipped without end where the window is 0', async () => {
		expect(await sendAt(start, [24, 24 * 365], { skipWithinHours: 0 })).toEqual(['sent', 'skipped', 'skipped']);
	});

	it('is skipped for half an hour at least and for one at most where the window is half an hour', async () => {
		expect(await sendAt(start, [0.49, 1], { skipWithinHours: 0.5 })).toEqual(['sent', 'skipped', 'sent']);
	});
});

it('a message is known as unknown for as long as it is known, also after another of the period before', async () => {
	let answer = LOST;
	serve('POST', OPERATION, () => answer);
	const workflow = new TestWorkflow(send({}, {}, continuing));
	const now = jest.spyOn(Date, 'now');
	const at = async (hour: number, last: number) => {
		now.mockReturnValue(480_000 * HOUR + hour * HOUR);
		return (await workflow.run([row(last)])).json[0]![0]!;
	};
	try {
		await at(9, 1);
		await at(11, 2);
		answer = TAKEN;
		expect([await at(12, 2), await at(20.5, 2)]).toMatchObject([
			{ skipped: true, unknown: true },
			{ skipped: true, unknown: true },
		]);
	} finally {
		now.mockRestore();
	}
});
