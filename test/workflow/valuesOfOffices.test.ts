import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode, type NodeUnderTest } from './harness/engine';
import { bodyOf, continuing, platform, withCredential } from './harness/send';

/*
 * Tests values, headings and mobile numbers as offices, spreadsheets and phones write them. Each list is sent in one run. A
 * review of a list of values or numbers must give the same result.
 */

const MOBILE = '6900000001';

const node = (label: string, parameters: IDataObject): NodeUnderTest => ({
	node: 'smsSend',
	parameters: {
		...{ serviceId: 'office', messageId: 'notice', placeholders: { mappingMode: 'autoMapInputData', value: null } },
		// With Send Again, rows that become the same message are all sent.
		...{ ifAlreadySent: 'send', options: { concurrency: 1 } },
		...parameters,
	} as INodeParameters,
	...withCredential({ messages: `office/notice: {${label},1}` }),
	...continuing,
});

interface Outcome {
	/** The value that the platform gets. */
	value?: string;
	recipient?: string;
	/** The reason for the rejection. */
	reason?: string;
}

/** Returns the kinds of warnings in a review of a list, and the reasons of its faults. */
async function review(rows: IDataObject[], label = 'Τιμή', parameters: IDataObject = {}) {
	const [item] = (await runNode(node(label, { ...parameters, operation: 'review' }), rows)).json[0]!;
	return {
		warnings: (item!.doubts as Array<{ kind: string }>).map(({ kind }) => kind).join(),
		reasons: new Set((item!.faults as Array<{ reason: string }>).map(({ reason }) => reason)),
	};
}

/** Sends a list. @returns the outcome of each row */
async function sendAll(rows: IDataObject[], label = 'Τιμή', parameters: IDataObject = {}): Promise<Outcome[]> {
	const sent = platform();
	const [items] = (await runNode(node(label, parameters), rows)).json;
	const outcomes = items!.map(({ details }): Outcome => {
		if (details) return { reason: (details as { reason: string }).reason };
		const { recipient, replacements } = bodyOf(sent.shift()) as { recipient: string; replacements: string[] };
		return { value: replacements[0], recipient };
	});
	expect([outcomes.length, sent]).toEqual([rows.length, []]);
	return outcomes;
}

type Value = [value: unknown, becomes: string, warnings?: string];
const refused = (reason: string) => `refused: ${reason}`;

