import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode, TestWorkflow, type NodeUnderTest } from './harness/engine';
import {
	accepted,
	bodyOf,
	continuing,
	DLR,
	expectErrorItem,
	LOST,
	platform,
	recipients,
	send,
	TAKEN,
	withCredential,
} from './harness/send';
import { forward, items, trigger } from './harness/trigger';
import type { Reply, Sent } from './harness/httpServer';

const FORWARD: IDataObject = {
	event: 'smsForward',
	msisdn: '+306912345678',
	mobile: '6912345678',
	keyword: 'ΒΑ',
	body: '',
	words: [],
	smsForwardId: 'f-1',
	receivedAt: '2026-11-21T10:00:00.000Z',
};

/** Returns a node that replies. An incoming SMS has started the execution, and other nodes ran before this node. */
const reply = (forward: IDataObject = FORWARD, options: INodeParameters = {}, more: Partial<NodeUnderTest> = {}) =>
	send({ operation: 'reply', recipient: '' }, options, {
		triggers: { 'SMS Trigger': { outputs: [[forward], []] } },
		...more,
	});

let sent: Sent[];
let answer: (request: Sent, index: number) => Reply;
beforeEach(() => {
	answer = () => TAKEN;
	sent = platform((request, index) => answer(request, index));
});
/** The items that the node gets from other nodes. */
const ROWS: IDataObject[] = [{ course: 'Φυσική', grade: 8 }];
const answered = (sent: Sent[]) => sent.map((each) => [bodyOf(each).recipient, bodyOf(each)['sms-forward-id']]);

describe('a reply', () => {
	it('is an error that names the fields of its item if none of them fits a placeholder', async () => {
		const withText = withCredential({ messages: 'grades/result: Ο βαθμός σας είναι {Βαθμός,1}' });
		const byColumn = send(
			{ operation: 'reply', recipient: '' },
			{ replacements: '' },
			{
				triggers: { 'SMS Trigger': { outputs: [[FORWARD], []] } },
				...withText,
				...continuing,
			},
		);
		const failed = (await runNode(byColumn, [{ student: 'Π-1' }])).json[0]![0]!;
		expect(failed.message).toMatch(/The item has these fields: student$/);
		expect(sent).toEqual([]);
	});

	it('is sent to the sender of the SMS that started the execution, with the ID of that SMS', async () => {
		const run = await runNode(reply(), ROWS);
		expect(answered(sent)).toEqual([['6912345678', 'f-1']]);
		expect(bodyOf(sent[0]).replacements).toEqual(['Φυσική', '8']);
		expect(run.json).toEqual([[accepted('6912345678')]]);
	});

	it.each([
		['306912345678', 'national', '6912345678'],
		['691 234 5678', 'international', '306912345678'],
		['+4915112345678', 'national', '+4915112345678'],
		['54321', 'national', '54321'],
	])('to the sender %s, with the Mobile Format %s, is sent to %s', async (msisdn, mobileFormat, recipient) => {
		await runNode(reply({ ...FORWARD, msisdn }, {}, withCredential({ mobileFormat })), ROWS);
		expect(recipients(sent)).toEqual([recipient]);
	});

	it('is sent for an SMS at any output of the trigger', async () => {
		const outputs = [[], [], [], [], [FORWARD]];
		await runNode(reply(FORWARD, {}, { triggers: { 'SMS Trigger': { outputs } } }), ROWS);
		expect(answered(sent)).toEqual([['6912345678', 'f-1']]);
	});

	it.each(['First', 'Second'])(
		'answers the SMS of the trigger that started the execution, if there are two triggers: %s',
		async (begun) => {
			const triggers = { First: {}, Second: {}, [begun]: { outputs: [[FORWARD], []] } };
			await runNode(reply(FORWARD, {}, { triggers }), ROWS);
			expect(answered(sent)).toEqual([['6912345678', 'f-1']]);
		},
	);

	it('ignores data that is pinned in the editor if another trigger started the execution', async () => {
		const pinned = { ...FORWARD, msisdn: '6900000099', smsForwardId: 'pinned' };
		const triggers = { First: { pinned: [pinned] }, Second: { outputs: [[FORWARD], []] } };
		await runNode(reply(FORWARD, {}, { triggers, mode: 'manual' }), ROWS);
		expect(answered(sent)).toEqual([['6912345678', 'f-1']]);
	});

	it('that was sent before is skipped, and the notice states that there is nothing to do', async () => {
		const run = await runNode(reply(), [...ROWS, ...ROWS]);
		expect(run.hints.map(({ message }) => message)).toEqual([
			'1 accepted, 0 rejected, 0 unknown, 1 skipped',
			'1 reply was not sent, because the same reply to this message went out before. There is nothing to do.',
		]);
		expect(sent).toHaveLength(1);
	});

	it('is sent even if the node is the tool of an AI agent', async () => {
		const run = await runNode(reply(FORWARD, {}, { asTool: true }), ROWS);
		expect([run.error?.message, run.nodeError?.message]).toEqual([undefined, undefined]);
		expect(answered(sent)).toEqual([['6912345678', 'f-1']]);
	});

	const REPORT = { event: 'deliveryReport', recipient: '6912345678', receivedAt: 'x' };
	it.each<[string, IDataObject, NodeUnderTest['triggers']]>([
		['a person started the execution in the editor', {}, undefined],
		["the workflow's SMS Trigger did not run", {}, { 'SMS Trigger': {} }],
		['a delivery report started the execution', {}, { 'SMS Trigger': { outputs: [[], [REPORT]] } }],
		['a row only looks like a message', FORWARD, undefined],
	])('is an error if %s, with the advice to use Send', async (_, more, triggers) => {
		for (const asTool of [false, true]) {
			const run = await runNode(reply(FORWARD, {}, { triggers, asTool, ...continuing }), [{ ...more, ...ROWS[0]! }]);
			expectErrorItem(run.json[0]?.[0], /no message to reply to/, { outcome: 'rejected' });
			expect(run.json[0]?.[0]?.message).toMatch(/Use the operation Send/);
		}
		expect(sent).toEqual([]);
	});

	it('ignores the field Recipient', async () => {
		const spec = reply();
		spec.parameters!.recipient = '6912345679';
		await runNode(spec, ROWS);
		expect(answered(sent)).toEqual([['6912345678', 'f-1']]);
	});

	it('requests a delivery report at the URL of the credential', async () => {
		const run = await runNode(reply(FORWARD, {}, withCredential({ dlrUrl: DLR })), ROWS);
		expect(String(bodyOf(sent[0])['dlr-url'])).toContain(`${DLR}?ref=`);
		expect(run.json[0]?.[0]).toHaveProperty('reference');
	});

	it('that failed has its recipient in the details, even if it was rejected before it was sent', async () => {
		answer = () => LOST;
		const run = await runNode(reply(FORWARD, {}, continuing), [...ROWS, { course: 'Φυσική', grade: '' }]);
		expect(run.json[0]).toMatchObject(
			['unknown', 'rejected'].map((outcome) => ({ details: { outcome, recipient: '6912345678' } })),
		);
	});
});

