import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode } from './harness/engine';
import { bodyOf, continuing, LOST, platform, REFUSED, row, send, splitting, TAKEN } from './harness/send';

/** Runs SMS Results. The node sends no requests, so it has no credential. */
const whoGotIt = (whoGotItOutput: string, rows: IDataObject[], list = '', options: INodeParameters = {}) =>
	runNode(
		{
			node: 'smsResults',
			parameters: { operation: 'whoGotIt', whoGotItOutput, list, options },
			timezone: 'Europe/Athens',
		},
		rows,
	);

const report = (reference: unknown, status: string): IDataObject => ({
	event: 'deliveryReport',
	serviceId: 'grades',
	recipient: '306912345671',
	mobile: '6912345671',
	status,
	delivered: status === 'DELIVRD',
	final: true,
	reference: reference as string,
	receivedAt: '2026-01-20T10:05:00.000Z',
});

/** Returns items as a data table returns them after they were stored. */
const throughTable = (items: IDataObject[]): IDataObject[] => {
	const fields = [...new Set(items.flatMap(Object.keys))];
	const now = new Date().toISOString();
	return items.map((item, index) => ({
		...Object.fromEntries(fields.map((field) => [field, item[field] ?? null])),
		id: index + 1,
		createdAt: now,
		updatedAt: now,
	}));
};

/**
 * Sends five rows: one is delivered, one is not delivered, one is rejected, one has an unknown outcome, and one gets no report.
 */
async function sendAndReport() {
	const replies = { 3: REFUSED, 4: LOST } as Record<string, typeof TAKEN>;
	const posts = platform((sent) => replies[String(bodyOf(sent).recipient).slice(-1)] ?? TAKEN);
	const rows = [1, 2, 3, 4, 5].map((last) => ({ ΑΜ: last, ...row(last) }));
	const run = await runNode(send({}, { includeInputFields: true }, continuing), rows);
	const now = new Date().toISOString();
	const sent = run.json[0]!.map((item): IDataObject => (item.accepted === true ? { sentAt: now, ...item } : item));
	const stored = await whoGotIt('messages', sent, 'Βαθμοί');
	const reports = await whoGotIt('messages', [
		report(sent[0]!.reference, 'DELIVRD'),
		report(sent[1]!.reference, 'EXPIRED'),
	]);
	// Reports may be in the table before their messages.
	return { posts, sent, table: throughTable([...reports.json[0]!, ...stored.json[0]!]) };
}

