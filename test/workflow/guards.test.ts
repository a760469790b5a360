import type { IDataObject, INodeParameters, NodeParameterValueType } from 'n8n-workflow';

import { sentence } from '../advice';
import { sendCode } from './harness/codes';
import { processed, runNode, TestWorkflow } from './harness/engine';
import {
	continuing,
	counts,
	hintsOf,
	LOST,
	platform,
	recipients,
	REFUSED,
	retrying,
	ROW,
	row,
	rowsUpTo,
	send,
	TAKEN,
	withCredential,
	Workflow,
} from './harness/send';
import { wait } from './harness/waiting';
import type { Reply, Sent } from './harness/httpServer';

/** Returns a time of day in Athens, on a day in winter, in milliseconds. */
const athens = (time: string) => Date.parse(`2026-01-20T${time}:00+02:00`);
const at = (time: string) => jest.spyOn(Date, 'now').mockReturnValue(athens(time));
afterEach(() => jest.restoreAllMocks());

let sent: Sent[];
let answer: (request: Sent, index: number) => Reply;
beforeEach(() => {
	answer = () => TAKEN;
	sent = platform((request, index) => answer(request, index));
});
/** Returns the settings of a node that continues after failed rows, with these guards in the credential. */
const guarded = (credential: IDataObject) => ({ ...withCredential(credential), ...continuing });
const quiet = guarded({ quietHours: '22:00-08:00 Europe/Athens' });

describe('a credential with Trial Recipients', () => {
	const trial = guarded({ trialRecipients: '+30 691 234 5671, 6912345672' });

	it('lets SMS Send send only to these recipients, and the other rows are errors', async () => {
		const run = await runNode(send({}, {}, trial), [row(1), row(3), row(2)]);
		expect(recipients(sent)).toEqual(['6912345671', '6912345672']);
		expect(run.json[0]).toMatchObject([
			{ accepted: true },
			{ error: expect.stringMatching(/in trial mode/) as unknown, details: { outcome: 'rejected' } },
			{ accepted: true },
		]);
		expect(hintsOf(run).join('\n')).toMatch(/warning: The credential is in trial mode/);
	});

	it('restricts SMS Code and Send and Wait, too, and a code that the trial rejects counts in no limit', async () => {
		const workflow = new TestWorkflow(sendCode({}, trial));
		const fault = { error: expect.stringMatching(/in trial mode/) as unknown };
		for (let times = 0; times < 7; times++) expect((await workflow.run([row(3)])).json[0]).toMatchObject([fault]);
		workflow.spec.credentials = sendCode().credentials;
		expect((await workflow.run([row(3)])).json[0]).toMatchObject([{ accepted: true }]);
		expect((await wait({}, trial).run([row(3)])).json[0]).toMatchObject([fault]);
		expect(sent).toHaveLength(1);
	});
});

describe('Max Messages per Run', () => {
	it.each([
		[3, 3],
		[4, 0],
	])('set to 3: of %d rows, %d are sent', async (rows, messages) => {
		const run = await runNode(send({}, {}, guarded({ maxMessagesPerRun: 3 })), rowsUpTo(rows));
		expect(sent).toHaveLength(messages);
		const fault = { error: expect.stringMatching(/has 4 rows, but only 3 are/) as unknown };
		if (messages === 0) expect(run.json[0]).toMatchObject(rowsUpTo(4).map(() => fault));
	});
});

describe('Max Messages per Run for an AI agent', () => {
	const tool = (node: typeof send | typeof sendCode, more: IDataObject = {}) => {
		const asTool = { ...guarded({ maxMessagesPerRun: 2 }), asTool: true, ...more };
		return node === send ? send({}, {}, asTool) : sendCode({}, asTool);
	};
	const full = {
		error: expect.stringMatching(/limit of 2 messages/) as unknown,
		message: expect.stringMatching(/raise Max Messages per Run in the credential/) as unknown,
		details: expect.objectContaining({ outcome: 'rejected', reason: 'tooManyMessages' }) as unknown,
	};
	const isAccepted = expect.objectContaining({ accepted: true }) as unknown;

	it.each<[string, typeof send | typeof sendCode]>([
		['SMS Send', send],
		['SMS Code', sendCode],
	])('counts all calls of %s in one execution together, and starts again in the next execution', async (_, node) => {
		const workflow = new Workflow(tool(node));
		expect((await workflow.run(rowsUpTo(4))).json[0]).toEqual([isAccepted, isAccepted, full, full]);
		expect(sent).toHaveLength(2);
		expect((await workflow.run(rowsUpTo(4).slice(2))).json[0]).toEqual([isAccepted, isAccepted]);
	});

	it('counts no rejected attempt, and counts an accepted message once if n8n tries the node again', async () => {
		answer = (_, index) => (index === 0 ? REFUSED : TAKEN);
		const run = await new Workflow(tool(send, { ...retrying })).run(rowsUpTo(3));
		expect(run.json[0]!.slice(-3)).toEqual([isAccepted, isAccepted, full]);
		expect(counts(sent, 3)).toEqual([2, 1, 0]);
	});

	it('counts a message of unknown outcome, and a retry of the node does not send it again', async () => {
		answer = (_, index) => (index === 0 ? LOST : TAKEN);
		const run = await new Workflow(tool(send, { ...retrying })).run(rowsUpTo(3));
		expect(run.json[0]!.slice(-2)).toEqual([isAccepted, full]);
		expect(counts(sent, 3)).toEqual([1, 1, 0]);
	});

	it('does not count a skipped message that was sent before', async () => {
		const workflow = new Workflow(tool(send));
		await workflow.run(rowsUpTo(2));
		const run = await workflow.run(rowsUpTo(4));
		expect(run.json[0]!.map(({ accepted }) => accepted)).toEqual([false, false, true, true]);
	});

	it('does not record a message over the limit as sent, so the message is sent after the limit was raised', async () => {
		const workflow = new Workflow(tool(send));
		await workflow.run(rowsUpTo(3));
		Object.assign(workflow.spec, withCredential({ maxMessagesPerRun: 3 }));
		expect((await workflow.run(rowsUpTo(3).slice(2))).json[0]).toEqual([isAccepted]);
	});
});

