import type { IDataObject } from 'n8n-workflow';

import { toSendAgain, unanswered } from '../../../../../nodes/SmsResults/whoGotIt/sendAgain';
import { reportItem } from '../../../../../nodes/SmsResults/whoGotIt/tableItems';
import { noticeOfMessage } from '../../../../../nodes/SmsResults/whoGotIt/stateTexts';
import {
	ago,
	join,
	joinNow,
	messageItems,
	NOW,
	ofTable,
	report,
	sent,
	sheetOf,
	skipped,
	summarize,
	tableRows,
	type Message,
} from './items';

const again = (reference: string, againOf: string, more: IDataObject = {}) => sent(reference, { againOf, ...more });
const failed = (outcome: string, details: IDataObject = {}, input: IDataObject = {}): IDataObject => ({
	...{ error: 'It failed', message: 'Do this', list: 'Βαθμοί' },
	details: { outcome, reason: 'refused', notice: 'Αρνήθηκε.', ...details, input },
});
const waited = (status: string, more: IDataObject = {}): IDataObject => ({
	...{ delivered: status === 'DELIVRD', status, serviceId: 's', messageId: 'm', recipient: 'x', reference: 'a' },
	...more,
});

const states = (items: IDataObject[], late = 1) => joinNow(items, late).map(({ state }) => state);

describe('the state', () => {
	it.each<[string, string, IDataObject[]]>([
		['accepted exactly Late After hours ago', 'onItsWay', [sent('a', { sentAt: ago(1) })]],
		['accepted longer ago than Late After', 'late', [sent('a', { sentAt: ago(1.01) })]],
		[
			'without a time, in a table row older than Late After',
			'late',
			[{ ...tableRows([sent('a')], 2)[0]!, sentAt: null }],
		],
		['without a time, in a newer table row', 'onItsWay', [{ ...tableRows([sent('a')], 0.5)[0]!, sentAt: null }]],
		['without any time', 'late', [sent('a', { sentAt: null })]],
		['skipped because it was sent before', 'late', [skipped('sentBefore')]],
		['with a report that it is under way', 'onItsWay', [sent('a'), report('a', 'SENT')]],
		[
			'with such a report, but longer ago than Late After',
			'late',
			[sent('a', { sentAt: ago(3) }), report('a', 'SENT')],
		],
		[
			'delivered, and then reported as failed',
			'delivered',
			[sent('a'), report('a', 'DELIVRD'), report('a', 'ERROR', { receivedAt: ago(0) })],
		],
		['not delivered', 'notDelivered', [sent('a'), report('a', 'ERROR'), report('a', 'SENT', { receivedAt: ago(0) })]],
		['with an unknown outcome', 'unknown', [failed('unknown', { reference: 'a', sentAt: ago(30) })]],
		[
			'with an unknown outcome and a report of delivery',
			'delivered',
			[failed('unknown', { reference: 'a' }), report('a', 'DELIVRD')],
		],
		[
			'with an unknown outcome and a report that it is under way',
			'onItsWay',
			[failed('unknown', { reference: 'a', sentAt: ago(0.1) }), report('a', 'SENT')],
		],
		['skipped because its outcome is unknown', 'unknown', [skipped('unknown', { unknown: true })]],
		['skipped by Do Not Send To', 'notWanted', [skipped('doNotSend')]],
		['rejected', 'notSent', [failed('rejected', { reference: 'a' })]],
		['rejected, then sent', 'onItsWay', [failed('rejected', { reference: 'a' }), sent('a')]],
		['of Send and Wait, delivered', 'delivered', [waited('DELIVRD')]],
		['of Send and Wait, with no report in time', 'late', [waited('TIMEOUT')]],
		['of Send and Wait, perhaps never sent', 'unknown', [waited('TIMEOUT', { unknown: true })]],
	])('of a message %s is %s', (_, state, items) => {
		expect(states(items)).toEqual([state]);
		expect(states([...items].reverse())).toEqual([state]);
	});

	it('of a message comes from the first report of delivery, or else from the last final report', () => {
		const told = (status: string, hours: number) => report('a', status, { receivedAt: ago(hours) });
		const reportedAt = (items: IDataObject[]) => joinNow(items)[0]!.report?.reportedAt;
		for (const [status, counting] of [
			['DELIVRD', 3],
			['EXPIRED', 1],
		] as const) {
			const items = [sent('a'), told(status, 2), told(status, 3), told(status, 1), told('SENT', 0)];
			expect(reportedAt(items)).toBe(ago(counting));
			expect(reportedAt(items.toReversed())).toBe(ago(counting));
		}
	});

	it('of a message without a report is late only after the hours of Late After', () => {
		const items = [sent('a', { sentAt: ago(5) })];
		expect(states(items, 4)).toEqual(['late']);
		expect(states(items, 6)).toEqual(['onItsWay']);
	});

	it('of a message that was not sent comes with the reason from the newest table row', () => {
		const at = (hours: number, notice: string) =>
			tableRows([failed('rejected', { reference: 'a', notice })], hours)[0]!;
		expect(joinNow([at(2, 'Α'), at(1, 'Β'), at(3, 'Γ')])).toMatchObject([{ notice: 'Β' }]);
	});
});

