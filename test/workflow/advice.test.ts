import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { OTHER_TODO } from '../../lib/texts/reasons';
import type { NodeUnderTest, Result } from './harness/engine';
import { sentence } from '../advice';
import {
	bodyOf,
	continuing,
	hintsOf,
	LOST,
	platform,
	recipients,
	REFUSED,
	row,
	rowsUpTo,
	send,
	TAKEN,
	withCredential,
	withoutWaits,
	Workflow,
} from './harness/send';
import type { Reply, Sent } from './harness/httpServer';

/*
 * Follows the advice of a run, a review or a row literally, and tests that it works. test/advice.ts lists the test of each advice.
 */

const known = withCredential({ messages: 'grades/result: Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}' });

/** A row of a sheet, and below it the parameters of a node that finds all values by the names of the columns. */
const ROW = { Κινητό: '6912345671', Μάθημα: 'Φυσική', Βαθμός: '8' };
const byName: INodeParameters = {
	...{ serviceId: 'grades', messageId: 'result', recipient: '', ifAlreadySent: 'skip' },
	placeholders: { mappingMode: 'autoMapInputData', value: {} },
};

/** Returns the texts of a run for an admin: the hints above its output and its error. */
const read = (run: Result) => [...hintsOf(run), run.error?.message, run.error?.description].join('\n');

withoutWaits();

describe('a list that was sent before', () => {
	it('is sent once more with the date as Repeat Key, as the hint advises', async () => {
		const sent = platform();
		const workflow = new Workflow(send());
		const list = [row(1), { ...row(1), course: 'Άλγεβρα' }];
		await workflow.run(list);
		expect(read(await workflow.run(list))).toMatch(
			/2 rows were not sent.*set Repeat Key to \{\{ \$today\.toISODate\(\) \}\}/,
		);
		workflow.set({}, { repeatKey: '={{ $today.toISODate() }}' });
		await workflow.run(list);
		expect(sent).toHaveLength(4);
		await workflow.run(list);
		expect(sent).toHaveLength(4);
	});

	it('is sent in every run, for example as an alarm, with If Already Sent set to Send Again, as the hint advises', async () => {
		const sent = platform();
		const workflow = new Workflow(send());
		await workflow.run([row(1)]);
		expect(read(await workflow.run([row(1)]))).toMatch(/alarm.*If Already Sent to Send/);
		workflow.set({ ifAlreadySent: 'send' });
		await workflow.run([row(1)]);
		await workflow.run([row(1)]);
		expect(sent).toHaveLength(3);
	});
});

it('messages of unknown outcome are sent again as a list of only these rows, as the hint advises', async () => {
	const sent = platform((_, index) => (index === 1 ? LOST : TAKEN));
	const workflow = new Workflow(send({}, { concurrency: 1 }, continuing));
	const advice = /Ask the recipients.*a list of just their rows with If Already Sent set to Skip Sent, Resend Unknown/;
	expect(read(await workflow.run([row(1), row(2)]))).toMatch(advice);
	expect(read(await workflow.run([row(1), row(2)]))).toMatch(advice);
	expect(sent).toHaveLength(2);
	workflow.set({ ifAlreadySent: 'resendUnknown' });
	expect((await workflow.run([row(2)])).json[0]).toMatchObject([{ accepted: true }]);
	expect((await workflow.run([row(1), row(2)])).json[0]).toMatchObject([{ skipped: true }, { skipped: true }]);
});

it.each(['skip', 'send'])(
	'a list that a person stopped continues as advised, and no message is sent twice (If Already Sent: %s)',
	async (ifAlreadySent) => {
		const stop = new AbortController();
		jest.spyOn(ExecuteContext.prototype, 'getExecutionCancelSignal').mockReturnValue(stop.signal);
		const sent = platform((_, index) => {
			if (index === 2) setImmediate(() => stop.abort());
			return index === 2 ? { ...TAKEN, delayMs: 50 } : TAKEN;
		});
		const workflow = new Workflow(send({ ifAlreadySent }, { concurrency: 1 }, continuing));
		const words = read(await workflow.run(rowsUpTo(10)));
		jest.restoreAllMocks();
		const first = new Set(recipients(sent) as string[]);
		expect(words).toMatch(
			ifAlreadySent === 'skip' ? /To continue, run the node again within 10 hours/ : /send a list of just these rows/,
		);
		const left = rowsUpTo(10).filter(({ mobile }) => !first.has(mobile as string));
		await workflow.run(ifAlreadySent === 'skip' ? rowsUpTo(10) : left);
		expect(recipients(sent).sort()).toEqual(rowsUpTo(10).map(({ mobile }) => mobile));
	},
);