describe('values in a list', () => {
	const SENT_AS_THEY_ARE: unknown[] = [
		// Names, courses and signs that look like words of programs or spreadsheets.
		...['Τρύφων Νάν', 'Ναν Παναγιώτα', 'Νάταλι', 'Nat', 'Nan Goldin', 'NAN', 'Nulla', 'Ζαν-Λυκ', "D'Angelo", 'O’Brien'],
		...['C#', 'C++', 'F#', '#1', '# 5', '##', '#μουσική', '#Ν/Α', 'N/A', 'Δ/Υ', 'Κ.Α.', '-', '—', '…', '?', '.', '0'],
		...[
			'Undefined Behavior',
			'Not a Number',
			'Nullstellensatz',
			'Κενό σύνολο',
			'Τιμή!',
			'Errata: 502',
			'Err 502',
			'Error',
		],
		...[
			'None of the above',
			'Null hypothesis',
			'True/False',
			'ΑΛΗΘΕΣ',
			'ΨΕΥΔΕΣ',
			'ΑΛΗΘΗΣ',
			'true',
			'Yes',
			'ΝΑΙ',
			'Infinity',
		],
		// Grades, percentages, amounts.
		...[
			'8,5',
			'8.5',
			'08',
			'8/10',
			'10',
			'85%',
			'8½',
			'7+',
			'Α+',
			'5 (πέντε)',
			'ΠΕΝΤΕ',
			'Λίαν Καλώς',
			'ΑΠΩΝ',
			'Δ.Σ.',
			'Ε',
		],
		...[
			'1.234,56',
			'1,234.56',
			'12,50 €',
			'€12.50',
			'-5',
			'+5',
			'1e3',
			'1E3',
			'007',
			"'0012",
			'6,9E+09',
			'12-15',
			'3-4',
		],
		// Dates, times and terms that the node does not read as a date, so they are sent as they were typed.
		...[
			'8/5/2026',
			'08/05/2026',
			'8.5.2026',
			'8-5-2026',
			'5/8/26',
			'8 Μαΐου 2026',
			'8-Μαϊ',
			'Μαΐ-26',
			'Παρ 8/5',
			'2026',
		],
		...[
			'2025-2026',
			'2025-26',
			'2026-05',
			'2026/05/08',
			'20260508',
			'09:30',
			'9:30 π.μ.',
			'9.30',
			'09:30:00',
			'18:00-21:00',
		],
		...['Α΄ εξάμηνο', '3ο', '2026-1', 'Φεβ-26', '1-2', '5-8', 'W19', '26-05-08', '2026-5-8', '1/2', '½', '12:00 μ.μ.'],
		// Rooms, codes, links.
		...[
			'Αίθουσα Α1.2',
			'Αμφ. ΙΙ',
			'Β2-15',
			'ΑΒ12345',
			'it21234',
			'https://example.gr/?a=1&b=2',
			'a@example.gr',
			'1234 5678',
		],
		...[
			'GR16 0110 1250',
			'123456789',
			'00012345',
			'RF18-5390',
			'𝟞',
			'😀',
			'Φυσική\nΙΙ',
			'Φυσική\tΙΙ',
			'{x}',
			'<b>8</b>',
			'"8"',
			'=8',
		],
	];
	const DATES: Value[] = [
		...(
			[
				['2026-05-08', '08/05/2026'],
				['2026-02-29', '2026-02-29'],
				['2024-02-29', '29/02/2024'],
				['2026-05-08T09:30:00', '08/05/2026 09:30'],
				['2026-05-08 09:30:00', '08/05/2026 09:30'],
				['2026-05-08 00:00:00', '08/05/2026'],
				['2026-05-08 00:00:00.000', '08/05/2026'],
				['2026-05-08 09:30:00.123456', '08/05/2026 09:30'],
				['2026-05-08T06:30:00Z', '08/05/2026 09:30'],
				['2026-05-08T06:30:00+0000', '08/05/2026 09:30'],
				['2026-05-08 09:30:00+03', '08/05/2026 09:30'],
				['2026-05-07T21:00:00.000Z', '08/05/2026'],
				['2026-05-07T21:00:00Z\u200b', '08/05/2026'],
				['2026-12-31T22:00:00.000Z', '01/01/2027'],
				['2026-12-31T23:30:00.000Z', '01/01/2027 01:30'],
				['2026-03-29T00:59:59.999Z', '29/03/2026 04:00'],
				['1899-12-30T09:30:00', '09:30'],
				['2026-05-08T09:30:00.000+03:00[Europe/Athens]', '08/05/2026 09:30'],
			] as const
		).map(([value, becomes]): Value => [value, becomes, value === becomes ? '' : 'looksLikeDate']),
	];
	const NUMBERS: Value[] = [
		[8, '8'],
		[8.5, '8,5'],
		[7.25, '7,25'],
		[-2, '-2'],
		[0, '0'],
		[0.5, '0,5'],
		[0.05, '0,05', 'looksLikeDate'],
		[0.875, '0,875', 'looksLikeDate'],
		[1.1 + 2.2, '3,3'],
		[6.666666666666667, '6,66666666666667', 'longNumber'],
		[1_234_567.5, '1234567,5'],
		[2026, '2026'],
		[46_150, '46150', 'looksLikeDate'],
		[46_150.395_833_333_336, '46150,3958333333', 'looksLikeDate'],
		[20_260_508, '20260508'],
		[1_778_187_600_000, '1778187600000'],
		[6_900_000_001, '6900000001'],
		[123_456_789_012_345_680_000, refused('digitsLost')],
	];
	const NOT_VALUES: Value[] = [
		...['undefined', 'null', 'NULL', 'NaN', 'nan', 'NaT', ' null\u00a0', '\u200bundefined', 'null\n', '#####', '###'],
		...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NUM!', '#NULL!', '#SPILL!', '#CALC!', '#ERROR!'],
		...['#Δ/Υ', '#ΤΙΜΗ!', '#ΑΝΑΦ!', '#ΔΙΑΙΡ/0!', '#ΟΝΟΜΑ?', '#ΑΡΙΘ!', '#ΚΕΝΟ!', 'Err:502', 'Err:508', 'Err:522'],
		...[
			'[object Object]',
			'Βαθμός: [object Object]',
			'[object Object],[object Object]',
			'Invalid Date',
			'Invalid DateTime',
		],
		...['Invalid Date Invalid Date', 'στις Invalid DateTime', 'Φυσικ\ufffd', '\ufffd\ufffd\ufffd', 'Μαρ\ufffd\ufffdα'],
	].map((value): Value => [value, refused('notValue')]);
	const WITH_WARNINGS: Value[] = [
		['Null', 'Null', 'notValue'],
		['None', 'None', 'notValue'],
		['Undefined', 'Undefined', 'notValue'],
		['Maria undefined', 'Maria undefined', 'notValue'],
		['undefined.pdf', 'undefined.pdf', 'notValue'],
		['Βαθμός: #N/A', 'Βαθμός: #N/A', 'notValue'],
		['8 (#Δ/Υ)', '8 (#Δ/Υ)', 'notValue'],
		[true, 'TRUE', 'boolean'],
		[false, 'FALSE', 'boolean'],
		['TRUE', 'TRUE'],
		['FALSE', 'FALSE'],
		['στις 2026-05-08T09:30:00', 'στις 2026-05-08T09:30:00', 'looksLikeDate'],
		[
			'Fri May 08 2026 09:30:00 GMT+0300 (Eastern European Summer Time)',
			'Fri May 08 2026 09:30:00 GMT+0300 (Eastern European Summer Time)',
			'looksLikeDate',
		],
	];
	const OTHERS: Value[] = [
		['', refused('emptyValue')],
		[' ', refused('emptyValue')],
		['\u00a0', refused('emptyValue')],
		['\u200b\ufeff', refused('emptyValue')],
		['\u2007\u202f', refused('emptyValue')],
		[null, refused('emptyValue')],
		[['8'], refused('notText')],
		[{ value: 8 }, refused('notText')],
		['8\u0000', refused('notText')],
		['{{ $json.grade }}', refused('expression')],
		['α\u0301', 'ά'],
		['ﬁ', 'ﬁ'],
		['  8  ', '  8  '],
	];
	const asTheyAre = SENT_AS_THEY_ARE.map((value): Value => [value, value as string]);
	const rowsOf = (values: Value[]) =>
		values.map(([value], index) => ({ Κινητό: Number(MOBILE) + index, Τιμή: value as string }));

	it.each<[string, Value[]]>([
		['that are sent unchanged', asTheyAre],
		['that are dates', DATES],
		['that are numbers', NUMBERS],
		['that are remainders of programs, such as #N/A', NOT_VALUES],
		['that cause a warning', WITH_WARNINGS],
		['of other kinds', OTHERS],
	])('%s are sent or rejected as this file lists', async (_, values) => {
		const rows = rowsOf(values);
		const found = await sendAll(rows);
		const results = found.map(({ value, reason }, index) => [values[index]![0], value ?? refused(reason!)]);
		expect(results).toEqual(values.map(([value, becomes]) => [value, becomes]));
		const reasons = new Set(found.flatMap(({ reason }) => reason ?? []));
		expect((await review(rows)).reasons).toEqual(reasons);
	});

	it.each(
		[...DATES, ...NUMBERS, ...WITH_WARNINGS].map(
			([value, becomes, warnings = '']): Value => [value, becomes, warnings],
		),
	)('such as %j (sent or refused: %j) cause in a review the warning %j (empty: none)', async (...value) => {
		expect((await review(rowsOf([value]))).warnings).toBe(value[2] ?? '');
	});

	it('cause no warning if they are rejected or are not unusual', async () => {
		expect((await review(rowsOf([...asTheyAre, ...NOT_VALUES, ...OTHERS]))).warnings).toBe('');
	});
});

