import type { IDataObject } from 'n8n-workflow';

import { type NodeUnderTest, TestWorkflow } from './harness/engine';
import {
	continuing,
	DLR,
	LOST,
	OPERATION,
	platform,
	recipients,
	REFUSED,
	row,
	send,
	TAKEN,
	withCredential,
} from './harness/send';
import { serve } from './harness/httpServer';

describe('a message that was sent before', () => {
	it('is skipped, in the same run and in the next run, and keeps its position in the output', async () => {
		const sent = platform();
		const workflow = new TestWorkflow(send());
		const first = await workflow.run([row(1), row(2), row(1)]);
		expect(first.json[0]).toMatchObject([
			{ accepted: true },
			{ accepted: true },
			{ accepted: false, skipped: true, recipient: '6912345671' },
		]);
		const second = await workflow.run([row(2), row(3)]);
		const text = expect.any(String) as unknown;
		const skipped = {
			...{ recipient: '6912345672', accepted: false, skipped: true, skipReason: 'sentBefore' },
			...{ serviceId: 'grades', messageId: 'result', reference: text, notice: text },
		};
		expect(second.json[0]).toEqual([skipped, expect.objectContaining({ accepted: true })]);
		expect(recipients(sent)).toEqual(['6912345671', '6912345672', '6912345673']);
	});

	it('is skipped and marked as unknown if its outcome is unknown', async () => {
		const sent = platform((_, index) => [REFUSED, LOST][index] ?? TAKEN);
		const workflow = new TestWorkflow(send({}, { concurrency: 1 }, continuing));
		await workflow.run([row(1), row(2), row(3)]);
		const second = await workflow.run([row(1), row(2), row(3)]);
		expect(second.json[0]).toMatchObject([{ accepted: true }, { skipped: true, unknown: true }, { skipped: true }]);
		expect(second.json[0]?.[2]).not.toHaveProperty('unknown');
		expect(recipients(sent)).toEqual(['6912345671', '6912345672', '6912345673', '6912345671']);
	});

	it('is sent again if If Already Sent is Send Again, even if an expression sets this field for single items', async () => {
		const sent = platform();
		const workflow = new TestWorkflow(send({ ifAlreadySent: '={{ $json.again ?? "skip" }}' }));
		for (let time = 0; time < 2; time++) {
			const run = await workflow.run([{ ...row(1), again: 'send' }, { ...row(1), again: 'send' }, row(2)]);
			const second = time === 0 ? { accepted: true } : { skipped: true };
			expect(run.json[0]).toMatchObject([{ accepted: true }, { accepted: true }, second]);
		}
		expect(recipients(sent).sort()).toEqual(['6912345671', '6912345671', '6912345671', '6912345671', '6912345672']);
	});
});

