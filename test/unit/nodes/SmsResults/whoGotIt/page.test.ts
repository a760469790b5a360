import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { noticeOf } from '../../../../../lib/texts/notice';
import { REASONS, type Reason } from '../../../../../lib/texts/reasons';
import { ago, answer, join, joinNow, messageItems, report, sent, summarize } from './items';

function page(items: IDataObject[], language: 'both' | 'el' | 'en') {
	const { messages, otherReports } = join(items);
	return summarize(messages, { otherReports: otherReports.length, language }).html as string;
}
const to = (reference: string, more: IDataObject = {}) =>
	sent(reference, { recipient: `69000000${reference}`, ...more });
const items = [
	...[to('01'), to('02'), to('03', { list: 'Νέα', sentAt: ago(0.1) })],
	...[report('01', 'ERROR'), report('02')],
];

describe('the page of Who Got It', () => {
	it('shows the counts of each list, the newest list first, the messages that could be sent again, and the next step', () => {
		expect(page(items, 'en')).toBe(
			'<h2>What happened to the messages</h2>' +
				'<h3>Νέα</h3><table><tr><td>Messages</td><td><b>1</b></td></tr><tr><td>Sent, waiting for the report<br>████████████████</td><td><b>1</b></td></tr></table>' +
				'<h3>Βαθμοί</h3><table><tr><td>Messages</td><td><b>2</b></td></tr><tr><td>Delivered<br>████████</td><td><b>1</b></td></tr>' +
				'<tr><td>Not delivered<br>████████</td><td><b>1</b></td></tr><tr><td>People to whom the message can be sent again</td><td><b>1<br>1 SMS</b></td></tr></table>' +
				'<h3>What to do now</h3><ul><li>Wait a little, then open this page again: some reports have not come yet.</li>' +
				'<li>If a message was not delivered, check the number. If the number is right, use the form that sends a message again or, if there is no such form, tell the admin. If the number is wrong, upload the corrected row.</li></ul>',
		);
	});

	it('has no heading for a single list without a name, but has one for such a list next to others', () => {
		expect(page([to('01', { list: '' })], 'en')).toMatch(/^<h2>What happened to the messages<\/h2><table>/);
		expect(page([to('01', { list: '' }), to('02', { list: 'Νέα' })], 'en')).toContain('<h3>Without a list name</h3>');
	});

	it('states that no list was sent if there are no messages', () => {
		const nothing = { lists: [], byList: [], otherReports: 0, all: { messages: 0, again: 0 } };
		expect(summarize([], { language: 'en' })).toMatchObject(nothing);
		expect(page([{}], 'en')).toBe(
			'<h2>What happened to the messages</h2><p>No list has finished sending yet.</p><p>Send a list first. If you have already sent one, wait until sending has finished. Then open this page again.</p>',
		);
	});

	it('states that the requested list does not exist, and names up to five existing lists, the newest first', () => {
		const others = joinNow(
			['Βαθμοί', '<b>Νέα</b>', '', ...'ΑΒΓΔΕ'].map((list, index) => to(`0${index}`, { list, sentAt: ago(10 - index) })),
		);
		const item = (asked: string, language: 'both' | 'el' | 'en', of = others) =>
			summarize([], { language, noSuch: { list: asked, messages: of } });
		expect(item('βαθμοί', 'en').html).toBe(
			'<h2>What happened to the messages</h2><h3>βαθμοί</h3><p>There is no list with this name.</p><p>Choose one of these:</p>' +
				'<ul><li>Ε</li><li>Δ</li><li>Γ</li><li>Β</li><li>Α</li><li>Other lists: 2</li></ul>',
		);
		const few = others.slice(0, 2);
		expect(item('<i>{{ 1 }}', 'el', few).html).toBe(
			'<h2>Τι έγινε με τα μηνύματα</h2><h3>&lt;i&gt;&#123;&#123; 1 &#125;&#125;</h3>' +
				'<p>Δεν υπάρχει λίστα με αυτό το όνομα.</p><p>Επιλέξτε μία από αυτές:</p>' +
				'<ul><li>&lt;b&gt;Νέα&lt;/b&gt;</li><li>Βαθμοί</li></ul>',
		);
		expect(
			String(item('x'.repeat(500), 'both', joinNow([to('01', { list: 'y'.repeat(500) })])).html).length,
		).toBeLessThan(600);
		// If all messages are without a list, the page names no list to choose.
		expect(item('Α', 'en', joinNow([to('01', { list: null })])).html).toMatch(
			/There is no list with this name\.<\/p><p>Send a list first\. If you have already sent one, wait until sending has finished\. Then open this page again\.<\/p>$/,
		);
		const { html, formFields, ...counts } = item('Α', 'el');
		expect(summarize([])).toMatchObject(counts);
		expect(JSON.parse(formFields as string)).toEqual([{ fieldType: 'html', elementName: 'counts', html }]);
	});

	it('groups messages that were not sent by reason, and shortens numbers of people', () => {
		const failed = (row: string, notice: string) => ({
			...{ error: 'x', list: 'Νέα' },
			details: { outcome: 'rejected', notice, input: { Όνομα: row } },
		});
		const left = ['Α', 'Β', 'Γ', '6912345678'].map((row) => failed(row, 'No <b>number</b>.'));
		const others = Array.from({ length: 9 }, (_, index) => failed(`Α${index}`, `Reason ${index}.`));
		const html = page([...left, ...others], 'en');
		expect(html).toContain(
			'<li>No &lt;b&gt;number&lt;/b&gt;. <b>(4: Α, Β, Γ …)</b></li><li>Reason 0. <b>(1: Α0)</b></li>',
		);
		// A column that numbers the rows is shown with its heading, because its number may differ from the row number.
		const counted = {
			...failed('Α', 'No.'),
			details: { outcome: 'rejected', notice: 'No.', input: { 'Α/Α': 3, Όνομα: 'Α' } },
		};
		expect(page([counted], 'en')).toContain('<b>(1: Α/Α 3)</b>');
		expect(html).toContain('<li>Other reasons: 2. See the sheet.</li>');
		expect(page([left[3]!], 'en')).toContain('<b>(1: 691…678)</b>');
		expect(page([{ ...failed('', 'No name.'), reference: 'r' }], 'en')).toContain('No name. <b>(1)</b>');
	});

	it.each([
		['1115201900123', '1115201900123'],
		['20241234567', '20241234567'],
		['1234567', '1234567'],
		['ΑΜ 1115201900123', 'ΑΜ 1115201900123'],
		['03119805', '03119805'],
		['it21234567', 'it21234567'],
		['6912345678', '691…678'],
		['+30 691 234 5678', '+306…678'],
		['691-234-5678 / 6987654321', '691…678 / 698…321'],
		['５ 6912345678', '5 691…678'],
		['691234567', '691…567'],
		['+44 7700 900123', '+447…123'],
		['01013099997', '010…997'],
		['1013099997', '101…997'],
		['ΑΜΚΑ 150399-04568', 'ΑΜΚΑ 150…568'],
		['15039904569', '150…569'],
	])(
		'names a row by its first cell, and shortens only a number that may be a phone or AMKA number: %s',
		(cell, shown) => {
			const details = { outcome: 'rejected', notice: 'No.', input: { Στοιχεία: cell } };
			const html = page([{ error: 'x', list: 'Νέα', details }], 'en').replaceAll('\u200b', '');
			expect(html).toContain(`<b>(1: ${shown})</b>`);
		},
	);

	it('is in Greek, English or both, without technical terms', () => {
		expect(page(items, 'el')).toContain('<td>Παραδόθηκαν<br>█');
		expect(page(items, 'el')).not.toMatch(/Delivered|report/);
		expect(page(items, 'en').replace(/Νέα|Βαθμοί/g, '')).not.toMatch(/\p{Script=Greek}/u);
		expect(page(items, 'both')).toContain('<td>Παραδόθηκαν<br>Delivered<br>█');
		for (const language of ['both', 'el', 'en'] as const)
			expect(page(items, language)).not.toMatch(/item|option|credential|expression|HTTP|undefined|notDelivered/i);
	});

	it('states "at least" before the number of SMS if some texts are unknown, and no number if all are unknown', () => {
		const unknown = [to('01', { text: null, segments: null }), report('01', 'ERROR')];
		expect(page(unknown, 'en')).toContain('<td>People to whom the message can be sent again</td><td><b>1</b></td>');
		expect(page([...unknown, to('02'), report('02', 'ERROR')], 'en')).toContain('<b>2<br>at least 1 SMS</b>');
	});

	it('states that there is nothing to do if all messages were delivered', () => {
		expect(page([to('01'), report('01')], 'en')).toMatch(/<p>There is nothing to do\.<\/p>$/);
	});

	it('does not depend on a report about a message that is not there', () => {
		expect(page([to('01'), report('99')], 'en')).toBe(page([to('01')], 'en'));
	});

	it('shows a thin bar even for a very small share', () => {
		const many = Array.from({ length: 1000 }, (_, index) => to(`${index}`, { recipient: null }));
		const html = page([...many, report('0', 'ERROR')], 'en');
		expect(html).toContain('<td>Not delivered<br>▏</td><td><b>1</b></td>');
		expect(html).toContain(`<td>Sent, waiting for the report<br>${'█'.repeat(16)}</td>`);
	});

	describe('advises the right next step', () => {
		const STEP =
			'<li>Για όσα μηνύματα δεν στάλθηκαν, δείτε πιο πάνω τον λόγο και κάντε ό,τι γράφει εκεί. Αν εκεί δεν γράφει τι να στείλετε ξανά, ανεβάστε ένα φύλλο μόνο με τις γραμμές που δεν στάλθηκαν, εκτός αν το έχετε ήδη ανεβάσει.</li>';
		const row = (reason: Reason, reference?: string, language: 'el' | 'en' | 'both' = 'el'): IDataObject => {
			const about = { value: '2101234567', field: 'Βαθμός (1)', columns: 'Α', code: ' (E-1)', until: '08:00' };
			const notice = noticeOf({ reason, about }, language);
			return { error: 'x', details: { outcome: 'rejected', reference, notice, input: { Όνομα: 'Νίκος' } } };
		};

		it('for messages that were sent before: nothing to do, and no wait for a report', () => {
			const skipped = (reference: string) => ({
				...{ recipient: '6900000001', accepted: false, skipped: true, skipReason: 'sentBefore', reference },
				...{ serviceId: '101', messageId: '1', notice: noticeOf({ reason: 'sentBefore' }, 'el') },
			});
			const items = messageItems([skipped('01'), skipped('02')]);
			expect(items.map(({ notice }) => notice)).toEqual(items.map(() => skipped('01').notice));
			expect(page(items, 'el')).toMatch(/<p>Δεν χρειάζεται να κάνετε κάτι\.<\/p>$/);
			expect(page(items, 'el')).toContain('<td>Έχουν ήδη σταλεί<br>████████████████</td><td><b>2</b></td>');
			expect(page(items, 'el')).not.toContain('Χωρίς αναφορά');
			expect(page([...items, to('03', { sentAt: ago(450) })], 'el')).toContain('Όπου δεν έχει έρθει αναφορά');
		});

		it.each([
			...(['landline', 'emptyValue', 'tooLong', 'twoColumns', 'refused', 'notReached', 'serviceDown'] as const),
			...([
				'quietHours',
				'onTrial',
				'setting',
				'tooManyRows',
				'tooManyMessages',
				'missingColumn',
				'emptyList',
			] as const),
		])(
			'for the reason %s: to follow its advice, and to upload only these rows if it does not say what to send again',
			(reason) => {
				const items = [row(reason, 'a')];
				for (const each of [items, messageItems(items), [row(reason, undefined, 'both')]]) {
					expect(page(each, 'el')).toContain(STEP);
					expect(page(each, 'el')).not.toMatch(/[Δδ]ιορθώστε/);
				}
				expect(page(items, 'en')).toContain(
					'<li>If a message was not sent, do what the reason above says. If the reason does not say what to send again, upload a sheet that contains only the unsent rows,',
				);
				expect(page(items, 'el')).toContain(REASONS[reason].todo.el.split('{')[0]);
			},
		);

		it('for a sent message: not the step for messages that were not sent', () => {
			expect(page([to('01')], 'el')).not.toContain('Για όσα μηνύματα δεν στάλθηκαν');
		});
	});

	it('does not advise to send again if people were asked for an answer, because that page sends only reminders', () => {
		const items = [to('01'), report('01', 'ERROR')];
		const messages = joinNow(items);
		const question = { words: ['ΝΑΙ'], withinDays: 7 };
		const html = (asked: typeof question | undefined) =>
			String(summarize(answer(messages, items, asked).messages, { which: 'unanswered', question: asked }).html);
		expect(html(undefined)).toContain('Αν είναι σωστός, επιλέξτε νέα αποστολή');
		expect(html(question)).toContain('Αν είναι σωστός, κάντε την ερώτηση στον παραλήπτη με άλλον τρόπο');
		expect(html(question)).not.toContain('επιλέξτε νέα αποστολή');
	});

	describe('returns form fields', () => {
		const fieldsOf = (lists: string[]) => {
			const messages = joinNow(lists.map((list, index) => to(`0${index}`, { list })));
			const { formFields } = summarize(messages);
			// n8n inserts the JSON into its own text like this.
			const json = '{{ $json.formFields }}'.replace('{{ $json.formFields }}', formFields as string);
			expect(json).not.toMatch(/\$|\{\{/);
			return JSON.parse(json) as Array<{ fieldType: string }>;
		};

		it('to choose a list: after the counts for up to three lists, and before the counts for more', () => {
			const [counts, choice] = fieldsOf(['Α']);
			expect(counts).toMatchObject({ fieldType: 'html', html: page([to('00', { list: 'Α' })], 'el') });
			const field = { fieldLabel: 'Λίστα', fieldName: 'list', fieldType: 'dropdown', requiredField: true };
			expect(choice).toMatchObject({ ...field, fieldOptions: { values: [{ option: 'Α' }] }, defaultValue: 'Α' });
			expect(fieldsOf(['Α', 'Β', 'Γ']).map(({ fieldType }) => fieldType)).toEqual(['html', 'dropdown']);
			expect(fieldsOf(['Α', 'Β', 'Γ', 'Δ'])[0]).toMatchObject({ fieldType: 'dropdown' });
			const [, of2] = fieldsOf(['Α', 'Β']) as Array<{ fieldOptions?: { values: Array<{ option: string }> } }>;
			expect(of2).toMatchObject({ defaultValue: of2!.fieldOptions!.values[0]!.option });
			expect(fieldsOf([])).toHaveLength(1);
		});

		it('that are valid JSON and contain the name of a list, unchanged except for spaces around it, for any name', () => {
			const name = fc.oneof(fc.constantFrom("$'", '$&', '{{ $json }}', '"\\"', '\\u0024', '`$`'), fc.string());
			const holds = fc.property(name, (list) => {
				fc.pre(list.trim() !== '');
				expect(fieldsOf([list])[1]).toMatchObject({ fieldOptions: { values: [{ option: list.trim() }] } });
			});
			fc.assert(holds);
		});
	});

	it('escapes the name of a list, and breaks long words so that the page fits on a phone', () => {
		const tags = /<\/?(?:h2|h3|table|tr|td|th|b|br|p|ul|li)>/g;
		const lists = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('{{ $json }}', '<img src=x>', '$&'));
		const holds = fc.property(lists, (list) => {
			const html = page([to('01', { list })], 'both').replace(tags, ' ');
			expect(html).not.toMatch(/[<>{}$"']/);
			for (const word of html.replace(/&[#\w]+;/g, 'x').split(/[\s\u200b]/u))
				expect([...word].length).toBeLessThanOrEqual(24);
		});
		fc.assert(holds);
	});
});
