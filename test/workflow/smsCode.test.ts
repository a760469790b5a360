import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sealVerification } from '../../nodes/Sms/code/verificationId';
import { deriveKeys } from '../../nodes/Sms/keys';
import { logLines, processed, runNode, TestWorkflow, type NodeUnderTest, type Result } from './harness/engine';
import { serve, type Reply, type Sent } from './harness/wire';

/* Send Code and Check Code in one workflow, against a platform that is played on the wire: the phone is its record. */

// Each run writes to n8n's store ten times and more.
jest.setTimeout(30_000);

const KEY = 'psk"7&Ω-91';
const BASE = 'https://sms.example.gr:9999';
const OPERATION = `${BASE}/sendSMS`;
const TAKEN: Reply = { body: { serviceId: 'verify', errorCode: '', error: '' } };
const REFUSED: Reply = { body: { serviceId: 'verify', errorCode: 'E-002', error: 'Unknown Service' } };
const MOBILE = '6912345678';

const credentials = (more: IDataObject = {}) =>
	({
		smsPlatformApi: { baseUrl: BASE, institution: 'example-university', preSharedKey: KEY, ...more },
	}) as NodeUnderTest['credentials'];

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
		...parameters,
		options: { retries: 0, ...options },
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
let now: number;
beforeEach(() => {
	now = 2_991_700 * 600 + 30;
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
					verificationId: expect.stringMatching(/^[\w-]{60}$/) as unknown,
					recipient: MOBILE,
					expiresAt: new Date((2_991_700 + 2) * 600_000).toISOString(),
					serviceId: 'verify',
					messageId: 'OTP_SEND',
				},
			],
		]);
		expectNoCode(run, codes(sent)[0]!);
	});

	const values = (...list: string[]) => ({ values: list.map((value) => ({ value })) });
	const MESSAGES = 'verify/OTP_SEND: Γεια {Όνομα,1}: {Κωδικός,2}\nverify/OF_COLUMNS: {mobile,1}: {Κωδικός,2}';
	const FIELDS = { specifyReplacements: 'fields', replacements: values('α', 'γ') };
	const JSON_LIST = { specifyReplacements: 'json', replacementsJson: '["α"]' };
	const BY_NAME = { placeholders: { mappingMode: 'defineBelow', value: { Όνομα: 'Ζωή' } } };
	const COLUMNS = { messageId: 'OF_COLUMNS', placeholders: { mappingMode: 'autoMapInputData', value: null } };
	it.each<[string, INodeParameters, string, string[]]>([
		['fields around it', { ...FIELDS, codePosition: 2 }, '', ['α', 'code', 'γ']],
		['JSON before it', { ...JSON_LIST, codePosition: 2 }, '', ['α', 'code']],
		['JSON after it', JSON_LIST, '', ['code', 'α']],
		['placeholders by name', { ...BY_NAME, codePosition: 2 }, MESSAGES, ['Ζωή', 'code']],
		['columns', { ...COLUMNS, codePosition: 2 }, MESSAGES, [MOBILE, 'code']],
		['a known text of one placeholder', {}, 'verify/OTP_SEND: {Κωδικός,1}', ['code']],
	])('stands at its position: %s', async (_, parameters, messages, expected) => {
		const run = await runNode(send({}, { credentials: credentials({ messages }) }, parameters), [row]);
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
	it('in the same period: the same code, another id, and the tries go on', async () => {
		const first = idOf(await ask());
		await type(first, 'wrong');
		await type(first, '000000');
		now = 2_991_701 * 600 - 1;
		const second = idOf(await ask());
		expect(second).not.toBe(first);
		expect(codes(sent)[0]).toBe(codes(sent)[1]);
		expect((await type(second, '000000'))[1]).toMatchObject([{ reason: 'wrong', attemptsLeft: 3 }]);
		expect((await type(first, codes(sent)[0]))[0]).toHaveLength(1);
	});

	it('in the next period: a new code, and the earlier one is good with the newer id too', async () => {
		await ask();
		now += 600;
		const id = idOf(await ask());
		const [earlier, later] = codes(sent);
		expect(earlier).not.toBe(later);
		expect((await type(id, earlier))[0]).toHaveLength(1);
		expect((await type(id, earlier))[1]).toMatchObject([{ reason: 'used' }]);
		expect((await type(id, later))[0]).toHaveLength(1);
	});

	it('after it was used: a new one', async () => {
		const id = idOf(await ask());
		await type(id, codes(sent)[0]);
		const next = idOf(await ask());
		expect(codes(sent)[1]).not.toBe(codes(sent)[0]);
		expect((await type(next, codes(sent)[0]))[1]).toMatchObject([{ reason: 'used' }]);
		expect((await type(next, codes(sent)[1]))[0]).toHaveLength(1);
		await ask();
		expect(new Set(codes(sent)).size).toBe(3);
		// And in the next period the last of them is the earlier one.
		now += 600;
		const later = idOf(await ask());
		expect((await type(later, codes(sent)[2]))[0]).toHaveLength(1);
	});

	it('once its tries are spent: nothing is sent until the period ends', async () => {
		const id = idOf(await ask({ maxAttempts: 2 }));
		await type(id, '000000');
		await type(id, '000000');
		const refused = await runNode(send({ maxAttempts: 2 }, { onError: 'continueRegularOutput' }), [row]);
		expect(refused.json[0]).toMatchObject([
			{
				error: 'Too many wrong codes were typed',
				message: expect.stringContaining('No code was sent') as unknown,
				details: { outcome: 'rejected', recipient: MOBILE, reason: 'tooManyAttempts' },
			},
		]);
		expect(sent).toHaveLength(1);
		now = 2_991_701 * 600;
		const next = idOf(await ask({ maxAttempts: 2 }));
		expect(sent).toHaveLength(2);
		expect((await type(next, codes(sent)[0]))[1]).toMatchObject([{ reason: 'wrong' }]);
		expect((await type(next, codes(sent)[1]))[0]).toHaveLength(1);
	});
});