it.each<[string, RegExp, RegExp]>([
	[
		'skip',
		/When the platform answers again, run the node again within 10 hours of the first run\./,
		/αργότερα την ίδια λίστα, μέσα σε 10 ώρες/,
	],
	['send', /When the platform answers again, send a list of just these rows/, /αργότερα μόνο αυτές τις γραμμές/],
])(
	'a list that stopped because the service was down continues as advised, and no message is sent twice (If Already Sent: %s)',
	async (ifAlreadySent, advice, notice) => {
		let isUp = false;
		const sent = platform(() => (isUp ? TAKEN : { status: 500 }));
		const workflow = new Workflow(send({ ifAlreadySent }, { concurrency: 1 }, continuing));
		const run = await workflow.run(rowsUpTo(30));
		expect(read(run)).toMatch(/20 rows were not sent, because the SMS platform does not answer/);
		expect(read(run)).toMatch(advice);
		expect(JSON.stringify(run.json)).toMatch(notice);
		const isDown = (index: number) => (run.json[0]![index]!.details as IDataObject).reason === 'serviceDown';
		isUp = true;
		await workflow.run(rowsUpTo(30).filter((_row, index) => ifAlreadySent === 'skip' || isDown(index)));
		expect(recipients(sent).sort()).toEqual(rowsUpTo(30).map(({ mobile }) => mobile));
	},
);

it.each<[string, NodeUnderTest['onError'], IDataObject, number[]]>([
	['is sent completely after the correction', undefined, row(2), [3]],
	[
		'is sent without these rows if On Error is set to Continue',
		'continueErrorOutput',
		{ ...row(2), mobile: '2101234567' },
		[2, 1],
	],
])('a list with faulty rows under On Error Stop %s, as the error advises', async (_, onError, second, outputs) => {
	const sent = platform();
	const workflow = new Workflow(send());
	expect(read(await workflow.run([row(1), { ...row(2), mobile: '2101234567' }, row(3)]))).toMatch(
		/Nothing was sent: 1 of 3 rows contains an error\n.*\(item 2 \(…567\)\)\. Write a mobile number \(69…\)\. Correct this row, or set On Error .* to Continue/,
	);
	expect(sent).toEqual([]);
	workflow.spec.onError = onError;
	const run = await workflow.run([row(1), second, row(3)]);
	expect(run.json.map((items) => items.length)).toEqual(outputs);
	expect(sent).toHaveLength(outputs[0]!);
});

describe('a list of which the platform rejected a row under On Error Stop', () => {
	const list = [row(1), row(2), row(3)];
	const second = '6912345672';
	const refusingSecond = (request: Sent) => (bodyOf(request).recipient === second ? REFUSED : TAKEN);

	it('needs only one more message in the next run, and the output of that run has all rows for Who Got It', async () => {
		let isRefused = true;
		const sent = platform((request) => (isRefused ? refusingSecond(request) : TAKEN));
		const workflow = new Workflow(send());
		const failed = await workflow.run(list);
		expect(failed.status).toBe('error');
		expect(read(failed)).toMatch(
			/2 accepted, 1 rejected.*2 messages went out\. A failed run has no output.*Who Got It shows them only after the next run that succeeds/,
		);
		expect(read(failed)).toMatch(/Run the node again within 10 hours of the first run: it tries only the refused rows/);
		isRefused = false;
		const run = await workflow.run(list);
		expect(recipients(sent)).toEqual([...list.map(({ mobile }) => mobile), second]);
		expect(run.json[0]).toMatchObject([{ skipped: true }, { accepted: true }, { skipped: true }]);
		for (const { reference } of run.json[0]!) expect(reference).toMatch(/^[\w-]{22}$/);
	});

	it('succeeds in the next run without the rejected row, or with On Error set to Continue', async () => {
		const sent = platform(refusingSecond);
		const workflow = new Workflow(send());
		expect(read(await workflow.run(list))).toMatch(
			/If rows are refused again, correct them or leave them out\. To stop individual rows from making the whole run fail, set On Error/,
		);
		expect((await workflow.run([row(1), row(3)])).status).toBe('success');
		workflow.spec.onError = 'continueErrorOutput';
		expect((await workflow.run(list)).status).toBe('success');
		expect(recipients(sent).filter((recipient) => recipient !== second)).toHaveLength(2);
	});

	it('is completed by a list of only the rejected row, if If Already Sent is Send Again', async () => {
		let isRefused = true;
		const sent = platform((request) => (isRefused ? refusingSecond(request) : TAKEN));
		const workflow = new Workflow(send({ ifAlreadySent: 'send' }));
		expect(read(await workflow.run(list))).toMatch(/2 messages went out\..*send a list of just the refused rows/);
		isRefused = false;
		await workflow.run([row(2)]);
		expect(recipients(sent)).toEqual([...list.map(({ mobile }) => mobile), second]);
	});
});

