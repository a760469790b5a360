import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { toSendAgain } from '../../../../../nodes/SmsResults/whoGotIt/sendAgain';
import { messageItem } from '../../../../../nodes/SmsResults/whoGotIt/tableItems';
import { ago, answer, joinNow, NOW, ofTable, report, sent, sheetOf, summarize, tableRows } from './items';

const QUESTION = { words: ['ΝΑΙ', 'ΟΧΙ'], withinDays: 7 };

const asked = (reference: string, hours: number | null, more: IDataObject = {}) =>
	sent(reference, { list: 'Ορκωμοσία', sentAt: hours === null ? null : ago(hours), ...more });
const forward = (body: string, hours: number, more: IDataObject = {}): IDataObject => ({
	...{ event: 'smsForward', msisdn: '306900000001', mobile: '6900000001', keyword: 'ΑΠ', body },
	words: body.split(' '),
	receivedAt: ago(hours),
	...more,
});
const answered = (items: IDataObject[], question = QUESTION) => answer(joinNow(items), items, question).messages;
const answersOf = (items: IDataObject[]) => answered(items).map(({ answer }) => answer?.answer);

describe('an answer to a question', () => {
	it.each<[string, string | undefined, IDataObject]>([
		['in small letters, with an accent', 'ΝΑΙ', forward('ναί', 1)],
		['in Greek and Latin letters', 'ΟΧΙ', forward('OΧI', 1)],
		['with more words and signs', 'ΝΑΙ', forward('ΑΠ: «Ναι», θα έρθω!', 1)],
		['without a space after it', 'ΝΑΙ', forward('Ναι.Ευχαριστώ', 1)],
		['with the same word twice', 'ΝΑΙ', forward('ναι, ΝΑΙ!', 1)],
		['with two different words', 'other', forward('Δεν ξέρω αν ναι ή όχι', 1)],
		['with two different words separated by a slash', 'other', forward('ΝΑΙ/ΟΧΙ', 1)],
		['above the quoted question', 'other', forward('ναι\n> Θα έρθετε; Απαντήστε ΑΠ ΝΑΙ ή ΑΠ ΟΧΙ.', 1)],
		['with another word than its keyword', 'other', forward('ΟΧΙ', 1, { matchedKeyword: 'ΝΑΙ' })],
		['by its keyword alone', 'ΝΑΙ', forward('', 1, { matchedKeyword: 'ΝΑΙ' })],
		['by its body, if the item has no words', 'ΝΑΙ', forward('ναι', 1, { words: null })],
		['by words as a data table stores them', 'ΝΑΙ', forward('x', 1, { words: '["ΑΠ","ΝΑΙ"]' })],
		['by words as a sheet stores them', 'ΝΑΙ', forward('x', 1, { words: 'ΑΠ,ΝΑΙ' })],
		['without one of the words', 'other', forward('ΝΑΙΜΕ ίσως', 1)],
		['from the same number in another format', 'ΝΑΙ', forward('ναι', 1, { mobile: null, msisdn: '+30 690 000 0001' })],
		['from another number', undefined, forward('ναι', 1, { mobile: '6900000002' })],
		['before the message', undefined, forward('ναι', 3)],
		['without a time', undefined, forward('ναι', 1, { receivedAt: null })],
		[
			'with only the time at which a data table stored it',
			'ΝΑΙ',
			{ ...forward('ναι', 1, { receivedAt: null }), ...ofTable(1) },
		],
		['with cells that are objects', 'other', forward('', 1, { words: { toString: 1 }, matchedKeyword: { x: 1 } })],
	])('%s counts as %s (undefined: as no answer)', (_, answer, item) => {
		expect(answersOf([asked('a', 2), item])).toEqual([answer]);
		expect(answersOf([item, asked('a', 2), report('a')])).toEqual([answer]);
	});

	it('with a hyphen is read as one word if this word is one of the expected answers', () => {
		const question = { words: ['Α', 'Β', 'Α-Β'], withinDays: 7 };
		const answerTo = (body: string) => answered([asked('a', 2), forward(body, 1)], question)[0]!.answer?.answer;
		expect([answerTo('α-β'), answerTo('α'), answerTo('α/β')]).toEqual(['Α-Β', 'Α', 'other']);
	});

	it('stays "other" after it was stored in a table', () => {
		const kept = answered([asked('a', 9), forward('ναι ή όχι', 5)]).map((message) => messageItem(message, 'el'));
		expect(kept).toMatchObject([{ answer: 'other', answerText: 'ναι ή όχι' }]);
		expect(answersOf(kept)).toEqual(['other']);
	});

	it('counts for the set number of days after its message', () => {
		const items = [asked('a', 24 * 8), forward('ναι', 24)];
		expect(answersOf(items)).toEqual(['ΝΑΙ']);
		expect(answered(items, { ...QUESTION, withinDays: 6.9 })[0]!.answer).toBeUndefined();
	});

	it('belongs to the newest message before it; a message without a time has the time of its table row, or else counts as the oldest', () => {
		const lists = [asked('a', 30, { list: 'Α' }), asked('b', 20, { list: 'Β' }), asked('c', 1, { list: 'Γ' })];
		expect(answersOf([...lists, forward('ναι', 10)])).toEqual([undefined, 'ΝΑΙ', undefined]);
		expect(answersOf([...lists, forward('ναι', 25)])).toEqual(['ΝΑΙ', undefined, undefined]);
		const timeless = asked('d', null, { list: 'Δ' });
		expect(answersOf([timeless, lists[1]!, forward('ναι', 10)])).toEqual([undefined, 'ΝΑΙ']);
		expect(answersOf([timeless, lists[1]!, forward('ναι', 25)])).toEqual(['ΝΑΙ', undefined]);
		expect(answersOf([{ ...tableRows([timeless], 15)[0]!, state: 'onItsWay' }, lists[1]!, forward('ναι', 10)])).toEqual(
			['ΝΑΙ', undefined],
		);
	});

	it('belongs only to messages that were sent, and only to the requested list', () => {
		const notWanted = asked('b', null, { accepted: false, skipped: true, skipReason: 'doNotSend', list: 'Β' });
		const rejected = {
			error: 'x',
			list: 'Γ',
			details: { outcome: 'rejected', reference: 'c', recipient: '6900000001' },
		};
		const items = [asked('a', 9, { list: 'Α' }), notWanted, rejected, forward('ναι', 2)];
		expect(answersOf(items)).toEqual(['ΝΑΙ', undefined, undefined]);
		const all = [asked('a', 9, { list: 'Α' }), asked('b', 8, { list: 'Β' })];
		const wanted = joinNow(all).filter(({ list }) => list === 'Α');
		expect(answer(wanted, [...all, forward('ναι', 1)], QUESTION).messages[0]!.answer).toMatchObject({ answer: 'ΝΑΙ' });
	});

	it('is replaced by a later answer, and counts once if its SMS is repeated', () => {
		const items = [asked('a', 9), forward('ναι', 8, { smsForwardId: '1' }), forward('όχι', 7, { smsForwardId: '2' })];
		expect(answersOf(items)).toEqual(['ΟΧΙ']);
		expect(answersOf([...items, forward('ναι', 1, { smsForwardId: '1' })].reverse())).toEqual(['ΟΧΙ']);
		expect(answersOf([...items, forward('ναι', 1)])).toEqual(['ΝΑΙ']);
	});

	it('counts even if an SMS with another text or keyword had the same ID', () => {
		const first = forward('όχι', 8, { smsForwardId: 'null' });
		expect(answersOf([asked('a', 9), first, forward('ναι', 7, { smsForwardId: 'null' })])).toEqual(['ΝΑΙ']);
		const byKeyword = (keyword: string, hours: number) =>
			forward('', hours, { smsForwardId: 0, words: [], keyword, matchedKeyword: keyword });
		expect(answersOf([asked('a', 9), byKeyword('ΟΧΙ', 8), byKeyword('ΝΑΙ', 7)])).toEqual(['ΝΑΙ']);
		const ofTableOnly = (answer: string, hours: number) => ({ ...byKeyword(answer, hours), keyword: null });
		expect(answersOf([asked('a', 9), ofTableOnly('ΟΧΙ', 8), ofTableOnly('ΝΑΙ', 7)])).toEqual(['ΝΑΙ']);
	});

	it('does not depend on the order of two simultaneous SMS, and is ignored if it has the same time as the message', () => {
		const twins = [forward('ναι', 5), forward('όχι', 5)];
		for (const each of [twins, twins.toReversed()]) expect(answersOf([asked('a', 9), ...each])).toEqual(['ΟΧΙ']);
		expect(answersOf([asked('a', 9, { list: 'Α' }), forward('ναι', 9)])).toEqual([undefined]);
	});

	it('that arrived before a reminder belongs to the newest attempt after the reminder was sent', () => {
		const items = [asked('a', 9), asked('b', 1, { againOf: 'a' }), forward('ναι', 5)];
		expect(answered(items)).toMatchObject([{ reference: 'b', answer: { answer: 'ΝΑΙ' } }]);
	});

	it('is in the item, the sheet and the summary only if Answers are set', () => {
		const items = [asked('a', 9), forward('Ναι, θα έρθω', 5), asked('b', 9, { recipient: '6900000002' })];
		const messages = answered(items);
		const item = messageItem(messages[0]!, 'el');
		expect(item).toMatchObject({ answer: 'ΝΑΙ', answerText: 'Ναι, θα έρθω', answeredAt: ago(5) });
		expect(JSON.stringify(summarize(messages, { question: QUESTION }))).toMatch(/nswer.*πάντησ/);
		expect(messages[0]!.items).toEqual([0, 1]);
		const [row, other] = sheetOf(messages, { otherAnswers: [], language: 'el', timeZone: 'Europe/Athens' });
		expect(row).toMatchObject({ Απάντηση: 'ΝΑΙ', 'Κείμενο απάντησης': 'Ναι, θα έρθω', Απαντήθηκε: '20/01/2026 09:00' });
		expect(other).toMatchObject({ Απάντηση: '', 'Κείμενο απάντησης': '', Απαντήθηκε: '' });
		const words = { ...QUESTION, words: ['ΙΣΩΣ'] };
		expect(sheetOf(answered(items, words), { otherAnswers: [], language: 'en', timeZone: 'UTC' })[0]).toMatchObject({
			Answer: 'Other answer',
		});

		const without = answer(joinNow([...items, item]), items, undefined).messages;
		expect(messageItem(without[0]!, 'el')).not.toHaveProperty('answer');
		expect(sheetOf(without, { language: 'el', timeZone: 'UTC' })[0]).not.toHaveProperty('Απάντηση');
		expect(JSON.stringify(summarize(without))).not.toMatch(/nswer|πάντησ/);
	});

	it('is recognised in earlier output of the node, even if the words of the question have changed', () => {
		const kept = answered([asked('a', 9), forward('ίσως ναι', 5)]).map((message) => messageItem(message, 'el'));
		expect(answersOf(kept)).toEqual(['ΝΑΙ']);
		expect(answered(kept, { ...QUESTION, words: ['ΙΣΩΣ'] })[0]!.answer).toMatchObject({ answer: 'ΙΣΩΣ' });
		expect(answersOf([...kept, forward('όχι', 4)])).toEqual(['ΟΧΙ']);
		expect(answersOf([...kept, forward('όχι', 6)])).toEqual(['ΝΑΙ']);
		// An SMS whose answer is already in the earlier output still belongs to its message.
		expect(answered([...kept, forward('ίσως ναι', 5)])[0]!.items).toEqual([0, 1]);
		const [early, late, twin] = [forward('ναι', 5), forward('όχι', 4), forward('ναι', 4)].map((answer) =>
			messageItem(answered([asked('a', 9), answer])[0]!, 'el'),
		);
		for (const said of [
			[early!, late!],
			[late!, early!],
		])
			expect(answersOf(said)).toEqual(['ΟΧΙ']);
		expect(answersOf([late!, twin!])).toEqual(answersOf([twin!, late!]));
	});
});

