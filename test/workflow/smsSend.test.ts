import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createHmac, randomUUID } from 'node:crypto';

import { logLines, runNode, testCredential, TestWorkflow, type NodeUnderTest, type Result } from './engine';
import { encodings } from '../../sandbox/echo';
import { findSecrets } from '../spellings';
import { callResumeAddress } from './webhook';
import { serve, type Reply, type Sent } from './wire';

/** With characters that JSON and addresses write differently, so that an echo in any spelling is found. */
const KEY = 'psk"7&Ω-91';
const BASE = 'https://sms.example.gr:9999';
const OPERATION = `${BASE}/sendSMS`;
const DLR = 'https://n8n.example.gr/webhook/abc/dlr';
const TAKEN: Reply = { body: { serviceId: 'grades', errorCode: '', error: '' } };
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

type Row = IDataObject;
const ROW: Row = { mobile: '6912345678', course: 'Φυσική', grade: 8 };
const row = (last: number): Row => ({ ...ROW, mobile: `691234567${last}` });

/** A node that sends a grade to the row's mobile. Retries of its own are off unless a test is about them: they wait. */
const send = (
	parameters: INodeParameters = {},
	options: INodeParameters = {},
	more: Partial<NodeUnderTest> = {},
): NodeUnderTest => ({
	node: 'smsSend',
	parameters: {
		serviceId: 'grades',
		messageId: 'result',
		recipient: '={{ $json.mobile }}',
		replacements: { values: [{ value: '={{ $json.course }}' }, { value: '={{ $json.grade }}' }] },
		...parameters,
		options: { retries: 0, ...options },
	},
	credentials: { smsPlatformApi: { baseUrl: BASE, institution: 'example-university', preSharedKey: KEY } },
	...more,
});

const continuing = { onError: 'continueRegularOutput' } as const;
const splitting = { onError: 'continueErrorOutput' } as const;

const bodyOf = (sent: Sent | undefined) => JSON.parse(sent?.body ?? 'null') as IDataObject;
const recipients = (sent: Sent[]) => sent.map((each) => bodyOf(each).recipient);

/** Every place where a user, an admin or a backup could find the key, in every spelling. */
function expectNoKey(run: Result) {
	for (const text of [run.stored, logLines.join('\n'), JSON.stringify(run.hints)]) {
		expect(findSecrets(text, [KEY])).toEqual([]);
	}
}

/** What a failed row leaves: nothing that could steer it to another branch, and what a workflow can branch on. */
function expectErrorItem(json: IDataObject | undefined, text: RegExp, details: IDataObject) {
	expect(Object.keys(json ?? {}).sort()).toEqual(['details', 'error', 'message']);
	expect(json?.error).toMatch(text);
	expect(json?.details).toMatchObject(details);
	expect(`${String(json?.error)}${String(json?.message)}`.length).toBeLessThan(800);
}

describe('the request', () => {
	it('is the one the interface describes, and nothing more', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send(), [ROW]);
		expect(sent).toMatchObject([
			{
				method: 'POST',
				url: OPERATION,
				query: {},
				headers: {
					'content-type': expect.stringMatching(/^application\/json/) as unknown,
					accept: expect.stringContaining('application/json') as unknown,
				},
			},
		]);
		expect(bodyOf(sent[0])).toEqual({
			serviceId: 'grades',
			messageId: 'result',
			replacements: ['Φυσική', '8'],
			recipient: '6912345678',
			institution: 'example-university',
			'pre-shared key': KEY,
		});
		expect(run.json).toEqual([
			[{ accepted: true, serviceId: 'grades', messageId: 'result', recipient: '6912345678' }],
		]);
		expectNoKey(run);
	});

	it('goes to the same place when the whole address was pasted', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const credentials = {
			smsPlatformApi: { baseUrl: `${OPERATION}/`, institution: 'example-university', preSharedKey: KEY },
		};
		await runNode(send({}, {}, { credentials }), [ROW]);
		expect(sent).toHaveLength(1);
	});

	it.each<[string, INodeParameters, string[]]>([
		['no fields', { replacements: {} }, []],
		['fields in their order', { replacements: { values: [{ value: 'β' }, { value: 'α' }] } }, ['β', 'α']],
		['an empty field', { replacements: { values: [{ value: '' }] } }, ['']],
		['numbers and booleans', { replacements: { values: [{ value: '={{ 8.5 }}' }, { value: '={{ true }}' }] } }, ['8.5', 'true']],
		['JSON text', { specifyReplacements: 'json', replacementsJson: '["Φυσική", 8]' }, ['Φυσική', '8']],
		['a list from an expression', { specifyReplacements: 'json', replacementsJson: '={{ [$json.course, $json.grade] }}' }, ['Φυσική', '8']],
		['JSON text from an expression', { specifyReplacements: 'json', replacementsJson: '=["{{ $json.course }}"]' }, ['Φυσική']],
		['an empty JSON list', { specifyReplacements: 'json', replacementsJson: '[]' }, []],
		['line breaks and braces', { replacements: { values: [{ value: 'α\nβ {x,1}' }] } }, ['α\nβ {x,1}']],
	])('has the replacements of %s', async (_, parameters, expected) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send(parameters), [ROW]);
		expect(run.error?.message).toBeUndefined();
		expect(bodyOf(sent[0]).replacements).toEqual(expected);
	});

	it.each<[unknown, string]>([
		['6912345678', '6912345678'],
		[6912345678, '6912345678'],
		['306912345678', '6912345678'],
		['+30 691 234 5678', '6912345678'],
		['00306912345678', '6912345678'],
		['691-234-5678', '6912345678'],
		['６９１２３４５６７８', '6912345678'],
		['\u202a6912345678\u202c', '6912345678'],
		['6812345678', '6812345678'],
		['9412345678', '9412345678'],
		['06912345678', '06912345678'],
		['2101234567', '2101234567'],
		['+4915112345678', '+4915112345678'],
		['e.papadopoulou', 'e.papadopoulou'],
	])('has for the recipient %j the form %s, also in the output', async (mobile, expected) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send(), [{ ...ROW, mobile: mobile as string }]);
		expect(recipients(sent)).toEqual([expected]);
		expect(run.json[0]).toMatchObject([{ recipient: expected }]);
	});

	it('has the recipient as typed where the user wants that', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		await runNode(send({}, { normaliseRecipient: false }), [{ ...ROW, mobile: '+306912345678' }]);
		expect(recipients(sent)).toEqual(['+306912345678']);
	});

	it('names the forwarded message it answers', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		await runNode(send({}, { smsForwardId: '={{ $json.id }}' }), [{ ...ROW, id: 4711 }, ROW]);
		expect(bodyOf(sent[0])['sms-forward-id']).toBe('4711');
		expect(bodyOf(sent[1])).not.toHaveProperty('sms-forward-id');
	});
});