it.each(['skip', 'send'])(
	'an unknown outcome of a row under On Error Stop causes no advice to run the node again (If Already Sent: %s)',
	async (ifAlreadySent) => {
		platform((request) => (bodyOf(request).recipient === row(2).mobile ? LOST : TAKEN));
		const failed = await new Workflow(send({ ifAlreadySent })).run([row(1), row(2), row(3)]);
		expect(read(failed)).toMatch(
			/2 messages went out\..*To stop individual rows from making the whole run fail, set On Error .* to Continue/,
		);
		expect(read(failed)).toMatch(/Ask the recipients/);
		expect(read(failed)).not.toMatch(/To continue|Run the node again/);
	},
);

it('the trial ends when Trial Recipients is emptied', async () => {
	const sent = platform();
	const workflow = new Workflow(send({}, {}, { ...continuing, ...withCredential({ trialRecipients: '6912345671' }) }));
	expect(read(await workflow.run([row(1), row(2)]))).toMatch(/in trial mode.*To end the trial, empty Trial Recipients/);
	Object.assign(workflow.spec, withCredential({ trialRecipients: '' }));
	await workflow.run([row(1), row(2)]);
	expect(recipients(sent)).toEqual(['6912345671', '6912345672']);
});

describe('the same list is sent later, as advised', () => {
	it.each<[reason: string, before: object, after: object, reply?: Reply]>([
		['refused', {}, {}, REFUSED],
		['notReached', {}, {}, { cut: 'ECONNREFUSED' }],
		['onTrial', { trialRecipients: '6912345679' }, { trialRecipients: '' }],
		['tooManyRows', { maxMessagesPerRun: 1 }, { maxMessagesPerRun: 2 }],
		['unknownMessage', { messages: '' }, { messages: 'grades/result: {course,1} {grade,2}' }],
		['setting', { quietHours: 'at night' }, { quietHours: '' }],
	])('after the reason %s', async (reason, before, after, reply = TAKEN) => {
		let isFirst = true;
		const sent = platform(() => (isFirst ? reply : TAKEN));
		const parameters = { ...byName, recipient: '={{ $json.mobile }}' };
		const messages = 'grades/result: {course,1} {grade,2}';
		const credential = (more: object) => withCredential({ messages, ...more });
		const workflow = new Workflow({ node: 'smsSend', parameters, ...continuing, ...credential(before) });
		expect((await workflow.run([row(1), row(2)])).json[0]).toMatchObject([1, 2].map(() => ({ details: { reason } })));
		isFirst = false;
		sent.length = 0;
		Object.assign(workflow.spec, credential(after));
		await workflow.run([row(1), row(2)]);
		expect(recipients(sent).sort()).toEqual(['6912345671', '6912345672']);
	});

	it('after a rejection because of an unknown service', async () => {
		platform((call) => (bodyOf(call).serviceId === 'grades' ? TAKEN : REFUSED));
		const service = (value: string) => ({ serviceId: { __rl: true, mode: 'id', value } });
		const messages = ['marks', 'grades'].map((each) => `${each}/result: {Μάθημα,1} {Βαθμός,2}`).join('\n');
		const parameters = { ...byName, ...service('marks') };
		const workflow = new Workflow({ node: 'smsSend', parameters, ...withCredential({ messages }), ...continuing });
		const message = expect.stringMatching(/has no service with this ID: choose another one$/) as unknown;
		expect((await workflow.run([ROW])).json[0]).toMatchObject([{ message }]);
		workflow.set(service('grades'));
		expect((await workflow.run([ROW])).json[0]).toMatchObject([{ accepted: true }]);
	});

	it('after an expression was corrected', async () => {
		const sent = platform();
		const parameters = { ...byName, recipient: '{{ $json.Κινητό }}' };
		const workflow = new Workflow({ node: 'smsSend', parameters, ...known, ...continuing });
		const message = expect.stringContaining('is set to Fixed, switch it to Expression') as unknown;
		expect((await workflow.run([ROW])).json[0]).toMatchObject([{ message, details: { reason: 'expression' } }]);
		expect(sent).toEqual([]);
		const list = await workflow.run([ROW, { ...ROW, Κινητό: '6912345672' }]);
		expect(read(list)).toMatch(/2 items \(item 1.*item 2.*\)\. If the field is set to Fixed, switch it to Expression/);
		workflow.set({ recipient: '={{ $json.Κινητό }}' });
		await workflow.run([ROW]);
		expect(sent).toHaveLength(1);
	});
});

