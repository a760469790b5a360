import { NodeHelpers, type IDataObject, type INodeParameters } from 'n8n-workflow';

import {
	listSearchOf,
	logLines,
	processed,
	resourceMappingOf,
	runNode,
	TestWorkflow,
	type NodeUnderTest,
	type Result,
} from './harness/engine';
import { KEY, OPERATION, REFUSED, withCredential } from './harness/send';
import { serve, type Reply, type Sent } from './harness/wire';

/* Send Code and Check Code in one workflow, against a platform that is played on the wire: the phone is its record. */

const TAKEN: Reply = { body: { serviceId: 'verify', errorCode: '', error: '' } };
const MOBILE = '6912345678';

const credentials = (more: IDataObject = {}) => withCredential(more).credentials;

const send = (
	options: INodeParameters = {},
	more: Partial<NodeUnderTest> = {},
	parameters: INodeParameters = {},
): NodeUnderTest => ({
	node: 'smsCode',
	parameters: {
		serviceId: 'verify',
		messageId: 'OTP_SEND',
		recipient: '={{ $json.mobile }}',
		options,
		...parameters,
	},
	credentials: credentials(),
	...more,
});
const check = (options: INodeParameters = {}): NodeUnderTest => ({
	node: 'smsCode',
	parameters: { operation: 'checkCode', verificationId: '={{ $json.id }}', code: '={{ $json.typed }}', options },
	credentials: credentials(),
});

const bodyOf = (sent: Sent | undefined) =>
	JSON.parse(sent?.body ?? 'null') as { recipient: string; replacements: string[]; 'dlr-url'?: string };
const codes = (sent: Sent[]) => sent.map((each) => bodyOf(each).replacements[0]!);
const row = { mobile: MOBILE };
const rows = (count: number, mobile = MOBILE) => Array.from({ length: count }, () => ({ mobile }));

/** Runs Send Code for a number. @returns its items */
const ask = async (options: INodeParameters = {}, mobile = MOBILE) =>
	(await runNode(send(options), [{ mobile }])).json[0]!;
const idOf = (items: IDataObject[]) => items[0]!.verificationId;
const type = async (id: unknown, typed: unknown, options: INodeParameters = {}) =>
	(await runNode(check(options), [{ id, typed } as IDataObject])).json;

let sent: Sent[];
let answer: (request: Sent, index: number) => Reply;
beforeEach(() => {
	answer = () => TAKEN;
	sent = serve('POST', OPERATION, (request, index) => answer(request, index));
});
/** In seconds. Each test is days after the one before, so that nothing is counted any more. */
let now = 1_795_000_000;
beforeEach(() => {
	now += 3 * 86_400;
	jest.spyOn(Date, 'now').mockImplementation(() => now * 1000);
});
afterEach(() => jest.restoreAllMocks());

