import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { deriveKeys, type DerivedKeys } from '../../nodes/Sms/keys';
import { codeOf } from '../../nodes/Sms/code/oneTimeCode';
import { sealVerification, type Verification } from '../../nodes/Sms/code/verificationId';
import { logLines, processed, runNode, TestWorkflow, type NodeUnderTest, type Result } from './harness/engine';

/*
 * Check Code by itself: ids that were sealed here, and codes that were computed outside this package (Python's
 * scrypt and hmac).
 */
// Each run writes to n8n's store ten times and more.
jest.setTimeout(30_000);

const KEY = 'psk"7&Ω-91';
const BASE = 'https://sms.example.gr:9999';
const PERIOD = 2992013;
const RIGHT = '611791';
const SECOND = '009389';
const NEXT_PERIOD = '351711';

const verification = (changes: Partial<Verification> = {}): Verification => ({
	mobile: '6912345678',
	purpose: '',
	validMinutes: 10,
	index: PERIOD,
	codeLength: 6,
	maxAttempts: 5,
	issue: 0,
	earlierIssue: undefined,
	list: 0,
	...changes,
});
const keys = new Map<string, DerivedKeys>();
const idOf = (changes: Partial<Verification> = {}, key = KEY) =>
	sealVerification(verification(changes), keys.get(key)!);

const check = (
	options: INodeParameters = {},
	more: Partial<NodeUnderTest> = {},
	credential: IDataObject = {},
): NodeUnderTest => ({
	node: 'smsCode',
	parameters: { operation: 'checkCode', verificationId: '={{ $json.id }}', code: '={{ $json.typed }}', options },
	credentials: {
		smsPlatformApi: { baseUrl: BASE, institution: 'example-university', preSharedKey: KEY, ...credential } as never,
	},
	...more,
});

/** One workflow, in which codes are checked one after the other: each call is a run. */
function open(options: INodeParameters = {}, more: Partial<NodeUnderTest> = {}) {
	const workflow = new TestWorkflow(check(options, more));
	return async (id: unknown, typed: unknown) => (await workflow.run([{ id, typed } as IDataObject])).json;
}

/** The same in one run: so many rows with the same code. */
async function several(count: number, id: unknown, typed: unknown, workflow = new TestWorkflow(check())) {
	return (
		await workflow.run(
			Array.from({ length: count }, () => ({ id: typeof id === 'function' ? id() : id, typed }) as IDataObject),
		)
	).json;
}
const notice = expect.stringMatching(/^[^\d]*\p{Script=Greek}.* \/ [A-Z][^]*\.$/u) as unknown as string;
const not = (json: IDataObject) => [[], [{ verified: false, ...json, notice }]];
const recipient = '6912345678';
const verified = [[{ verified: true, recipient }], []];

beforeAll(async () => {
	for (const key of [KEY, 'another key', 'the new one']) keys.set(key, await deriveKeys(key));
});

let now: number;
beforeEach(() => {
	now = PERIOD * 600 + 30;
	jest.spyOn(Date, 'now').mockImplementation(() => now * 1000);
});
afterEach(() => jest.restoreAllMocks());

describe('the right code', () => {
	it.each<[unknown, Partial<Verification>]>([
		['611791', {}],
		[' 611-791 ', {}],
		[9389, { issue: 1 }],
	])('%j is verified, once', async (typed, changes) => {
		const type = open();
		expect(await type(idOf(changes), typed)).toEqual(verified);
		expect(await type(idOf(changes), typed)).toEqual(not({ recipient, reason: 'used' }));
	});

	it('is verified once, also where two ask at the same time', async () => {
		const workflow = new TestWorkflow(check());
		const runs = await Promise.all([1, 2, 3].map(async () => await workflow.run([{ id: idOf(), typed: RIGHT }])));
		expect(runs.map(({ json }) => json[0]!.length).sort()).toEqual([0, 0, 1]);
	});

	it('leaves nothing of number, code or key in what n8n stores of them', async () => {
		const recorded: string[] = [];
		const record = processed.checkProcessedAndRecord.bind(processed);
		jest.spyOn(processed, 'checkProcessedAndRecord').mockImplementation(async (...args) => {
			recorded.push(...args[0].map(String));
			return await record(...args);
		});
		const type = open();
		await type(idOf(), '000000');
		await type(idOf(), RIGHT);
		expect(recorded.length).toBeGreaterThan(2);
		expect(new Set(recorded.map((entry) => entry.replace(/^smsCode [\w-]{43}(?: 2)?$/, 'hashed')))).toEqual(
			new Set(['hashed']),
		);
		expect(logLines.join('\n')).not.toContain(RIGHT);
	});
});