describe('the delivery report address', () => {
	/** Written from interface.md alone. */
	const signatureOf = (serviceId: string, ref: string, exp: string) =>
		createHmac('sha256', KEY)
			.update(['dlr.v1', serviceId, ref, exp].join('\n'))
			.digest('base64')
			.replaceAll('+', '-')
			.replaceAll('/', '_')
			.replaceAll('=', '');

	it('carries reference, expiry and signature, and stands in the output', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const before = Math.floor(Date.now() / 1000);
		const run = await runNode(send({ dlrUrl: `${DLR}?tenant=a%26b` }, { reference: '={{ $json.ref }}' }), [
			{ ...ROW, ref: 'αίτηση 17&x=1' },
		]);
		const url = String(bodyOf(sent[0])['dlr-url']);
		const { origin, pathname, searchParams } = new URL(url);
		const { ref, exp, sig, ...others } = Object.fromEntries(searchParams);
		expect([origin + pathname, others]).toEqual([DLR, { tenant: 'a&b' }]);
		expect(ref).toBe('αίτηση 17&x=1');
		expect(Number(exp) - before).toBeGreaterThanOrEqual(7 * 86_400);
		expect(Number(exp) - before).toBeLessThanOrEqual(7 * 86_400 + 5);
		expect(sig).toBe(signatureOf('grades', ref!, exp!));
		expect(run.json[0]).toMatchObject([{ accepted: true, reference: ref, dlrUrl: url }]);
		expectNoKey(run);
	});

	it('has a new reference for each message where the user gives none', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({ dlrUrl: DLR }), [row(1), row(2)]);
		const references = run.json[0]!.map(({ reference }) => String(reference));
		for (const reference of references) expect(reference).toMatch(UUID);
		expect(new Set(references).size).toBe(2);
		expect(sent.map((each) => new URL(String(bodyOf(each)['dlr-url'])).searchParams.get('ref')).sort()).toEqual(
			[...references].sort(),
		);
	});

	it('replaces what another send has left in a pasted address', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		await runNode(send({ dlrUrl: `${DLR}?ref=old&exp=1&sig=old` }, { reference: 'new' }), [ROW]);
		const { searchParams } = new URL(String(bodyOf(sent[0])['dlr-url']));
		expect(searchParams.getAll('ref')).toEqual(['new']);
		expect([searchParams.getAll('exp').length, searchParams.getAll('sig').length]).toEqual([1, 1]);
	});

	it.each<[string, string, RegExp]>([
		['on this machine', 'http://localhost:5678/webhook/abc/dlr', /localhost/],
		['in a private network', 'https://192.168.1.5/webhook/abc/dlr', /192\.168\.1\.5/],
		['on plain http', 'http://n8n.example.gr/webhook/abc/dlr', /https/],
		['of a test', 'https://n8n.example.gr/webhook-test/abc/dlr', /test/],
	])('%s brings a warning, and the message is sent', async (_, dlrUrl, text) => {
		serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({ dlrUrl }), [row(1), row(2)]);
		expect(run.json[0]).toMatchObject([{ accepted: true }, { accepted: true }]);
		const warnings = run.hints.filter(({ message }) => text.test(message));
		expect(warnings).toHaveLength(1);
	});

	it('brings no warning where nothing is wrong with it', async () => {
		serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({ dlrUrl: DLR }), [ROW]);
		expect(run.hints.filter(({ type }) => type === 'warning')).toEqual([]);
	});

	it('of a test is no warning while testing', async () => {
		serve('POST', OPERATION, TAKEN);
		const run = await runNode(
			send({ dlrUrl: 'https://n8n.example.gr/webhook-test/abc/dlr' }, {}, { mode: 'manual' }),
			[ROW],
		);
		expect(run.hints).toEqual([]);
	});

	it('of a test is warned of in a published workflow: no report would ever arrive', async () => {
		serve('POST', OPERATION, TAKEN);
		const dlrUrl = 'https://n8n.example.gr/webhook-test/abc/dlr';
		const published = await runNode(send({ dlrUrl }, {}, { active: true }), [ROW]);
		expect(published.json[0]).toMatchObject([{ accepted: true }]);
		expect(published.hints).toMatchObject([{ type: 'warning', message: expect.stringContaining('test address') }]);
	});

});

describe('the message text', () => {
	const TEXT = 'Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}';

	it('is shown filled in, with its SMS segments', async () => {
		serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({}, { messageText: TEXT }), [ROW]);
		expect(run.json[0]).toMatchObject([
			{ accepted: true, text: 'Ο βαθμός σας στο μάθημα Φυσική είναι 8', segments: 1 },
		]);
	});

	it.each([
		['Σ', 160, 1],
		['Α', 70, 1],
		['Α', 71, 2],
		['€', 80, 1],
		['€', 81, 2],
		['😀', 35, 1],
		['😀', 36, 2],
	])('counts %s × %d as %d', async (character, times, segments) => {
		serve('POST', OPERATION, TAKEN);
		const run = await runNode(
			send({ replacements: { values: [{ value: character.repeat(times) }] } }, { messageText: '{Κείμενο,1}' }),
			[ROW],
		);
		expect(run.json[0]).toMatchObject([{ segments }]);
	});

	it('uses positions, not order, and a position twice where it stands twice', async () => {
		serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({}, { messageText: '{b,2}-{a,1}-{b,2}' }), [ROW]);
		expect(run.json[0]).toMatchObject([{ text: '8-Φυσική-8' }]);
	});

	it.each([
		['too many', '{Μάθημα,1}'],
		['too few', '{α,1}{β,2}{γ,3}'],
		['any, where it takes none,', 'Καλή αρχή!'],
		['one that no placeholder takes', '{α,1}{γ,3}'],
		['one less than its only placeholder', '{γ,3}'],
		['a hole', '{β,2}'],
	])('refuses %s replacements, and nothing is sent', async (_, messageText) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({}, { messageText }, continuing), [ROW]);
		expect(sent).toEqual([]);
		expectErrorItem(run.json[0]?.[0], /Replacements/, { outcome: 'rejected' });
	});
});

