import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sealVerification, type Verification } from '../../nodes/Sms/code/verificationId';
import { deriveKeys, type DerivedKeys } from '../../nodes/Sms/derivedKeys';
import { logLines, processed, runNode, TestWorkflow, type NodeUnderTest, type Result } from './harness/engine';
import { continuing, KEY, OPERATION, withCredential } from './harness/send';

/* Check Code by itself, with ids that were sealed here: any process that has the key checks any id. */
const RIGHT = '011791';

/** In seconds. Each test is an hour after the one before, so that nothing is counted any more. */
let now = 1_795_000_000;
beforeEach(() => {
	now += 3600;
	jest.spyOn(Date, 'now').mockImplementation(() => now * 1000);
});
afterEach(() => jest.restoreAllMocks());

const keys = new Map<string, DerivedKeys>();
beforeAll(async () => {
	for (const key of [KEY, 'another key', 'the new one']) keys.set(key, await deriveKeys(key));
});
interface Changes extends Partial<Verification> {
	purpose?: string;
	key?: string;
	institution?: string;
}
/** The id of a code that was sent just now. */
function idOf({ purpose = '', key = KEY, institution = 'example-university', ...changes }: Changes = {}): string {
	const verification: Verification = {
		...{ mobile: '6912345678', code: RIGHT, serial: `serial ${now}`, maxAttempts: 5, end: (now + 600) * 1000 },
		...changes,
	};
	const platform = { sendUrl: OPERATION, institution };
	return sealVerification(verification, { platform, purpose, keys: keys.get(key)! });
}

const check = (
	options: INodeParameters = {},
	more: Partial<NodeUnderTest> = {},
	credential: IDataObject = {},
): NodeUnderTest => ({
	node: 'smsCode',
	parameters: { operation: 'checkCode', verificationId: '={{ $json.id }}', code: '={{ $json.typed }}', options },
	...withCredential(credential),
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
const notice = expect.stringMatching(/^[^a-z]*\p{Script=Greek}[^a-z]*\.$/u) as unknown as string;
const not = (json: IDataObject) => [[], [{ verified: false, ...json, notice }]];
const recipient = '6912345678';
const verified = [[{ verified: true, recipient }], []];

describe('the right code', () => {
	it.each(['011791', ' 011-791 ', 11791])('%j is verified, once, also after a restart', async (typed) => {
		const workflow = new TestWorkflow(check());
		const id = idOf();
		const type = async () => (await workflow.run([{ id, typed }])).json;
		expect(await type()).toEqual(verified);
		expect(await type()).toEqual(not({ recipient, reason: 'used' }));
		workflow.restart();
		expect(await type()).toEqual(not({ recipient, reason: 'used' }));
	});

	it('is verified once, also where two ask at the same time', async () => {
		const workflow = new TestWorkflow(check());
		const id = idOf();
		const runs = await Promise.all([1, 2, 3].map(async () => await workflow.run([{ id, typed: RIGHT }])));
		expect(runs.map(({ json }) => json[0]!.length).sort()).toEqual([0, 0, 1]);
	});

	it('is used for all workflows of the process, although each has a list of its own', async () => {
		const id = idOf();
		expect(await open()(id, RIGHT)).toEqual(verified);
		processed.clear();
		expect(await open()(id, RIGHT)).toEqual(not({ recipient, reason: 'used' }));
	});

	it('leaves nothing of number, code or key in what n8n stores of it: its serial alone', async () => {
		const record = jest.spyOn(processed, 'checkProcessedAndRecord');
		const type = open();
		const id = idOf({ serial: 'abcdefghijkl' });
		await type(id, '000000');
		await type(id, RIGHT);
		expect(record.mock.calls.map(([entries]) => entries)).toEqual([['smsCode abcdefghijkl']]);
		expect(logLines.join('\n')).not.toContain(RIGHT);
	});
});

describe('a wrong code', () => {
	it('costs a try each, and the sixth is one too many, also the right one then', async () => {
		const type = open();
		const words = [
			/Σας μένουν 4 π/,
			/μένουν 3 π/,
			/μένουν 2 π/,
			/μένει μία π/,
			/πολλοί.* Ζητήστε νέο κωδικό σε 10 λεπτά\./,
		];
		for (const [before, attemptsLeft] of [4, 3, 2, 1, 0].entries()) {
			// A new id each time: tries are not counted by its text.
			const said = expect.stringMatching(words[before]!) as unknown;
			const json = { verified: false, recipient, reason: 'wrong', attemptsLeft, notice: said };
			expect(await type(idOf(), '111111')).toEqual([[], [json]]);
		}
		const tooMany = not({ recipient, reason: 'tooManyAttempts', attemptsLeft: 0 });
		for (const typed of ['111111', RIGHT, '']) expect(await type(idOf(), typed)).toEqual(tooMany);
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

	it.each<[string, Changes]>([
		['another number', { mobile: '6912345679' }],
		['another purpose', { purpose: 'other' }],
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
		expect(wrong!.at(-1)).toMatchObject({ reason: 'tooManyAttempts' });
	});
});

it('a code is valid to the end of its id, and no longer', async () => {
	const type = open();
	const end = (now + 600) * 1000;
	now += 599;
	expect(await type(idOf({ end }), RIGHT)).toEqual(verified);
	now += 1;
	for (const typed of [RIGHT, '111111'])
		expect(await type(idOf({ end }), typed)).toEqual(not({ recipient, reason: 'expired' }));
});

describe('an id that is none', () => {
	it.each<[string, unknown]>([
		['nothing', undefined],
		['a list', ['a']],
		['another text', 'abc'],
		['another purpose', () => idOf({ purpose: 'other' })],
		['another platform', () => idOf({ institution: 'another-university' })],
		['another key', () => idOf({ key: 'another key' })],
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
		expect(await open({ purpose: 'εγγραφή' })(idOf({ purpose: 'εγγραφή' }), RIGHT)).toEqual(verified);
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

	it('with Retry On Fail a row that was checked keeps what came of it, and one that was not used is verified', async () => {
		// The right code of the third row can't be recorded at the node's first try.
		jest
			.spyOn(processed, 'checkProcessedAndRecord')
			.mockImplementationOnce(processed.checkProcessedAndRecord.bind(processed))
			.mockRejectedValueOnce(new Error('the database is locked'));
		const rows = [
			{ id: idOf(), typed: RIGHT },
			{ id: idOf(), typed: '111111' },
			{ id: idOf({ mobile: '6900000001', serial: 'another' }), typed: RIGHT },
		];
		const run = await runNode(check({}, { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }), rows);
		expect(run.json).toEqual([
			[
				{ verified: true, recipient },
				{ verified: true, recipient: '6900000001' },
			],
			[{ verified: false, recipient, reason: 'wrong', attemptsLeft: 4, notice }],
		]);
		expect(run.origins).toEqual([[rows[0], rows[2]], [rows[1]]]);
	});
});

it('numbers come out as messages to them go out', async () => {
	const run = await runNode(check({}, {}, { mobileFormat: 'international' }), [{ id: idOf(), typed: RIGHT }]);
	expect(run.json).toEqual([[{ verified: true, recipient: '306912345678' }], []]);
});