describe('the value of an expression', () => {
	const row = {
		...{ iso: '2026-05-07T21:00:00.000Z', day: '2026-05-08', text: 'undefined behaviour in C', grade: 8.5 },
		flag: true,
	};
	it.each<Value>([
		['={{ $json.text }}', row.text, 'notValue'],
		['={{ $json["text"] }}', row.text, 'notValue'],
		["={{ $('Start').item.json.text }}", row.text, 'notValue'],
		["={{ $('Start').first().json['text'] }}", row.text, 'notValue'],
		['={{ $input.item.json.text }}', row.text, 'notValue'],
		['={{$json.text}}', row.text, 'notValue'],
		['={{ $json.text.trim() }}', refused('notValue')],
		['={{ $json.text + "" }}', refused('notValue')],
		['=Μάθημα {{ $json.text }}', refused('notValue')],
		['={{ "στις " + $json.nope }}', refused('notValue')],
		['={{ $json.nope + $json.grade }}', refused('notValue')],
		['={{ `${$json.nope}` }}', refused('notValue')],
		['={{ String($json.nope) }}', refused('notValue')],
		['={{ "στις " + null }}', 'στις null', 'notValue'],
		['={{ "σύνολο " + $json.nope * 2 }}', 'σύνολο NaN', 'notValue'],
		['={{ Number("x") }}', refused('notValue')],
		['={{ "" + {} }}', refused('notValue')],
		['={{ ["α", {}].join() }}', refused('notValue')],
		['={{ new Date("x").toString() }}', refused('notValue')],
		['={{ DateTime.fromISO("x").toFormat("dd/MM/yyyy") }}', refused('notValue')],
		['={{ $json.nope }}', refused('emptyValue')],
		['={{ null }}', refused('emptyValue')],
		['={{ $json.flag }}', 'TRUE', 'boolean'],
		['={{ $json.grade }}', '8,5'],
		['={{ $json.grade.toFixed(1) }}', '8.5'],
		['={{ $json.iso }}', '08/05/2026', 'looksLikeDate'],
		['={{ new Date($json.iso) }}', '08/05/2026', 'looksLikeDate'],
		['={{ $json.iso.toDateTime() }}', '08/05/2026', 'looksLikeDate'],
		['={{ DateTime.fromISO($json.iso) }}', '08/05/2026', 'looksLikeDate'],
		['={{ DateTime.fromISO($json.day).plus({ hours: 9 }) }}', '08/05/2026 09:00', 'looksLikeDate'],
		['={{ DateTime.fromISO($json.iso).toFormat("d/M/yyyy") }}', '8/5/2026'],
		['={{ DateTime.fromISO("x") }}', refused('notValue')],
		['={{ new Date("x") }}', refused('notValue')],
		['={{ "Εξέταση " + $json.iso }}', 'Εξέταση 2026-05-07T21:00:00.000Z', 'looksLikeDate'],
		['={{ $json.grade > 5 ? "ΝΑΙ" : "ΟΧΙ" }}', 'ΝΑΙ'],
	])('such as %s becomes %j, with the listed warning in a review', async (Τιμή, becomes, warnings = '') => {
		const placeholders = { mappingMode: 'defineBelow', value: { Τιμή } };
		const rows = [{ Κινητό: MOBILE, ...row }];
		const [found] = await sendAll(rows, 'Τιμή', { placeholders });
		expect(found!.value ?? refused(found!.reason!)).toBe(becomes);
		expect((await review(rows, 'Τιμή', { placeholders })).warnings).toBe(warnings);
	});
});