describe('a wrong code', () => {
	it('costs a try each, and the sixth is one too many, also the right one then', async () => {
		const type = open();
		const words = [
			/μένουν 4 π.*4 attempts left/,
			/3 π/,
			/2 π/,
			/μένει μία π.*one attempt left/,
			/^(?!.* left).*Too many/,
		];
		for (const [before, attemptsLeft] of [4, 3, 2, 1, 0].entries()) {
			// A new id each time: tries are not counted by its text.
			const said = expect.stringMatching(words[before]!) as unknown;
			const json = { verified: false, recipient, reason: 'wrong', attemptsLeft, notice: said };
			expect(await type(idOf(), '111111')).toEqual([[], [json]]);
		}
		const tooMany = not({ recipient, reason: 'tooManyAttempts', attemptsLeft: 0 });
		expect(await type(idOf(), '111111')).toEqual(tooMany);
		expect(await type(idOf(), RIGHT)).toEqual(tooMany);
		expect(await type(idOf(), '')).toEqual(tooMany);
	});

	it.each<[unknown, string]>([
		['', 'nothing'],
		['1234567', 'a digit more'],
		[{ a: 1 }, 'an object'],
	])('%j (%s) can not be a code and costs none', async (typed, _) => {
		const workflow = new TestWorkflow(check());
		const wrong = (attemptsLeft: number) => ({ verified: false, recipient, reason: 'wrong', attemptsLeft, notice });
		expect(await several(7, idOf(), typed, workflow)).toEqual([[], Array.from({ length: 7 }, () => wrong(5))]);
		expect(await several(1, idOf(), '111111', workflow)).toEqual([[], [wrong(4)]]);
	});

	it('twenty in four runs at once cost five tries, and no more are compared', async () => {
		const workflow = new TestWorkflow(check());
		const runs = await Promise.all([1, 2, 3, 4].map(async () => await several(5, idOf, '111111', workflow)));
		const reasons = runs.flatMap((json) => json[1]!.map(({ reason }) => reason));
		expect(reasons.filter((reason) => reason === 'wrong')).toHaveLength(5);
		expect(reasons.filter((reason) => reason === 'tooManyAttempts')).toHaveLength(15);
	});

	it.each<[string, Partial<Verification>]>([
		['another number', { mobile: '6912345679' }],
		['another purpose', { purpose: 'other' }],
		['the next period', { index: PERIOD + 1 }],
	])('costs no try of %s', async (_, changes) => {
		const workflow = new TestWorkflow(check({ purpose: '={{ $json.purpose ?? "" }}' }));
		const [, first] = await several(6, idOf(), '111111', workflow);
		expect(first!.at(-1)).toMatchObject({ reason: 'tooManyAttempts' });
		const { json } = await workflow.run([{ id: idOf(changes), typed: '111111', purpose: changes.purpose }]);
		expect(json[1]).toMatchObject([{ reason: 'wrong', attemptsLeft: 4 }]);
	});

	it.each([1, 10])('as many as the id allows: %i', async (maxAttempts) => {
		const [, wrong] = await several(maxAttempts + 1, idOf({ maxAttempts }), '111111');
		expect(wrong!.map(({ attemptsLeft }) => attemptsLeft)).toEqual([...Array(maxAttempts).keys()].reverse().concat(0));
		expect(wrong!.map(({ reason }) => reason)).toEqual([
			...Array<string>(maxAttempts).fill('wrong'),
			'tooManyAttempts',
		]);
	});
});

describe('time', () => {
	it('a code is valid to the end of the period after its own, and no longer', async () => {
		const type = open();
		now = (PERIOD + 2) * 600 - 1;
		expect(await type(idOf({ issue: 1 }), SECOND)).toEqual(verified);
		now += 1;
		expect(await type(idOf(), RIGHT)).toEqual(not({ recipient, reason: 'expired' }));
		expect(await type(idOf(), '111111')).toEqual(not({ recipient, reason: 'expired' }));
	});

	it('the code of the period before is accepted with the newer id, until its own end', async () => {
		const newer = { index: PERIOD + 1, earlierIssue: 0 };
		const type = open();
		now = (PERIOD + 2) * 600 - 1;
		expect(await type(idOf(newer), RIGHT)).toEqual(verified);
		expect(await type(idOf(newer), RIGHT)).toEqual(not({ recipient, reason: 'used' }));
		expect(await type(idOf(newer), NEXT_PERIOD)).toEqual(verified);
		processed.clear();
		now += 1;
		expect(await type(idOf(newer), RIGHT)).toEqual(not({ recipient, reason: 'wrong', attemptsLeft: 4 }));
	});

	it('the code of the period before is nothing where none was sent', async () => {
		expect(await open()(idOf({ index: PERIOD + 1 }), RIGHT)).toEqual(
			not({ recipient, reason: 'wrong', attemptsLeft: 4 }),
		);
	});

	it('the code that was sent last is right, although one that was used before it had the same digits', async () => {
		const same = (mobile: string) =>
			codeOf({ ...verification(), mobile }, 0, 4, keys.get(KEY)!) ===
			codeOf({ ...verification(), mobile }, 1, 4, keys.get(KEY)!);
		let mobile = 6900000000;
		while (!same(String(mobile))) mobile++;
		const id = idOf({ mobile: String(mobile), issue: 1, codeLength: 4 });
		const code = codeOf({ ...verification(), mobile: String(mobile) }, 1, 4, keys.get(KEY)!);
		expect(await open()(id, code)).toEqual([[{ verified: true, recipient: String(mobile) }], []]);
	});

	it('a code that was used before the one that was sent last is used', async () => {
		expect(await open()(idOf({ issue: 1 }), RIGHT)).toEqual(not({ recipient, reason: 'used' }));
	});
});