describe('a second reply with the same text', () => {
	const withoutId = { ...FORWARD, smsForwardId: undefined };
	const withBody = (body: string) => ({ ...FORWARD, body });
	const later = { receivedAt: '2026-11-21T10:00:05.000Z' };

	const SECOND: Array<[string, IDataObject, IDataObject, boolean]> = [
		['to the same SMS', FORWARD, { ...FORWARD, ...later }, true],
		['to another SMS of the same person', FORWARD, { ...FORWARD, smsForwardId: 'f-2' }, false],
		['to another text with the same ID', FORWARD, { ...FORWARD, body: 'ΦΥΣΙΚΗ' }, false],
		['to another keyword with the same ID', FORWARD, { ...FORWARD, keyword: 'ΣΙΤΙΣΗ' }, false],
		['to the same text in another Unicode form', withBody(' Ναί'), withBody('Ναί\n'.normalize('NFD')), true],
		['to the same SMS without an ID', withoutId, withoutId, true],
		['to another text of the same moment without an ID', withoutId, { ...withoutId, body: 'ΦΥΣΙΚΗ' }, false],
		['to a later SMS without an ID', withoutId, { ...withoutId, ...later }, false],
	];
	it.each(
		SECOND.map(([which, first, second, isSame]) => [which, isSame ? 'is skipped' : 'is sent', first, second] as const),
	)('%s %s', async (_, what, first, second) => {
		const isSame = what === 'is skipped';
		const workflow = new TestWorkflow(reply(first));
		await workflow.run(ROWS);
		workflow.spec.triggers = reply(second).triggers;
		const run = await workflow.run(ROWS);
		expect(run.json[0]).toMatchObject([isSame ? { accepted: false, skipped: true } : { accepted: true }]);
		expect(sent).toHaveLength(isSame ? 1 : 2);
		if (first.smsForwardId === undefined)
			for (const each of sent) expect(bodyOf(each)).not.toHaveProperty('sms-forward-id');
	});

	it.each(['part-id-1', 0, 'null'])('is sent for each of two different SMS that have the same ID %j', async (id) => {
		const incoming = trigger();
		const workflow = new TestWorkflow(reply());
		for (const body of ['ΦΥΣΙΚΗ', 'ΧΗΜΕΙΑ', 'ΧΗΜΕΙΑ']) {
			const [forwarded] = items(await incoming.call(forward({ 'sms-forward-id': id, body }))) ?? [];
			if (forwarded === undefined) continue;
			workflow.spec.triggers = reply(forwarded[0]).triggers;
			const run = await workflow.run([{ course: 'Δεν βρέθηκε', grade: '-' }]);
			expect(run.json[0]).toMatchObject([{ accepted: true }]);
		}
		expect(answered(sent)).toEqual(Array(2).fill(['6912345678', String(id)]));
	});
});