describe('Quiet Hours', () => {
	it.each([
		['21:59', 1],
		['22:00', 0],
		['07:59', 0],
		['08:00', 1],
	])('of 22:00-08:00 let, at %s, %d message through', async (time, messages) => {
		at(time);
		const workflow = new TestWorkflow(send({}, {}, quiet));
		const [item] = (await workflow.run([ROW])).json[0]!;
		expect(sent).toHaveLength(messages);
		if (messages > 0) return;
		expect(item).toMatchObject({
			error: expect.stringMatching(/until 08:00 \(Europe\/Athens\)/) as unknown,
			details: { outcome: 'rejected' },
		});
		at('08:00');
		expect((await workflow.run([ROW])).json[0]).toMatchObject([{ accepted: true }]);
	});

	it('reject a list without pacing its rows', async () => {
		// With pacing, each row would come a thousand seconds after the row before, and the test would time out.
		at('22:00');
		const run = await runNode(send({}, { messagesPerSecond: 0.001 }, quiet), rowsUpTo(3));
		expect(run.json[0]).toMatchObject(rowsUpTo(3).map(() => ({ details: { reason: 'quietHours' } })));
	});

	it.each(['send', 'sendAndWait'])(
		'claim no message in %s, so that a kill of n8n leaves no message unknown',
		async (operation) => {
			at('22:00');
			const recording = jest.spyOn(processed, 'checkProcessedAndRecord');
			await runNode(send({ operation, ifAlreadySent: 'skip' }, {}, quiet), rowsUpTo(operation === 'send' ? 10 : 1));
			// A claim would record two entries of a message in one write.
			const keysIn = (entries: unknown[]) =>
				entries.map(String).flatMap((entry) => /^\w+ \d+ ([\w-]{43})/.exec(entry)?.[1] ?? []);
			expect(recording.mock.calls.flatMap(([entries]) => keysIn(entries))).not.toEqual([]);
			for (const [entries] of recording.mock.calls) expect(new Set(keysIn(entries)).size).toBe(keysIn(entries).length);
			expect(processed.entries).toBe(0);
		},
	);

	it('that begin while a list is being sent hold its remaining messages', async () => {
		const now = at('21:59');
		answer = (_, index) => {
			if (index === 2) now.mockReturnValue(athens('22:00'));
			return TAKEN;
		};
		const run = await runNode(send({}, { concurrency: 1 }, quiet), rowsUpTo(5));
		expect(sent).toHaveLength(3);
		expect(run.json[0]!.map(({ accepted }) => accepted === true)).toEqual([true, true, true, false, false]);
	});

	it.each<[string, INodeParameters, string]>([
		['Remember For a day', { rememberFor: 'day' }, 'only these rows'],
		['If Already Sent set to Send Again', { ifAlreadySent: 'send' }, 'only these rows'],
		['Remember For a week', { rememberFor: 'week' }, 'the same list'],
	])('hold messages, which are sent once in the morning, as the notice advises, with %s', async (_, memory, again) => {
		// On this evening a period of ten hours ends at 22:00.
		const moment = (text: string) => Date.parse(`2026-11-${text}:00+02:00`);
		const now = at('00:00').mockReturnValue(moment('23T21:45'));
		answer = (_, index) => {
			if (index === 2) now.mockReturnValue(moment('23T22:00'));
			return TAKEN;
		};
		const workflow = new TestWorkflow(send(memory, { concurrency: 1, language: 'en' }, quiet));
		const kept = (await workflow.run(rowsUpTo(5))).json[0]!.flatMap(({ details }, index) => {
			if (details === undefined) return [];
			expect((details as IDataObject).notice).toMatch(new RegExp(`send ${again}`, 'i'));
			return [rowsUpTo(5)[index]!];
		});
		expect(kept).toHaveLength(2);
		now.mockReturnValue(moment('24T08:05'));
		await workflow.run(again === 'the same list' ? rowsUpTo(5) : kept);
		expect(recipients(sent).sort()).toEqual(rowsUpTo(5).map(({ mobile }) => mobile));
	});

	it('that end within the time of Remember For: the same list can be sent in the morning, as the notice advises, and each message is sent once', async () => {
		const now = at('22:59');
		const evening = guarded({ quietHours: '23:00-08:00 Europe/Athens' });
		answer = (_, index) => {
			if (index === 0) now.mockReturnValue(athens('23:00'));
			return TAKEN;
		};
		const workflow = new TestWorkflow(send({}, { concurrency: 1 }, evening));
		const [, kept] = (await workflow.run(rowsUpTo(2))).json[0]!;
		expect((kept!.details as IDataObject).notice).toMatch(sentence('sameListSoon'));
		now.mockReturnValue(athens('08:00') + 86_400_000);
		await workflow.run(rowsUpTo(2));
		expect(recipients(sent)).toEqual(rowsUpTo(2).map(({ mobile }) => mobile));
	});

	it('let codes and replies through, and a review names the end of quiet hours for valid rows', async () => {
		at('23:00');
		expect((await runNode(sendCode({}, quiet), [ROW])).json[0]).toMatchObject([{ accepted: true }]);
		const forward = { event: 'smsForward', msisdn: '306912345678', receivedAt: '2026-01-20T21:00:00.000Z' };
		const triggers = { 'SMS Trigger': { outputs: [[forward], []] } };
		const reply = send({ operation: 'reply', recipient: '' }, {}, { ...quiet, triggers });
		expect((await runNode(reply, [ROW])).json[0]).toMatchObject([{ accepted: true }]);
		const run = await runNode(send({ operation: 'review', reviewOutput: 'rows' }, {}, quiet), [ROW]);
		expect(run.json[0]).toEqual([expect.objectContaining({ review: true, quietUntil: '2026-01-21T08:00:00+02:00' })]);
		expect(run.json[0]![0]).not.toHaveProperty('problem');
		expect(sent).toHaveLength(2);
	});
});

