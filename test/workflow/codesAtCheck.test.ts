import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sealVerification, type Verification } from '../../nodes/SmsCode/verificationId';
import { deriveKeys, type DerivedKeys } from '../../lib/smsPlatform/derivedKeys';
import { checkCode as check, clock, MOBILE, withClock } from './harness/codes';
import { logLines, processed, runNode, TestWorkflow, type NodeUnderTest } from './harness/engine';
import { continuing, hintsOf, KEY, OPERATION, retrying, splitting, withCredential } from './harness/send';

/* Tests only Check Code, with IDs that this test seals, because any process with the key can check any ID. */
const RIGHT = '011791';

withClock();

const keys = new Map<string, DerivedKeys>();
beforeAll(async () => {
	for (const key of [KEY, 'another key', 'the new one']) keys.set(key, await deriveKeys(key));
});
interface Changes extends Partial<Verification> {
	purpose?: string;
	key?: string;
	institution?: string;
}
/** Returns the verification ID of a code that was sent just now. */
function idOf({ purpose = '', key = KEY, institution = 'example-university', ...changes }: Changes = {}): string {
	const end = (clock.now + 600) * 1000;
	const verification = { mobile: MOBILE, code: RIGHT, serial: `serial ${clock.now}`, maxAttempts: 5, end, ...changes };
	const platform = { sendUrl: OPERATION, institution };
	return sealVerification(verification, { platform, purpose, keys: keys.get(key)! });
}

/** Returns a workflow with Check Code. Each call of `type` is a run with `rows` equal rows. */
function open(options: INodeParameters = {}, more: Partial<NodeUnderTest> = {}) {
	const workflow = new TestWorkflow(check(options, more));
	const type = async (id: unknown, typed: unknown, rows = 1) =>
		(await workflow.run(Array.from({ length: rows }, () => ({ id, typed }) as IDataObject))).json;
	return { workflow, type };
}
const notice = expect.stringMatching(/^[^a-z]*\p{Script=Greek}[^a-z]*\.$/u) as unknown as string;
const not = (json: IDataObject) => [[], [{ verified: false, ...json, notice }]];
const recipient = MOBILE;
const verified = [[{ verified: true, recipient }], []];

it.each<[INodeParameters, RegExp]>([
	[
		{ code: '={{ $json.code }}' },
		/^warning: The expression in Code returned no value\. Correct the expression\. The list has these columns: id, Κωδικός\.$/,
	],
	[
		{ code: '{{ $json.Κωδικός }}' },
		/^warning: "Code" has program code in place of a value: .* switch it to Expression/,
	],
	[{ verificationId: '={{ $json.nope }}' }, /^warning: The expression in Verification ID returned no value/],
	[{ code: '={{ $json.Κωδικός }}' }, /^$/],
])(
	'a hint above the output of Check Code names the field that makes verification impossible, and is missing if there is no such field: %j',
	async (wrong, hint) => {
		const node = check();
		Object.assign(node.parameters!, wrong);
		const run = await new TestWorkflow(node).run([{ id: idOf(), Κωδικός: '000000' }]);
		expect(run.json).toMatchObject([[], [{ verified: false }]]);
		expect(hintsOf(run).join('\n')).toMatch(hint);
	},
);