describe('bad input', () => {
	const long = 'Α'.repeat(1024 * 1024);
	const deep = JSON.parse('{"a":'.repeat(200) + '1' + '}'.repeat(200)) as IDataObject;
	const hostile: Array<[string, unknown]> = [
		['null', null],
		['nothing', undefined],
		['empty text', ''],
		['blank text', ' \u200b\t'],
		['a list', []],
		['a deep object', deep],
		['a megabyte', long],
		['control characters', 'a\u0000b\r\nc'],
		['a broken emoji', 'a\ud83d'],
	];
	const parameters: Array<[string, INodeParameters, RegExp]> = [
		['serviceId', { serviceId: '={{ $json.bad }}' }, /Service ID/],
		['messageId', { messageId: '={{ $json.bad }}' }, /Message ID/],
		['recipient', { recipient: '={{ $json.bad }}' }, /Recipient/],
	];
	const cases = parameters.flatMap(([name, parameter, text]) =>
		hostile.map(([what, bad]) => [`${what} as ${name}`, parameter, bad, text] as const),
	);

	it.each(cases)('%s is refused with the name of the parameter, the other row goes on', async (_, parameter, bad, text) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send(parameter, {}, continuing), [{ ...ROW, bad: bad as never }, { ...ROW, bad: 'fine' }]);
		expect(sent).toHaveLength(1);
		expectErrorItem(run.json[0]?.[0], text, { outcome: 'rejected' });
		expect(run.json[0]?.[1]).toMatchObject({ accepted: true });
		expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it.each<[string, INodeParameters, INodeParameters, RegExp]>([
		['a number a spreadsheet shortened', { recipient: '6.9E9' }, {}, /Recipient/],
		['the same in Greek notation', { recipient: '6,912E+09' }, {}, /Recipient/],
		['JSON that is none', { specifyReplacements: 'json', replacementsJson: '=["a"' }, {}, /Replacements \(JSON\)/],
		['JSON that is no list', { specifyReplacements: 'json', replacementsJson: '{"a":1}' }, {}, /Replacements \(JSON\)/],
		['text where a list is meant', { specifyReplacements: 'json', replacementsJson: "={{ 'Φυσική' }}" }, {}, /Replacements \(JSON\)/],
		['no list at all', { specifyReplacements: 'json', replacementsJson: '={{ null }}' }, {}, /Replacements \(JSON\)/],
		['a list in the list', { specifyReplacements: 'json', replacementsJson: '[["a"]]' }, {}, /Replacement 1/],
		['null in the list', { specifyReplacements: 'json', replacementsJson: '["a", null]' }, {}, /Replacement 2/],
		['a column that is not there', { replacements: { values: [{ value: '={{ $json.nowhere }}' }] } }, {}, /Replacement 1/],
		['a result that is no number', { replacements: { values: [{ value: '={{ 0 / 0 }}' }] } }, {}, /Replacement 1 is not a number/],
		['a division by zero', { replacements: { values: [{ value: '={{ 1 / 0 }}' }] } }, {}, /Replacement 1 is too large/],
		['a number in JSON that is too large', { specifyReplacements: 'json', replacementsJson: '["a", 1e400]' }, {}, /Replacement 2 is too large/],
		['an object as value', { replacements: { values: [{ value: '={{ $json }}' }] } }, {}, /Replacement 1/],
		['a report address that is none', { dlrUrl: 'n8n.example.gr/dlr' }, {}, /Delivery Report URL/],
		['a report address for scripts', { dlrUrl: 'javascript:alert(1)' }, {}, /Delivery Report URL/],
		['a megabyte of report address', { dlrUrl: `={{ 'https://a.example.gr/' + 'x'.repeat(1048576) }}` }, {}, /Delivery Report URL/],
		['a reference with a line break', {}, { reference: "={{ 'a\\nb' }}" }, /Reference/],
		['an object as reference', {}, { reference: '={{ $json }}' }, /Reference/],
		['a list as forward id', {}, { smsForwardId: '={{ [1] }}' }, /SMS Forward ID/],
		['an object as message text', {}, { messageText: '={{ $json }}' }, /Message Text/],
		['a megabyte of message text', {}, { messageText: "={{ 'x'.repeat(1048576) }}" }, /Message Text/],
		['a time-out of 0', {}, { timeout: 0 }, /Timeout/],
		['a concurrency of 0', {}, { concurrency: 0 }, /Concurrency/],
		['a negative rate', {}, { messagesPerSecond: -1 }, /Messages per Second/],
		['half a retry', {}, { retries: 0.5 }, /Retries/],
	])('%s is refused before anything is sent', async (_, parameters, options, text) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send(parameters, options, splitting), [ROW]);
		expect(sent).toEqual([]);
		expect(run.json[0]).toEqual([]);
		expect(run.json[1]).toHaveLength(1);
		expect(run.json[1]?.[0]?.error).toMatch(text);
		expect(run.json[1]?.[0]?.details).toMatchObject({ outcome: 'rejected' });
	});

	it.each(['dryRun', 'skipDuplicates'])('text where %s needs a boolean never sends for that', async (option) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const workflow = new TestWorkflow(send({}, { [option]: "={{ 'true' }}" }, continuing));
		await workflow.run([ROW]);
		await workflow.run([ROW]);
		expect(sent.length).toBeLessThanOrEqual(option === 'dryRun' ? 0 : 1);
	});

	it('makes an error item of every row when the credential cannot be read', async () => {
		const credentials = { smsPlatformApi: new Error('the store is down') };
		const run = await runNode(send({}, {}, { ...splitting, credentials }), [row(1), row(2)]);
		expect(run.json[0]).toEqual([]);
		expect(run.json[1]).toMatchObject(
			[1, 2].map(() => ({ error: 'the store is down', details: { outcome: 'rejected' } })),
		);
	});

	it.each<[string, INodeParameters, INodeParameters, Partial<NodeUnderTest>]>([
		['a message text that does not fit', {}, { messageText: '{α,1}' }, {}],
		['a service that is missing', { serviceId: "={{ '' }}" }, {}, {}],
		['a report address that is none', { dlrUrl: 'dlr' }, {}, {}],
		['a run option', {}, { concurrency: 0 }, {}],
		['a credential that cannot be read', {}, {}, { credentials: { smsPlatformApi: new Error('the store is down') } }],
		['a Base URL that is none', {}, {}, { credentials: { smsPlatformApi: { baseUrl: 'x', institution: 'x', preSharedKey: KEY } } }],
	])('is an error that names each row by recipient and reference: %s', async (_, parameters, options, more) => {
		const run = await runNode(send(parameters, { reference: '={{ $json.ref }}', ...options }, { ...continuing, ...more }), [
			{ ...row(1), ref: 'r-1' },
			{ ...row(2), ref: 'r-2' },
			{ ...row(3), ref: 'a\nb' },
			{ ...row(4), mobile: '', ref: 'r-4' },
		]);
		expect(run.json[0]?.map(({ details }) => details)).toEqual([
			{ outcome: 'rejected', recipient: '6912345671', reference: 'r-1' },
			{ outcome: 'rejected', recipient: '6912345672', reference: 'r-2' },
			{ outcome: 'rejected', recipient: '6912345673' },
			{ outcome: 'rejected', reference: 'r-4' },
		]);
	});

	it.each(['', ' \u200b'])('is a pre-shared key of "%s": nothing is sent', async (preSharedKey) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const credentials = { smsPlatformApi: { baseUrl: BASE, institution: 'x', preSharedKey } };
		for (const parameters of [{ dlrUrl: DLR }, { operation: 'sendAndWait' }]) {
			const run = await runNode(send(parameters, {}, { ...continuing, credentials }), [ROW]);
			expectErrorItem(run.json[0]?.[0], /Pre-Shared Key is empty/, { outcome: 'rejected', recipient: '6912345678' });
		}
		expect(sent).toEqual([]);
	});

	it('makes an error item of a row whose expression fails', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const recipient = "={{ $json.mobile.endsWith('1') ? $('Nowhere').item.json.x : $json.mobile }}";
		const run = await runNode(send({ recipient }, {}, splitting), [row(1), row(2)]);
		expect(recipients(sent)).toEqual(['6912345672']);
		expect(run.json[1]).toMatchObject([{ mobile: '6912345671', error: expect.any(String) as unknown }]);
	});

	it.each(['', 'sms.example.gr', 'ftp://sms.example.gr'])('a base URL of "%s" is refused', async (baseUrl) => {
		const credentials = { smsPlatformApi: { baseUrl, institution: 'x', preSharedKey: KEY } };
		const run = await runNode(send({}, {}, { ...continuing, credentials }), [ROW]);
		expectErrorItem(run.json[0]?.[0], /Base URL/, { outcome: 'rejected' });
	});
});