describe('an id that is none', () => {
	it.each<[string, unknown]>([
		['nothing', undefined],
		['a list', ['a']],
		['another text', 'abc'],
		['another purpose', () => idOf({ purpose: 'other' })],
		['another key', () => idOf({}, 'another key')],
		['changed', () => idOf().replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))],
	])('%s is invalid: an item, and no try', async (_, id) => {
		const workflow = new TestWorkflow(check());
		expect(await several(6, id, RIGHT, workflow)).toEqual([
			[],
			Array.from({ length: 6 }, () => ({ verified: false, reason: 'invalid', notice })),
		]);
		expect(await several(1, idOf(), RIGHT, workflow)).toEqual(verified);
	});

	it('opens for its purpose', async () => {
		expect(await open({ purpose: 'εγγραφή' })(idOf({ purpose: 'εγγραφή' }), '089626')).toEqual(verified);
	});
});

describe('a change of key', () => {
	const changed = (keyChangedOn: string) =>
		check({}, {}, { preSharedKey: 'the new one', previousPreSharedKey: KEY, keyChangedOn });

	it('both keys open ids, until eight days after the change', async () => {
		const run = async (spec: NodeUnderTest) => (await runNode(spec, [{ id: idOf(), typed: RIGHT }])).json;
		const day = (days: number) => new Date((now - days * 86_400) * 1000).toISOString();
		expect(await run(changed(day(7.9)))).toEqual(verified);
		processed.clear();
		expect(await run(changed(day(8.1)))).toEqual(not({ reason: 'invalid' }));
	});
});

describe('errors', () => {
	const continuing = { onError: 'continueRegularOutput' } as const;
	const error = (of: Result) => [of.json[0], of.json[1]?.map((item) => Object.keys(item).sort())];

	it.each<[string, Partial<NodeUnderTest>]>([
		['the credential can not be read', { credentials: { smsPlatformApi: new Error('gone') } }],
		['the purpose has no value', { parameters: { ...check().parameters, options: { purpose: '={{ $json.none }}' } } }],
		[
			'the expression of the code fails',
			{ parameters: { ...check().parameters, code: '={{ $("Nowhere").item.json.code }}' } },
		],
		['Always Output Data is on', { alwaysOutputData: true }],
	])('where %s, nobody leaves as verified', async (_, more) => {
		const row = { id: idOf(), typed: RIGHT };
		expect((await runNode({ ...check(), ...more }, [row])).status).toBe('error');
		if ('alwaysOutputData' in more) return;
		expect(error(await runNode({ ...check(), ...more, ...continuing }, [row]))).toEqual([
			[],
			[['details', 'error', 'message']],
		]);
		const split = await runNode({ ...check(), ...more, onError: 'continueErrorOutput' }, [row]);
		expect(split.json.map((items) => items.length)).toEqual([0, 0, 1]);
	});

	it("where n8n's store remembers something else for the workflow, nobody is verified", async () => {
		jest
			.spyOn(processed, 'checkProcessedAndRecord')
			.mockRejectedValue(new Error('Deduplication data was originally saved with an incompatible setting'));
		const run = await runNode(check({}, continuing), [{ id: idOf(), typed: RIGHT }]);
		expect(run.json[0]).toEqual([]);
		expect(run.json[1]).toMatchObject([
			{
				error: expect.stringContaining('A Remove Duplicates node') as unknown,
				message: expect.stringContaining('Set the scope of that node to Node') as unknown,
			},
		]);
	});

	it('with Retry On Fail a row that was checked keeps what came of it', async () => {
		const record = processed.checkProcessedAndRecord.bind(processed);
		let calls = 0;
		// The third row fails at the node's first try.
		jest.spyOn(processed, 'checkProcessedAndRecord').mockImplementation(async (...args) => {
			calls++;
			if (calls === 4) throw new Error('the database is locked');
			return await record(...args);
		});
		const rows = [
			{ id: idOf(), typed: RIGHT },
			{ id: idOf(), typed: '111111' },
			{ id: idOf(), typed: '222222' },
		];
		const run = await runNode(check({}, { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }), rows);
		expect(run.json).toEqual([
			[{ verified: true, recipient }],
			[
				{ verified: false, recipient, reason: 'wrong', attemptsLeft: 4, notice },
				{ verified: false, recipient, reason: 'wrong', attemptsLeft: 3, notice },
			],
		]);
		expect(run.origins).toEqual([[rows[0]], [rows[1], rows[2]]]);
	});
});

it('numbers come out as messages to them go out', async () => {
	const run = await runNode(check({}, {}, { mobileFormat: 'international' }), [{ id: idOf(), typed: RIGHT }]);
	expect(run.json).toEqual([[{ verified: true, recipient: '306912345678' }], []]);
});
