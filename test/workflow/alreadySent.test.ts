import type { IDataObject } from 'n8n-workflow';

import { type NodeUnderTest, TestWorkflow } from './harness/engine';
import {
	continuing,
	DLR,
	LOST,
	OPERATION,
	recipients,
	REFUSED,
	row,
	send,
	TAKEN,
	withCredential,
} from './harness/send';
import { serve } from './harness/wire';

describe('a message that was sent', () => {
	it("is skipped within a run and between runs, in the row's own place", async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const workflow = new TestWorkflow(send());
		const first = await workflow.run([row(1), row(2), row(1)]);
		expect(first.json[0]).toMatchObject([
			{ accepted: true },
			{ accepted: true },
			{ accepted: false, skipped: true, recipient: '6912345671' },
		]);
		const second = await workflow.run([row(2), row(3)]);
		const ids = { serviceId: 'grades', messageId: 'result', reference: expect.any(String) as unknown };
		expect(second.json[0]).toEqual([
			{
				...{ recipient: '6912345672', accepted: false, skipped: true, skipReason: 'sentBefore' },
				...{ notice: expect.any(String) as unknown, ...ids },
			},
			expect.objectContaining({ accepted: true }),
		]);
		expect(recipients(sent)).toEqual(['6912345671', '6912345672', '6912345673']);
	});

	it('is skipped although a later row failed, so that a corrected list reaches the others alone', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const workflow = new TestWorkflow(send({}, { concurrency: 1 }, continuing));
		await workflow.run([row(1), { ...row(2), mobile: '2101234567' }]);
		const second = await workflow.run([row(1), row(2), row(3)]);
		expect(second.json[0]).toMatchObject([{ skipped: true }, { accepted: true }, { accepted: true }]);
		expect(recipients(sent)).toEqual(['6912345671', '6912345672', '6912345673']);
	});

	it('is skipped, and said to be unknown, where its outcome is', async () => {
		const sent = serve('POST', OPERATION, (_, index) => [REFUSED, LOST][index] ?? TAKEN);
		const workflow = new TestWorkflow(send({}, { concurrency: 1 }, continuing));
		await workflow.run([row(1), row(2), row(3)]);
		const second = await workflow.run([row(1), row(2), row(3)]);
		expect(second.json[0]).toMatchObject([{ accepted: true }, { skipped: true, unknown: true }, { skipped: true }]);
		expect(second.json[0]?.[2]).not.toHaveProperty('unknown');
		expect(recipients(sent)).toEqual(['6912345671', '6912345672', '6912345673', '6912345671']);
	});

	it('is sent again where nothing is to be skipped, in a run and between runs, by row too', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const workflow = new TestWorkflow(send({ ifAlreadySent: '={{ $json.again ?? "skip" }}' }));
		for (let time = 0; time < 2; time++) {
			const run = await workflow.run([{ ...row(1), again: 'send' }, { ...row(1), again: 'send' }, row(2)]);
			expect(run.json[0]).toMatchObject([
				{ accepted: true },
				{ accepted: true },
				time === 0 ? { accepted: true } : { skipped: true },
			]);
		}
		expect(recipients(sent).sort()).toEqual(['6912345671', '6912345671', '6912345671', '6912345671', '6912345672']);
	});
});

describe('the same message', () => {
	const ELSEWHERE = 'https://sms2.example.gr';
	const other: Array<[string, IDataObject, NodeUnderTest, boolean]> = [
		['one number in another spelling', { ...row(1), mobile: '+30 691 234 5671' }, send(), true],
		['the other format', row(1), send({}, {}, withCredential({ mobileFormat: 'international' })), true],
		['a pasted operation address', row(1), send({}, {}, withCredential({ baseUrl: `${OPERATION}/` })), true],
		['another key', row(1), send({}, {}, withCredential({ preSharedKey: 'new' })), true],
		['a report address', row(1), send({}, { dlrUrl: DLR }), true],
		['an accent behind what is invisible', { ...row(1), course: 'Φυσικη\u200b\u0301' }, send(), true],
		['another recipient', row(2), send(), false],
		['other replacements', { ...row(1), grade: 9 }, send(), false],
		['another message', row(1), send({ messageId: 'other' }), false],
		['another service', row(1), send({ serviceId: 'other' }), false],
		['another institution', row(1), send({}, {}, withCredential({ institution: 'other' })), false],
		['another platform', row(1), send({}, {}, withCredential({ baseUrl: ELSEWHERE })), false],
	];

	it.each(other)('with %s', async (_, second, spec, isSame) => {
		serve('POST', OPERATION, TAKEN);
		serve('POST', `${ELSEWHERE}/sendSMS`, TAKEN);
		const workflow = new TestWorkflow(send());
		await workflow.run([row(1)]);
		workflow.spec.parameters = spec.parameters;
		workflow.spec.credentials = spec.credentials;
		const run = await workflow.run([second]);
		expect(run.json[0]).toMatchObject([isSame ? { skipped: true } : { accepted: true }]);
	});

	it('to a user name in another case, which Do Not Send To knows too', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const workflow = new TestWorkflow(send({}, { doNotSendTo: 'gpapado' }, withCredential({ userNames: true })));
		const run = await workflow.run(['GPapado', 'Student01', 'student01'].map((mobile) => ({ ...row(1), mobile })));
		const [doNotSend, sentBefore] = ['doNotSend', 'sentBefore'].map((skipReason) => ({ skipReason }));
		expect(run.json[0]).toMatchObject([doNotSend!, { accepted: true }, sentBefore!]);
		expect(recipients(sent)).toEqual(['Student01']);
	});

	it('is an error of its row where the key comes to nothing', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await new TestWorkflow(send({}, { duplicateKey: '={{ $json.key }}' }, continuing)).run([
			row(1),
			{ ...row(2), key: 'k' },
		]);
		const error = expect.stringMatching(/^Duplicate Key has an expression that evaluates to empty/) as unknown;
		expect(run.json[0]).toMatchObject([{ error, details: { outcome: 'rejected' } }, { accepted: true }]);
		expect(recipients(sent)).toEqual(['6912345672']);
	});

	it('is what the user says of its values, where a key is given', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const workflow = new TestWorkflow(send({}, { duplicateKey: '={{ $json.course }}' }));
		const run = await workflow.run([row(1), { ...row(1), grade: 9 }, row(2)]);
		expect(run.json[0]!.map(({ skipped }) => skipped === true)).toEqual([false, true, false]);
		expect(sent).toHaveLength(2);
	});
});

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