it.each<[string, IDataObject, IDataObject]>([
	['Quiet Hours', { quietHours: '10pm to 8am' }, {}],
	['Do Not Send To', {}, { doNotSendTo: '={{ $json.nothing }}' }],
	['Do Not Send To', {}, { doNotSendTo: '2101234567' }],
])(
	'an invalid value in %s is an error of each item instead of being ignored: %j %j',
	async (guard, credential, options) => {
		const run = await runNode(send({}, options as INodeParameters, guarded(credential)), [row(1), row(2)]);
		const fault = { error: expect.stringContaining(guard) as unknown, details: { outcome: 'rejected' } };
		expect(run.json[0]).toMatchObject([fault, fault]);
		expect(sent).toEqual([]);
	},
);

describe('Do Not Send To', () => {
	it.each<[string, NodeParameterValueType]>([
		['a text', '6912345671, +30 691 234 5672'],
		['a list from an expression', '={{ ["306912345671", 6912345672, "", null] }}'],
		['a list that the workflow contains', [6912345671, '6912345672']],
	])('skips the listed people, and sends to the others, if it is %s', async (_, doNotSendTo) => {
		const run = await runNode(send({}, { doNotSendTo, normaliseRecipient: false }), [row(1), row(2), row(3)]);
		expect(run.json[0]).toMatchObject([
			{ skipped: true, skipReason: 'doNotSend' },
			{ skipped: true, skipReason: 'doNotSend' },
			{ accepted: true },
		]);
		expect(recipients(sent)).toEqual(['6912345673']);
	});

	it('has precedence over If Already Sent for a person to whom the message was already sent', async () => {
		const workflow = new TestWorkflow(send());
		await workflow.run([row(1)]);
		workflow.spec.parameters!.options = { ...(send().parameters!.options as object), doNotSendTo: '6912345671' };
		expect((await workflow.run([row(1)])).json[0]).toMatchObject([{ skipReason: 'doNotSend' }]);
	});

	it("skips a person without reading or writing n8n's list of processed items, so that a kill of n8n leaves no claim", async () => {
		const recording = jest.spyOn(processed, 'checkProcessedAndRecord');
		await runNode(send({}, { doNotSendTo: '6912345671' }), [row(1)]);
		expect(recording).not.toHaveBeenCalled();
		recording.mockRestore();
	});

	it.each(['={{ [] }}', ''])('set to "%s" excludes no person', async (doNotSendTo) => {
		await runNode(send({}, { doNotSendTo }), [row(1)]);
		expect(sent).toHaveLength(1);
	});
});