describe('limits', () => {
	const five = async (options: INodeParameters = {}) =>
		(await runNode(send({ concurrency: 3, ...options }, { onError: 'continueRegularOutput' }), rows(6))).json[0]!;
	const taken = (items: IDataObject[]) => items.filter(({ accepted }) => accepted === true).length;

	it('five in ten minutes to a number, also at once; the next after ten to twenty', async () => {
		const items = await five();
		expect([taken(items), sent.length]).toEqual([5, 5]);
		expect(items.at(-1)).toMatchObject({
			message: expect.stringContaining('Five codes') as unknown,
			details: {
				...{ outcome: 'rejected', recipient: MOBILE, reason: 'tooManyCodes' },
				notice: expect.stringContaining('Δοκιμάστε ξανά σε δέκα ως είκοσι λεπτά.') as unknown,
			},
		});
		// Another number is not touched by it, another purpose is.
		expect(taken(await five({ purpose: 'other' }))).toBe(0);
		expect((await ask({}, '6912345679'))[0]).toMatchObject({ accepted: true });
		now = 2_991_702 * 600 - 1;
		expect(taken(await five())).toBe(0);
		now += 1;
		expect(taken(await five())).toBe(5);
	});

	it('so many in an hour for the workflow, whatever the numbers', async () => {
		const people = Array.from({ length: 9 }, (_, index) => ({ mobile: String(6_900_000_000 + index) }));
		const run = async (maxCodesPerHour: number) =>
			taken((await runNode(send({ maxCodesPerHour }, { onError: 'continueRegularOutput' }), people)).json[0]!);
		expect(await run(7)).toBe(7);
		now += 3599;
		expect(await run(7)).toBe(0);
		expect(await run(0)).toBe(9);
		now += 601;
		expect(await run(7)).toBe(7);
		expect(sent).toHaveLength(23);
	});

	it.each<[string, Reply, number]>([
		['certainly not taken does not count', REFUSED, 0],
		['of unknown fate counts', { cut: 'ECONNRESET' }, 5],
	])('a code that was %s', async (_, reply, counted) => {
		answer = () => reply;
		await five();
		answer = () => TAKEN;
		expect(taken(await five())).toBe(5 - counted);
	});

	it('what another process of n8n brings back of a look locks nobody out', async () => {
		// It has read the list before what was only looked for was taken out, and writes it back after.
		jest.spyOn(processed, 'removeProcessed').mockResolvedValueOnce(undefined);
		const id = idOf(await ask());
		expect(await ask()).toMatchObject([{ accepted: true }]);
		expect((await type(id, codes(sent)[0]))[0]).toMatchObject([{ verified: true }]);
	});

	it('a request that is refused takes nothing from another to the same number: its code is good later too', async () => {
		let came = 0;
		answer = () => (came++ === 0 ? REFUSED : TAKEN);
		const items = (await runNode(send({ concurrency: 2 }, { onError: 'continueRegularOutput' }), rows(2))).json[0]!;
		expect(items.filter(({ accepted }) => accepted)).toHaveLength(1);
		now += 600;
		const newer = idOf(await ask());
		expect((await type(newer, codes(sent)[0]))[0]).toMatchObject([{ verified: true }]);
	});

	it('a code is tried at most so often, whichever id is used', async () => {
		const own = idOf(await ask());
		const [code] = codes(sent);
		const wrong = code === '111111' ? '222222' : '111111';
		for (let times = 0; times < 4; times++) expect((await type(own, wrong))[1]).toMatchObject([{ reason: 'wrong' }]);
		now += 600;
		const newer = idOf(await ask());
		const newerWrong = codes(sent)[1] === wrong ? '333333' : wrong;
		expect((await type(newer, newerWrong))[1]).toMatchObject([{ reason: 'wrong', attemptsLeft: 4 }]);
		// That was the fifth for the earlier code, by way of the newer id.
		expect((await type(newer, code))[1]).toMatchObject([{ reason: 'tooManyAttempts' }]);
		expect((await type(own, code))[1]).toMatchObject([{ reason: 'tooManyAttempts' }]);
		expect((await type(newer, codes(sent)[1]))[0]).toMatchObject([{ verified: true }]);
	});

	it('the weak key of a credential is told over the output, because the editor shows no words of a passed test', async () => {
		expect((await runNode(send(), [row])).hints).toMatchObject([
			{ message: expect.stringMatching(/Pre-Shared Key is short/) as unknown, type: 'warning' },
		]);
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
	const EMPTY = { specifyReplacements: 'fields', replacements: { values: [{ value: '' }] } };
	const NONE = '={{ $json.none }}';
	it.each<[string, INodeParameters, INodeParameters, RegExp]>([
		['a user name', { recipient: 'student01' }, {}, /A code is sent to a Greek mobile number only/],
		['a number abroad', { recipient: '+44 7700 900123' }, {}, /A code is sent to a Greek mobile number only/],
		['a landline', { recipient: '2101234567' }, {}, /landline/],
		['nothing', { recipient: NONE }, {}, /mobile number is missing/],
		['no service', { serviceId: NONE }, {}, /Service is empty/],
		['a position that has no value before it', { codePosition: 2 }, {}, /Code Position is 2/],
		['a code of three digits', {}, { codeLength: 3 }, /Code Length must be a whole number from 4 to 10/],
		['no time', {}, { validMinutes: 0 }, /Valid \(Minutes\) must be/],
		['eleven tries', {}, { maxAttempts: 11 }, /Max Attempts must be/],
		['a purpose by an expression that gives nothing', {}, { purpose: NONE }, /Purpose has no value/],
		['a limit by an expression that gives nothing', {}, { maxCodesPerHour: NONE }, /Max Codes per Hour has no value/],
		['an empty value', EMPTY, {}, /replacement 2" is empty/],
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
				{ codePosition: 2, placeholders: { mappingMode: 'defineBelow', value: null } },
				{},
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
		expect(sent.map((each) => bodyOf(each).recipient)).toEqual([MOBILE, '6900000001', '6900000001', '6900000002']);
		expect(run.json[0]!.map(({ recipient }) => recipient)).toEqual([MOBILE, '6900000001', '6900000002']);
		expect(run.origins).toEqual([people]);
		expect((await type(run.json[0]![0]!.verificationId, codes(sent)[0]))[0]).toHaveLength(1);
		expect((await type(run.json[0]![1]!.verificationId, codes(sent)[2]))[0]).toHaveLength(1);
	});

	it('that would be sent again when half of its time is over is refused, and does not count', async () => {
		answer = (_, index) => (index === 0 ? { status: 503, headers: { 'retry-after': '120' } } : TAKEN);
		const run = await runNode(send({ retries: 3, validMinutes: 1 }, { onError: 'continueRegularOutput' }), [row]);
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

describe("n8n's list", () => {
	/** With a key that no other test has, because a process keeps in mind what it found in a list. */
	const withKey = (preSharedKey: string) => ({ credentials: credentials({ preSharedKey }) });

	it('is rewritten at most five times for a code, and three for a check, with a handful of entries left', async () => {
		const own = withKey('a-key-of-its-own');
		const writes = async (work: () => Promise<unknown>) => {
			const [calls, entries] = [processed.calls, processed.entries];
			await work();
			return { calls: processed.calls - calls, entries: processed.entries - entries };
		};
		const askFor = async (mobile: string) => idOf((await runNode(send({}, own), [{ mobile }])).json[0]!);
		const typeIn = async (id: unknown, typed: unknown) =>
			await runNode({ ...check(), ...own }, [{ id, typed } as IDataObject]);
		const first = await writes(async () => await askFor('6900000001'));
		const again = await writes(async () => await askFor('6900000001'));
		let id: unknown;
		const other = await writes(async () => (id = await askFor('6900000002')));
		const wrong = await writes(async () => await typeIn(id, '000000'));
		const right = await writes(async () => await typeIn(id, codes(sent).at(-1)));

		for (const { calls } of [first, again, other]) expect(calls).toBeLessThanOrEqual(5);
		for (const { calls } of [wrong, right]) expect(calls).toBeLessThanOrEqual(3);
		expect(other.entries + right.entries).toBeLessThanOrEqual(8);
		expect(wrong.entries).toBe(1);
	});

	it('takes twenty codes at once in a few writes, and none of them is over a limit', async () => {
		const people = Array.from({ length: 20 }, (_, index) => ({ mobile: String(6_900_000_000 + index) }));
		const more = { ...withKey('another-key-of-its-own'), onError: 'continueRegularOutput' } as const;
		await runNode(send({ maxCodesPerHour: 15 }, more), [row]);
		const { calls } = processed;
		const run = await runNode(send({ concurrency: 20, maxCodesPerHour: 15 }, more), people);
		expect(run.json[0]!.filter(({ accepted }) => accepted === true)).toHaveLength(14);
		expect(sent).toHaveLength(15);
		expect(processed.calls - calls).toBeLessThanOrEqual(12);
	});

	describe('filled by a list that was sent in the same workflow', () => {
		const more = { ...withKey('a-key-for-full-lists'), onError: 'continueRegularOutput' } as const;
		const askTimes = async (count: number, mobile = MOBILE) =>
			(await runNode(send({ concurrency: 1 }, more), rows(count, mobile))).json[0]!;
		const typeIn = async (id: unknown, typed: unknown) => {
			const json = (await runNode({ ...check(), ...more }, [{ id, typed } as IDataObject])).json.flat()[0]!;
			return json.error ?? json.reason ?? json.verified;
		};
		const refused = {
			message: expect.stringContaining('than n8n can remember') as unknown,
			details: { outcome: 'rejected', reason: 'setting' },
		};
		const FORGOTTEN = expect.stringMatching(/^What the limits of codes need is forgotten/) as unknown;

		it('no code goes out to who got one, and in the next ten minutes to nobody, until what counts is remembered', async () => {
			await askTimes(6);
			processed.fill();
			expect(await askTimes(2)).toMatchObject([refused, refused]);
			now += 600;
			expect(await askTimes(2, '6900000001')).toMatchObject([refused, refused]);
			expect(sent).toHaveLength(5);
			now += 36 * 3600;
			expect(await askTimes(1)).toMatchObject([{ accepted: true }]);
		});

		it('where another process overwrote the note of a code, it is as if it had not been there', async () => {
			now += 10 * 12 * 3600;
			processed.fill();
			await askTimes(1, '6900000002');
			const lists = processed.copy();
			const [{ verificationId }] = (await askTimes(1)) as [IDataObject];
			processed.restore(lists);
			expect(await typeIn(verificationId, '000000')).toBe('wrong');
			expect(await askTimes(1)).toMatchObject([{ accepted: true }]);
		});

		it('no code is checked whose tries are forgotten, also by a process that knows nothing of it', async () => {
			now += 20 * 12 * 3600;
			const [spent, used, other] = [
				await askTimes(1),
				await askTimes(1, '6900000001'),
				await askTimes(1, '6900000002'),
			];
			for (let times = 0; times < 6; times++) await typeIn(idOf(spent), '000000');
			expect(await typeIn(idOf(used), codes(sent)[1])).toBe(true);
			processed.fill();
			for (const id of [spent, used, other].map(idOf)) {
				for (const typed of ['000000', ...codes(sent)]) expect(await typeIn(id, typed)).toEqual(FORGOTTEN);
			}
		});

		it('a code of another workflow is checked, as far as this process knows', async () => {
			const id = sealVerification(
				{
					...{ mobile: MOBILE, purpose: '', validMinutes: 10, index: 2_991_700, codeLength: 6, maxAttempts: 5 },
					...{ issue: 0, earlierIssue: undefined, list: 0 },
				},
				await deriveKeys('a-key-for-full-lists'),
			);
			processed.fill();
			expect(await typeIn(id, '000000')).toBe('wrong');
			processed.fill();
			expect(await typeIn(id, '000000')).toEqual(FORGOTTEN);
		});
	});

	it('a recipient is never taken from a column by its name', async () => {
		const spec = send({}, { onError: 'continueRegularOutput' }, { recipient: '={{ $json.none }}' });
		const run = await runNode(spec, [{ Κινητό: '6912345678' }]);
		expect(run.json[0]).toMatchObject([{ details: { reason: 'emptyRecipient' } }]);
		await expect(runNode(send({}, {}, { recipient: '' }), [{ Κινητό: '6912345678' }])).rejects.toThrow(/has issues/);
		expect(sent).toEqual([]);
	});
});