describe('Who Got It', () => {
	it('returns the state of each message that a data table has stored', async () => {
		const { sent, table } = await sendAndReport();
		const run = await whoGotIt('messages', table);
		expect(run.status).toBe('success');
		const found = run.json[0]!.map(({ list, state, row: own }) => [list, state, JSON.parse(own as string)] as const);
		expect(found).toMatchObject([
			['Βαθμοί', 'delivered', { ΑΜ: 1 }],
			['Βαθμοί', 'notDelivered', { ΑΜ: 2 }],
			['Βαθμοί', 'notSent', { ΑΜ: 3 }],
			['Βαθμοί', 'unknown', { ΑΜ: 4 }],
			['Βαθμοί', 'onItsWay', { ΑΜ: 5 }],
		]);
		const { reference } = sent[0]!;
		const first = { reference, recipient: '6912345671', final: true, status: 'DELIVRD', attempts: 1 };
		expect(run.json[0]![0]).toMatchObject(first);
		expect(run.json[0]![0]).not.toHaveProperty('notice');
		expect(run.json[0]![3]!.notice).toMatch(/^Δεν είναι γνωστό αν στάλθηκε/);
		expect(run.outputs[0]![0]!.pairedItem).toEqual([{ item: 0 }, { item: 2 }]);
		expect(run.decryptions).toEqual([]);
	});

	it('returns a sheet with all columns in each row', async () => {
		const { table } = await sendAndReport();
		const late = { ...table[2]!, sentAt: '2026-01-20T10:00:00Z' };
		const { json } = await whoGotIt('sheet', [...table.slice(0, 2), late, ...table.slice(3)]);
		const own = ['ΑΜ', 'mobile', 'course', 'grade'];
		for (const each of json[0]!)
			expect(Object.keys(each)).toEqual([...own, 'Κατάσταση', 'Γιατί', 'Στάλθηκε', 'Αναφορά']);
		const times = { Στάλθηκε: '20/01/2026 12:00', Αναφορά: '20/01/2026 12:05' };
		expect(json[0]![0]).toMatchObject({ ΑΜ: 1, Κατάσταση: 'παραδόθηκε', Γιατί: '', ...times });
		const why = expect.stringMatching(/^Σύμφωνα με την αναφορά,/) as unknown;
		expect(json[0]![1]).toMatchObject({ ΑΜ: 2, Κατάσταση: 'δεν παραδόθηκε', Γιατί: why });
		// If the sheet is sent as a list again, its result columns are replaced.
		const comesBack = { ...json[0]![0]!, accepted: true, reference: 'x' };
		const again = await whoGotIt('sheet', [comesBack], '', { language: 'en' });
		expect(Object.keys(again.json[0]![0]!)).toEqual([...own, 'State', 'Why', 'Sent', 'Report']);
	});

	it('keeps a column Κατάσταση of the list, and gives its own column another name, even when the sheet is read again', async () => {
		const item = { accepted: true, reference: 'x', recipient: '6912345671', Κατάσταση: 'ενεργή', ΑΜ: 7 };
		const [sheet] = (await whoGotIt('sheet', [item])).json[0]!;
		const expected = { Κατάσταση: 'ενεργή', ΑΜ: 7, 'Κατάσταση (SMS)': 'χωρίς αναφορά έως τώρα' };
		expect(sheet).toMatchObject(expected);
		expect(Object.keys(sheet!)).toEqual([...Object.keys(expected), 'Γιατί', 'Στάλθηκε', 'Αναφορά']);
		const comesBack = { ...sheet, 'Κατάσταση (SMS)': 'παραδόθηκε', accepted: true, reference: 'x' };
		expect((await whoGotIt('sheet', [comesBack])).json[0]).toEqual([sheet]);
	});

	it('shows a separate state for a row that was skipped as already sent, even when the sheet is read again', async () => {
		const item = {
			accepted: false,
			skipped: true,
			skipReason: 'sentBefore',
			notice: 'Έχει ήδη σταλεί.',
			reference: 'x',
		};
		const [sheet] = (await whoGotIt('sheet', [{ ΑΜ: 7, ...item }])).json[0]!;
		expect(sheet).toMatchObject({ ΑΜ: 7, Κατάσταση: 'έχει ήδη σταλεί', Γιατί: 'Έχει ήδη σταλεί.' });
		expect((await whoGotIt('sheet', [{ ...sheet, ...item }])).json[0]).toEqual([sheet]);
	});

	it('returns the rows to send again, and combines the new attempts with the earlier attempts', async () => {
		const { posts, sent, table } = await sendAndReport();
		const again = await whoGotIt('again', table, 'Βαθμοί');
		const againOf = sent[1]!.reference;
		expect(again.json[0]).toEqual([{ ΑΜ: 2, ...row(2), serviceId: 'grades', messageId: 'result', againOf }]);
		expect((await whoGotIt('again', table, 'Άλλη')).json[0] ?? []).toEqual([]);

		const resend = send({}, { includeInputFields: true, repeatKey: '={{ $json.againOf }}' }, continuing);
		const second = (await runNode(resend, again.json[0]!)).json[0]![0]!;
		expect(posts).toHaveLength(6);
		const stored = await whoGotIt('messages', [{ ...second, sentAt: new Date().toISOString() }]);
		const all = [...table, ...throughTable(stored.json[0]!)];
		const { reference } = second;
		const joined = { list: 'Βαθμοί', reference, againOf, attempts: 2, state: 'onItsWay' };
		expect((await whoGotIt('messages', all)).json[0]![1]).toMatchObject(joined);
		expect((await whoGotIt('again', all)).json[0] ?? []).toEqual([]);
	});

	it('returns one item with counts and a page', async () => {
		const { table } = await sendAndReport();
		const { json, outputs } = await whoGotIt('summary', [...table, report('gone', 'DELIVRD')]);
		const states = { delivered: 1, notDelivered: 1, late: 0, onItsWay: 1, unknown: 1, notWanted: 0, notSent: 1 };
		const counts = { messages: 5, ...states, again: 1, againSegments: 0, unknownToo: 0 };
		const html = expect.stringMatching(/^<h2>Τι έγινε με τα μηνύματα<\/h2>/) as unknown;
		const byList = [{ list: 'Βαθμοί', ...counts }];
		expect(json[0]).toMatchObject([{ lists: ['Βαθμοί'], byList, all: counts, otherReports: 1, html }]);
		expect(outputs[0]![0]!.pairedItem).toHaveLength(8);
	});

	it('names the existing lists if the requested list does not exist, even if only the case of the name differs', async () => {
		const { table } = await sendAndReport();
		for (const name of ['βαθμοί', 'Άλλη']) {
			const [page] = (await whoGotIt('summary', table, name)).json[0]!;
			expect(page).toMatchObject({ lists: [], byList: [], all: { messages: 0 } });
			expect(page!.html).toContain('<p>Δεν υπάρχει λίστα με αυτό το όνομα.</p>');
			expect(page!.html).toContain('<li>Βαθμοί</li>');
		}
		const [none] = (await whoGotIt('summary', [{}], 'Βαθμοί')).json[0]!;
		expect(none!.html).toContain('Δεν έχει ολοκληρωθεί ακόμη καμία αποστολή.');
	});

	it('shows answers from a table, and returns the people without an answer for a reminder', async () => {
		const { posts, sent, table } = await sendAndReport();
		const forward = (mobile: string, body: string): IDataObject => ({
			...{ event: 'smsForward', msisdn: `30${mobile}`, mobile, body, words: JSON.stringify(body.split(' ')) },
			receivedAt: new Date(Date.now() + 60_000).toISOString(),
		});
		const all = [...table, ...throughTable([forward('6912345671', 'Ναι'), forward('6912345675', 'ίσως')])];
		const options = { answers: 'ΝΑΙ, ΟΧΙ', onlyUnanswered: true };
		const { json } = await whoGotIt('summary', all, 'Βαθμοί', options);
		const answers = ['ΝΑΙ', 'ΟΧΙ', 'other'].map((answer) => ({ answer, people: answer === 'ΟΧΙ' ? 0 : 1 }));
		expect(json[0]).toMatchObject([{ byList: [{ answers, noAnswer: 1, again: 1 }], all: { answers, noAnswer: 1 } }]);
		const sheet = (await whoGotIt('sheet', all, 'Βαθμοί', { answers: 'ΝΑΙ' })).json[0]!;
		expect(sheet.map((each) => each.Απάντηση)).toEqual(['ΝΑΙ', '', '', '', 'Άλλη απάντηση']);

		const again = (await whoGotIt('again', all, 'Βαθμοί', options)).json[0]!;
		expect(again).toMatchObject([{ ΑΜ: 4, againOf: (sent[3]!.details as IDataObject).reference }]);
		await runNode(send({}, { repeatKey: '={{ $json.againOf }}' }, continuing), again);
		expect(posts.slice(5).map((post) => bodyOf(post).recipient)).toEqual(['6912345674']);
	});

	it('ignores rows of a review and items of other nodes, and states their number', async () => {
		const reviewed = { accepted: false, review: true, event: 'deliveryReport', status: 'DELIVRD', reference: 'r' };
		const items = [reviewed, { ΑΜ: 7 }, {}, { error: 'Bad request' }, { accepted: true, reference: 'a' }];
		const { json, hints } = await whoGotIt('messages', items);
		expect(json[0]).toMatchObject([{ reference: 'a', state: 'late' }]);
		expect(hints).toMatchObject([
			{
				message: expect.stringMatching(
					/^3 items were ignored.* 1 of the ignored items is a row of a review, which sends nothing\.$/,
				) as unknown,
			},
		]);
	});

	it('shows answers of people who got no message of the list, on the page and in the sheet', async () => {
		const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
		const sms = (mobile: string, body: string, minutes: number): IDataObject => ({
			...{ event: 'smsForward', msisdn: `30${mobile}`, mobile, body, receivedAt: at(minutes) },
		});
		const asked = { accepted: true, reference: 'a', recipient: '6900000001', sentAt: at(-60), ΑΜ: 1 };
		const skipped = { ...asked, accepted: false, skipped: true, skipReason: 'doNotSend', sentAt: undefined };
		const items = [
			...[asked, { ...skipped, reference: 'b', recipient: '6900000002', ΑΜ: 2 }],
			...[sms('6900000001', 'ναι', -9), sms('6900000002', 'όχι', -8), sms('6900000003', 'ναι', -7)],
			...[sms('6900000003', 'ίσως', -6), sms('6900000003', 'παλιό', -90)],
		];
		const options = { answers: 'ΝΑΙ, ΟΧΙ' };
		const [page] = (await whoGotIt('summary', items, '', options)).json[0]!;
		expect(page).toMatchObject({ otherAnswers: 3, all: { answers: [{ people: 1 }, { people: 0 }, { people: 0 }] } });
		expect(page!.html).toContain(
			'<h3>Απαντήσεις χωρίς ερώτηση</h3><table><tr><td>Μηνύματα</td><td><b>3</b></td></tr></table>',
		);

		const sheet = await whoGotIt('sheet', items, '', options);
		expect(sheet.json[0]).toMatchObject([
			{ Παραλήπτης: '6900000001', ΑΜ: 1, Απάντηση: 'ΝΑΙ' },
			{ Παραλήπτης: '6900000002', ΑΜ: 2, Κατάσταση: 'δεν θέλει μηνύματα', Απάντηση: '' },
			{ Παραλήπτης: '6900000002', ΑΜ: '', Κατάσταση: 'απάντηση χωρίς ερώτηση', Απάντηση: 'ΟΧΙ' },
			{ Παραλήπτης: '6900000003', ΑΜ: '', Κατάσταση: 'απάντηση χωρίς ερώτηση', Απάντηση: 'ΝΑΙ' },
			{ Παραλήπτης: '6900000003', Απάντηση: 'Άλλη απάντηση', 'Κείμενο απάντησης': 'ίσως' },
		]);
		expect(sheet.outputs[0]!.map(({ pairedItem }) => pairedItem)[4]).toEqual([{ item: 5 }]);
		const [without] = (await whoGotIt('summary', items.slice(0, 3), '', options)).json[0]!;
		expect(without!.html).not.toContain('Απαντήσεις χωρίς ερώτηση');
	});

	it.each<[string, INodeParameters, RegExp]>([
		['a reminder without the words of the answers', { onlyUnanswered: true }, /^Only Unanswered works only if you say/],
		['an answer of two words', { answers: 'ΔΕΝ ΞΕΡΩ' }, /^Answers has "ΔΕΝ ΞΕΡΩ", which is not one word/],
		['a negative Answer Within (Days)', { answers: 'ΝΑΙ', answerWithinDays: -1 }, /^Answer Within \(Days\) must be/],
		['a negative Late After (Hours)', { lateAfterHours: -1 }, /^Late After \(Hours\) must be a number from 0 to 1000/],
	])('is an error if the options request %s', async (_, options, message) => {
		const run = await whoGotIt('again', [{ accepted: true, reference: 'a' }], '', options);
		expect([run.status, run.error?.message]).toEqual(['error', expect.stringMatching(message)]);
	});

	it('keeps columns that have the name of a field, and counts two people with equal faulty rows', async () => {
		platform();
		const foreign = { id: 7, reference: 'Τμ. 4', status: 'ενεργός', row: 5, event: 'Ορκωμοσία', state: 'Αττική' };
		const faulty = { ...row(2), ...foreign, mobile: '' };
		const options = { includeInputFields: true };
		const run = await runNode(send({}, options, continuing), [{ ...row(1), ...foreign }, faulty, faulty]);
		const stored = throughTable((await whoGotIt('messages', run.json[0]!, 'Βαθμοί')).json[0]!);
		const sheet = (await whoGotIt('sheet', [...stored, ...stored])).json[0]!;
		const { reference, ...others } = foreign;
		// SMS Send replaces the column `reference` of a sent row with its own reference.
		expect(sheet).toMatchObject([others, { ...others, reference }, { ...others, reference }]);
	});

	it.each([true, false])(
		'counts every row from the error output in the summary, and keeps its columns in the sheet (Include Input Fields: %s)',
		async (kept) => {
			platform();
			const foreign = { reference: 'CS101', text: 'σχόλιο', segments: 9, attempts: 4, serviceId: 'Γραμματεία' };
			const faulty = { ...row(2), ...foreign, mobile: '2101234567' };
			const run = await runNode(send({}, { includeInputFields: kept }, splitting), [row(1), faulty, faulty]);
			const [sent = [], failed = []] = run.json;
			expect(failed).toMatchObject([foreign, foreign]);
			const stored = (await whoGotIt('messages', [...sent, ...failed], 'Βαθμοί')).json[0]!;
			for (const items of [
				stored,
				throughTable(stored),
				[...stored, ...failed.map((item) => ({ ...item, list: 'Βαθμοί' }))],
			]) {
				const [summary] = (await whoGotIt('summary', items)).json[0]!;
				expect(summary).toMatchObject({ byList: [{ list: 'Βαθμοί', messages: 3, notSent: 2 }] });
				const sheet = (await whoGotIt('sheet', items)).json[0]!;
				expect(sheet.slice(1)).toMatchObject([faulty, faulty]);
			}
		},
	);

	it('names the recipient if the columns in the list are unknown, and advises setting Include Input Fields', async () => {
		const run = await whoGotIt('sheet', [{ accepted: true, reference: 'a', recipient: '6912345671' }]);
		expect(run.json[0]).toMatchObject([{ Παραλήπτης: '6912345671', Κατάσταση: 'χωρίς αναφορά έως τώρα' }]);
		const hints = [{ message: expect.stringContaining('Include Input Fields') as unknown }];
		expect(run.hints).toMatchObject(hints);

		// At the error output n8n adds the columns of the row to the failed item. Items from the other output have no columns,
		// so the sheet names their recipient.
		platform();
		const faulty = { ...row(2), mobile: '2101234567' };
		const sent = await runNode(send({}, {}, splitting), [row(1), faulty]);
		const mixed = await whoGotIt('sheet', sent.json.flat());
		expect(mixed.json[0]).toMatchObject([{ Παραλήπτης: '6912345671' }, faulty]);
		expect(mixed.hints).toMatchObject(hints);

		// If the list has a column Παραλήπτης, its cells are kept unchanged.
		const input = { ...faulty, Παραλήπτης: 'Ελένη' };
		const rejected = { error: 'x', message: 'y', details: { outcome: 'rejected', input } };
		const titled = [...sent.json[0]!, rejected, { ΑΜ: 3, accepted: true, reference: 'c' }];
		const expected = [{ Παραλήπτης: '6912345671' }, { Παραλήπτης: 'Ελένη' }, { ΑΜ: 3, Παραλήπτης: '' }];
		expect((await whoGotIt('sheet', titled)).json[0]).toMatchObject(expected);
	});

	it.each(['sheet', 'again'])(
		'has a hint that names the existing lists if the output %s is empty because the list does not exist',
		async (output) => {
			const items = [
				{ reference: 'a', list: 'Βαθμοί', state: 'notDelivered', attempts: 1, row: '{"ΑΜ":1}' },
				{ reference: 'b', list: 'Δίδακτρα', state: 'notDelivered', attempts: 1, row: '{"ΑΜ":2}' },
			];
			const hintOf = async (list: string, of = items) =>
				(await whoGotIt(output, of, list)).hints.map(({ message }) => message);
			const there = 'There is no list with the name "βαθμοι". ';
			expect(await hintOf('βαθμοι')).toEqual([`${there}Enter one of these names in List: "Βαθμοί", "Δίδακτρα".`]);
			expect(await hintOf('Δίδακτρα')).toEqual([]);
			const without = items.map((item) => ({ ...item, list: '' }));
			expect(await hintOf('βαθμοι', without)).toEqual([`${there}Leave List empty: the messages have no list name.`]);
			expect((await whoGotIt('sheet', without, '')).json[0]).toHaveLength(2);
		},
	);

	it('cuts list names at 500 characters, and distinguishes two lists whose names differ only at the end', async () => {
		const beginning = 'Βαθμοί Ιανουαρίου '.repeat(60).slice(0, 499);
		const names = [`${beginning}α`, `${beginning}😀`];
		const keep = async (name: string, reference: string) =>
			(await whoGotIt('messages', [{ accepted: true, reference, recipient: '6900000001', Όνομα: name }], name))
				.json[0]!;
		const table = [...(await keep(names[0]!, 'r0')), ...(await keep(`${names[1]!}, cut off`, 'r1'))];
		expect(table.map(({ list }) => list)).toEqual(names);
		const [page] = (await whoGotIt('summary', table)).json[0]!;
		expect([...(page!.lists as string[])].sort()).toEqual(names);
		for (const name of names) expect(page!.formFields).toContain(`{"option":"${name}"}`);
		for (const name of [names[0]!, `${names[1]!}, cut off`])
			expect((await whoGotIt('sheet', table, name)).json[0]).toMatchObject([{ Όνομα: name }]);
	});
});