describe('the heading of a mobile column', () => {
	const RECOGNISED = [
		...[
			'Κινητό',
			'ΚΙΝΗΤΟ',
			'κινητο',
			'Κινητό:',
			'Κινητό*',
			'Κινητό (69…)',
			'Κινητό τηλέφωνο',
			'ΚΙΝΗΤΟ ΤΗΛΕΦΩΝΟ',
			'Κιν.',
		],
		...[
			'Κιν. Τηλ.',
			'ΚΙΝ.ΤΗΛ.',
			'Κιν/τό',
			'Αρ. Κιν.',
			'Αρ.κινητού',
			'Αριθμός Κινητού Τηλεφώνου',
			'Τηλ. Κινητό',
			'Τηλ.Κιν.',
		],
		...[
			'Κινητό φοιτητή',
			'ΚΙΝΗΤΟ ΦΟΙΤΗΤΗ/ΤΡΙΑΣ',
			'Κινητό φοιτητή-τριας',
			'Κινητό Τηλέφωνο Φοιτητή',
			'Τηλέφωνο κινητό φοιτητή',
		],
		...[
			'Κινητό Επικοινωνίας',
			'Κινητό τηλέφωνο επικοινωνίας',
			'Κινητό 1',
			'Κινητό1',
			'Κινητό (1)',
			'Κινητό_1',
			'Κινητό μέλους',
		],
		...[
			'Κινητό σπουδαστή',
			'Κινητό υποψηφίου',
			'Κινητό αιτούντος/σας',
			'Κινητό πτυχιούχου',
			'Κινητό αποφοίτου',
			'Κινητό υπαλλήλου',
		],
		...[
			'Τηλ/νο',
			'ΤΗΛ/ΝΟ',
			'Τηλ.',
			'Τηλ',
			'Τηλέφωνο',
			'ΤΗΛΕΦΩΝΑ',
			'Τηλέφωνα επικοινωνίας',
			'Τηλ. Επικοινωνίας',
			'Τηλέφωνο 1',
		],
		...['Αρ. τηλεφώνου', 'Αριθμός τηλεφώνου', 'Αρ.Τηλ.', 'Τηλ. φοιτητή', 'Τηλέφωνο φοιτητή/τριας'],
		...[
			'Mobile',
			'MOBILE PHONE',
			'Mobile No.',
			'Mobile no',
			'mobile_number',
			'mobile-phone',
			'mobilePhone',
			'MobileNumber',
			'Cell',
			'Cell #',
		],
		...[
			'Cell phone',
			'Phone',
			'Phone #',
			'phone_number',
			'Phone No.',
			'Tel',
			'Tel.',
			'Telephone',
			'Tel. No.',
			'Contact number',
			'msisdn',
		],
		...[
			'Student Mobile',
			'Student phone',
			'Mobile (student)',
			'Mobile Phone 1',
			'Mob.',
			'Mob',
			'GSM',
			'Kinito',
			'Kinhto',
			'Tilefono',
		],
	];
	const OF_OTHERS = [
		...[
			'Κινητό γονέα',
			'Κινητό μητέρας',
			'Κινητό πατέρα',
			'Κινητό κηδεμόνα',
			'Κινητό συζύγου',
			'Κινητό καθηγητή',
			'Κινητό επιβλέποντα',
		],
		...[
			'Τηλέφωνο γονέα',
			'Τηλ. οικίας',
			'Τηλέφωνο εργασίας',
			'Σταθερό',
			'Σταθερό τηλέφωνο',
			'Fax',
			'Parent mobile',
			'Home phone',
			'Work phone',
		],
		...[
			'Κινητικότητα',
			'Κινητά περιουσιακά',
			'Mobility',
			'Automobile',
			'Τηλεκπαίδευση',
			'Εταιρεία κινητής',
			'Έχει κινητό',
			'Phonetics',
		],
	];

	// Each heading is tested in a separate list, because several mobile columns in a list would compete.
	it.each(RECOGNISED)('is recognised: %s', async (heading) => {
		expect(await sendAll([{ Τιμή: '8', [heading]: MOBILE }])).toEqual([{ value: '8', recipient: MOBILE }]);
	});

	it.each(OF_OTHERS)('is not recognised if it is about another person or thing: %s', async (heading) => {
		expect(await sendAll([{ Τιμή: '8', [heading]: MOBILE }])).toEqual([{ reason: 'missingColumn' }]);
	});
});