describe('a right code', () => {
	it.each(['011791', ' 011-791 ', 11791])(
		'such as %j is verified only once, even after a restart of n8n',
		async (typed) => {
			const { workflow, type } = open();
			const id = idOf();
			expect(await type(id, typed)).toEqual(verified);
			expect(await type(id, typed)).toEqual(not({ recipient, reason: 'used' }));
			workflow.restart();
			expect(await type(id, typed)).toEqual(not({ recipient, reason: 'used' }));
		},
	);

	it('is verified only once if three runs check it at the same time', async () => {
		const { type } = open();
		const runs = await Promise.all([1, 2, 3].map(async () => await type(idOf(), RIGHT)));
		expect(runs.map((json) => json[0]!.length).sort()).toEqual([0, 0, 1]);
	});

	it('counts as used in all workflows of the same process', async () => {
		expect(await open().type(idOf(), RIGHT)).toEqual(verified);
		processed.clear();
		expect(await open().type(idOf(), RIGHT)).toEqual(not({ recipient, reason: 'used' }));
	});

	it('is verified again by another workflow after a restart of n8n, as docs/sms-code.md states', async () => {
		const { workflow, type } = open();
		expect(await type(idOf(), RIGHT)).toEqual(verified);
		workflow.restart();
		// The list is cleared, because the other workflow has its own list of processed items.
		processed.clear();
		expect(await open().type(idOf(), RIGHT)).toEqual(verified);
	});

	it("leaves only its serial in n8n's list of processed items, and is not in the log", async () => {
		const record = jest.spyOn(processed, 'checkProcessedAndRecord');
		const { type } = open();
		const id = idOf({ serial: 'abcdefghijkl' });
		await type(id, '000000');
		await type(id, RIGHT);
		const entries = record.mock.calls.flatMap(([entries]) => entries);
		// The node writes the other entries only to count the entries of the list.
		expect(entries.filter((entry) => !/^(day|week) \d+ page \d+( opened)?$/.test(String(entry)))).toEqual([
			'smsCode abcdefghijkl',
		]);
		expect(logLines.join('\n')).not.toContain(RIGHT);
	});
});

describe('a wrong code', () => {
	it('uses up one of five attempts; after the last one even the right code is rejected', async () => {
		const { type } = open();
		const words = [
			/Έχετε ακόμη 4 π/,
			/ακόμη 3 π/,
			/ακόμη 2 π/,
			/ακόμη μία π/,
			/πολλές φορές.* Ζητήστε νέο κωδικό μετά από 10 λεπτά\./,
		];
		for (const [before, attemptsLeft] of [4, 3, 2, 1, 0].entries()) {
			// Each attempt has a new ID, because attempts are not counted by the text of the ID.
			const said = expect.stringMatching(words[before]!) as unknown;
			const json = { verified: false, recipient, reason: 'wrong', attemptsLeft, notice: said };
			expect(await type(idOf(), '111111')).toEqual([[], [json]]);
		}
		const tooMany = not({ recipient, reason: 'tooManyAttempts', attemptsLeft: 0 });
		for (const typed of ['111111', RIGHT, '']) expect(await type(idOf(), typed)).toEqual(tooMany);
		const other = '6912345679';
		const wrong = not({ recipient: other, reason: 'wrong', attemptsLeft: 4 });
		expect(await type(idOf({ mobile: other }), '111111')).toEqual(wrong);
	});

	it('is compared with the right code at most five times, even if twenty wrong codes arrive in four simultaneous runs', async () => {
		const { type } = open();
		const runs = await Promise.all([1, 2, 3, 4].map(async () => await type(idOf(), '111111', 5)));
		const reasons = runs.flatMap((json) => json[1]!.map(({ reason }) => reason));
		expect(reasons.filter((reason) => reason === 'wrong')).toHaveLength(5);
		expect(reasons.filter((reason) => reason === 'tooManyAttempts')).toHaveLength(15);
	});
});

it('a code is valid until its verification ID expires, and not longer', async () => {
	const { type } = open();
	const end = (clock.now + 600) * 1000;
	clock.now += 599;
	expect(await type(idOf({ end }), RIGHT)).toEqual(verified);
	clock.now += 1;
	for (const typed of [RIGHT, '111111'])
		expect(await type(idOf({ end }), typed)).toEqual(not({ recipient, reason: 'expired' }));
});

it.each<[string, unknown]>([
	['undefined', undefined],
	['another text', 'abc'],
	['an ID for another purpose', () => idOf({ purpose: 'other' })],
	['an ID sealed with another key', () => idOf({ key: 'another key' })],
])('%s is an invalid verification ID: Check Code returns an item, and uses up no attempt', async (_, id) => {
	const { type } = open();
	const invalid = not({ reason: 'invalid' })[1]![0]!;
	const given = typeof id === 'function' ? (id as () => string)() : id;
	expect(await type(given, RIGHT, 6)).toEqual([[], Array.from({ length: 6 }, () => invalid)]);
	expect(await type(idOf(), RIGHT)).toEqual(verified);
});

