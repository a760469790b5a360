import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode, type NodeUnderTest } from './harness/engine';
import { bodyOf, continuing, hintsOf, platform, withCredential } from './harness/send';

/* Tests how a value of a sheet, a form or an expression becomes part of an SMS. */

const MOBILE = '6900000001';
const credential = withCredential({
	messages: [
		'grades/result: {Μάθημα,1}: {Βαθμός,2}',
		'grades/exam: Εξέταση {Μάθημα,1} στις {Ημερομηνία,2}',
		'grades/time: Εξέταση {Μάθημα,1}, ώρα {Ώρα εξέτασης,2}',
		'grades/two: {Βαθμός,1} και {Βαθμός_1,2}',
		'grades/code: {Μάθημα,1}: {Βαθμός,2}. Κωδικός {Κωδικός,3}',
	].join('\n'),
});
const byColumn = { mappingMode: 'autoMapInputData', value: null };
const byField = (value: IDataObject) => ({ mappingMode: 'defineBelow', value });

const node = (parameters: IDataObject, more: Partial<NodeUnderTest> = {}): NodeUnderTest => ({
	node: 'smsSend',
	parameters: { serviceId: 'grades', messageId: 'result', placeholders: byColumn, ...parameters } as INodeParameters,
	...credential,
	...continuing,
	...more,
});

/** Sends one item. Returns the values in the request to the platform, and the item of the output. */
async function sendOne(row: IDataObject, parameters: IDataObject = {}, more: Partial<NodeUnderTest> = {}) {
	const sent = platform();
	const run = await runNode(node(parameters, more), [{ Κινητό: MOBILE, Μάθημα: 'Φυσική', ...row }]);
	const item = run.json[0]![0]!;
	const { reason, notice } = (item.details ?? {}) as IDataObject;
	return { sent, values: bodyOf(sent[0])?.replacements as string[] | undefined, item, reason, notice, run };
}

async function reviewOf(rows: IDataObject[], parameters: IDataObject = {}, more: Partial<NodeUnderTest> = {}) {
	const list = rows.map((row, index) => ({ Κινητό: String(6_900_000_001 + index), Μάθημα: 'Φυσική', ...row }));
	const run = await runNode(node({ operation: 'review', ...parameters }, more), list);
	return run.json[0]![0] as IDataObject & { doubts: IDataObject[]; faults: IDataObject[]; html: string };
}

/** Sends the same values with SMS Code, which adds the code. */
async function sendCode(row: IDataObject, placeholders: IDataObject, timezone?: string) {
	const sent = platform();
	const parameters = { recipient: MOBILE, placeholders, options: { codePosition: 3 } };
	const more = { node: 'smsCode' as const, ...(timezone && { timezone }) };
	const run = await runNode(node({ messageId: 'code', ...parameters }, more), [{ Μάθημα: 'Φυσική', ...row }]);
	return { values: bodyOf(sent[0])?.replacements as string[] | undefined, item: run.json[0]![0]!, run };
}