describe('a dry run', () => {
	it('checks every row, sends nothing, and shows what would be sent', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(
			send({ dlrUrl: DLR }, { dryRun: true, messageText: '{α,1}: {β,2}', reference: 'r' }, splitting),
			[row(1), { ...ROW, mobile: '' }, row(2)],
		);
		expect(sent).toEqual([]);
		expect(run.json[0]).toMatchObject([
			{ accepted: false, dryRun: true, recipient: '6912345671', text: 'Φυσική: 8', segments: 1, reference: 'r' },
			{ accepted: false, dryRun: true, recipient: '6912345672' },
		]);
		expect(run.json[1]).toMatchObject([{ error: expect.stringMatching(/Recipient/) as unknown }]);
		expectNoKey(run);
	});
});

describe('what became of a message', () => {
	const rejected: Array<[string, Reply, RegExp, IDataObject]> = [
		['an error code', { body: { serviceId: 'grades', errorCode: 'E-002', error: 'Unknown Service' } }, /E-002.*Unknown Service/, { errorCode: 'E-002' }],
		['an error code alone', { body: { serviceId: 'grades', errorCode: 'E-002', error: '' } }, /E-002/, { errorCode: 'E-002' }],
		['an error text alone', { body: { serviceId: 'grades', errorCode: '', error: 'User credits expired' } }, /credits/, {}],
		['an error code that is a number', { body: { serviceId: 'grades', errorCode: 2, error: null } }, /2/, { errorCode: '2' }],
		['an error code in an HTTP 400', { status: 400, body: { errorCode: 'E-002', error: 'Unknown Service' } }, /E-002/, { errorCode: 'E-002' }],
		['HTTP 400', { status: 400, body: 'no' }, /400/, {}],
		['HTTP 401', { status: 401 }, /key/i, {}],
		['HTTP 403', { status: 403 }, /key/i, {}],
		['HTTP 404', { status: 404 }, /404/, {}],
		['HTTP 413', { status: 413 }, /413/, {}],
		['HTTP 429', { status: 429 }, /429/, {}],
		['HTTP 503 with Retry-After', { status: 503, headers: { 'retry-after': '1' } }, /503/, {}],
		['a redirect', { status: 307, headers: { location: 'https://other.example.gr/' } }, /redirect/i, {}],
		['a refused connection', { cut: 'ECONNREFUSED' }, /ECONNREFUSED/, {}],
		['an unknown host', { cut: 'ENOTFOUND' }, /ENOTFOUND/, {}],
		['an untrusted certificate', { cut: 'CERT_HAS_EXPIRED' }, /certificate/i, {}],
	];
	const unknown: Array<[string, Reply, RegExp, IDataObject]> = [
		['silence', { delayMs: 5_000 }, /in time/, {}],
		['a cut connection', { cut: 'ECONNRESET' }, /ECONNRESET/, {}],
		['a broken pipe', { cut: 'EPIPE' }, /EPIPE/, {}],
		['HTTP 408', { status: 408 }, /408/, {}],
		['HTTP 500', { status: 500 }, /500/, {}],
		['HTTP 500 with an empty refusal', { status: 500, body: { serviceId: 'grades', errorCode: '', error: '' } }, /500/, {}],
		['HTTP 500 with a code', { status: 500, body: { errorCode: 'E-100', error: 'General error' } }, /500/, { errorCode: 'E-100' }],
		['HTTP 408 with a code', { status: 408, body: { errorCode: 'E-101', error: '' } }, /408/, { errorCode: 'E-101' }],
		['HTTP 502', { status: 502 }, /502/, {}],
		['HTTP 503', { status: 503 }, /503/, {}],
		['HTTP 504', { status: 504 }, /504/, {}],
		['an empty 200', { body: '' }, /documented/, {}],
		['a 204', { status: 204 }, /documented/, {}],
		['a page', { body: '<html>ok</html>' }, /documented/, {}],
		['broken JSON', { body: '{"errorCode":"', headers: { 'content-type': 'application/json' } }, /documented/, {}],
		['null', { body: null }, /documented/, {}],
		['a list', { body: [] }, /documented/, {}],
		['42', { body: 42 }, /documented/, {}],
		['an object without the fields', { body: {} }, /documented/, {}],
		['an object with only the service', { body: { serviceId: 'grades' } }, /documented/, {}],
		['objects in the fields', { body: { errorCode: {}, error: [] } }, /documented/, {}],
		['a megabyte of text', { body: 'x'.repeat(1024 * 1024) }, /documented/, {}],
	];
	const all = [
		...rejected.map((each) => ['rejected', ...each] as const),
		...unknown.map((each) => ['unknown', ...each] as const),
	];

	it.each(all)('is %s after %s', async (outcome, _, reply, text, more) => {
		const sent = serve('POST', OPERATION, reply);
		// A busy machine may take longer than a tenth of a second for an answer that comes.
		const timeout = 'delayMs' in reply ? 0.1 : 4;
		const spec = send({ dlrUrl: DLR }, { reference: 'ref-1', timeout });
		const run = await runNode({ ...spec, ...continuing }, [ROW]);
		expect(sent).toHaveLength(1);
		expectErrorItem(run.json[0]?.[0], text, { outcome, recipient: '6912345678', reference: 'ref-1', ...more });
		expectNoKey(run);

		const stopped = await runNode(spec, [ROW]);
		expect(stopped.status).toBe('error');
		expect(stopped.error?.message).toBe(run.json[0]?.[0]?.error);
		expectNoKey(stopped);
	});

	it.each<[string, Reply]>([
		['the documented object', TAKEN],
		['HTTP 201', { ...TAKEN, status: 201 }],
		['a label that says text', { body: JSON.stringify({ serviceId: 'grades', errorCode: '', error: '' }) }],
		['more fields than documented', { body: { serviceId: 'grades', errorCode: '', error: '', id: 7, details: 'x' } }],
		['no service', { body: { errorCode: '', error: '' } }],
		['null for no error', { body: { serviceId: 'grades', errorCode: null, error: null } }],
	])('is taken after %s, and the item could never be taken for a failed one', async (_, reply) => {
		serve('POST', OPERATION, reply);
		const run = await runNode(send({}, {}, splitting), [ROW]);
		expect(run.json).toEqual([
			[{ accepted: true, serviceId: 'grades', messageId: 'result', recipient: '6912345678' }],
			[],
		]);
	});

	it('never takes its key to another address', async () => {
		serve('POST', OPERATION, { status: 307, headers: { location: 'https://other.example.gr/sendSMS' } });
		const elsewhere = serve('POST', 'https://other.example.gr/sendSMS', TAKEN);
		await runNode(send({}, {}, continuing), [ROW]);
		expect(elsewhere).toEqual([]);
	});

	it.each([200, 400, 500])('keeps the key to itself when the platform echoes the request with HTTP %d', async (status) => {
		serve('POST', OPERATION, ({ body }) => ({
			status,
			body: { serviceId: 'grades', errorCode: `E-9 ${KEY}`, error: `bad request: ${body} ${encodeURIComponent(KEY)}` },
		}));
		for (const spec of [send({}, {}, continuing), send()]) expectNoKey(await runNode(spec, [ROW]));
	});

	describe.each(Object.entries(encodings))('when the platform writes the request as %s into its refusal', (_, encode) => {
		const echo = ({ body }: Sent): Reply => ({
			body: { serviceId: 'grades', errorCode: encode(KEY), error: `bad request: ${encode(body)}` },
		});

		it('keeps the key to itself', async () => {
			serve('POST', OPERATION, echo);
			for (const spec of [send({}, {}, continuing), send()]) expectNoKey(await runNode(spec, [ROW]));
		});

		it.each(['6912345678', '+30 691 234 5678', '００３０ 691-234-5678', '٦٩١٢٣٤٥٦٧٨'])('keeps %s out of every error text', async (mobile) => {
			serve('POST', OPERATION, echo);
			const options = { normaliseRecipient: false };
			const [kept, stopped] = [
				await runNode(send({}, options, continuing), [{ ...ROW, mobile }]),
				await runNode(send({}, options), [{ ...ROW, mobile }]),
			];
			const { error, message, details } = kept.json[0]?.[0] as { error: string; message: string; details: IDataObject };
			const { recipient, ...others } = details;
			expect(recipient).toBe(mobile);
			const shown = [error, message, JSON.stringify(others), stopped.error?.message, stopped.error?.description, stopped.error?.stack, JSON.stringify(stopped.error?.context)];
			expect(findSecrets(shown.join('\n'), [mobile])).toEqual([]);
		});
	});

	it('does not take a key of a few letters for a part of every word', async () => {
		serve('POST', OPERATION, { body: { serviceId: 'grades', errorCode: 'E-002', error: 'Unknown Service k1' } });
		const credentials = { smsPlatformApi: { baseUrl: BASE, institution: 'example-university', preSharedKey: 'k1' } };
		const run = await runNode(send({}, {}, { ...continuing, credentials }), [ROW]);
		expect(run.json[0]?.[0]).toMatchObject({ error: 'The SMS platform refused the message (E-002: Unknown Service •••)' });
	});

	it('warns of sending again where nobody knows', async () => {
		serve('POST', OPERATION, { cut: 'ECONNRESET' });
		for (const more of [continuing, {}]) {
			const run = await runNode(send({}, {}, more), [ROW]);
			const shown = `${String(run.json[0]?.[0]?.message)} ${String(run.error?.description)}`;
			expect(shown).toMatch(/may or may not/);
			expect(`${shown} ${run.error?.message}`).not.toMatch(/retry/i);
		}
	});
});

