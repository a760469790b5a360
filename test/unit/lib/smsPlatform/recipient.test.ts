import { readRecipient, typedRecipient } from '../../../../lib/smsPlatform/recipient';

const WITH_NAMES = { mobileFormat: 'national', userNames: true } as const;
const FORMS = 'A foreign number begins with \\+ or 00. A user name begins with a Latin letter$';
const withDigits = (typed: string) => new RegExp(`It has ${typed.replace(/\D/g, '').length} digits. ${FORMS}`);
const withoutDigits = new RegExp(`^(?!.*It has).*${FORMS}`);
const LABEL = { field_el: 'κινητό', field_en: 'mobile number' };

type Row = [reason: string, value: unknown, about: object, description?: RegExp];

it.each<Row>([
	['emptyRecipient', null, {}],
	['emptyRecipient', ' \u200b', {}],
	['emptyRecipient', 'NaT', {}],
	...['2101234567', '302101234567', '+302101234567'].map((typed): Row => ['landline', typed, { value: '2101234567' }]),
	['digitsLost', '6.9E9', { value: '6.9E9' }],
	...["'12345", '12302101234567', '3021012345678', '12101234567', '21012345678', '691234567', '6912691'].map(
		(typed): Row => ['notMobile', typed, { value: typed }, withDigits(typed)],
	),
	...[
		...['+6945123456', "691'234567", 'κινητό', 'name surname', '-x1', '1x'],
		...['1+49151123456', '+1234567890123456', '+49151123456x'],
	].map((typed): Row => ['notMobile', typed, { value: typed }, withoutDigits]),
	['notMobile', 0, { value: '0' }, withoutDigits],
	['notMobile', 'x'.repeat(101), { value: `${'x'.repeat(39)}…` }],
	['notText', `\u0000${'x'.repeat(99)}`, LABEL, /Recipient/],
	['notText', Array<number>(101).fill(1), LABEL, /Recipient/],
])('the reason %s is given for the recipient %j', (reason, value, about, description = /./) => {
	const why = { description: expect.stringMatching(description), why: { reason, about } };
	expect(() => readRecipient(value, WITH_NAMES)).toThrow(expect.objectContaining(why));
});

it.each(['O6912345678', 'no', 'maria@uni.gr', 'gpapado'])(
	'the recipient %s is rejected, with advice about User Names, if User Names is off in the credential',
	(value) => {
		const why = {
			description: expect.stringMatching(/switch on User Names in the credential$/),
			why: { reason: 'notMobile', about: { value } },
		};
		expect(() => readRecipient(value, { ...WITH_NAMES, userNames: false })).toThrow(expect.objectContaining(why));
	},
);

it.each([
	['+49 (0)151 1234 5678', '+4915112345678'],
	['0044 (0) 7700 900123', '+447700900123'],
	['(+49) (0)151 1234 5678', '+4915112345678'],
	['+49（0）151 1234 5678', '+4915112345678'],
	['+30 (0)691 234 5678', '6912345678'],
])('the recipient %s is read as %s', (typed, same) => {
	expect(readRecipient(typed, WITH_NAMES).normal).toBe(same);
});

it.each([
	'{{ $json.mobile }}',
	'$json.mobile',
	"$('Sheet').item.json.mobile",
	'=$json.mobile',
	' \u200b$json.mobile',
	`{{ ${'x'.repeat(200)} }}`,
])('the recipient %s is rejected as an expression that was not evaluated', (value) => {
	const description = expect.stringMatching(
		/is set to Fixed, switch it to Expression\. If the code is in a cell of the list, correct the cell$/,
	) as string;
	const why = { reason: 'expression', about: { ...LABEL, value } };
	expect(() => readRecipient(value, WITH_NAMES)).toThrow(expect.objectContaining({ description, why }));
});

it('a recipient has at most a hundred characters, and typedRecipient returns undefined for a value that is no recipient', () => {
	const [longest, tooLong] = ['x'.repeat(100), 'x'.repeat(101)];
	expect(readRecipient(longest, WITH_NAMES).sent).toBe(longest);
	expect([longest, ' 69\u200b ', 69].map(typedRecipient)).toEqual([longest, '69', '69']);
	for (const none of [tooLong, ' \u200b', '', undefined, null, {}, ['69']])
		expect(typedRecipient(none)).toBeUndefined();
});