describe('two columns with the same heading', () => {
	const twoColumns = { reason: 'twoColumns', values: undefined };
	it.each<[string, IDataObject]>([
		['two equal headings, of which the reader of sheets has renamed the second one', { Βαθμός: 4, Βαθμός_1: 9 }],
		['three equal headings, of which the reader of sheets has renamed two', { Βαθμός: 4, Βαθμός_1: 4, Βαθμός_2: 9 }],
		['headings that differ only in case and accents', { Βαθμός: 4, ΒΑΘΜΟΣ: 9 }],
		[
			'headings that differ only in case and accents, of which the reader of sheets has renamed one',
			{ Βαθμός: 4, ΒΑΘΜΟΣ: 4, ΒΑΘΜΟΣ_1: 9 },
		],
		['two renamed headings, because the cell of the first column is empty', { Βαθμός_1: 4, Βαθμός_2: 9 }],
		['two mobile columns', { Βαθμός: 4, Κινητό_1: '6900000002' }],
	])('are an error of a row in which their values differ: %s', async (_, row) => {
		expect(await sendOne(row)).toMatchObject(twoColumns);
	});

	it('cause an error that says that Βαθμός_1 may be the second column with the heading Βαθμός, which the reader of sheets has renamed', async () => {
		const { notice, item } = await sendOne({ Βαθμός: 4, Βαθμός_1: 9 });
		expect(notice).toMatch(/^Δύο στήλες ταιριάζουν στο «Βαθμός»: Βαθμός, Βαθμός_1\. .*ίδια επικεφαλίδα/);
		expect(item.message).toMatch(/Βαθμός_1 may be the second of two columns with the same heading/);
		const other = await sendOne({ Βαθμός: 4, ΒΑΘΜΟΣ: 9 });
		expect(`${String(other.notice)} ${String(other.item.message)}`).not.toMatch(/επικεφαλίδα|same heading/);
	});

	it('are called "more than two" in the notice if there are three', async () => {
		const { notice } = await sendOne({ Βαθμός: 4, ΒΑΘΜΟΣ: 5, βαθμος: 6 });
		expect(notice).toMatch(
			/^Περισσότερες από δύο στήλες ταιριάζουν στο «Βαθμός»: Βαθμός, ΒΑΘΜΟΣ, βαθμος\. Κρατήστε μόνο τη σωστή/,
		);
	});

	it.each<[string, IDataObject, unknown]>([
		['their values are equal', { Βαθμός: 4, Βαθμός_1: 4, ΒΑΘΜΟΣ: '4' }, ['Φυσική', '4']],
		['one heading has a remark in brackets', { Βαθμός: 4, 'Βαθμός (ολογράφως)': 'τέσσερα' }, ['Φυσική', '4']],
		['only the renamed column has a value', { Βαθμός_1: 4 }, ['Φυσική', '4']],
		['two mobile columns have the same number', { Βαθμός: 4, Κινητό_1: '+30 690 000 0001' }, ['Φυσική', '4']],
	])('are accepted if %s', async (_, row, values) => {
		expect((await sendOne(row)).values).toEqual(values);
	});

	it('are two values if the text has a placeholder for each of the two names', async () => {
		expect((await sendOne({ Βαθμός: 4, Βαθμός_1: 9 }, { messageId: 'two' })).values).toEqual(['4', '9']);
	});

	it('are an error in SMS Code, too', async () => {
		const { item } = await sendCode({ Βαθμός: 4, Βαθμός_1: 9 }, byColumn);
		expect(item.details).toMatchObject({ reason: 'twoColumns' });
	});
});