it('a warning in an item of Send and Wait is not read as a column in the list', () => {
	const [message] = joinNow([waited('TIMEOUT', { warning: 'The delivery report will not arrive' })]);
	expect(message!.columns).toEqual({});
});

describe('a message with reports of different outcomes', () => {
	const long = (more: IDataObject = {}) => sent('a', { segments: 2, ...more });
	const arrived = report('a', 'DELIVRD', { receivedAt: ago(0.2) });
	const lost = report('a', 'ERROR', { receivedAt: ago(0.1), errorCode: '27' });
	const anyOrder = ([one, two, three]: [IDataObject, IDataObject, IDataObject]) => [
		[one, two, three],
		[three, two, one],
		[two, one, three, two],
	];

	it('is partly delivered, in any order of the reports', () => {
		for (const items of anyOrder([long(), arrived, lost])) expect(states(items)).toEqual(['partly']);
		const sooner = { ...lost, receivedAt: ago(0.3) };
		for (const items of anyOrder([long(), arrived, sooner])) expect(states(items)).toEqual(['partly']);
	});

	it('has the failed report, so that no workflow takes the message for delivered', () => {
		const [message] = joinNow([long(), arrived, lost]);
		expect(message!.report).toMatchObject({ delivered: false, final: true, status: 'ERROR', errorCode: '27' });
	});

	it('is recognised as partly delivered by the length of its text if its number of SMS is unknown', () => {
		const kept = (text: string) => ({ list: 'Βαθμοί', reference: 'a', state: 'onItsWay', text });
		expect(states([kept('Χαίρετε. '.repeat(10)), arrived, lost])).toEqual(['partly']);
		expect(states([kept('Χαίρετε.'), arrived, lost])).toEqual(['delivered']);
	});

	it('is not partly delivered if it takes one SMS or an unknown number of SMS, or if only reports with the same outcome are final', () => {
		expect(states([long({ segments: 1 }), arrived, lost])).toEqual(['delivered']);
		expect(states([long({ segments: null, text: null }), arrived, lost])).toEqual(['delivered']);
		expect(states([long(), arrived, report('a', 'SENT')])).toEqual(['delivered']);
		expect(states([long(), arrived, arrived])).toEqual(['delivered']);
		expect(states([long(), lost, lost])).toEqual(['notDelivered']);
	});

	it('stays partly delivered after it was stored in a table, even if its item and its reports arrive again', () => {
		const kept = messageItems([long(), arrived, lost]);
		for (const more of [[], [arrived], [lost], [long(), arrived], [long(), arrived, lost]]) {
			expect(states([...kept, ...more])).toEqual(['partly']);
			expect(states([...more, ...kept])).toEqual(['partly']);
		}
	});

	it('becomes partly delivered if the second report arrives after the first was stored in a table', () => {
		expect(states([...messageItems([long(), arrived]), lost])).toEqual(['partly']);
		expect(states([...messageItems([long(), lost]), arrived])).toEqual(['partly']);
		// Both reports were stored before the message.
		const reports = join([arrived, lost]).otherReports.map(reportItem);
		expect(states([...reports, long()])).toEqual(['partly']);
	});

	it('is delivered if another attempt was delivered completely; otherwise it has the state of the newest attempt', () => {
		const second = (status: string) => [again('b', 'a', { segments: 2 }), report('b', status)];
		expect(states([long(), arrived, lost, ...second('DELIVRD')])).toEqual(['delivered']);
		expect(states([long(), arrived, lost, ...second('ERROR')])).toEqual(['notDelivered']);
		const newestLost = [long(), arrived, again('b', 'a', { segments: 2 }), report('b', 'ERROR')];
		expect(states([...newestLost, ...messageItems(newestLost)])).toEqual(['delivered']);
	});
});