it('after a change of the key, IDs of the new key are accepted, and IDs of the previous key for eight days', async () => {
	const changed = (days: number) => {
		const keyChangedOn = new Date((clock.now - days * 86_400) * 1000).toISOString();
		return withCredential({ preSharedKey: 'the new one', previousPreSharedKey: KEY, keyChangedOn });
	};
	for (const key of [KEY, 'the new one']) {
		expect(await open({}, changed(7.9)).type(idOf({ key, serial: key }), RIGHT)).toEqual(verified);
		processed.clear();
	}
	expect(await open({}, changed(8.1)).type(idOf(), RIGHT)).toEqual(not({ reason: 'invalid' }));
});

it('the output of Check Code shows the number in the Mobile Format in the credential', async () => {
	const { type } = open({}, withCredential({ mobileFormat: 'international' }));
	expect(await type(idOf(), RIGHT)).toEqual([[{ verified: true, recipient: '306912345678' }], []]);
});

describe('an error of Check Code', () => {
	const reading = (parameters: INodeParameters) => ({ parameters: { ...check().parameters, ...parameters } });

	it.each<[string, Partial<NodeUnderTest>]>([
		['the credential cannot be read', { credentials: { smsPlatformApi: new Error('gone') } }],
		['the purpose has no value', reading({ options: { purpose: '={{ $json.none }}' } })],
		['the expression of the code fails', reading({ code: '={{ $("Nowhere").item.json.code }}' })],
		['Always Output Data is on', { alwaysOutputData: true }],
	])('because %s never leaves at the output Verified', async (_, more) => {
		const row = { id: idOf(), typed: RIGHT };
		expect((await runNode({ ...check(), ...more }, [row])).status).toBe('error');
		if ('alwaysOutputData' in more) return;
		const { json } = await runNode({ ...check(), ...more, ...continuing }, [row]);
		expect(json.map((items) => items.map((item) => Object.keys(item).sort()))).toEqual([
			[],
			[['details', 'error', 'message']],
		]);
		const split = await runNode({ ...check(), ...more, ...splitting }, [row]);
		expect(split.json.map((items) => items.length)).toEqual([0, 0, 1]);
	});

	it("states that a Remove Duplicates node made n8n's list unusable, and no item is verified", async () => {
		const incompatible = new Error('Deduplication data was originally saved with an incompatible setting');
		jest.spyOn(processed, 'checkProcessedAndRecord').mockRejectedValue(incompatible);
		const error = expect.stringContaining('A Remove Duplicates node') as unknown;
		const message = expect.stringContaining(
			'set that node back to its earlier operation, with the scope Node',
		) as unknown;
		expect(await open({}, continuing).type(idOf(), RIGHT)).toMatchObject([[], [{ error, message }]]);
	});

	it('does not lose results with Retry On Fail: a checked item keeps its result, and the failed item is verified', async () => {
		// In the node's first try, n8n cannot record the right code of the third row.
		jest
			.spyOn(processed, 'checkProcessedAndRecord')
			.mockImplementationOnce(processed.checkProcessedAndRecord.bind(processed))
			.mockRejectedValueOnce(new Error('the database is locked'));
		const rows = [
			{ id: idOf(), typed: RIGHT },
			{ id: idOf(), typed: '111111' },
			{ id: idOf({ mobile: '6900000001', serial: 'another' }), typed: RIGHT },
		];
		const run = await runNode(check({}, retrying), rows);
		const both = [recipient, '6900000001'].map((each) => ({ verified: true, recipient: each }));
		expect(run.json).toEqual([both, [{ verified: false, recipient, reason: 'wrong', attemptsLeft: 4, notice }]]);
		expect(run.origins).toEqual([[rows[0], rows[2]], [rows[1]]]);
	});
});