describe('a message that was not sent is sent alone the next day, as advised, and no other message is sent twice', () => {
	it.each<[reason: 'refused' | 'notReached', reply: Reply]>([
		['refused', REFUSED],
		['notReached', { cut: 'ECONNREFUSED' }],
	])('after the reason %s', async (reason, reply) => {
		let isFirst = true;
		const third = '6912345673';
		const sent = platform((request) => (isFirst && bodyOf(request).recipient === third ? reply : TAKEN));
		const workflow = new Workflow(send({}, {}, continuing));
		const run = await workflow.run([row(1), row(2), row(3)]);
		const { details } = run.json.flat().find(({ error }) => error !== undefined)!;
		expect(details).toMatchObject({ reason, notice: expect.stringMatching(sentence(reason)) as unknown });
		[isFirst, sent.length] = [false, 0];
		const tomorrow = Date.now() + 16 * 3_600_000;
		jest.spyOn(Date, 'now').mockReturnValue(tomorrow);
		await workflow.run([row(3)]);
		expect(recipients(sent)).toEqual([third]);
	});
});

describe('only the corrected rows of a sent list are sent, as advised', () => {
	it.each<[kind: 'valueSent' | 'numberSent', value: number, corrected: string]>([
		['valueSent', 46_150, '8,5'],
		['numberSent', 22 / 3, '7,33'],
	])('after the warning %s', async (kind, Βαθμός, corrected) => {
		const sent = platform();
		const workflow = new Workflow({ node: 'smsSend', parameters: byName, ...known });
		const run = await workflow.run([ROW, { ...ROW, Κινητό: '6912345672', Βαθμός }]);
		expect(read(run)).toContain(OTHER_TODO[kind].en);
		sent.length = 0;
		await workflow.run([{ ...ROW, Κινητό: '6912345672', Βαθμός: corrected }]);
		expect(recipients(sent)).toEqual(['6912345672']);
	});
});