describe('the heading of a column with a value', () => {
	it.each<[label: string, heading: string]>([
		...(
			[
				'Βαθμός ',
				' ΒΑΘΜΟΣ',
				'βαθμος',
				'Βαθμός:',
				'Βαθμός*',
				'Βαθμός (0-10)',
				'«Βαθμός»',
				'Βαθμός\n',
				'Βα-θμός',
				'BAΘMOΣ',
				'Βαθμός_1',
			] as const
		).map((heading): [string, string] => ['Βαθμός', heading]),
		...(
			[
				'ΗΜΕΡΟΜΗΝΙΑ ΕΞΕΤΑΣΗΣ',
				'Ημερομηνία  εξέτασης',
				'Ημερομηνία\nεξέτασης',
				'Ημερομηνία_εξέτασης',
				'Ημερομηνία εξέτασης (ηη/μμ/εε)',
			] as const
		).map((heading): [string, string] => ['Ημερομηνία εξέτασης', heading]),
		['Όνομα', 'ΌΝΟΜΑ'],
		['Ώρα', '΄Ωρα'],
		['Προϊόν', 'ΠΡΟΪΟΝ'],
		['Course', 'COURSE'],
		['Άσκηση 1', 'Άσκηση_1'],
	])('is found for the placeholder {%s,1}: %j', async (label, heading) => {
		expect(await sendAll([{ Κινητό: MOBILE, [heading]: '8' }], label)).toMatchObject([{ value: '8' }]);
	});
});