describe('a second message', () => {
	const ELSEWHERE = 'https://sms2.example.gr';
	const LOCAL = 'http://localhost:9999';
	const other: Array<[string, IDataObject, NodeUnderTest, boolean]> = [
		['the same number in another format', { ...row(1), mobile: '+30 691 234 5671' }, send(), true],
		['another Mobile Format', row(1), send({}, {}, withCredential({ mobileFormat: 'international' })), true],
		[
			'the whole URL of the operation as Base URL',
			row(1),
			send({}, {}, withCredential({ baseUrl: `${OPERATION}/` })),
			true,
		],
		['another Pre-Shared Key', row(1), send({}, {}, withCredential({ preSharedKey: 'new' })), true],
		['a Delivery Report URL', row(1), send({}, { dlrUrl: DLR }), true],
		['an invisible character before an accent', { ...row(1), course: 'Φυσικη\u200b\u0301' }, send(), true],
		['another recipient', row(2), send(), false],
		['other replacements', { ...row(1), grade: 9 }, send(), false],
		['another message', row(1), send({ messageId: 'other' }), false],
		['another service', row(1), send({ serviceId: 'other' }), false],
		['another institution', row(1), send({}, {}, withCredential({ institution: 'other' })), false],
		['another public address of the platform', row(1), send({}, {}, withCredential({ baseUrl: ELSEWHERE })), true],
		['a platform on localhost', row(1), send({}, {}, withCredential({ baseUrl: LOCAL })), false],
	];

	it.each(other.map((each) => [each[3] ? 'is skipped' : 'is sent', ...each] as const))(
		'%s with %s',
		async (_, __, second, spec, isSame) => {
			platform();
			for (const url of [ELSEWHERE, LOCAL]) serve('POST', `${url}/sendSMS`, TAKEN);
			const workflow = new TestWorkflow(send());
			await workflow.run([row(1)]);
			workflow.spec.parameters = spec.parameters;
			workflow.spec.credentials = spec.credentials;
			const run = await workflow.run([second]);
			expect(run.json[0]).toMatchObject([isSame ? { skipped: true } : { accepted: true }]);
		},
	);

	it('is skipped if only the case of the user name differs, and Do Not Send To also ignores case', async () => {
		const sent = platform();
		const workflow = new TestWorkflow(send({}, { doNotSendTo: 'gpapado' }, withCredential({ userNames: true })));
		const run = await workflow.run(['GPapado', 'Student01', 'student01'].map((mobile) => ({ ...row(1), mobile })));
		const [doNotSend, sentBefore] = ['doNotSend', 'sentBefore'].map((skipReason) => ({ skipReason }));
		expect(run.json[0]).toMatchObject([doNotSend!, { accepted: true }, sentBefore!]);
		expect(recipients(sent)).toEqual(['Student01']);
	});

	it('is skipped only with the same Repeat Key and the same values', async () => {
		const sent = platform();
		const workflow = new TestWorkflow(send({}, { repeatKey: '={{ $json.day }}' }));
		const rows = [row(1), { ...row(1), grade: 9 }, row(1)].map((one) => ({ ...one, day: '2026-11-28' }));
		const run = await workflow.run(rows);
		expect(run.json[0]!.map(({ skipped }) => skipped === true)).toEqual([false, false, true]);
		await workflow.run(rows.map((one) => ({ ...one, day: '2026-11-29' })));
		expect(sent).toHaveLength(4);
	});
});

it('a Repeat Key that evaluates to empty is an error of its item', async () => {
	const sent = platform();
	const workflow = new TestWorkflow(send({}, { repeatKey: '={{ $json.key }}' }, continuing));
	const run = await workflow.run([row(1), { ...row(2), key: 'k' }]);
	const error = expect.stringMatching(/^Repeat Key has an expression that returns no value/) as unknown;
	expect(run.json[0]).toMatchObject([{ error, details: { outcome: 'rejected' } }, { accepted: true }]);
	expect(recipients(sent)).toEqual(['6912345672']);
});

const HOUR = 3_600_000;

/** Hours at which a message is first sent: at the beginning, in the middle and at the end of a period of ten hours. */
const starts = [0, 3.7, 9.99].map((hour) => 480_000 + hour);

it.each<[string, number[], string]>([
	['day', [0, 0.01, 9.99, 20], 'sent skipped skipped sent'],
	['week', [0, 24, 167, 336], 'sent skipped skipped sent'],
])('with Remember For %s, a message that is requested at the hours %j is: %s', async (rememberFor, hours, expected) => {
	platform();
	const now = jest.spyOn(Date, 'now');
	for (const start of starts) {
		const workflow = new TestWorkflow(send({ rememberFor }));
		const items: IDataObject[] = [];
		for (const hour of hours) {
			now.mockReturnValue((start + hour) * HOUR);
			items.push((await workflow.run([row(1)])).json[0]![0]!);
		}
		expect(items.map(({ skipped }) => (skipped ? 'skipped' : 'sent')).join(' ')).toBe(expected);
		// A skipped message keeps its reference. A message that is sent again gets another reference.
		const references = new Set(items.map(({ reference }) => reference));
		expect(references.size).toBe(items.filter(({ skipped }) => !skipped).length);
	}
	now.mockRestore();
});