describe('a warning about a list disappears after the correction that it advises', () => {
	it.each<[kind: string, value: number | string | boolean, corrected: string]>([
		['looksLikeDate', 46_150, '8,5'],
		['looksLikeDate', 10 / 24, '10:00'],
		['looksLikeDate', 0.85, '85%'],
		['looksLikeDate', '2026-05-08', '8 Μαΐου'],
		['looksLikeDate', 'στις 2026-05-08T09:30', 'στις 8 Μαΐου'],
		['longNumber', 22 / 3, '7,33'],
		['boolean', true, 'ΝΑΙ'],
		['notValue', 'None', 'Κανένα'],
	])('%s: the value %p is replaced by %p', async (kind, Βαθμός, corrected) => {
		const parameters = { ...byName, operation: 'review' };
		const review = async (grade: number | string | boolean) =>
			(await new Workflow({ node: 'smsSend', parameters, ...known }).run([{ ...ROW, Βαθμός: grade }])).json[0]![0];
		expect(await review(Βαθμός)).toMatchObject({ doubts: [{ kind }] });
		expect(await review(corrected)).toMatchObject({
			doubts: [],
			samples: [{ text: expect.stringContaining(corrected) }],
		});
	});

	it('roundMobile: the mobile is written as text, or with its lost digits', async () => {
		const review = async (Κινητό: number | string) => {
			const parameters = { ...byName, operation: 'review' };
			return (await new Workflow({ node: 'smsSend', parameters, ...known }).run([{ ...ROW, Κινητό }])).json[0]![0];
		};
		expect(await review(6_910_000_000)).toMatchObject({
			messages: 1,
			doubts: [{ kind: 'roundMobile', rows: 1, values: ['691…000'] }],
		});
		for (const right of ['6910000000', 6_912_345_678]) expect(await review(right)).toMatchObject({ doubts: [] });

		platform();
		const sent = await new Workflow({ node: 'smsSend', parameters: byName, ...known }).run([
			{ ...ROW, Κινητό: 6_910_000_000 },
		]);
		expect(read(sent)).toContain(OTHER_TODO.valueSent.en);
	});

	it('noPosition: the placeholder gets a position', async () => {
		const review = async (messages: string) => {
			const parameters = { ...byName, operation: 'review' };
			const workflow = new Workflow({ node: 'smsSend', parameters, ...withCredential({ messages }) });
			return (await workflow.run([ROW])).json[0]![0];
		};
		const values = ['{Βαθμός}'];
		expect(await review('grades/result: {Μάθημα,1} {Βαθμός}')).toMatchObject({
			doubts: [{ kind: 'noPosition', values }],
		});
		expect(await review('grades/result: {Μάθημα,1} {Βαθμός,2}')).toMatchObject({ doubts: [] });
	});

	it('sameRecipient: one of the two rows is removed', async () => {
		const review = async (rows: IDataObject[]) =>
			(await new Workflow({ node: 'smsSend', parameters: { ...byName, operation: 'review' }, ...known }).run(rows))
				.json[0]![0];
		expect(await review([ROW, { ...ROW, Βαθμός: '5' }])).toMatchObject({ doubts: [{ kind: 'sameRecipient' }] });
		expect(await review([ROW])).toMatchObject({ doubts: [] });
	});

	it('sameReference: the reference becomes different for each row', async () => {
		const review = async (reference: string) => {
			const parameters = { ...byName, operation: 'review', options: { reference } };
			const workflow = new Workflow({ node: 'smsSend', parameters, ...known });
			return (await workflow.run([ROW, { ...ROW, Κινητό: '6912345672' }])).json[0]![0];
		};
		expect(await review('Ιανουάριος')).toMatchObject({ doubts: [{ kind: 'sameReference' }] });
		expect(await review('6912345678')).toMatchObject({
			doubts: [{ kind: 'sameReference', values: ['•••78', '•••78'] }],
		});
		expect(await review('={{ $json.Κινητό }}')).toMatchObject({ doubts: [] });
	});
});

describe('a row is sent after the correction that its error advises', () => {
	const { Μάθημα: _, ...withoutCourse } = ROW;
	it.each<[reason: string, faulty: IDataObject, corrected: IDataObject[]]>([
		['emptyRecipient', { ...ROW, Κινητό: '' }, [ROW]],
		['landline', { ...ROW, Κινητό: '2101234567' }, [ROW]],
		['notMobile', { ...ROW, Κινητό: '691234567' }, [ROW]],
		['notMobile', { ...ROW, Κινητό: '35799123456' }, [{ ...ROW, Κινητό: '+35799123456' }]],
		['digitsLost', { ...ROW, Κινητό: '6.91235E+09' }, [ROW]],
		['twoNumbers', { ...ROW, Κινητό: '6912345671, 6912345672' }, [ROW, { ...ROW, Κινητό: '6912345672' }]],
		['twoNumbers', { ...ROW, Κινητό: '6912345671, 6912345672 6912345673' }, [ROW]],
		['emptyValue', { ...ROW, Βαθμός: ' ' }, [ROW]],
		['notValue', { ...ROW, Βαθμός: '#N/A' }, [ROW]],
		['notValue', { ...ROW, Μάθημα: 'Φυσικ\ufffd' }, [ROW]],
		['twoColumns', { ...ROW, Βαθμός_1: '9' }, [ROW]],
		['tooLong', { ...ROW, Βαθμός: 'α'.repeat(50_000) }, [ROW]],
		['notText', { ...ROW, Βαθμός: '8\u0000' }, [ROW]],
		['missingColumn', withoutCourse, [ROW]],
		['twoColumns', { ...ROW, Κινητό: '6912345671', Mobile: '6912345672' }, [ROW]],
		['emptyList', {}, [ROW]],
	])('for the reason %s (case %#)', async (reason, faulty, corrected) => {
		const sent = platform();
		const workflow = new Workflow({ node: 'smsSend', parameters: byName, ...known, ...continuing });
		expect((await workflow.run([faulty])).json[0]).toMatchObject([{ details: { reason } }]);
		expect(sent).toEqual([]);
		await workflow.run(corrected);
		expect(sent).toHaveLength(corrected.length);
	});
});