describe('many rows', () => {
	const rows = [row(1), { ...ROW, mobile: '6.9E9' }, row(3), row(4)];
	const refuseThird = ({ body }: Sent): Reply =>
		body.includes('6912345673') ? { body: { errorCode: 'E-9', error: 'User not opted in' } } : TAKEN;

	it('keeps order and origin, however late an answer comes', async () => {
		serve('POST', OPERATION, (request, index) => ({ ...refuseThird(request), delayMs: [60, 5, 30][index] ?? 0 }));
		const run = await runNode(send({}, {}, continuing), rows);
		expect(run.json[0]?.map(({ recipient, error }) => recipient ?? (error ? 'failed' : undefined))).toEqual([
			'6912345671',
			'failed',
			'failed',
			'6912345674',
		]);
		expect(run.origins).toEqual([rows]);
	});

	it('splits failed rows off with the row they came from', async () => {
		serve('POST', OPERATION, refuseThird);
		const run = await runNode(send({}, {}, splitting), rows);
		expect(run.json[0]?.map(({ recipient }) => recipient)).toEqual(['6912345671', '6912345674']);
		expect(run.json[1]).toMatchObject([{ mobile: '6.9E9' }, { mobile: '6912345673', details: { errorCode: 'E-9' } }]);
		expect(run.origins).toEqual([[rows[0], rows[3]], [rows[1], rows[2]]]);
	});

	it('stops at the first failure where the node is set to stop, and says how far it came', async () => {
		const sent = serve('POST', OPERATION, refuseThird);
		const run = await runNode(send({}, { concurrency: 1 }), [row(1), row(3), row(4), row(5)]);
		expect(run.status).toBe('error');
		expect(recipients(sent)).toEqual(['6912345671', '6912345673']);
		expect(run.error).toMatchObject({ context: { itemIndex: 1 } });
		expect(run.error?.description).toMatch(/1 message was taken.*items 2 to 3 were not tried/s);
	});

	it.each([
		[{}, 10],
		[{ concurrency: 3 }, 3],
	])('has with %j at most %d messages under way', async (options, most) => {
		let inFlight = 0;
		let highest = 0;
		serve('POST', OPERATION, async () => {
			highest = Math.max(highest, ++inFlight);
			await new Promise((resolve) => setTimeout(resolve, 100));
			inFlight--;
			return TAKEN;
		});
		await runNode(send({}, options), Array.from({ length: 30 }, () => ROW));
		expect(highest).toBe(most);
	});

	it('spaces its messages as the user says', async () => {
		const times: number[] = [];
		serve('POST', OPERATION, () => {
			times.push(Date.now());
			return TAKEN;
		});
		await runNode(send({}, { messagesPerSecond: 20 }), [row(1), row(2), row(3), row(4)]);
		expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual(130);
	});

	it('reads the credential once', async () => {
		serve('POST', OPERATION, TAKEN);
		const run = await runNode(send(), [row(1), row(2), row(3)]);
		expect(run.decryptions).toEqual(['smsPlatformApi']);
	});

	it('sums up what became of them', async () => {
		serve('POST', OPERATION, refuseThird);
		const run = await runNode(send({}, {}, continuing), rows);
		expect(run.hints.map(({ message }) => message).join()).toMatch(/2 taken, 2 rejected, 0 unknown/);
	});

	it('answers no rows with no items', async () => {
		const run = await runNode(send(), []);
		expect([run.status, run.outputs]).toEqual(['success', []]);
	});
});