describe('the identity of a message', () => {
	it('is its reference within a list, and a report counts for its reference in every list', () => {
		const refused = failed('rejected', { reference: 'b' });
		const found = joinNow([sent('a'), sent('a', { list: 'Άλλη' }), refused, report('a', 'DELIVRD')]);
		expect(found.map(({ list, reference, state }) => [list, reference, state])).toEqual([
			['Βαθμοί', 'a', 'delivered'],
			['Άλλη', 'a', 'delivered'],
			['Βαθμοί', 'b', 'notSent'],
		]);
		expect(found[0]!.items).toEqual([0, 3]);
	});

	it('of a failed row without a reference is its columns or recipient: equal failed rows count once, and a row that was sent later does not count as failed', () => {
		const row = { ΑΜ: 7, Όνομα: 'Νίκος' };
		const rows = [row, { Όνομα: 'Νίκος', ΑΜ: '7' }, { ΑΜ: 8, Όνομα: 'Ελένη' }];
		const faults = rows.map((each) => failed('rejected', {}, each));
		expect(states(faults)).toEqual(['notSent', 'notSent']);
		expect(states([...faults, sent('a', row)])).toEqual(['notSent', 'onItsWay']);
		// Rows without columns are identified by their recipient.
		expect(states(['1', '2', '1'].map((recipient) => failed('rejected', { recipient })))).toHaveLength(2);
	});

	it('of a rejected row is kept if the row is sent later with another reference, such as after quiet hours', () => {
		const row = { Όνομα: 'Νίκος' };
		const ids = { serviceId: 'grades', messageId: 'result' };
		const refused = tableRows([failed('rejected', { reference: 'a', ...ids }, row)], 11)[0]!;
		const later = (more: IDataObject = {}) => sent('b', { ...row, ...more });
		expect(states([refused, later()])).toEqual(['onItsWay']);
		expect(states([later(), refused])).toEqual(['onItsWay']);
		// If the sent message is older than the rejected row, or has another list or text, the rejected row is a separate
		// message.
		for (const other of [{ sentAt: ago(12) }, { list: 'Άλλη' }, { messageId: 'reminder' }])
			expect(states([refused, later(other)])).toContain('notSent');
		expect(states([{ ...refused, createdAt: null }, later()])).toContain('notSent');
	});

	it('of two failed rows with the same cells is their row number, even after they were stored in a table', () => {
		const faults = [3, 5].flatMap((row) => [
			failed('rejected', { row }, { Όνομα: 'Νίκος' }),
			failed('rejected', { row }),
		]);
		expect(states([...faults, ...faults])).toHaveLength(4);
		const kept = messageItems(faults);
		expect(states([...kept, ...kept, ...faults])).toHaveLength(4);
		expect(joinNow(kept).map(({ columns }) => columns)).toEqual([{ Όνομα: 'Νίκος' }, {}, { Όνομα: 'Νίκος' }, {}]);
	});

	it('is not given to items that are not messages', () => {
		const forward = { event: 'smsForward', mobile: '69', body: 'ΝΑΙ' };
		const empty = { event: 'deliveryReport', reference: 'a' };
		expect(join([{}, ofTable(1), forward, empty])).toEqual({ messages: [], otherReports: [] });
	});

	it('is missing in a report without a reference, which counts for no message', () => {
		const { messages, otherReports } = join([report(undefined, 'DELIVRD'), failed('rejected')]);
		expect([messages.map(({ state }) => state), otherReports.length]).toEqual([['notSent'], 1]);
	});

	it('includes its list: the name in the field List is given only to messages without a list', () => {
		const items = [sent('a'), sent('b', { list: null }), report('c', 'ERROR')];
		expect(join(items, 1, 'Νέα').messages.map(({ list }) => list)).toEqual(['Βαθμοί', 'Νέα']);
	});
});