describe('each mobile number of this file', () => {
	const SENT_TO: Array<[typed: unknown, recipient: string]> = [
		...[
			...[
				'6912345678',
				'691 234 5678',
				'691-234-5678',
				'691.234.5678',
				'(691) 2345678',
				'69 12 34 56 78',
				'+306912345678',
			],
			...[
				'+30 691 234 5678',
				'0030 6912345678',
				'306912345678',
				'(+30) 691 2345678',
				'+30-691-2345678',
				"'6912345678",
				'’6912345678',
			],
			...[
				'6912345678.0',
				'6912345678,00',
				'６９１２３４５６７８',
				'\u202a+306912345678\u202c',
				'691\u00a0234\u00a05678',
				'691–2345678',
				'6912345678 ',
			],
			...[
				'\u200e6912345678',
				'691\u2011234\u20115678',
				'691/2345678',
				'+30 (0)691 2345678',
				'6912345678\n',
				'\t6912345678',
			],
		].map((typed): [string, string] => [typed, '6912345678']),
		[6_912_345_678, '6912345678'],
		[306_912_345_678, '6912345678'],
		['+357 99 123456', '+357 99 123456'],
		['0035799123456', '0035799123456'],
		['+44 (0)7700 900123', '+44 (0)7700 900123'],
	];
	const REJECTED: Array<[typed: unknown, reason: string]> = [
		['2310123456', 'landline'],
		['+30 2310 123456', 'landline'],
		['6.91235E+09', 'digitsLost'],
		['6,91235E+09', 'digitsLost'],
		['6,91E+9', 'digitsLost'],
		['691234567', 'notMobile'],
		['69123456789', 'notMobile'],
		['35799123456', 'notMobile'],
		['6912345678 6912345679', 'twoNumbers'],
		['6912345678, 2310123456', 'twoNumbers'],
		['6912345678 / 6912345679', 'twoNumbers'],
		['6912345678 ή 6912345679', 'twoNumbers'],
		['6912345678;6912345679', 'twoNumbers'],
		['6912345678 (μητέρα)', 'notMobile'],
		['#N/A', 'notMobile'],
		['########', 'notMobile'],
		['-', 'notMobile'],
		['κιν: 691 2345678', 'notMobile'],
		['Τηλ. 6912345678', 'notMobile'],
		['tel:6912345678', 'notMobile'],
		['ΔΕΝ ΕΧΕΙ', 'notMobile'],
		['null', 'emptyRecipient'],
		['NaN', 'emptyRecipient'],
		['NaT', 'emptyRecipient'],
		['', 'emptyRecipient'],
		[null, 'emptyRecipient'],
		[true, 'notText'],
	];
	it.each([
		['in one of the usual formats gets the SMS', SENT_TO],
		['that is invalid is rejected with the right reason', REJECTED],
	])('%s', async (_, mobiles) => {
		const rows = mobiles.map(([typed]) => ({ Κινητό: typed as string, Τιμή: '8' }));
		const found = await sendAll(rows);
		expect(found.map(({ recipient, reason }, index) => [mobiles[index]![0], recipient ?? reason])).toEqual(mobiles);
		const reasons = new Set(found.flatMap(({ reason }) => reason ?? []));
		expect((await review(rows)).reasons).toEqual(reasons);
	});
});