describe('sending again', () => {
	const rows = [row(1), row(2), row(3)];

	it.each<[string, Reply]>([
		['a refused connection', { cut: 'ECONNREFUSED' }],
		['HTTP 429 with Retry-After', { status: 429, headers: { 'retry-after': '0' } }],
		['HTTP 503 with Retry-After', { status: 503, headers: { 'retry-after': '0' } }],
	])('is done by itself after %s', async (_, reply) => {
		const sent = serve('POST', OPERATION, (_request, index) => (index === 0 ? reply : TAKEN));
		const run = await runNode(send({}, { retries: 1 }), [ROW]);
		expect(run.json[0]).toMatchObject([{ accepted: true }]);
		expect(sent).toHaveLength(2);
	});

	it.each<[string, Reply]>([
		['silence', { delayMs: 5_000 }],
		['a cut connection', { cut: 'ECONNRESET' }],
		['HTTP 500', { status: 500 }],
		['HTTP 503', { status: 503 }],
		['a refusal', { body: { errorCode: 'E-002', error: 'Unknown Service' } }],
		['a refused key', { status: 401 }],
		['an answer that is not the documented object', { body: 'ok' }],
	])('is never done by itself after %s', async (_, reply) => {
		const sent = serve('POST', OPERATION, reply);
		await runNode(send({}, { retries: 2, timeout: 0.1 }, continuing), [ROW]);
		expect(sent).toHaveLength(1);
	});

	it('heals a row that was refused once, and counts the others as taken', async () => {
		let refused = false;
		const sent = serve('POST', OPERATION, ({ body }) => {
			if (refused || !body.includes('6912345671')) return TAKEN;
			refused = true;
			return { body: { errorCode: 'E-9', error: 'refused' } };
		});
		const run = await runNode(
			send({}, {}, { ...continuing, retryOnFail: true, maxTries: 2, waitBetweenTries: 1 }),
			rows,
		);
		expect(run.json[0]).toMatchObject([{ accepted: true }, { accepted: true }, { accepted: true }]);
		expect(sent).toHaveLength(4);
		expect(run.hints.at(-1)?.message).toMatch(/3 taken, 0 rejected/);
	});
});

describe('duplicates', () => {
	it('are skipped within a run and between runs, in the row\'s own place', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const workflow = new TestWorkflow(send({}, { skipDuplicates: true }));
		const first = await workflow.run([row(1), row(2), row(1)]);
		expect(first.json[0]).toMatchObject([
			{ accepted: true },
			{ accepted: true },
			{ accepted: false, skipped: true, recipient: '6912345671' },
		]);
		const second = await workflow.run([row(2), row(3)]);
		expect(second.json[0]).toMatchObject([{ skipped: true }, { accepted: true }]);
		expect(recipients(sent)).toEqual(['6912345671', '6912345672', '6912345673']);
	});

	const refused: Reply = { body: { errorCode: 'E-9', error: 'refused' } };
	const lost: Reply = { cut: 'ECONNRESET' };

	describe.each([1, 2, 10])('with %d at once', (concurrency) => {
		it.each<[string, Reply[], Array<'failed' | 'taken' | 'skipped'>]>([
			['one that is taken late', [{ ...TAKEN, delayMs: 50 }], ['taken', 'skipped', 'skipped']],
			['one that may have been taken', [lost], ['failed', 'skipped', 'skipped']],
			['one that is refused', [refused], ['failed', 'taken', 'skipped']],
			['two that are refused', [refused, refused], ['failed', 'failed', 'taken']],
			['one that is refused and one that may have been taken', [refused, lost], ['failed', 'failed', 'skipped']],
		])('are decided by what became of %s before them', async (_, replies, expected) => {
			let came = 0;
			const sent = serve('POST', OPERATION, ({ body }) => (body.includes('6912345671') ? (replies[came++] ?? TAKEN) : TAKEN));
			const workflow = new TestWorkflow(send({}, { skipDuplicates: true, concurrency }, continuing));
			// Others between them: what was refused is given back to n8n before the next of its kind has its turn.
			const rows = [row(1), row(2), row(3), row(1), row(4), row(5), row(1)];
			const run = await workflow.run(rows);
			const became = run.json[0]!.map(({ accepted, skipped }) => (skipped ? 'skipped' : accepted ? 'taken' : 'failed'));
			expect([became[0], became[3], became[6]]).toEqual(expected);
			expect([became[1], became[2], became[4], became[5]]).toEqual(['taken', 'taken', 'taken', 'taken']);
			const times = expected.filter((each) => each !== 'skipped').length;
			expect(recipients(sent).filter((each) => each === '6912345671')).toHaveLength(times);

			const again = await workflow.run(rows);
			expect(again.json[0]!.filter(({ skipped }) => skipped)).toHaveLength(rows.length);
		});

		it('side by side are decided so too', async () => {
			const sent = serve('POST', OPERATION, (_request, index) => (index === 0 ? { ...refused, delayMs: 30 } : TAKEN));
			const run = await runNode(send({}, { skipDuplicates: true, concurrency }, continuing), [row(1), row(1), row(1)]);
			expect(run.json[0]).toMatchObject([{ details: { outcome: 'rejected' } }, { accepted: true }, { skipped: true }]);
			expect(sent).toHaveLength(2);
		});
	});

	it('are compared by the key of the user where one is given', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		await runNode(send({}, { skipDuplicates: true, duplicateKey: '={{ $json.course }}' }), [row(1), row(2)]);
		expect(sent).toHaveLength(1);
	});

	it('do not include what the platform refused, but what it may have taken', async () => {
		const sent = serve('POST', OPERATION, (_, index) =>
			[{ body: { errorCode: 'E-9', error: 'refused' } }, { cut: 'ECONNRESET' }][index] ?? TAKEN,
		);
		const workflow = new TestWorkflow(send({}, { skipDuplicates: true, concurrency: 1 }, continuing));
		await workflow.run([row(1), row(2)]);
		const second = await workflow.run([row(1), row(2)]);
		expect(second.json[0]).toMatchObject([{ accepted: true }, { skipped: true }]);
		expect(recipients(sent)).toEqual(['6912345671', '6912345672', '6912345671']);
	});

	it('are not what a dry run only checked', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const workflow = new TestWorkflow(send({}, { skipDuplicates: true, dryRun: true }));
		const rehearsal = await workflow.run([row(1), row(1)]);
		expect(rehearsal.json[0]).toMatchObject([{ dryRun: true }, { dryRun: true, skipped: true }]);
		workflow.spec.parameters = send({}, { skipDuplicates: true }).parameters;
		const real = await workflow.run([row(1)]);
		expect(real.json[0]).toMatchObject([{ accepted: true }]);
		expect(sent).toHaveLength(1);
	});
});

