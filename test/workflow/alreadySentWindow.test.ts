import { TestWorkflow } from './harness/engine';
import { OPERATION, row, send, TAKEN } from './harness/send';
import { serve } from './harness/wire';

const HOUR = 3_600_000;

/** The time that a message was sent at, within a period of ten hours: as it begins, in it, and as it ends. */
const starts = [0, 3.7, 9.99].map((hours) => 480_000 * HOUR + hours * HOUR);

/** What became of one message, sent by the same node at these hours after the first. */
async function sendAt(start: number, hours: number[], rememberFor?: string): Promise<Array<'sent' | 'skipped'>> {
	serve('POST', OPERATION, TAKEN);
	const workflow = new TestWorkflow(send({ rememberFor }));
	const now = jest.spyOn(Date, 'now');
	const became: Array<'sent' | 'skipped'> = [];
	const references: unknown[] = [];
	try {
		for (const hour of [0, ...hours]) {
			now.mockReturnValue(start + hour * HOUR);
			const run = await workflow.run([row(1)]);
			const item = run.json[0]![0]!;
			became.push(item.skipped === true ? 'skipped' : 'sent');
			// One message has one name, and what goes out again is another message.
			expect(item.skipped === true).toBe(references.at(-1) === item.reference);
			references.push(item.reference);
		}
	} finally {
		now.mockRestore();
	}
	return became;
}

describe.each(starts)('a message that was sent at %d', (start) => {
	it('is skipped for ten hours at least, and sent again after twenty, however often it was skipped between', async () => {
		expect(await sendAt(start, [0.01, 5, 9.99, 20])).toEqual(['sent', 'skipped', 'skipped', 'skipped', 'sent']);
	});

	it('is skipped for a week at least, and sent again after two, where that is chosen', async () => {
		expect(await sendAt(start, [24, 167, 336], 'week')).toEqual(['sent', 'skipped', 'skipped', 'sent']);
	});

	it('is always skipped where that is chosen', async () => {
		expect(await sendAt(start, [24, 24 * 365], 'always')).toEqual(['sent', 'skipped', 'skipped']);
	});
});