describe('a row with two similar columns', () => {
	const LISTS: Array<[row: IDataObject, becomes: string]> = [
		[{ Τιμή: 4, Τιμή_1: 9 }, refused('twoColumns')],
		[{ Τιμή: 4, Τιμή_1: '' }, refused('twoColumns')],
		[{ Τιμή: 4, ΤΙΜΗ: 9 }, refused('twoColumns')],
		[{ Τιμή: 4, 'Τιμή ': 9 }, refused('twoColumns')],
		[{ Τιμή: 4, 'Τιμή:': 9 }, refused('twoColumns')],
		[{ 'Τιμή (α)': 4, 'Τιμή (β)': 9 }, refused('twoColumns')],
		[{ Τιμή_2: 4, Τιμή_10: 9 }, refused('twoColumns')],
		[{ Τιμή: 4, 'Τιμή (ευρώ)': 9 }, '4'],
		[{ Τιμή: 4, 'Τιμή 1': 9 }, '4'],
		[{ Τιμή: 4, Τιμή1: 9 }, '4'],
		[{ Τιμή: 4, Τιμή_1: 4 }, '4'],
		[{ Τιμή: 4, Τιμή_1: ' 4' }, '4'],
		[{ Τιμή: 4, Τιμή_α: 9 }, '4'],
		[{ Τιμή: 4, Τιμή_2026: 9 }, '4'],
		[{ Τιμή: 4, Κινητό_1: '6900000002' }, refused('twoColumns')],
		[{ Τιμή: 4, Mobile: '6900000002' }, refused('twoColumns')],
		[{ Τιμή: 4, Κινητό_1: '+306900000001' }, '4'],
		[{ Τιμή: 4, 'Κινητό γονέα': '6900000002', 'Κινητό 2': '6900000003', Τηλέφωνο: '2101234567' }, '4'],
	];

	it.each(LISTS)('%j is sent with the value, or rejected with the reason, %j', async (row, becomes) => {
		const [found] = await sendAll([{ Κινητό: MOBILE, ...row }]);
		expect(found!.value ?? refused(found!.reason!)).toBe(becomes);
	});
});
