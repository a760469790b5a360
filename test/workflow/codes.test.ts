import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	listSearchOf,
	logLines,
	processed,
	resourceMappingOf,
	runNode,
	type NodeUnderTest,
	type Result,
} from './harness/engine';
import {
	checkCode,
	clock,
	codesIn,
	MOBILE,
	sendCode as send,
	TAKEN,
	typeCode as type,
	withClock,
} from './harness/codes';
import { bodyOf, continuing, KEY, platform, recipients, REFUSED, retrying, withCredential } from './harness/send';
import type { Reply, Sent } from './harness/httpServer';

/*
 * Tests Send Code, followed by Check Code, with a simulated platform. codesAtCheck.test.ts tests only Check Code.
 */

const row = { mobile: MOBILE };
const rows = (count: number) => Array.from({ length: count }, () => row);

/** Runs Send Code for a number. @returns the item of its output */
const ask = async (options: INodeParameters = {}, mobile = MOBILE) =>
	(await runNode(send(options), [{ mobile }])).json[0]![0]!;

let sent: Sent[];
let answer: (request: Sent, index: number) => Reply;
beforeEach(() => {
	answer = () => TAKEN;
	sent = platform((request, index) => answer(request, index));
});
withClock();

/** Expects that a run contains neither the code nor the key. Six digits within a longer number are not the code. */
function expectNoCode(run: Result, code: string) {
	for (const text of [run.stored, logLines.join('\n'), JSON.stringify(run.hints), JSON.stringify(run.json)]) {
		expect(text).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`));
		expect(text).not.toContain(Buffer.from(code).toString('base64'));
		expect(text).not.toContain(KEY);
	}
}

describe('a code of Send Code', () => {
	it('is the only replacement of the message, and does not appear in the output', async () => {
		const run = await runNode(send(), [row]);
		expect(run.error?.message).toBeUndefined();
		expect(bodyOf(sent[0])).toEqual({
			serviceId: 'verify',
			messageId: 'OTP_SEND',
			recipient: MOBILE,
			replacements: [expect.stringMatching(/^\d{6}$/)],
			institution: 'example-university',
			'pre-shared key': KEY,
		});
		const item = {
			accepted: true,
			verificationId: expect.stringMatching(/^[\w-]{80,130}$/) as unknown,
			recipient: MOBILE,
			expiresAt: new Date((clock.now + 600) * 1000).toISOString(),
			serviceId: 'verify',
			messageId: 'OTP_SEND',
		};
		expect(run.json).toEqual([[item]]);
		expectNoCode(run, codesIn(sent)[0]!);
	});

	const MESSAGES = 'verify/OTP_SEND: Γεια {Όνομα,1}: {Κωδικός,2}\nverify/OF_COLUMNS: {mobile,1}: {Κωδικός,2}';
	const SECOND = { options: { codePosition: 2 } };
	const AROUND = { options: { replacements: '["α", "γ"]', codePosition: 2 } };
	const BY_NAME = { placeholders: { mappingMode: 'defineBelow', value: { Όνομα: 'Ζωή' } } };
	const COLUMNS = { messageId: 'OF_COLUMNS', placeholders: { mappingMode: 'autoMapInputData', value: null } };
	it.each<[string, INodeParameters, string, string[]]>([
		['between the other values', AROUND, '', ['α', 'code', 'γ']],
		['after a placeholder that is filled in by name', { ...BY_NAME, ...SECOND }, MESSAGES, ['Ζωή', 'code']],
		['after a column', { ...COLUMNS, ...SECOND }, MESSAGES, [MOBILE, 'code']],
		['as the only placeholder of a known text', {}, 'verify/OTP_SEND: {Κωδικός,1}', ['code']],
	])('is inserted at Code Position: %s', async (_, parameters, messages, expected) => {
		const { options = {}, ...others } = parameters;
		const run = await runNode(send(options as INodeParameters, withCredential({ messages }), others), [row]);
		expect(run.error?.message).toBeUndefined();
		const values = bodyOf(sent[0]).replacements as string[];
		expect(values.map((value) => value.replace(/^\d{6}$/, 'code'))).toEqual(expected);
		// The output does not have the text of the message, because the text contains the code.
		const names = 'accepted,verificationId,recipient,expiresAt,serviceId,messageId';
		expect(Object.keys(run.json[0]![0]!).join()).toBe(names);
	});

	it('is valid for its purpose, even if the purpose is in another Unicode form', async () => {
		const purpose = 'Εγγραφή';
		const { verificationId: id } = await ask({ purpose });
		const verified = await type(id, codesIn(sent)[0], { purpose: purpose.normalize('NFD') });
		expect(verified[0]).toMatchObject([{ verified: true }]);
	});

	it('is invalid for another purpose', async () => {
		const { verificationId: id } = await ask({ purpose: 'password', codeLength: 10 });
		await ask({ purpose: 'enrolment', codeLength: 10 });
		const [password, enrolment] = codesIn(sent);
		expect(password).toMatch(/^\d{10}$/);
		expect(password).not.toBe(enrolment);
		expect((await type(id, password, { purpose: 'enrolment' }))[1]).toMatchObject([
			{ verified: false, reason: 'invalid' },
		]);
		expect((await type(id, enrolment, { purpose: 'password' }))[1]).toMatchObject([{ reason: 'wrong' }]);
		const verified = [[{ verified: true, recipient: MOBILE }], []];
		expect(await type(id, Number(password), { purpose: 'password' })).toEqual(verified);
	});

	it('is sent with a signed report URL only if the credential has a Delivery Report URL', async () => {
		const dlrUrl = 'https://n8n.example.gr/webhook/of-credential/dlr';
		for (const credential of [{ dlrUrl }, {}]) await runNode(send({}, withCredential(credential)), [row]);
		const [signed, none] = sent.map((each) => bodyOf(each)['dlr-url']);
		expect([signed, none]).toEqual([expect.stringMatching(/of-credential\/dlr\?ref=.*&sig=/), undefined]);
	});
});

describe('a new SMS Code node', () => {
	/** Returns a node in which only the message is filled in. */
	const newNode = (more: Partial<NodeUnderTest> = {}): NodeUnderTest => ({
		node: 'smsCode',
		parameters: { serviceId: 'verify', messageId: 'OTP_SEND' },
		...withCredential({}),
		...more,
	});

	it('reads the recipient from the mobile column, and includes the input fields', async () => {
		const people = [
			{ Όνομα: 'Ζωή', Κινητό: MOBILE, notice: 'of another node', error: 'of another node' },
			{ Όνομα: 'Άρης', Κινητό: '690 000 0001' },
		];
		const run = await runNode(newNode(), people);
		expect(recipients(sent)).toEqual([MOBILE, '6900000001']);
		const [zoe, aris] = run.json[0]!;
		expect(zoe).toMatchObject({ Όνομα: 'Ζωή', Κινητό: MOBILE, accepted: true, recipient: MOBILE });
		for (const name of ['notice', 'error']) expect(zoe).not.toHaveProperty(name);
		expect(aris).toMatchObject({ Όνομα: 'Άρης', accepted: true, recipient: '6900000001' });
	});

	it('accepts two phone columns with the same number, and rejects two with different numbers', async () => {
		const people = [
			{ Τηλέφωνο: MOBILE, 'Τηλ.': `+30 ${MOBILE}` },
			{ Τηλέφωνο: '6900000001', 'Τηλ.': '6900000002' },
		];
		const run = await runNode(newNode(continuing), people);
		expect(run.json[0]).toMatchObject([{ accepted: true }, { details: { reason: 'twoColumns' } }]);
		expect(recipients(sent)).toEqual([MOBILE]);
	});

	it('rejects a list without a mobile column, and refers visitors to the office', async () => {
		const run = await runNode(newNode(continuing), [{ Όνομα: 'Ζωή' }]);
		expect(sent).toEqual([]);
		expect(run.json[0]).toMatchObject([
			{
				error: 'The list has no column "Κινητό (Mobile)"',
				details: { reason: 'missingColumn', notice: expect.stringMatching(/γραμματεία/) as unknown },
			},
		]);
	});

	it('returns only its own fields as the tool of an AI agent', async () => {
		const parameters = { ...newNode().parameters, recipient: MOBILE, options: { includeInputFields: true } };
		const run = await runNode(newNode({ parameters, asTool: true }), [{ Όνομα: 'Ζωή' }]);
		expect(run.json[0]).toMatchObject([{ accepted: true, recipient: MOBILE }]);
		expect(run.json[0]![0]).not.toHaveProperty('Όνομα');
	});

	it('does not include the input fields in Check Code', async () => {
		const { verificationId: id } = await ask();
		const row = { id, typed: codesIn(sent)[0]!, Όνομα: 'Ζωή' };
		expect((await runNode(checkCode(), [row as IDataObject])).json[0]).toEqual([{ verified: true, recipient: MOBILE }]);
	});
});

describe('a second request for a code', () => {
	it('gets a new, valid code after the first code has expired, as the notice states', async () => {
		const { verificationId } = await ask();
		clock.now += 600;
		const [, [late]] = await type(verificationId, codesIn(sent)[0]);
		expect(late!.notice).toBe('Ο κωδικός έληξε. Ζητήστε νέο κωδικό.');
		const next = await ask();
		expect((await type(next.verificationId, codesIn(sent)[1]))[0]).toHaveLength(1);
	});

	it('gets a new code after the first code was used, and the first code stays used with each of its verification IDs', async () => {
		const ids = [(await ask()).verificationId, (await ask()).verificationId];
		await type(ids[0], codesIn(sent)[0]);
		const next = await ask();
		const [, used, other] = codesIn(sent);
		expect(other).not.toBe(used);
		for (const id of ids) expect((await type(id, used))[1]).toMatchObject([{ reason: 'used' }]);
		expect((await type(next.verificationId, other))[0]).toHaveLength(1);
	});

	it('gets the same code as before if a code of another length was rejected in between', async () => {
		await ask();
		answer = () => REFUSED;
		await runNode(send({ codeLength: 4 }, continuing), [row]);
		answer = () => TAKEN;
		const { verificationId } = await ask();
		const [first, , third] = codesIn(sent);
		expect(third).toBe(first);
		expect((await type(verificationId, first))[0]).toHaveLength(1);
	});

	it('is rejected after the last attempt until the code has expired, and then gets a new code, as the notice states', async () => {
		const { verificationId } = await ask({ maxAttempts: 2 });
		await type(verificationId, '000000');
		clock.now += 120;
		const [, [last]] = await type(verificationId, '000000');
		const notice = 'Γράφτηκε πολλές φορές λάθος κωδικός. Ζητήστε νέο κωδικό μετά από 8 λεπτά.';
		expect(last!.notice).toBe(notice);
		const refused = await runNode(send({ maxAttempts: 2 }, continuing), [row]);
		expect(refused.json[0]).toMatchObject([
			{
				error: 'Too many wrong codes were typed',
				message: 'Ask for a new code in 8 minutes. No code was sent',
				details: { outcome: 'rejected', recipient: MOBILE, reason: 'tooManyAttempts', notice },
			},
		]);
		expect(sent).toHaveLength(1);
		clock.now += 480;
		const next = await ask({ maxAttempts: 2 });
		expect((await type(next.verificationId, codesIn(sent)[1]))[0]).toHaveLength(1);
	});
});

it('Send Code warns of values that may be wrong, as SMS Send does, but only for codes that were sent', async () => {
	const credential = withCredential({ messages: 'verify/OTP_SEND: {Κωδικός,1} για {Ημέρα,2}' });
	const other = (value: unknown) => ({
		placeholders: { mappingMode: 'defineBelow', value: { Ημέρα: value } } as never,
	});
	const { hints } = await runNode(send({}, { ...credential, ...continuing }, other('={{ true }}')), [row]);
	expect(hints).toContainEqual(
		expect.objectContaining({ message: expect.stringMatching(/Ημέρα.*TRUE/) as unknown, type: 'warning' }),
	);
	answer = () => REFUSED;
	const refused = await runNode(send({}, { ...credential, ...continuing }, other('={{ true }}')), [row]);
	expect(refused.hints.filter(({ message }) => message.includes('TRUE'))).toEqual([]);
});

describe('limits of codes', () => {
	const six = async (options: INodeParameters = {}) => (await runNode(send(options, continuing), rows(6))).json[0]!;
	const taken = (items: IDataObject[]) => items.filter(({ accepted }) => accepted === true).length;

	it('allow five codes in ten minutes for a number, even in one run, and the error refers to the code that the person has', async () => {
		const items = await six();
		expect([taken(items), sent.length]).toEqual([5, 5]);
		expect(items.at(-1)).toMatchObject({
			message: expect.stringContaining('Five codes') as unknown,
			details: {
				...{ outcome: 'rejected', recipient: MOBILE, reason: 'tooManyCodes' },
				notice:
					'Στάλθηκαν ήδη πολλοί κωδικοί, γι’ αυτό δεν στάλθηκε άλλος. Γράψτε τον κωδικό του τελευταίου SMS ή ζητήστε νέο κωδικό μετά από 10 λεπτά.',
			},
		});
		// The limit also counts for another purpose, for which the person has no code. Another number is not affected.
		const [other] = await six({ purpose: 'other' });
		const notice = expect.stringMatching(/άλλος\. Ζητήστε νέο κωδικό μετά από/) as unknown;
		expect(other).toMatchObject({ details: { notice } });
		expect(other!.details).not.toHaveProperty('verificationId');
		expect(await ask({}, '6912345679')).toMatchObject({ accepted: true });
		clock.now += 599;
		const { verificationId } = items.at(-1)!.details as IDataObject;
		expect((await type(verificationId, codesIn(sent)[4]))[0]).toEqual([{ verified: true, recipient: MOBILE }]);
		clock.now += 1;
		expect(taken(await six())).toBe(5);
	});

	it('allow Max Codes per Hour for the workflow, counted over all numbers; 0 means no limit', async () => {
		const people = Array.from({ length: 9 }, (_, index) => ({ mobile: String(6_900_000_000 + index) }));
		const run = async (maxCodesPerHour: number) =>
			taken((await runNode(send({ maxCodesPerHour }, continuing), people)).json[0]!);
		expect([await run(7), await run(7), await run(0)]).toEqual([7, 0, 9]);
		expect(sent).toHaveLength(16);
	});

	it.each<[string, Reply, number]>([
		['do not count a code that was certainly not sent', REFUSED, 0],
		['count a code of unknown outcome', { cut: 'ECONNRESET' }, 5],
	])('%s', async (_, reply, counted) => {
		answer = () => reply;
		await six();
		answer = () => TAKEN;
		expect(taken(await six())).toBe(5 - counted);
	});

	it('are counted for each institution separately, and a verification ID of one institution is invalid for another', async () => {
		await Promise.all(rows(5).map(async () => await runNode(send(), [row])));
		expect((await runNode(send(), [row])).status).toBe('error');
		const other = send({}, withCredential({ institution: 'another-university' }));
		const [[item]] = (await runNode(other, [row])).json as [[IDataObject]];
		expect(item).toMatchObject({ accepted: true });
		expect((await type(item.verificationId, codesIn(sent)[5]))[1]).toMatchObject([{ reason: 'invalid' }]);
	});
});

it('a hint above the output of Send Code warns of a short key', async () => {
	expect((await runNode(send(), [row])).hints).toMatchObject([
		{ message: expect.stringMatching(/Pre-Shared Key is short/) as unknown, type: 'warning' },
	]);
	expect((await runNode(checkCode(), [{ id: '', typed: '' }])).hints).toEqual([]);
});

describe('an error of Send Code', () => {
	const BY_NAME = (value: IDataObject | null) => ({ placeholders: { mappingMode: 'defineBelow', value } as never });
	const NONE = '={{ $json.none }}';
	const FORWARD_URL = withCredential({ dlrUrl: 'https://n8n.example.gr/abc/forward' });
	const ONE = withCredential({ messages: 'verify/OTP_SEND: {Κωδικός,1}' });
	const GAVE_NOTHING =
		/The expression in Recipient returned no value: Correct the expression, or leave the field empty, .*\. The list has these columns: mobile, Κινητό/;
	it.each<[string, INodeParameters, INodeParameters, RegExp, object?]>([
		['a number abroad', { recipient: '+44 7700 900123' }, {}, /Codes are sent only to Greek mobile numbers/],
		['a recipient from an expression that returns nothing', { recipient: NONE }, {}, GAVE_NOTHING],
		['an empty field of a form', { recipient: "={{ '' }}" }, {}, /mobile number is missing/],
		['no service', { serviceId: NONE }, {}, /Service is empty/],
		['an unknown operation', { operation: 'verify' }, {}, /^Operation has an unknown value/],
		['a Code Position without values before it', {}, { codePosition: 2 }, /Code Position is 2/],
		[
			'a Code Position that the message does not have',
			BY_NAME(null),
			{ codePosition: 2 },
			/but the number of placeholders in the message is 1/,
			ONE,
		],
		['a code of three digits', {}, { codeLength: 3 }, /Code Length must be a whole number from 4 to 10/],
		['a validity of 0 minutes', {}, { validMinutes: 0 }, /Valid \(Minutes\) must be/],
		['eleven attempts', {}, { maxAttempts: 11 }, /Max Attempts must be/],
		['a purpose from an expression that returns nothing', {}, { purpose: NONE }, /Purpose has no value/],
		[
			'a limit from an expression that returns nothing',
			{},
			{ maxCodesPerHour: NONE },
			/Max Codes per Hour has no value/,
		],
		['an empty value', {}, { replacements: '[""]' }, /replacement 2" has no value/],
		[
			'values by name for a message whose text is unknown',
			BY_NAME({ Όνομα: 'Ζωή' }),
			{},
			/The text of the message is not known/,
		],
		["the trigger's URL for messages as Delivery Report URL", {}, {}, /ends in \/forward/, FORWARD_URL],
	])(
		"for %s: no code is sent, and n8n's list of processed items is not used",
		async (_, parameters, options, words, more = {}) => {
			const run = await runNode(send(options, { ...continuing, ...more }, parameters), [{ ...row, Κινητό: MOBILE }]);
			expect(sent).toEqual([]);
			expect(run.json[0]).toMatchObject([{ details: { outcome: 'rejected' } }]);
			expect(`${String(run.json[0]![0]!.error)}: ${String(run.json[0]![0]!.message)}`).toMatch(words);
			expect(processed.calls).toBe(0);
		},
	);
});

const written = (sent: Sent, how: 'base64' | 'hex') => Buffer.from(`["${codesIn([sent])[0]!}"]`).toString(how);
const refusing = (error: string, errorCode = 'E-9'): Reply => ({ body: { serviceId: 'verify', errorCode, error } });
const naming = (serviceId: string): Reply => ({ body: { serviceId, errorCode: '', error: '' } });
it.each<[string, (sent: Sent) => Reply]>([
	['repeats the request', ({ body }) => refusing(body)],
	['repeats the code in its error code', (sent) => refusing('x', codesIn([sent])[0])],
	['returns the code in another encoding', (sent) => refusing(`${written(sent, 'base64')} ${written(sent, 'hex')}`)],
	['repeats the request with HTTP 500', ({ body }) => ({ status: 500, body: JSON.parse(body) as object })],
	['breaks the connection', () => ({ cut: 'ECONNRESET' })],
	['accepts the message and repeats the code', (sent) => naming(`otp: your code is ${codesIn([sent])[0]!}`)],
])('no item or error of Send Code contains the code if the platform %s', async (_, reply) => {
	answer = (each) => reply(each);
	for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const) {
		const run = await runNode(send({}, { onError }), [row]);
		expectNoCode(run, codesIn(sent)[0]!);
		for (const how of ['base64', 'hex'] as const) expect(run.stored).not.toContain(written(sent[0]!, how));
	}
});

describe('Send Code with Retry On Fail', () => {
	it('sends one message to each person, and keeps the order of the items', async () => {
		answer = (_, index) => (index === 1 ? REFUSED : TAKEN);
		const [first, second, third] = [MOBILE, '6900000001', '6900000002'];
		const people = [first, second, third].map((mobile) => ({ mobile }));
		const run = await runNode(send({}, retrying), people);
		expect(recipients(sent)).toEqual([first, second, third, second]);
		expect(run.json[0]!.map(({ recipient }) => recipient)).toEqual([first, second, third]);
		expect(run.origins).toEqual([people]);
		expect((await type(run.json[0]![0]!.verificationId, codesIn(sent)[0]))[0]).toHaveLength(1);
		expect((await type(run.json[0]![1]!.verificationId, codesIn(sent)[3]))[0]).toHaveLength(1);
	});

	it('sends, of two equal items, only the rejected item again', async () => {
		answer = (_, index) => (index === 1 ? REFUSED : TAKEN);
		const run = await runNode(send({}, retrying), rows(2));
		expect(sent).toHaveLength(3);
		expect(run.json[0]).toMatchObject([{ accepted: true }, { accepted: true }]);
		expect(new Set(run.json[0]!.map(({ verificationId }) => verificationId)).size).toBe(2);
	});

	it('does not send a message of unknown outcome again', async () => {
		answer = () => ({ cut: 'ECONNRESET' });
		const run = await runNode(send({}, retrying), [row]);
		expect(sent).toHaveLength(1);
		expect(run.error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
	});
});

it('Send Code rejects a code if the platform asks for a retry after more than half of the time for which the code is valid, and does not count it in Max Codes per Hour', async () => {
	answer = (_, index) => (index === 0 ? { status: 503, headers: { 'retry-after': '40' } } : TAKEN);
	const run = await runNode(send({ validMinutes: 1, maxCodesPerHour: 1 }, continuing), [row]);
	expect(sent).toHaveLength(1);
	expect(run.json[0]).toMatchObject([{ details: { outcome: 'rejected' } }]);
	expect(await ask({ validMinutes: 1, maxCodesPerHour: 1 })).toMatchObject({ accepted: true });
});

it('an AI agent can send a code to each of two numbers, gets the same item for a repeated number, and never sees a code', async () => {
	const people = [MOBILE, '6900000001', MOBILE].map((mobile) => ({ mobile }));
	const tool = await runNode(send({}, { asTool: true }), people);
	expect(recipients(sent)).toEqual([MOBILE, '6900000001']);
	const [one, other, again] = tool.json[0] as [IDataObject, IDataObject, IDataObject];
	expect([one.recipient, other.recipient, again]).toEqual([MOBILE, '6900000001', one]);
	for (const code of codesIn(sent)) expectNoCode(tool, code);
	// The model gets the items of both outputs of Check Code.
	const checked = async (typed: string) =>
		(await runNode(checkCode({}, { asTool: true }), [{ id: other.verificationId, typed }])).json[0];
	expect(await checked('000000')).toMatchObject([{ verified: false, reason: 'wrong' }]);
	expect(await checked(codesIn(sent)[1]!)).toEqual([{ verified: true, recipient: '6900000001' }]);
});

it("n8n's list of processed items gets one entry for a right code, and no entry for a sent, wrong or used code", async () => {
	const { verificationId } = await ask();
	await type(verificationId, '000000');
	expect([processed.calls, processed.entries]).toEqual([0, 0]);
	await type(verificationId, codesIn(sent)[0]);
	expect(processed.entries).toBe(1);
	const { calls } = processed;
	await type(verificationId, codesIn(sent)[0]);
	expect([processed.calls, processed.entries]).toEqual([calls, 1]);
});

describe('the form of Send Code', () => {
	const messages = 'verify/OTP_SEND: Ο κωδικός σας είναι {Κωδικός,1}\nverify/TWO: Γεια {Όνομα,1}: {Κωδικός,2}';
	const known = withCredential({ messages });

	it('has fields for all placeholders but the one at Code Position, and a notice if the message has no other placeholder', async () => {
		const fieldsOf = async (messageId: string, options: INodeParameters = {}) => {
			const parameters = { serviceId: 'verify', messageId, options };
			return await resourceMappingOf('smsCode', 'mapPlaceholders', known.credentials, parameters);
		};
		expect((await fieldsOf('TWO', { codePosition: 2 })).fields.map(({ id }) => id)).toEqual(['Όνομα']);
		expect((await fieldsOf('TWO')).fields.map(({ id }) => id)).toEqual(['Κωδικός']);
		const emptyFieldsNotice = expect.stringContaining('no column') as unknown;
		expect(await fieldsOf('OTP_SEND')).toEqual({ fields: [], emptyFieldsNotice });
	});

	it('lists messages with one placeholder first, even in a search', async () => {
		const lines = ['verify/NONE: Χωρίς', 'verify/TWO: {Όνομα,1}: {Κωδικός,2}', 'verify/ONE: Ο κωδικός {Κωδικός,1}'];
		const { credentials } = withCredential({ messages: [...lines, 'other/ONE: {Κωδικός,1}'].join('\n') });
		const listed = async (filter: string, serviceId = '') =>
			(await listSearchOf('smsCode', 'searchMessages', filter, credentials, { serviceId })).results.map(
				({ value }) => value,
			);
		expect(await listed('', 'verify')).toEqual(['ONE', 'NONE', 'TWO']);
		expect(await listed('')).toEqual(['verify/ONE', 'other/ONE', 'verify/NONE', 'verify/TWO']);
		expect(await listed('όνομα', 'verify')).toEqual(['TWO']);
		expect(await listed('κωδικός', 'verify')).toEqual(['ONE', 'TWO']);
	});

	it('may hide the field Placeholders: the code is still sent', async () => {
		const cachedResultName = 'Ο κωδικός σας είναι {Κωδικός,1}';
		const messageId = { __rl: true, mode: 'list', value: 'OTP_SEND', cachedResultName };
		const run = await runNode(send({}, known, { messageId } as never), [row]);
		expect(run.json[0]).toMatchObject([{ accepted: true }]);
		expect(codesIn(sent)).toEqual([expect.stringMatching(/^\d{6}$/)]);
	});
});