describe('send and wait', () => {
	const wait = (options: INodeParameters = {}, more: Partial<NodeUnderTest> = {}, parameters: INodeParameters = {}) =>
		new TestWorkflow(send({ operation: 'sendAndWait', ...parameters }, { reference: 'ref-1', ...options }, more));
	const report = (changes: IDataObject = {}) => ({
		query: { ref: 'ref-1', once: randomUUID() },
		body: { serviceId: 'grades', recipient: '6912345678', status: 'DELIVRD', ...changes },
	});
	const MESSAGE = { serviceId: 'grades', messageId: 'result', recipient: '6912345678', reference: 'ref-1' };
	const pause = async (workflow: TestWorkflow) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await workflow.run([ROW]);
		expect([run.error?.message, run.status]).toEqual([undefined, 'waiting']);
		return { run, sent };
	};

	it('sends once with an address that n8n itself signs, and pauses the run for an hour', async () => {
		const workflow = wait({ reference: 'ref-1' });
		const { run, sent } = await pause(workflow);
		expect(sent).toHaveLength(1);
		const url = new URL(String(bodyOf(sent[0])['dlr-url']));
		expect(url.origin + url.pathname).toBe(
			`https://n8n.example.gr/webhook-waiting/${TestWorkflow.EXECUTION_ID}/${workflow.nodeId}`,
		);
		expect(url.searchParams.get('signature')).toMatch(/^[\da-f]{64}$/);
		const minutes = (Number(run.waitTill) - Date.now()) / 60_000;
		expect(minutes).toBeGreaterThan(59);
		expect(minutes).toBeLessThanOrEqual(60);
		expectNoKey(run);
	});

	it('waits as long as the user says', async () => {
		const { run } = await pause(wait({ maxWaitMinutes: 5 }));
		expect(Math.round((Number(run.waitTill) - Date.now()) / 60_000)).toBe(5);
	});

	it.each<[IDataObject, IDataObject]>([
		[{}, { ...MESSAGE, delivered: true, status: 'DELIVRD' }],
		[{ status: 'ERROR', error: '27' }, { ...MESSAGE, delivered: false, status: 'ERROR', errorCode: '27' }],
		[{ status: 'EXPIRED' }, { ...MESSAGE, delivered: false, status: 'EXPIRED' }],
		[{ recipient: '306912345678' }, { ...MESSAGE, delivered: true, status: 'DELIVRD' }],
	])('goes on when the report %j comes', async (changes, expected) => {
		const workflow = wait({ reference: 'ref-1' });
		const { run, sent } = await pause(workflow);
		const answer = await callResumeAddress(workflow, run, report(changes));
		expect([answer.status, answer.text]).toEqual([200, '{"result":"0","errorCode":"","error":""}']);
		expect(answer.execution?.status).toBe('success');
		expect(answer.execution?.json).toEqual([[expected]]);
		expect(answer.execution?.origins).toEqual([[ROW]]);
		expect(sent).toHaveLength(1);
	});

	it.each([
		['e.papadopoulou', '6912345678'],
		['1003451', '306912345678'],
		['it21100', '+491701234567'],
		['+491701234567', '491701234567'],
		['2101234567', '302101234567'],
		['06912345678', '6912345678'],
		['6912345678', 'e.papadopoulou'],
	])('goes on when a message to %s is reported for %s', async (recipient, reported) => {
		const workflow = wait({}, {}, { recipient });
		const { run } = await pause(workflow);
		const answer = await callResumeAddress(workflow, run, report({ recipient: reported }));
		expect(answer.status).toBe(200);
		expect(answer.execution?.json).toMatchObject([[{ delivered: true, recipient }]]);
	});

	it.each(['error', 'status'])('stores no key that stands in the %s of a report', async (field) => {
		const workflow = wait();
		const { run } = await pause(workflow);
		const answer = await callResumeAddress(workflow, run, report({ status: 'ERROR', [field]: `E 7 ${KEY}` }));
		expect(answer.execution?.status).toBe('success');
		expect(JSON.stringify(answer.execution?.json)).toContain('E 7 •••');
		expectNoKey(answer.execution!);
	});

	it('goes on once when the same report comes twice at the same moment, as n8n 1 would not', async () => {
		const workflow = wait({ reference: 'ref-1' });
		const { run } = await pause(workflow);
		const twice = report();
		const answers = await Promise.all([1, 2].map(async () => await callResumeAddress(workflow, run, twice)));
		expect(answers.map(({ status }) => status)).toEqual([200, 200]);
		expect(answers.filter(({ started }) => started !== undefined)).toHaveLength(1);
	});

	it('goes on waiting when the report of an earlier message comes, as in a loop', async () => {
		const workflow = wait({ reference: 'ref-2' });
		const { run } = await pause(workflow);
		const answer = await callResumeAddress(workflow, run, report());
		expect([answer.status, answer.started]).toEqual([401, undefined]);
	});

	it('goes on with TIMEOUT when none comes', async () => {
		const workflow = wait({ reference: 'ref-1' });
		const { run, sent } = await pause(workflow);
		const after = await workflow.resume(run);
		expect(after.status).toBe('success');
		expect(after.json).toEqual([[{ ...MESSAGE, delivered: false, status: 'TIMEOUT' }]]);
		expect(after.origins).toEqual([[ROW]]);
		expect(sent).toHaveLength(1);
	});

	it.each<[string, unknown, number]>([
		['of another service', report({ serviceId: 'exams' }).body, 401],
		['on another recipient', report({ recipient: '6912345679' }).body, 401],
		['without a status', report({ status: '' }).body, 400],
		['that is none', '[]', 400],
		['that is null', 'null', 400],
		['that is absent', undefined, 400],
	])('goes on waiting when a report comes %s', async (_, body, status) => {
		const workflow = wait();
		const { run } = await pause(workflow);
		const answer = await callResumeAddress(workflow, run, { ...report(), body });
		expect(answer.status).toBe(status);
		expect(answer.json).toMatchObject({ result: '1' });
		expect(answer.started).toBeUndefined();
	});

	it('goes on waiting, and says thanks, when a report is not the last word', async () => {
		const workflow = wait();
		const { run } = await pause(workflow);
		const answer = await callResumeAddress(workflow, run, report({ status: 'SENT' }));
		expect([answer.status, answer.text]).toEqual([200, '{"result":"0","errorCode":"","error":""}']);
		expect(answer.started).toBeUndefined();
	});

	it('takes one item, and sends nothing for more', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await wait({}, splitting).run([row(1), row(2)]);
		expect(sent).toEqual([]);
		expect(run.status).toBe('success');
		expect(run.json[0]).toEqual([]);
		expect(run.json[1]).toMatchObject([
			{ mobile: '6912345671', details: { outcome: 'rejected' } },
			{ mobile: '6912345672', details: { outcome: 'rejected' } },
		]);
	});

	it.each<[string, INodeParameters, INodeParameters, RegExp]>([
		['a recipient', { recipient: "={{ '' }}" }, {}, /Recipient/],
		['a wait of 0', {}, { maxWaitMinutes: 0 }, /Max Wait/],
		['a wait that is no number', {}, { maxWaitMinutes: "={{ 'x' }}" }, /Max Wait/],
		['a message text', {}, { messageText: '{α,1}' }, /Replacements/],
	])('refuses %s that breaks its rule, and does not wait', async (_, parameters, options, text) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await wait(options, continuing, { recipient: '6912345678', ...parameters }).run([ROW]);
		expect([sent, run.status]).toEqual([[], 'success']);
		expectErrorItem(run.json[0]?.[0], text, { outcome: 'rejected' });
	});

	it.each<[string, Reply, string]>([
		['refused', { body: { errorCode: 'E-002', error: 'Unknown Service' } }, 'rejected'],
		['lost', { cut: 'ECONNRESET' }, 'unknown'],
	])('does not wait for a message that was %s', async (_, reply, outcome) => {
		const sent = serve('POST', OPERATION, reply);
		const run = await wait({ reference: 'ref-1' }, continuing).run([ROW]);
		expect(run.status).toBe('success');
		expectErrorItem(run.json[0]?.[0], /./, { outcome, recipient: '6912345678', reference: 'ref-1' });
		expect(sent).toHaveLength(1);
		expectNoKey(run);
	});

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		"sends a message of unknown outcome once with n8n's Retry On Fail and %s",
		async (onError) => {
			const sent = serve('POST', OPERATION, { cut: 'ECONNRESET' });
			await wait({}, { onError, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }).run([ROW]);
			expect(sent).toHaveLength(1);
		},
	);

	describe('when n8n cannot put the execution to wait', () => {
		const failing = () => jest.spyOn(ExecuteContext.prototype, 'putExecutionToWait').mockRejectedValueOnce(new Error('the database is down'));
		const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

		it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)('the message is not sent again, and the next try waits (%s)', async (onError) => {
			failing();
			const workflow = wait({ reference: '', maxWaitMinutes: '={{ $json.grade }}', skipDuplicates: true }, { onError, ...retrying });
			const { run, sent } = await pause(workflow);
			expect(sent).toHaveLength(1);
			expect(Math.round((Number(run.waitTill) - Date.now()) / 60_000)).toBe(8);
			const { ref, once } = Object.fromEntries(new URL(String(bodyOf(sent[0])['dlr-url'])).searchParams);
			const answer = await callResumeAddress(workflow, run, { ...report(), query: { ref: ref!, once: once! } });
			expect(answer.execution?.json[0]).toMatchObject([{ delivered: true, reference: ref }]);
		});

		it('without another try the outcome is unknown, and no later run sends it', async () => {
			failing();
			const sent = serve('POST', OPERATION, TAKEN);
			const workflow = wait({ skipDuplicates: true }, splitting);
			const run = await workflow.run([ROW]);
			expect(run.json[0]).toEqual([]);
			expect(run.json[1]).toMatchObject([
				{ ...ROW, error: expect.stringContaining('the database is down') as unknown, details: { outcome: 'unknown', recipient: '6912345678', reference: 'ref-1' } },
			]);
			const second = await workflow.run([ROW]);
			expect(second.json[0]).toMatchObject([{ accepted: false, skipped: true }]);
			expect(sent).toHaveLength(1);
		});
	});

	it('lets a message be sent later that something stopped before', async () => {
		jest.spyOn(ExecuteContext.prototype, 'getSignedResumeUrl').mockImplementationOnce(() => {
			throw new Error('no address');
		});
		const workflow = wait({ skipDuplicates: true, reference: '' }, continuing);
		const sent = serve('POST', OPERATION, TAKEN);
		const first = await workflow.run([ROW]);
		expectErrorItem(first.json[0]?.[0], /no address/, { outcome: 'rejected', recipient: '6912345678', reference: expect.stringMatching(UUID) as never });
		expect((await workflow.run([ROW])).status).toBe('waiting');
		expect(sent).toHaveLength(1);
	});

	it('sends nothing where Dry Run is still set from the operation Send', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		await wait({ dryRun: true }, continuing).run([ROW]);
		expect(sent).toEqual([]);
	});
});