describe('attempts to send a message', () => {
	const one = (items: IDataObject[]): Message => {
		const found = joinNow(items);
		expect(found).toHaveLength(1);
		return found[0]!;
	};

	it('are combined into one message with the reference of the newest attempt, and with its state unless an earlier attempt was delivered', () => {
		const items = [sent('a'), report('a', 'ERROR'), again('b', 'a'), report('b', 'REJECTD'), again('c', 'b')];
		const newest = { reference: 'c', againOf: 'b', state: 'onItsWay', attempts: 3, list: 'Βαθμοί' };
		expect(one(items)).toMatchObject(newest);
		expect(one([...items].reverse())).toMatchObject(newest);
		const delivered = { reference: 'c', state: 'delivered', report: { status: 'DELIVRD' } };
		expect(one([...items, report('a', 'DELIVRD')])).toMatchObject(delivered);
	});

	it('are also counted if the items of earlier attempts are missing', () => {
		expect(one([again('b', 'a')])).toMatchObject({ reference: 'b', attempts: 2 });
		const before = messageItems([sent('a'), again('b', 'a'), again('c', 'b')]);
		expect(one([...before, again('d', 'c')])).toMatchObject({ reference: 'd', attempts: 4 });
	});

	it("belong to the list of the first attempt if the second attempt has no list; if two lists have the first attempt's reference, to the list that was sent last", () => {
		const second = again('b', 'a', { list: null });
		expect(one([sent('a'), second])).toMatchObject({ list: 'Βαθμοί', reference: 'b' });
		const lists = [sent('a', { sentAt: ago(2) }), sent('a', { list: 'Άλλη' })];
		for (const items of [
			[...lists, second],
			[second, ...lists.reverse()],
		]) {
			const found = joinNow(items).map(({ list, reference }) => `${list} ${reference}`);
			expect(found.sort()).toEqual(['Άλλη b', 'Βαθμοί a']);
		}
	});

	it('without a list always belong to the same one of two lists that were sent at the same time, in any order of the items', () => {
		const second = again('b', 'a', { list: null });
		for (const lists of [
			['Α', 'Β'],
			['Β', 'Α'],
		]) {
			const found = joinNow([...lists.map((list) => sent('a', { list })), second]);
			expect(found.find(({ reference }) => reference === 'b')).toMatchObject({ list: 'Α' });
		}
	});

	it("in another list are separate messages, because a user's reference may be in both lists", () => {
		expect(joinNow([sent('a'), again('b', 'a', { list: 'Ξανά' }), report('b', 'DELIVRD')])).toMatchObject([
			{ list: 'Βαθμοί', reference: 'a', state: 'onItsWay' },
			{ list: 'Ξανά', reference: 'b', state: 'delivered' },
		]);
	});

	it('that were rejected do not change the state and the reference, so that the message can be sent again; an attempt that Do Not Send To skips changes both', () => {
		const before = { reference: 'a', state: 'notDelivered', attempts: 1 };
		for (const details of [{ reference: 'b' }, {}]) {
			const refused = failed('rejected', details, { againOf: 'a', list: null });
			expect(one([sent('a'), report('a', 'ERROR'), refused])).toMatchObject(before);
		}
		const notWanted = skipped('doNotSend', { reference: 'b', againOf: 'a' });
		expect(one([sent('a'), report('a', 'ERROR'), notWanted])).toMatchObject({ reference: 'b', state: 'notWanted' });
	});

	it('get missing fields from earlier attempts', () => {
		const first = sent('a', { Όνομα: 'Άτομο a' });
		const bare = { accepted: true, recipient: '6900000001', reference: 'b', sentAt: ago(0.1), againOf: 'a' };
		const filled = { reference: 'b', columns: { Όνομα: 'Άτομο a' }, serviceId: 'grades' };
		expect(one([first, bare])).toMatchObject(filled);
	});
});