describe('the summary of a run', () => {
	it.each<[string, Reply, RegExp, RegExp | undefined]>([
		[
			'HTTP 400',
			{ status: 400 },
			/he service refused this request, and trying again will not help\. Ask the operator/,
			/again later/,
		],
		[
			'HTTP 413',
			{ status: 413 },
			/he service refused this request, and trying again will not help\. Ask the operator/,
			/again later/,
		],
		[
			'a redirect',
			{ status: 302 },
			/Before the next run: Set the Base URL in the credential to the final URL/,
			/sent.*to them alone/,
		],
		['HTTP 503', { status: 503, headers: { 'retry-after': '900' } }, /Try again later/, undefined],
	])(
		'gives the right advice once if all rows failed with %s, under On Error Stop and Continue',
		async (_, reply, advice, wrong) => {
			platform(reply);
			for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
				const words = read(await new Workflow(send({}, {}, { onError })).run([row(1), row(2)]));
				expect(words.match(new RegExp(advice, 'g'))).toHaveLength(1);
				if (wrong) expect(words).not.toMatch(wrong);
			}
		},
	);
});

it('a reply, which has no list, is sent with Map Each Column Manually as advised', async () => {
	const sent = platform();
	const forward = { event: 'smsForward', msisdn: '306912345678', receivedAt: '2026-01-20T21:00:00.000Z' };
	const triggers = { 'SMS Trigger': { outputs: [[forward], []] } };
	const reply = async (item: IDataObject, more: INodeParameters = {}) => {
		const parameters = { ...byName, operation: 'reply', ...more };
		return (await new Workflow({ node: 'smsSend', parameters, ...known, ...continuing, triggers }).run([item])).json[0];
	};
	for (const item of [{ keyword: 'ΒΑ' }, {}]) {
		const [failed] = (await reply(item))!;
		expect(failed).toMatchObject({
			error: 'There is no value for "Μάθημα"',
			message: expect.stringMatching(/^Set Mapping Column Mode to Map Each Column Manually, and fill/) as unknown,
			details: { reason: 'missingColumn', notice: expect.stringMatching(sentence('tellValue')) as unknown },
		});
		expect(JSON.stringify(failed)).not.toMatch(/column "|the list has|λίστα|στήλη|αρχείο/i);
	}
	const [empty] = (await reply({ Μάθημα: '', Βαθμός: '8' }))!;
	expect(JSON.stringify(empty)).not.toMatch(/\brow\b(?!":)|γραμμή/);
	expect(sent).toEqual([]);
	await reply({}, { placeholders: { mappingMode: 'defineBelow', value: { Μάθημα: 'Φυσική', Βαθμός: '8' } } });
	expect(sent).toHaveLength(1);
});

it('the tool of an agent, which has no list, sends with Map Each Column Manually as advised', async () => {
	const sent = platform();
	const tool = async (more: INodeParameters) => {
		const parameters = { ...byName, recipient: '6912345678', ...more };
		return await new Workflow({ node: 'smsSend', parameters, ...known, asTool: true }).run([{ chatInput: 'Go' }]);
	};
	const message = expect.stringMatching(/Set Mapping Column Mode to Map Each Column Manually/) as unknown;
	expect((await tool({})).json[0]).toMatchObject([{ message, details: { reason: 'missingColumn' } }]);
	expect(sent).toEqual([]);
	await tool({ placeholders: { mappingMode: 'defineBelow', value: { Μάθημα: 'Φυσική', Βαθμός: '8' } } });
	expect(sent).toHaveLength(1);
});