/** The code in any place where somebody could read it: it is six digits, so looked for between other characters. */
function expectNoCode(run: Result, code: string) {
	for (const text of [run.stored, logLines.join('\n'), JSON.stringify(run.hints), JSON.stringify(run.json)]) {
		expect(text).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`));
		expect(text).not.toContain(Buffer.from(code).toString('base64'));
		expect(text).not.toContain(KEY);
	}
}

describe('a code', () => {
	it('is the only replacement, and leaves with nothing that gives it away', async () => {
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
		expect(run.json).toEqual([
			[
				{
					accepted: true,
					verificationId: expect.stringMatching(/^[\w-]{80,130}$/) as unknown,
					recipient: MOBILE,
					expiresAt: new Date((now + 600) * 1000).toISOString(),
					serviceId: 'verify',
					messageId: 'OTP_SEND',
				},
			],
		]);
		expectNoCode(run, codes(sent)[0]!);
	});

	const MESSAGES = 'verify/OTP_SEND: Γεια {Όνομα,1}: {Κωδικός,2}\nverify/OF_COLUMNS: {mobile,1}: {Κωδικός,2}';
	const SECOND = { options: { codePosition: 2 } };
	const AROUND = { options: { replacements: '["α", "γ"]', codePosition: 2 } };
	const AFTER = { options: { replacements: '["α"]' } };
	const BY_NAME = { placeholders: { mappingMode: 'defineBelow', value: { Όνομα: 'Ζωή' } } };
	const COLUMNS = { messageId: 'OF_COLUMNS', placeholders: { mappingMode: 'autoMapInputData', value: null } };
	it.each<[string, INodeParameters, string, string[]]>([
		['values around it', AROUND, '', ['α', 'code', 'γ']],
		['a value after it', AFTER, '', ['code', 'α']],
		['placeholders by name', { ...BY_NAME, ...SECOND }, MESSAGES, ['Ζωή', 'code']],
		['columns', { ...COLUMNS, ...SECOND }, MESSAGES, [MOBILE, 'code']],
		['a known text of one placeholder', {}, 'verify/OTP_SEND: {Κωδικός,1}', ['code']],
	])('stands at its position: %s', async (_, parameters, messages, expected) => {
		const { options = {}, ...others } = parameters;
		const spec = send(options as INodeParameters, { credentials: credentials({ messages }) }, others);
		const run = await runNode(spec, [row]);
		expect(run.error?.message).toBeUndefined();
		expect(bodyOf(sent[0]).replacements.map((value) => value.replace(/^\d{6}$/, 'code'))).toEqual(expected);
		// A message with its text would hold the code.
		expect(Object.keys(run.json[0]![0]!).join()).toBe(
			'accepted,verificationId,recipient,expiresAt,serviceId,messageId',
		);
	});

	it.each([4, 6, 10])('of %i digits is verified', async (codeLength) => {
		const id = idOf(await ask({ codeLength }));
		expect(codes(sent)[0]).toHaveLength(codeLength);
		expect(await type(id, Number(codes(sent)[0]))).toEqual([[{ verified: true, recipient: MOBILE }], []]);
	});

	it('for one purpose is nothing for another', async () => {
		const id = idOf(await ask({ purpose: 'password' }));
		await ask({ purpose: 'enrolment' });
		const [password, enrolment] = codes(sent);
		expect(password).not.toBe(enrolment);
		expect((await type(id, password, { purpose: 'enrolment' }))[1]).toMatchObject([
			{ verified: false, reason: 'invalid' },
		]);
		expect((await type(id, enrolment, { purpose: 'password' }))[1]).toMatchObject([{ reason: 'wrong' }]);
		expect((await type(id, password, { purpose: 'password' }))[0]).toHaveLength(1);
	});

	it('goes with a signed report address where one is asked for', async () => {
		await ask({ dlrUrl: 'https://n8n.example.gr/webhook/abc/dlr' });
		const withReports = credentials({ dlrUrl: 'https://n8n.example.gr/webhook/of-credential/dlr' });
		await runNode(send({}, { credentials: withReports }), [row]);
		await runNode(send({ noReport: true }, { credentials: withReports }), [row]);
		const addresses = sent.map((each) => bodyOf(each)['dlr-url']);
		expect(addresses[0]).toMatch(/^https:\/\/n8n\.example\.gr\/webhook\/abc\/dlr\?ref=.*&sig=/);
		expect(addresses[1]).toMatch(/of-credential\/dlr\?ref=/);
		expect(addresses[2]).toBeUndefined();
	});
});

describe('asked again', () => {
	it('before its end: the same code, another id with a new end, and the tries go on', async () => {
		const first = idOf(await ask());
		await type(first, 'wrong');
		await type(first, '000000');
		now += 599;
		const [second] = await ask();
		expect(second).toMatchObject({ expiresAt: new Date((now + 600) * 1000).toISOString() });
		expect(second!.verificationId).not.toBe(first);
		expect(codes(sent)[0]).toBe(codes(sent)[1]);
		expect((await type(second!.verificationId, '000000'))[1]).toMatchObject([{ reason: 'wrong', attemptsLeft: 3 }]);
		now += 599;
		expect((await type(first, codes(sent)[0]))[1]).toMatchObject([{ reason: 'expired' }]);
		expect((await type(second!.verificationId, codes(sent)[0]))[0]).toHaveLength(1);
	});

	it('as the notice says after its end: a new one that is right', async () => {
		const id = idOf(await ask());
		now += 600;
		const [, [late]] = (await type(id, codes(sent)[0])) as [unknown, [IDataObject]];
		expect(late.notice).toBe('Ο κωδικός έληξε. Ζητήστε νέο κωδικό.');
		const next = idOf(await ask());
		expect((await type(next, codes(sent)[1]))[0]).toHaveLength(1);
	});

	it('after it was used: a new one, and the used one stays used with each of its ids', async () => {
		const ids = [idOf(await ask()), idOf(await ask())];
		await type(ids[0], codes(sent)[0]);
		const next = idOf(await ask());
		expect(codes(sent)[2]).not.toBe(codes(sent)[1]);
		for (const id of ids) expect((await type(id, codes(sent)[0]))[1]).toMatchObject([{ reason: 'used' }]);
		expect((await type(next, codes(sent)[2]))[0]).toHaveLength(1);
	});

	it('as the notice says after the last try: nothing is sent until the code ends, then a new one that is right', async () => {
		const id = idOf(await ask({ maxAttempts: 2 }));
		await type(id, '000000');
		now += 120;
		const [, [last]] = (await type(id, '000000')) as [unknown, [IDataObject]];
		expect(last.notice).toBe('Δόθηκαν πολλοί λανθασμένοι κωδικοί. Ζητήστε νέο κωδικό σε 8 λεπτά.');
		const refused = await runNode(send({ maxAttempts: 2 }, { onError: 'continueRegularOutput' }), [row]);
		expect(refused.json[0]).toMatchObject([
			{
				error: 'Too many wrong codes were typed',
				message: 'Ask for a new code in 8 minutes. No code was sent',
				details: { outcome: 'rejected', recipient: MOBILE, reason: 'tooManyAttempts', notice: last.notice },
			},
		]);
		expect(sent).toHaveLength(1);
		now += 480;
		const next = idOf(await ask({ maxAttempts: 2 }));
		expect((await type(next, codes(sent)[1]))[0]).toHaveLength(1);
	});
});

describe('limits', () => {
	const six = async (options: INodeParameters = {}) =>
		(await runNode(send({ concurrency: 3, ...options }, { onError: 'continueRegularOutput' }), rows(6))).json[0]!;
	const taken = (items: IDataObject[]) => items.filter(({ accepted }) => accepted === true).length;

	it('five in ten minutes to a number, also at once; the error leads on to the code that the person has', async () => {
		const items = await six();
		expect([taken(items), sent.length]).toEqual([5, 5]);
		expect(items.at(-1)).toMatchObject({
			message: expect.stringContaining('Five codes') as unknown,
			details: {
				...{ outcome: 'rejected', recipient: MOBILE, reason: 'tooManyCodes' },
				notice:
					'Στάλθηκαν ήδη πολλοί κωδικοί, γι’ αυτό δεν στάλθηκε άλλος. Γράψτε τον κωδικό του τελευταίου SMS ή ζητήστε νέο σε 10 λεπτά.',
			},
		});
		// Another number is not touched by it, another purpose is.
		const [other] = await six({ purpose: 'other' });
		expect(other).toMatchObject({
			details: { notice: expect.stringMatching(/άλλος\. Ζητήστε νέο κωδικό σε/) as unknown },
		});
		expect(other!.details).not.toHaveProperty('verificationId');
		expect((await ask({}, '6912345679'))[0]).toMatchObject({ accepted: true });
		now += 599;
		const { verificationId } = items.at(-1)!.details as IDataObject;
		expect((await type(verificationId, codes(sent)[4]))[0]).toEqual([{ verified: true, recipient: MOBILE }]);
		now += 1;
		expect(taken(await six())).toBe(5);
	});

	it('so many in an hour for the workflow, whatever the numbers', async () => {
		const people = Array.from({ length: 9 }, (_, index) => ({ mobile: String(6_900_000_000 + index) }));
		const run = async (maxCodesPerHour: number) =>
			taken((await runNode(send({ maxCodesPerHour }, { onError: 'continueRegularOutput' }), people)).json[0]!);
		expect(await run(7)).toBe(7);
		now += 3599;
		expect(await run(7)).toBe(0);
		expect(await run(0)).toBe(9);
		now += 1;
		expect(await run(7)).toBe(7);
		expect(sent).toHaveLength(23);
	});

	it.each<[string, Reply, number]>([
		['certainly not taken does not count', REFUSED, 0],
		['of unknown fate counts', { cut: 'ECONNRESET' }, 5],
	])('a code that was %s', async (_, reply, counted) => {
		answer = () => reply;
		await six();
		answer = () => TAKEN;
		expect(taken(await six())).toBe(5 - counted);
	});

	it('are counted for each platform apart', async () => {
		const elsewhere = send();
		await Promise.all(rows(5).map(async () => await runNode(send(), [row])));
		expect((await new TestWorkflow(elsewhere).run([row])).status).toBe('error');
		const other = { ...elsewhere, credentials: credentials({ institution: 'another-university' }) };
		const [[item]] = (await new TestWorkflow(other).run([row])).json as [[IDataObject]];
		expect(item).toMatchObject({ accepted: true });
		// Nor does the id of one open on the other.
		expect((await type(item.verificationId, codes(sent)[5]))[1]).toMatchObject([{ reason: 'invalid' }]);
	});

	it('a short key is told over the output of Send Code, because the editor shows no words of a passed test', async () => {
		expect((await runNode(send(), [row])).hints).toMatchObject([
			{ message: expect.stringMatching(/Pre-Shared Key is short/) as unknown, type: 'warning' },
		]);
		expect((await runNode(check(), [{ id: '', typed: '' }])).hints).toEqual([]);
	});
});

describe('errors', () => {
	const failing = async (parameters: INodeParameters, options: INodeParameters = {}, credential = credentials()) => {
		const run = await runNode(
			send(options, { onError: 'continueRegularOutput', credentials: credential }, parameters),
			[row],
		);
		expect(sent).toEqual([]);
		expect(run.json[0]).toHaveLength(1);
		expect(run.json[0]![0]).toMatchObject({ details: { outcome: 'rejected' } });
		return `${String(run.json[0]![0]!.error)}: ${String(run.json[0]![0]!.message)}`;
	};

	const BY_NAME = { mappingMode: 'defineBelow', value: { Όνομα: 'Ζωή' } };
	const NONE = '={{ $json.none }}';
	it.each<[string, INodeParameters, INodeParameters, RegExp]>([
		['a user name', { recipient: 'student01' }, {}, /is not a mobile number/],
		['a number abroad', { recipient: '+44 7700 900123' }, {}, /A code is sent to a Greek mobile number only/],
		['a landline', { recipient: '2101234567' }, {}, /landline/],
		[
			'nothing',
			{ recipient: NONE },
			{},
			/The expression in Recipient gave nothing: Correct it\. Columns of the list: mobile/,
		],
		['an empty field of a form', { recipient: "={{ '' }}" }, {}, /mobile number is missing/],
		['no service', { serviceId: NONE }, {}, /Service is empty/],
		['a position that has no value before it', {}, { codePosition: 2 }, /Code Position is 2/],
		['a code of three digits', {}, { codeLength: 3 }, /Code Length must be a whole number from 4 to 10/],
		['no time', {}, { validMinutes: 0 }, /Valid \(Minutes\) must be/],
		['eleven tries', {}, { maxAttempts: 11 }, /Max Attempts must be/],
		['a purpose by an expression that gives nothing', {}, { purpose: NONE }, /Purpose has no value/],
		['a limit by an expression that gives nothing', {}, { maxCodesPerHour: NONE }, /Max Codes per Hour has no value/],
		['an empty value', {}, { replacements: '[""]' }, /replacement 2" is empty/],
		['values by name without a text', { placeholders: BY_NAME }, {}, /The text of the message is not known/],
		['the other address of the trigger', {}, { dlrUrl: 'https://n8n.example.gr/abc/forward' }, /ends in \/forward/],
	])('%s: nothing is sent, and nothing counts', async (_, parameters, options, words) => {
		const calls = processed.calls;
		expect(await failing(parameters, options)).toMatch(words);
		expect(processed.calls).toBe(calls);
	});

	it('an operation that is none is an error of every row, which is never verified', async () => {
		const spec = send({}, { onError: 'continueRegularOutput' });
		const run = await runNode({ ...spec, parameters: { ...spec.parameters, operation: 'verify' } }, [row, row]);
		expect(run.json[0]).toMatchObject(
			[1, 2].map(() => ({ error: expect.stringMatching(/^Operation has an unknown value/) as unknown })),
		);
		expect(sent).toEqual([]);
	});

	it('a position that the message does not have', async () => {
		expect(
			await failing(
				{ placeholders: { mappingMode: 'defineBelow', value: null } },
				{ codePosition: 2 },
				credentials({ messages: 'verify/OTP_SEND: {Κωδικός,1}' }),
			),
		).toMatch(/Code Position is 2, and the message has 1/);
	});

	const inBase64 = (sent: Sent) => Buffer.from(`["${codes([sent])[0]!}"]`).toString('base64');
	const inHex = (sent: Sent) => Buffer.from(`["${codes([sent])[0]!}"]`).toString('hex');
	const refusing = (error: string, errorCode = 'E-9'): Reply => ({ body: { serviceId: 'verify', errorCode, error } });
	it.each<[string, (sent: Sent) => Reply]>([
		['repeats the request', ({ body }) => refusing(body)],
		['repeats it in base64', ({ body }) => refusing(Buffer.from(body).toString('base64'))],
		['repeats the code in its error code', (sent) => refusing('x', codes([sent])[0])],
		['repeats the code in base64 and hexadecimal', (sent) => refusing(`${inBase64(sent)} ${inHex(sent)}`)],
		['repeats the request with HTTP 500', ({ body }) => ({ status: 500, body })],
		['repeats the request with HTTP 400', ({ body }) => ({ status: 400, body: JSON.parse(body) as object })],
		['breaks the connection', () => ({ cut: 'ECONNRESET' })],
		[
			'accepts it and repeats the code as the service',
			(sent) => ({ body: { serviceId: `otp: your code is ${codes([sent])[0]!}`, errorCode: '', error: '' } }),
		],
	])('where the platform %s, the code is nowhere', async (_, reply) => {
		answer = (each) => reply(each);
		for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const) {
			const run = await runNode(send({}, { onError }), [row]);
			const code = codes(sent)[0]!;
			expectNoCode(run, code);
			for (const spelt of [inHex(sent[0]!), inBase64(sent[0]!)]) expect(run.stored).not.toContain(spelt);
		}
	});

	it('with Retry On Fail nobody gets two messages, and the items are the ones that were made', async () => {
		answer = (_, index) => (index === 1 ? REFUSED : TAKEN);
		const people = [row, { mobile: '6900000001' }, { mobile: '6900000002' }];
		const run = await runNode(
			send({ concurrency: 1 }, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }),
			people,
		);
		expect(sent.map((each) => bodyOf(each).recipient)).toEqual([MOBILE, '6900000001', '6900000002', '6900000001']);
		expect(run.json[0]!.map(({ recipient }) => recipient)).toEqual([MOBILE, '6900000001', '6900000002']);
		expect(run.origins).toEqual([people]);
		expect((await type(run.json[0]![0]!.verificationId, codes(sent)[0]))[0]).toHaveLength(1);
		expect((await type(run.json[0]![1]!.verificationId, codes(sent)[3]))[0]).toHaveLength(1);
	});

	it('with Retry On Fail, of two equal rows the one that was refused is tried again', async () => {
		answer = (_, index) => (index === 1 ? REFUSED : TAKEN);
		const run = await runNode(
			send({ concurrency: 1 }, { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }),
			rows(2),
		);
		expect(sent).toHaveLength(3);
		expect(run.json[0]).toMatchObject([{ accepted: true }, { accepted: true }]);
		expect(new Set(run.json[0]!.map(({ verificationId }) => verificationId)).size).toBe(2);
	});

	it('that would be sent again when half of its time is over is refused, and does not count', async () => {
		answer = (_, index) => (index === 0 ? { status: 503, headers: { 'retry-after': '40' } } : TAKEN);
		const run = await runNode(send({ validMinutes: 1 }, { onError: 'continueRegularOutput' }), [row]);
		expect(sent).toHaveLength(1);
		expect(run.json[0]).toMatchObject([{ details: { outcome: 'rejected' } }]);
		expect(await ask({ validMinutes: 1 })).toMatchObject([{ accepted: true }]);
	});

	it('of unknown fate is not sent again by Retry On Fail', async () => {
		answer = () => ({ cut: 'ECONNRESET' });
		const run = await runNode(send({}, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }), [row]);
		expect(sent).toHaveLength(1);
		expect(run.error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
	});
});

it('the node has one output for Send Code and two with names for Check Code', async () => {
	const outputsOf = async (spec: NodeUnderTest) =>
		(await new TestWorkflow(spec).run([{ mobile: MOBILE, id: '', typed: '' }])).outputs.length;
	expect(await outputsOf(send())).toBe(1);
	expect(await outputsOf(check())).toBe(2);
});

it('as a tool both leave on the one output that the model sees, and the code does not', async () => {
	const tool = await runNode(send({}, { asTool: true }), [row]);
	expect(tool.json[0]).toMatchObject([{ accepted: true, recipient: MOBILE }]);
	expectNoCode(tool, codes(sent)[0]!);
	const id = idOf(tool.json[0]!);
	const wrong = await runNode({ ...check(), asTool: true }, [{ id, typed: '000000' }]);
	expect(wrong.json[0]).toMatchObject([{ verified: false, reason: 'wrong' }]);
	const right = await runNode({ ...check(), asTool: true }, [{ id, typed: codes(sent)[0]! }]);
	expect(right.json[0]).toMatchObject([{ verified: true }]);
});

it('an agent that asks for two numbers in one execution gets a code for each, and for the same one again what it got', async () => {
	const people = [MOBILE, '6900000001', MOBILE].map((mobile) => ({ mobile }));
	const tool = await runNode(send({}, { asTool: true }), people);
	expect(sent.map((each) => bodyOf(each).recipient)).toEqual([MOBILE, '6900000001']);
	const [one, other, again] = tool.json[0] as [IDataObject, IDataObject, IDataObject];
	expect([one.recipient, other.recipient, again]).toEqual([MOBILE, '6900000001', one]);
	expect((await type(other.verificationId, codes(sent)[1]))[0]).toEqual([{ verified: true, recipient: '6900000001' }]);
});

it("n8n's list is not rewritten for a code that is sent, once for a right one, and not for a wrong one", async () => {
	const writes = async (work: () => Promise<unknown>) => {
		const [calls, entries] = [processed.calls, processed.entries];
		await work();
		return [processed.calls - calls, processed.entries - entries];
	};
	let id: unknown;
	expect(await writes(async () => (id = idOf(await ask())))).toEqual([0, 0]);
	expect(await writes(async () => await type(id, '000000'))).toEqual([0, 0]);
	expect(await writes(async () => await type(id, codes(sent)[0]))).toEqual([1, 1]);
	expect(await writes(async () => await type(id, codes(sent)[0]))).toEqual([0, 0]);
});

it('a recipient is never taken from a column by its name', async () => {
	const spec = send({}, { onError: 'continueRegularOutput' }, { recipient: '={{ $json.none }}' });
	const run = await runNode(spec, [{ Κινητό: '6912345678' }]);
	expect(run.json[0]).toMatchObject([{ details: { reason: 'missingColumn' } }]);
	await expect(runNode(send({}, {}, { recipient: '' }), [{ Κινητό: '6912345678' }])).rejects.toThrow(/has issues/);
	expect(sent).toEqual([]);
});

describe('the form', () => {
	const messages = [
		'verify/OTP_SEND: Ο κωδικός σας είναι {Κωδικός,1}',
		'verify/TWO: Γεια {Όνομα,1}: {Κωδικός,2}',
		'verify/COMMAS: {Κωδικός, όχι {,1}, {Κωδικός,1}',
		`verify/LONG: {Κωδικός,1} ${'α'.repeat(120)} {Όνομα,2}`,
	].join('\n');
	const withMessages = credentials({ messages });

	it('has fields for the other placeholders, and says so where there is none', async () => {
		const fieldsOf = async (messageId: string, options: INodeParameters = {}) => {
			const parameters = { serviceId: 'verify', messageId, options };
			return await resourceMappingOf('smsCode', 'mapPlaceholders', withMessages, parameters);
		};
		expect((await fieldsOf('TWO', { codePosition: 2 })).fields.map(({ id }) => id)).toEqual(['Όνομα']);
		expect((await fieldsOf('TWO')).fields.map(({ id }) => id)).toEqual(['Κωδικός']);
		expect(await fieldsOf('OTP_SEND')).toEqual({
			fields: [],
			emptyFieldsNotice: expect.stringContaining('no column') as unknown,
		});
	});

	it('hides them where the message that was chosen from the list takes the code alone', async () => {
		const { results } = await listSearchOf('smsCode', 'searchMessages', undefined, withMessages, {
			serviceId: 'verify',
		});
		const { description } = new TestWorkflow(send()).nodeType;
		const shown = (messageId: INodeParameters[string]) => {
			const values = { operation: 'sendCode', serviceId: 'verify', messageId } as INodeParameters;
			return description.properties
				.filter((property) => NodeHelpers.displayParameter(values, property, null, description))
				.map(({ name }) => name);
		};
		const alone = ['operation', 'serviceId', 'messageId', 'recipient', 'options'];
		const all = ['operation', 'serviceId', 'messageId', 'recipient', 'placeholders', 'options'];
		const chosen = results.map(({ name, value }) =>
			shown({ __rl: true, mode: 'list', value, cachedResultName: name } as never),
		);
		expect(chosen).toEqual([alone, all, all, all]);
		expect([shown('OTP_SEND'), shown({ __rl: true, mode: 'id', value: 'OTP_SEND' } as never)]).toEqual([all, all]);
	});

	it('runs with the placeholders hidden', async () => {
		const messageId = {
			__rl: true,
			mode: 'list',
			value: 'OTP_SEND',
			cachedResultName: 'Ο κωδικός σας είναι {Κωδικός,1}',
		};
		const run = await runNode(send({}, { credentials: withMessages }, { messageId } as never), [row]);
		expect(run.json[0]).toMatchObject([{ accepted: true }]);
		expect(bodyOf(sent[0]).replacements).toEqual([expect.stringMatching(/^\d{6}$/)]);
	});
});