describe('the test of the credential', () => {
	const values = { baseUrl: BASE, institution: 'example-university', preSharedKey: KEY };
	const test = async (reply: Reply) => {
		const sent = serve('POST', OPERATION, reply);
		const result = await testCredential('smsPlatformApi', values);
		expect(result.message).not.toContain(KEY);
		return { ...result, sent };
	};

	it('names nothing that could be sent, and claims no more than it knows', async () => {
		const { status, message, sent } = await test({ body: { serviceId: '', errorCode: 'E-002', error: 'Unknown Service' } });
		expect(status).toBe('OK');
		expect(message).toMatch(/confirm/);
		for (const each of sent) {
			const { recipient, messageId } = bodyOf(each);
			expect([recipient ?? '', messageId ?? '']).toEqual(['', '']);
		}
	});

	it.each<[string, Reply, RegExp]>([
		['a host that cannot be reached', { cut: 'ECONNREFUSED' }, /reach/i],
		['an untrusted certificate', { cut: 'SELF_SIGNED_CERT_IN_CHAIN' }, /Ignore SSL Issues/],
		['a wrong base address', { status: 404 }, /Base URL|address/],
		['another server', { body: '<html>hello</html>' }, /Base URL/],
		['a refused key', { status: 401 }, /key/],
		['a refused key in words', { body: { errorCode: 'E-7', error: 'Invalid pre-shared key' } }, /key/],
		['an unknown institution', { body: { errorCode: 'E-4', error: 'Unknown institution' } }, /institution/],
		['an address that is not registered', { body: { errorCode: 'E-5', error: 'Unauthorized sender address' } }, /address/],
		['an outage', { status: 500 }, /500/],
		['a port that expects http', { cut: 'EPROTO' }, /http or https/],
		['an outage with a code', { status: 503, body: { errorCode: 'GW', error: 'upstream unavailable' } }, /503/],
		['a wrong base address with a code', { status: 404, body: { errorCode: '404', error: 'Not Found' } }, /Base URL/],
		['a redirect with a code', { status: 302, body: { errorCode: 'X', error: 'moved' } }, /redirects/],
		['a refused key with a code', { status: 400, body: { errorCode: 'INVALID_KEY', error: '' } }, /key/],
	])('tells %s apart', async (_, reply, text) => {
		const { status, message } = await test(reply);
		expect(status).toBe('Error');
		expect(message).toMatch(text);
	});

	it.each([200, 404, 500])('knows the platform by the service that it repeats, with HTTP %i too', async (status) => {
		expect((await test({ status, body: { serviceId: '', errorCode: 'E-002', error: 'Unknown Service' } })).status).toBe('OK');
	});

	it.each(['Unknown keyword', 'Unknown recipient address'])('takes "%s" for neither a refused key nor a refused server', async (error) => {
		expect((await test({ status: 400, body: { errorCode: 'E-9', error } })).status).toBe('OK');
	});
});