describe('a person who has not answered a question', () => {
	const to = (last: number, more: IDataObject = {}) => asked(`r${last}`, 9, { recipient: `690000000${last}`, ...more });
	const from = (last: number, body: string) => forward(body, 5, { mobile: `690000000${last}` });
	const items = [
		...[1, 2, 3, 4, 5, 6].map((last) => to(last)),
		...[report('r1'), report('r2'), report('r3'), report('r6', 'EXPIRED')],
		...[from(1, 'ναι'), from(2, 'όχι'), from(4, 'ίσως')],
		to(7, { accepted: false, skipped: true, skipReason: 'doNotSend' }),
		{ error: 'x', list: 'Ορκωμοσία', details: { outcome: 'unknown', reference: 'r8', recipient: '6900000008' } },
		// A second message to a person who has answered the first one.
		to(1, { reference: 'r9', sentAt: ago(2) }),
	];

	it('gets a reminder if the message may have been delivered, and the person has not answered in this list', () => {
		const again = toSendAgain(answered(items), 'unanswered', NOW);
		expect(again.map(({ reference }) => reference)).toEqual(['r3', 'r5', 'r8']);
	});

	it('is counted in each list, in the total, and on the page', () => {
		const messages = answered([...items, to(1, { list: 'Άλλη', reference: 'x', sentAt: ago(1) })]);
		const summary = summarize(messages, { which: 'unanswered', question: QUESTION });
		const people = (...counts: number[]) => ['ΝΑΙ', 'ΟΧΙ', 'other'].map((answer, i) => ({ answer, people: counts[i] }));
		expect(summary).toMatchObject({
			byList: [
				{ list: 'Άλλη', answers: people(0, 0, 0), noAnswer: 1, again: 1 },
				{ list: 'Ορκωμοσία', answers: people(1, 1, 1), noAnswer: 3, again: 3, messages: 9 },
			],
			all: { answers: people(1, 1, 1), noAnswer: 4, again: 4, messages: 10 },
		});
		expect(summary.html).toContain(
			'<h4>Απαντήσεις</h4><table><tr><td>ΝΑΙ<br>██▋</td><td><b>1</b></td></tr><tr><td>ΟΧΙ<br>██▋</td><td><b>1</b></td></tr>' +
				'<tr><td>Άλλη απάντηση<br>██▋</td><td><b>1</b></td></tr><tr><td>Δεν απάντησαν ακόμη<br>████████</td><td><b>3</b></td></tr></table>',
		);
		expect(summary.html).toContain('<li>Μπορείτε να στείλετε υπενθύμιση σε όσους δεν απάντησαν ακόμη.</li>');
	});
});