describe('a date in a value', () => {
	const exam = { messageId: 'exam' };
	it.each<[unknown, string]>([
		['2026-05-07T21:00:00.000Z', '08/05/2026'],
		['2026-05-08T00:00:00.000Z', '08/05/2026'],
		['2026-05-08T00:00:00.000+03:00', '08/05/2026'],
		['2026-01-07T22:00:00Z', '08/01/2026'],
		['2026-05-08T09:30:00+03:00', '08/05/2026 09:30'],
		['2026-05-08T06:30Z', '08/05/2026 09:30'],
		['2026-05-08T09:30', '08/05/2026 09:30'],
		['2026-05-08T03:00:00', '08/05/2026 03:00'],
		['2026-05-08T00:00:00', '08/05/2026'],
		['2026-05-08 09:30:00', '08/05/2026 09:30'],
		['2026-05-08', '08/05/2026'],
		[' 2026-05-08 ', '08/05/2026'],
		['2026-05-07T20:59:59.999Z', '08/05/2026'],
		['8/5/2026', '8/5/2026'],
		['2026-13-45', '2026-13-45'],
		[46_150, '46150'],
		['46150', '46150'],
	])(
		'or a value that resembles a date, such as %j in a column, is sent as %s, in the time zone Europe/Athens',
		async (Ημερομηνία, written) => {
			expect((await sendOne({ Ημερομηνία } as IDataObject, exam)).values).toEqual(['Φυσική', written]);
		},
	);

	it.each<[string, string]>([
		['={{ new Date("2026-05-07T21:00:00.000Z") }}', '08/05/2026'],
		['={{ DateTime.fromISO("2026-05-08T09:30", { zone: "Asia/Tokyo" }) }}', '08/05/2026 03:30'],
		['={{ DateTime.fromISO("2026-05-08") }}', '08/05/2026'],
		['={{ $json.iso }}', '08/05/2026'],
		['={{ $json.iso.toDateTime() }}', '08/05/2026'],
	])('from the expression %s in a field is sent as %s', async (expression, written) => {
		const placeholders = byField({ Μάθημα: 'Φυσική', Ημερομηνία: expression });
		const { values } = await sendOne({ iso: '2026-05-07T21:00:00.000Z' }, { ...exam, placeholders });
		expect(values).toEqual(['Φυσική', written]);
	});

	it('is sent as day/month/year from the option Replacements, too', async () => {
		const replacements = '={{ ["Φυσική", new Date("2026-05-07T21:00:00.000Z")] }}';
		expect((await sendOne({}, { ...exam, options: { replacements } })).values).toEqual(['Φυσική', '08/05/2026']);
	});

	it.each([
		['America/New_York', '2026-05-08T04:00:00Z', '08/05/2026'],
		['America/New_York', '2026-05-08T00:00:00Z', '08/05/2026'],
		['America/New_York', '2026-05-08T20:00:00', '08/05/2026 20:00'],
		// This day has no midnight, because summer time begins at 00:00.
		['Africa/Cairo', '2026-04-23T22:00:00Z', '24/04/2026'],
		// In UTC, this instant is still on the day before. The workflow's time zone counts.
		['Pacific/Kiritimati', '2026-05-07T10:00:00Z', '08/05/2026'],
		['UTC', '2026-05-08T00:00:00Z', '08/05/2026'],
	])('in the time zone %s: %s is sent as %s', async (timezone, Ημερομηνία, written) => {
		expect((await sendOne({ Ημερομηνία }, exam, { timezone })).values).toEqual(['Φυσική', written]);
	});

	it('is sent as day/month/year by SMS Code, too', async () => {
		const { values } = await sendCode({ Βαθμός: '2026-05-07T21:00:00.000Z' }, byColumn);
		expect(values?.slice(0, 2)).toEqual(['Φυσική', '08/05/2026']);
	});

	it('that is invalid causes an error that does not advise to format the date', async () => {
		const { item } = await sendOne({ Ημερομηνία: new Date(Number.NaN) as never }, exam);
		expect(item).toHaveProperty('error');
		expect(JSON.stringify(item)).not.toMatch(/toFormat|toDateTime/);
	});

	it('causes a warning in a review, with the date as it will be sent', async () => {
		const rows = [{ Ημερομηνία: '2026-05-07T21:00:00.000Z' }, { Ημερομηνία: '2026-05-09' }, { Ημερομηνία: 46_150 }];
		const { doubts } = await reviewOf(rows, exam);
		expect(doubts).toMatchObject([
			{ kind: 'looksLikeDate', rows: 2, examples: [1, 2], values: ['08/05/2026', '09/05/2026'] },
			{ kind: 'looksLikeDate', rows: 1, examples: [3], values: ['46150'] },
		]);
		expect(doubts[0]!.notice).toMatch(
			/^Οι ημερομηνίες στο «Ημερομηνία» γράφονται στο μήνυμα με αυτή τη μορφή: 08\/05\/2026\. /,
		);
		expect(doubts[1]!.notice).toMatch(/46150/);
	});
});

const NOT_VALUES = [
	...['undefined', 'null', 'NULL', 'NaN', 'nan', 'NaT', 'Invalid DateTime', 'Invalid Date', '[object Object]'],
	...['###', '########', 'Err:502', 'Err:504', '#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NUM!', '#NULL!'],
	...['#Δ/Υ', '#ΤΙΜΗ!', '#ΑΝΑΦ!', '#ΔΙΑΙΡ/0!', '#ΟΝΟΜΑ?', '#ΑΡΙΘ!', '#ΚΕΝΟ!', ' #N/A\u200b ', '\u00a0null'],
];