describe('messages that can be sent again', () => {
	it('are counted as people and as SMS, and messages of unknown outcome are counted separately', () => {
		const messages = joinNow([
			sent('a', { segments: 2 }),
			sent('b', { recipient: '+30 690 000 0001' }),
			sent('c', { recipient: '6900000003', text: null, segments: null }),
			...['a', 'b', 'c'].map((reference) => report(reference, 'ERROR')),
			failed('unknown', { reference: 'd', sentAt: ago(25), recipient: '6900000004' }),
			failed('unknown', { reference: 'e', sentAt: ago(23), recipient: '6900000005' }),
			failed('unknown', { reference: 'f', recipient: '6900000006' }),
			sent('g', { list: 'Νέα', sentAt: ago(0) }),
		]);
		expect(toSendAgain(messages, 'notDelivered', NOW).map(({ reference }) => reference)).toEqual(['a', 'b', 'c']);
		expect(toSendAgain(messages, 'unknownToo', NOW).map(({ reference }) => reference)).toEqual(['a', 'b', 'c', 'd']);
		expect(summarize(messages, { language: 'both' })).toMatchObject({
			lists: ['Νέα', 'Βαθμοί'],
			byList: [
				{ list: 'Νέα', messages: 1, onItsWay: 1, again: 0, againSegments: 0 },
				{ list: 'Βαθμοί', messages: 6, notDelivered: 3, unknown: 3, again: 2, againSegments: 3, unknownToo: 1 },
			],
			all: { messages: 7, again: 2, unknownToo: 1, delivered: 0 },
		});
	});
});

describe('a partly delivered message', () => {
	const messages = joinNow([
		sent('a', { segments: 2 }),
		report('a'),
		report('a', 'ERROR', { errorCode: '27' }),
		sent('b', { recipient: '6900000002' }),
		report('b'),
	]);

	it('is sent again only if Include Unknown is on, because the person has received a part of it', () => {
		expect(toSendAgain(messages, 'notDelivered', NOW)).toEqual([]);
		expect(toSendAgain(messages, 'unknownToo', NOW).map(({ reference }) => reference)).toEqual(['a']);
	});

	it('is counted separately from delivered messages', () => {
		const { all } = summarize(messages);
		expect(all).toMatchObject({ messages: 2, delivered: 1, partly: 1, notDelivered: 0, again: 0 });
	});

	it.each<['el' | 'en', string, string, string, string]>([
		['el', 'Κατάσταση', 'παραδόθηκε εν μέρει', 'Γιατί', 'Παραδόθηκαν εν μέρει'],
		['en', 'State', 'only partly delivered', 'Why', 'Only partly delivered'],
	])('has its own text in the sheet and on the page (%s)', (language, state, word, why, words) => {
		const [row] = sheetOf(messages, { language, timeZone: 'Europe/Athens' });
		const notice = noticeOfMessage(messages[0]!, language)!;
		expect(row).toMatchObject({ [state]: word, [why]: notice });
		expect(notice).toContain('(27)');
		const html = String(summarize(messages, { language }).html);
		expect(html).toContain(`<td>${words}<br>`);
		expect(html).not.toMatch(/Δεν χρειάζεται να κάνετε κάτι|nothing to do/);
	});

	it('counts as received for reminders to people who have not answered', () => {
		expect(unanswered(messages).map(({ reference }) => reference)).toEqual(['a', 'b']);
	});
});

describe('the number of items that Who Got It assigns to messages', () => {
	it('grows linearly with the number of items, even if all items share one reference', () => {
		const count = 500;
		const each = (make: (index: number) => IDataObject) => Array.from({ length: count }, (_, index) => make(index));
		// The same reference is in many lists, in items without a list, and in many reports.
		const items = [
			...each((index) => sent('a', { list: `${index}` })),
			...each(() => sent('a', { list: null })),
			...each((index) => again(`b${index}`, 'a', { list: null })),
			...each((index) => report('a', 'SENT', { errorCode: `${index}` })),
		];
		const { messages } = join(items);
		expect(messages).toHaveLength(count);
		expect(messages.reduce((sum, message) => sum + message.items.length, 0)).toBeLessThanOrEqual(items.length + count);
	});
});