describe('the answers that Who Got It returns', () => {
	const hours = fc.integer({ min: 0, max: 400 }).map((half) => ago(half / 2));
	const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
	const name = fc.constantFrom(...'abcdef');
	const people = ['6900000001', '+30 690 000 0002', '00306900000003'];
	const message = fc
		.tuple(name, fc.record({ recipient: fc.constantFrom(...people), sentAt: maybe(hours), againOf: maybe(name) }))
		.chain(([reference, more]) => maybe(fc.constantFrom('Α', 'Β')).map((list) => sent(reference, { ...more, list })));
	const answer = fc
		.record({ msisdn: fc.constantFrom(...people), receivedAt: hours, smsForwardId: maybe(name) })
		.chain((more) =>
			fc.constantFrom('ναι', 'OXI', 'ίσως', '').map((body) => forward(body, 0, { mobile: null, ...more })),
		);
	const items = fc.array(
		fc.oneof(
			message,
			answer,
			name.map((reference) => report(reference)),
		),
		{ maxLength: 25 },
	);
	const said = (all: IDataObject[]) =>
		answered(all)
			.map((each) => JSON.stringify(messageItem(each, 'el')))
			.sort();
	const counts = (all: IDataObject[]) => {
		const { byList, all: sums } = summarize(answered(all), { which: 'unanswered', question: QUESTION });
		const lists = byList as Array<{ list: string; answers: Array<{ people: number }>; noAnswer: number }>;
		return { byList: lists.sort((one, other) => (one.list < other.list ? -1 : 1)), sums };
	};

	it('do not depend on the order of the items, on repetitions or on earlier output, and each person counts at most once in a list', () => {
		const twice = ({ length }: unknown[]) => ({ minLength: length * 2, maxLength: length * 2 });
		const mixed = items.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], twice(all))));
		fc.assert(
			fc.property(mixed, ([all, shuffled]) => {
				expect(said(shuffled)).toEqual(said(all));
				expect(counts(shuffled)).toEqual(counts(all));
				const kept = answered(all).map((each) => messageItem(each, 'el'));
				expect(counts([...shuffled, ...kept])).toEqual(counts(all));
				const there = new Set(all.flatMap(({ recipient }) => (recipient as string | undefined)?.slice(-1) ?? []));
				for (const { answers, noAnswer } of counts(all).byList)
					expect(answers.reduce((sum, each) => sum + each.people, noAnswer)).toBeLessThanOrEqual(there.size);
			}),
			{ numRuns: 300 },
		);
	});
});