describe('an invalid value', () => {
	it.each(NOT_VALUES)('such as %j is rejected', async (Βαθμός) => {
		const { values, reason, notice } = await sendOne({ Βαθμός });
		expect({ values, reason }).toEqual({ values: undefined, reason: 'notValue' });
		expect(notice).toContain(Βαθμός.replace('\u200b', '').trim());
	});

	it.each(['Αριθμός [object Object]', 'στις Invalid DateTime', 'Invalid Date, ώρα 9', 'Φυσικ\ufffd'])(
		'within the text %j is rejected',
		async (Βαθμός) => {
			expect(await sendOne({ Βαθμός })).toMatchObject({ reason: 'notValue', values: undefined });
		},
	);

	it.each<[string, string]>([
		['an addition', '={{ "στις " + $json.nope }}'],
		['an addition without a space', '={{ "στις" + $json.nope }}'],
		['a template literal', '={{ `στις ${$json.nope}!` }}'],
		['a function of a column', '={{ $json.text.trim() }}'],
	])('that an expression has composed is rejected: %s', async (_, Βαθμός) => {
		const placeholders = byField({ Μάθημα: 'Φυσική', Βαθμός });
		const found = await sendOne({ text: 'στις undefined ' }, { placeholders });
		expect(found).toMatchObject({ reason: 'notValue', values: undefined });
		expect(found.item.message).toMatch(/orrect the expression/);
		const list = await sendOne(
			{ text: 'στις undefined ' },
			{ options: { replacements: `={{ ["Φυσική", ${Βαθμός.slice(3, -2)}] }}` } },
		);
		expect(list).toMatchObject({ reason: 'notValue', values: undefined });
		const code = await sendCode({ text: 'στις undefined ' }, placeholders);
		expect(code.item.details).toMatchObject({ reason: 'notValue' });
	});

	it('may be the number NaN of an expression', async () => {
		const placeholders = byField({ Μάθημα: 'Φυσική', Βαθμός: '={{ $json.nope * 2 }}' });
		expect(await sendOne({}, { placeholders })).toMatchObject({ reason: 'notValue', values: undefined });
	});

	it('is one fault in a review for all rows that have such a value', async () => {
		const { faults, html } = await reviewOf([{ Βαθμός: '#N/A' }, { Βαθμός: '8' }, { Βαθμός: '#DIV/0!' }]);
		expect(faults).toMatchObject([{ reason: 'notValue', rows: 2, examples: [1, 3] }]);
		expect(faults[0]!.notice).toMatch(/^Στο «Βαθμός» υπάρχουν, αντί για τιμές, τα εξής: #N\/A, #DIV\/0!\. /);
		expect(html).toContain('#DIV/0!');
	});

	it('is rejected by SMS Code, too', async () => {
		expect((await sendCode({ Βαθμός: '#N/A' }, byColumn)).item.details).toMatchObject({ reason: 'notValue' });
	});

	const COURSE = 'undefined behaviour in C';
	it.each<[string, IDataObject]>([
		['a column that is found by its name', {}],
		['a plain column', { placeholders: byField({ Μάθημα: 'Φυσική', Βαθμός: '={{ $json.Βαθμός }}' }) }],
		['a plain column in brackets', { placeholders: byField({ Μάθημα: 'Φυσική', Βαθμός: "={{ $json['Βαθμός'] }}" }) }],
		[
			'a column of another node',
			{ placeholders: byField({ Μάθημα: 'Φυσική', Βαθμός: "={{ $('Start').item.json.Βαθμός }}" }) },
		],
		['a list of columns', { options: { replacements: '={{ [$json.Μάθημα, $json["Βαθμός"]] }}' } }],
		['a text typed into the form', { placeholders: byField({ Μάθημα: 'Φυσική', Βαθμός: COURSE }) }],
	])('such as "undefined" within a text is sent with a warning if the text is from %s', async (_, parameters) => {
		const row = { Βαθμός: COURSE };
		expect((await sendOne(row, parameters)).values).toEqual(['Φυσική', COURSE]);
		expect(await reviewOf([row], parameters)).toMatchObject({
			messages: 1,
			doubts: [{ kind: 'notValue', values: [COURSE] }],
		});
	});

	it('such as "undefined" after a mobile number or an AMKA is named in the warning without the whole number', async () => {
		const Βαθμός = 'Τηλ. 6912345678, 31019512345 undefined';
		const { values, run } = await sendOne({ Βαθμός });
		expect(values).toEqual(['Φυσική', Βαθμός]);
		const shown = 'Τηλ. •••78, •••45 undefined';
		expect(hintsOf(run).join('\n')).toContain(shown);
		expect(hintsOf(run).join('\n')).not.toMatch(/6912345678|31019512345/);
		expect((await reviewOf([{ Βαθμός }])).doubts).toMatchObject([{ kind: 'notValue', values: [shown] }]);
	});

	it.each(['Null', 'None', 'Undefined'])('such as %s may be a name, and is sent with a warning', async (Βαθμός) => {
		expect((await sendOne({ Βαθμός })).values).toEqual(['Φυσική', Βαθμός]);
		expect(await reviewOf([{ Βαθμός }])).toMatchObject({
			messages: 1,
			doubts: [{ kind: 'notValue', values: [Βαθμός] }],
		});
	});

	it.each([
		'Undefined behaviour in C',
		'Nullius',
		'Ναν',
		'Μαρία Null',
		'nullable',
		'#1',
		'##',
		'# 8',
		'NaNή',
		'undefinedness',
	])('is not found in %s, which is sent without a warning', async (Βαθμός) => {
		expect((await sendOne({ Βαθμός })).values).toEqual(['Φυσική', Βαθμός]);
		expect(await reviewOf([{ Βαθμός }])).toMatchObject({ messages: 1, doubts: [] });
	});
});

describe('a boolean value', () => {
	it.each<[unknown, string, object[]]>([
		[true, 'TRUE', [{ kind: 'boolean', values: ['TRUE'] }]],
		[false, 'FALSE', [{ kind: 'boolean', values: ['FALSE'] }]],
		['TRUE', 'TRUE', []],
		['FALSE', 'FALSE', []],
		['true', 'true', []],
	])(
		'or a text that names it, here %j, is sent as %s, with the warnings %j in a review',
		async (Βαθμός, text, doubts) => {
			const row = { Βαθμός } as IDataObject;
			expect((await sendOne(row)).values).toEqual(['Φυσική', text]);
			expect((await reviewOf([row])).doubts).toMatchObject(doubts);
			expect((await reviewOf([row])).doubts).toHaveLength(doubts.length);
		},
	);
});

describe('a number in a placeholder for a time', () => {
	it.each([0.5, 0.75, 0.25, 0.7, 0.33333333])('causes a warning: %p', async (time) => {
		const { doubts } = await reviewOf([{ 'Ώρα εξέτασης': time }], { messageId: 'time' });
		expect(doubts).toMatchObject([{ kind: 'looksLikeDate' }]);
	});

	it.each(['Ώρα', 'ώρα', 'ΩΡΑ ΕΝΑΡΞΗΣ', 'Time', 'Exam time', 'start_time'])(
		'causes a warning if the placeholder is named %s',
		async (name) => {
			const more = withCredential({ messages: `grades/result: {${name},1}` });
			expect((await reviewOf([{ [name]: 0.5 }], {}, more)).doubts).toMatchObject([{ kind: 'looksLikeDate' }]);
		},
	);

	it.each(['Χώρα', 'Βαθμός', 'Times New', 'Ωράριο', 'Sentiment'])(
		'causes no warning if the placeholder is named %s, which is not a time',
		async (name) => {
			const more = withCredential({ messages: `grades/result: {${name},1}` });
			expect((await reviewOf([{ [name]: 0.5 }], {}, more)).doubts).toEqual([]);
		},
	);

	it.each([0, 1, 9, 9.5, '0.5'])('causes no warning if it is 0, a whole day or longer, or a text: %j', async (time) => {
		expect((await reviewOf([{ 'Ώρα εξέτασης': time }], { messageId: 'time' })).doubts).toEqual([]);
	});
});

describe('an empty value', () => {
	it('is not called an empty cell in the notice, because the cell may contain an error', async () => {
		const { notice, reason } = await sendOne({}, { placeholders: byField({ Μάθημα: 'x', Βαθμός: '' }) });
		expect(reason).toBe('emptyValue');
		expect(notice).toMatch(/^Το «Βαθμός» δεν έχει τιμή\. .*#DIV\/0!/);
		expect(notice).not.toMatch(/κεν/);
	});
});

describe('the notice in a review for values with the same fault', () => {
	const notices = async (...mobiles: string[]) =>
		(await reviewOf([{ Βαθμός: 8 }, ...mobiles.map((Κινητό) => ({ Κινητό, Βαθμός: 8 }))])).faults.map(
			({ notice }) => notice,
		);

	it('is in the plural for several values, and names each value once', async () => {
		expect(await notices('ΣΥΝΟΛΟ', 'Μέσος όρος')).toEqual([
			expect.stringMatching(/^Δεν είναι αριθμοί κινητού: ΣΥΝΟΛΟ, Μέσος όρος\. /),
		]);
		expect(await notices('ΣΥΝΟΛΟ')).toEqual([expect.stringMatching(/^Το «ΣΥΝΟΛΟ» δεν είναι αριθμός κινητού\. /)]);
		expect(await notices('ΣΥΝΟΛΟ', 'ΣΥΝΟΛΟ')).toEqual([
			expect.stringMatching(/^Το «ΣΥΝΟΛΟ» δεν είναι αριθμός κινητού\. /),
		]);
		expect(await notices('2101234567', '2101234568')).toEqual([
			expect.stringMatching(/^Σταθερά τηλέφωνα: 210…567, 210…568\. /),
		]);
		expect(await notices('6.91E9', '6.92E9')).toEqual([expect.stringMatching(/^Στα «6\.91E9, 6\.92E9» έχουν χαθεί/)]);
	});

	it('states whether a cell has two numbers or more than two', async () => {
		expect(await notices('6912345671, 6912345672')).toEqual([expect.stringMatching(/^Το κελί έχει δύο αριθμούς: /)]);
		expect(await notices('6912345671, 6912345672, 6912345673')).toEqual([
			expect.stringMatching(/^Το κελί έχει πάνω από δύο αριθμούς: /),
		]);
		expect(await notices('6912345671, 6912345672', '6912345673/6912345674')).toEqual([
			expect.stringMatching(/^Κελιά με πάνω από έναν αριθμό: 691…671, 691…672; 691…673, 691…674\. /),
		]);
	});
});

describe('two messages to one recipient in a list', () => {
	const one = { Κινητό: '6912345678' };
	it('cause a warning in the review, with both rows, if they differ', async () => {
		const rows = [{ Βαθμός: 7 }, { ...one, Βαθμός: 8 }, { Βαθμός: 9 }, { Κινητό: '+30 691 234 5678', Βαθμός: 5 }];
		const found = await reviewOf(rows);
		expect(found).toMatchObject({
			messages: 4,
			doubts: [{ kind: 'sameRecipient', rows: 2, examples: [2, 4], values: ['691…678', '691…678'] }],
		});
		expect(found.html).toContain('ίδιο παραλήπτη');
	});

	it.each<[string, IDataObject[], IDataObject]>([
		[
			'the messages are the same',
			[
				{ ...one, Βαθμός: 8 },
				{ ...one, Βαθμός: '8' },
			],
			{},
		],
		[
			'the messages are the same and may repeat',
			[
				{ ...one, Βαθμός: 8 },
				{ ...one, Βαθμός: '8' },
			],
			{ ifAlreadySent: 'send' },
		],
		[
			'one of them has a fault',
			[
				{ ...one, Βαθμός: 8 },
				{ ...one, Βαθμός: '' },
			],
			{},
		],
	])('cause no warning if %s', async (_, rows, parameters) => {
		expect((await reviewOf(rows, parameters)).doubts).toEqual([]);
	});
});

describe('the mobile column', () => {
	it.each([
		...['Κινητό φοιτητή', 'Κινητό φοιτήτριας', 'Κινητό φοιτητή/τριας', 'Κινητό επικοινωνίας', 'Κινητό 1', 'Τηλ/νο'],
		...['Τηλέφωνα επικοινωνίας', 'Αρ. τηλεφώνου', 'Mobile No.', 'Mobile No', 'Αριθμός τηλεφώνου', 'Κιν. τηλ/νο'],
	])('is found by the heading %s', async (heading) => {
		const sent = platform();
		await runNode(node({}), [{ [heading]: MOBILE, Μάθημα: 'Φυσική', Βαθμός: 8 }]);
		expect(sent).toHaveLength(1);
	});

	it.each([
		'Κινητό γονέα',
		'Κινητό μητέρας',
		'Κινητό πατέρα',
		'Κινητό κηδεμόνα',
		'Κινητό καθηγητή',
		'Κινητό 2',
		'Κινητικότητα',
	])(
		'is not found by the heading %s, which is about another person, a second mobile or another thing',
		async (heading) => {
			const run = await runNode(node({}), [{ [heading]: MOBILE, Μάθημα: 'Φυσική', Βαθμός: 8 }]);
			expect(run.json[0]![0]!.details).toMatchObject({ reason: 'missingColumn' });
		},
	);
});

describe('the error for a sheet with rows above the headings', () => {
	it.each<[string, IDataObject]>([
		['a title', { 'Βαθμοί Ιουνίου': 'Κινητό', __EMPTY: 'Μάθημα', __EMPTY_1: 'Βαθμός' }],
		['two rows of headings', { Στοιχεία: 'Κινητό', Στοιχεία_1: 'Μάθημα', Βαθμολογία: 'Βαθμός' }],
	])('advises to delete these rows: %s', async (_, first) => {
		const run = await runNode(node({}), [first, Object.fromEntries(Object.keys(first).map((name) => [name, '8']))]);
		const { notice, reason } = run.json[0]![0]!.details as IDataObject;
		expect(reason).toBe('missingColumn');
		expect(notice).toMatch(/Διαγράψτε τις γραμμές πάνω από τις επικεφαλίδες/);
	});
});

it('a run warns of a boolean value, as its review does', async () => {
	const { run } = await sendOne({ Βαθμός: true });
	expect(hintsOf(run).join()).toMatch(/"Βαθμός" .*TRUE/);
});
