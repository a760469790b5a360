import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sendCode } from './harness/codes';
import { type NodeUnderTest, runNode } from './harness/engine';
import {
	continuing,
	expectErrorItem,
	platform,
	recipients,
	ROW,
	row,
	send,
	splitting,
	withCredential,
} from './harness/send';
import type { Sent } from './harness/httpServer';

/* Tests input that is rejected before a message is sent. unit/lib/smsPlatform/recipient tests more forms of recipients. */

let sent: Sent[];
beforeEach(() => {
	sent = platform();
});

describe('invalid input of SMS Send', () => {
	const deep = JSON.parse('{"a":'.repeat(200) + '1' + '}'.repeat(200)) as IDataObject;
	const hostile: Array<[string, unknown]> = [
		...[null, ' \u200b\t', [], 'a\u0000b\r\nc', 'a\ud83d'].map((bad): [string, unknown] => [JSON.stringify(bad), bad]),
		['a deep object', deep],
		['a megabyte', 'Α'.repeat(1024 * 1024)],
	];
	const labels = { serviceId: /^Service (?!ID)/, messageId: /^Message (?!ID)/, recipient: /mobile number/ };
	const cases = Object.entries(labels).flatMap(([name, text]) =>
		hostile.map(([what, bad]) => [`${what} as ${name}`, { [name]: '={{ $json.bad }}' }, bad, text] as const),
	);

	it.each(cases)(
		'such as %s is an error that names the parameter, and the other item is sent',
		async (_, parameter, bad, text) => {
			const rows = [bad, '6912345679'].map((each) => ({ ...ROW, bad: each as never }));
			const run = await runNode(send(parameter, {}, continuing), rows);
			expect(sent).toHaveLength(1);
			expectErrorItem(run.json[0]?.[0], text, { outcome: 'rejected' });
			expect(run.json[0]?.[1]).toMatchObject({ accepted: true });
			expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		},
	);

	const list = (replacements: string) => ({ replacements });
	const value = (expression: string) => ({ replacements: `={{ [${expression}] }}` });
	const longUrl = "={{ 'https://a.example.gr/' + 'x'.repeat(1048576) }}";
	it.each<[string, INodeParameters, INodeParameters, RegExp]>([
		['invalid JSON as replacements', {}, list('=["a"'), /Replacements must be a JSON list/],
		['JSON that is not a list as replacements', {}, list('{"a":1}'), /Replacements must be/],
		['replacements from an expression that returns null', {}, list('={{ null }}'), /Replacements must be/],
		['a list within the replacements', {}, list('[["a"]]'), /replacement 1/],
		['a number that is too large in the replacements', {}, list('["a", 1e400]'), /replacement 2/],
		['a missing column in the replacements', {}, value('$json.nowhere'), /replacement 1/],
		['half an emoji in a value', {}, value("'a' + String.fromCharCode(0xd83d)"), /replacement 1/],
		[
			'an expression that was typed as text in a value',
			{},
			list('["a {{ $json.course }}", "b"]'),
			/"replacement 1" has program code/,
		],
		[
			'an expression that was typed as text for all values',
			{},
			list('{{ [$json.course, $json.grade] }}'),
			/"Replacements" has program code/,
		],
		[
			'an expression that was typed as text as service ID',
			{ serviceId: '{{ $json.service }}' },
			{},
			/"Service" has program code/,
		],
		[
			'an expression that was typed as text as message ID',
			{ messageId: '$json.message' },
			{},
			/"Message" has program code/,
		],
		[
			'an expression that was typed as text as reference',
			{},
			{ reference: '$json.ref' },
			/"Reference" has program code/,
		],
		[
			'an expression that was typed as text as Repeat Key',
			{},
			{ repeatKey: "$('List').item.json.id" },
			/"Repeat Key" has program code/,
		],
		['an invalid Delivery Report URL', {}, { dlrUrl: 'n8n.example.gr/dlr' }, /Delivery Report URL/],
		['a Delivery Report URL of a megabyte', {}, { dlrUrl: longUrl }, /Delivery Report URL/],
		['a reference with a line break', {}, { reference: "={{ 'a\\nb' }}" }, /Reference/],
		['an object as reference', {}, { reference: '={{ $json }}' }, /Reference/],
		['a timeout of 0', {}, { timeout: 0 }, /Timeout/],
		['a concurrency of 0', {}, { concurrency: 0 }, /Concurrency/],
		['a negative rate', {}, { messagesPerSecond: -1 }, /Messages per Second/],
		['a word for Include Input Fields', {}, { includeInputFields: "={{ 'x' }}" }, /Include Input Fields/],
		['a word for No Delivery Report', {}, { noReport: "={{ 'x' }}" }, /No Delivery Report/],
		['a word for Allow Empty Values', {}, { allowEmptyValues: "={{ 'x' }}" }, /Allow Empty Values/],
		['an object as Repeat Key', {}, { repeatKey: '={{ $json }}' }, /Repeat Key/],
		['another word for Remember For', { rememberFor: "={{ 'month' }}" }, {}, /Remember For/],
		['another word for If Already Sent', { ifAlreadySent: "={{ 'never' }}" }, {}, /If Already Sent/],
		['another operation', { operation: 'resend' }, {}, /^Operation has/],
		['an operation from a missing column', { operation: '={{ $json.operation }}' }, {}, /^Operation has/],
		['an operation named `constructor`', { operation: 'constructor' }, {}, /^Operation has/],
	])('such as %s is an error of each item, and no message is sent', async (_, parameters, options, text) => {
		const run = await runNode(send(parameters, options, splitting), [row(1), row(2)]);
		expect(sent).toEqual([]);
		const error = { error: expect.stringMatching(text) as unknown, details: { outcome: 'rejected' } };
		expect(run.json).toMatchObject([[], [error, error]]);
	});

	const storing = (more: IDataObject) => withCredential({ institution: 'x', ...more });
	it.each<[string, INodeParameters, INodeParameters, Partial<NodeUnderTest>]>([
		['too many values', {}, { replacements: '["α", "β"]' }, storing({ messages: 'grades/result: {α,1}' })],
		['a missing service', { serviceId: "={{ '' }}" }, {}, {}],
		['an invalid Delivery Report URL', {}, { dlrUrl: 'dlr' }, {}],
		['an invalid concurrency', {}, { concurrency: 0 }, {}],
		['a credential that cannot be read', {}, {}, { credentials: { smsPlatformApi: new Error('the store is down') } }],
		['an invalid Base URL', {}, {}, storing({ baseUrl: 'x' })],
		['an empty key', {}, {}, storing({ preSharedKey: ' \u200b' })],
	])(
		'is an error that has the recipient and the reference of each item, if they are valid: %s',
		async (_, parameters, options, more) => {
			const node = send(parameters, { reference: '={{ $json.ref }}', ...options }, { ...continuing, ...more });
			const refs = ['r-1', 'r-2', 'a\nb'].map((ref, index) => ({ ...row(index + 1), ref }));
			const run = await runNode(node, [...refs, { ...row(4), mobile: '', ref: 'r-4' }]);
			expect(run.json[0]?.map(({ details }) => details)).toMatchObject([
				{ outcome: 'rejected', recipient: '6912345671', reference: 'r-1' },
				{ outcome: 'rejected', recipient: '6912345672', reference: 'r-2' },
				{ outcome: 'rejected', recipient: '6912345673' },
				{ outcome: 'rejected', reference: 'r-4' },
			]);
			expect(sent).toEqual([]);
		},
	);

	it('is an error only of its item if an expression fails for this item', async () => {
		const recipient = "={{ $json.mobile.endsWith('1') ? $('Nowhere').item.json.x : $json.mobile }}";
		const run = await runNode(send({ recipient }, {}, splitting), [row(1), row(2)]);
		expect(recipients(sent)).toEqual(['6912345672']);
		expect(run.json[1]).toMatchObject([{ mobile: '6912345671', error: expect.any(String) as unknown }]);
	});
});

describe('the recipient of a message', () => {
	it.each<[unknown, IDataObject, string]>([
		[6912345678, {}, '6912345678'],
		['0049 151 12345678', {}, '0049 151 12345678'],
		['+1 (202) 555-0100', {}, '+1 (202) 555-0100'],
		['it21100@example.gr', {}, 'it21100@example.gr'],
		['A', {}, 'A'],
		['+30 681 234 5678', { mobileFormat: 'international' }, '306812345678'],
		['+4915112345678', { mobileFormat: 'international' }, '+4915112345678'],
		['e.papadopoulou', { mobileFormat: 'international' }, 'e.papadopoulou'],
	])(
		'%j, with the credential settings %j, is sent as %s, and the output has the same text',
		async (mobile, credential, expected) => {
			const node = send({}, {}, withCredential({ userNames: true, ...credential }));
			const run = await runNode(node, [{ ...ROW, mobile: mobile as string }]);
			expect(recipients(sent)).toEqual([expected]);
			expect(run.json[0]).toMatchObject([{ recipient: expected }]);
		},
	);

	it.each<[string, IDataObject[], string]>([
		['', [{}], 'emptyList'],
		['={{ $json.mobile }}', [{ mobile: '' }, { mobile: null, course: ' ' }], 'emptyList'],
		['={{ $json.mobile.trim() }}', [{}, {}], 'emptyList'],
		['={{ $json.mobile }}', [{ mobile: '', course: 'x' }], 'emptyRecipient'],
	])('from %j in the rows %j is an error with the reason %s', async (recipient, rows, reason) => {
		const run = await runNode(send({ recipient }, {}, continuing), rows);
		expect(run.json[0]).toMatchObject(rows.map(() => ({ details: { reason } })));
	});

	it('from an expression that fails on numbers is found after the advised correction', async () => {
		const rows = [{ ...ROW, mobile: 6912345678 }, row(1)];
		const refused = await runNode(send({ recipient: '={{ $json.mobile.trim() }}' }, {}, continuing), rows);
		expect(refused.json[0]![0]!.message).toMatch(/correct the expression\. .*\.toString\(\) before \.trim\(\)/);
		expect(recipients(sent)).toEqual(['6912345671']);
		await runNode(send({ recipient: '={{ $json.mobile.toString().trim() }}' }, {}, continuing), [rows[0]!]);
		expect(recipients(sent)).toEqual(['6912345671', '6912345678']);
	});

	it('may be a fixed value for rows without columns', async () => {
		await runNode(send({ recipient: '6912345678' }, { replacements: '["x"]' }), [{}]);
		expect(recipients(sent)).toEqual(['6912345678']);
	});

	const unreachable = Object.entries({
		landline: ['+302101234567', '0030 210 123 4567'],
		notMobile: ['+298 123456 / 654321', '06912345678', '+30', 'δεν έχει', '@example.gr', 'O6912345678'],
		twoNumbers: [
			'6912345678, 6912345679',
			'6912345678/6912345679',
			'6912345678;+30 691 234 5679',
			'210 1234567 / 6912345678',
		],
		emptyRecipient: ['null', 'None', 'undefined', 'NaN'],
		digitsLost: ['6,912E+09', '6.9Ε9'],
	}).flatMap(([reason, numbers]) => numbers.map((number): [string | number, string] => [number, reason]));

	it.each([...unreachable, [-6912345678, 'notMobile'], [6912345.678, 'notMobile']] as typeof unreachable)(
		'%s is rejected before a message is sent, and also in a review, with the reason %s',
		async (mobile, reason) => {
			const run = await runNode(send({}, {}, continuing), [{ ...ROW, mobile }]);
			const json = run.json[0]?.[0] as IDataObject;
			const recipient = String(mobile);
			expectErrorItem(json, /./, { outcome: 'rejected', recipient, reason });
			expect(`${String(json.error)} ${String(json.message)}`).not.toMatch(/\d{7}/);
			const review = await runNode(send({ operation: 'review', reviewOutput: 'rows' }), [{ ...ROW, mobile }]);
			expect(review.json[0]).toMatchObject([{ accepted: false, review: true, recipient, reason }]);
			expect(sent).toEqual([]);
		},
	);
});

describe('the error for an AI agent states the fault and the advice, without whole numbers, in the tool', () => {
	it.each<[string, NodeUnderTest]>([
		['SMS Send', send({}, {}, { asTool: true })],
		['Send Code', sendCode({}, { asTool: true })],
	])('%s', async (_, node) => {
		const run = await runNode(node, [{ ...ROW, mobile: '2101234567' }]);
		expectErrorItem(run.json[0]?.[0], /landline/, { outcome: 'rejected', reason: 'landline' });
		expect(run.json[0]?.[0]?.message).toMatch(/mobile number/);
		expect(JSON.stringify(run.json)).not.toContain('2101234567');
		expect([run.status, sent]).toEqual(['success', []]);
	});
});

it("SMS Results as an AI agent's tool is an error before it reads any data", async () => {
	const parameters = { operation: '={{ no such thing }}' };
	const run = await runNode({ node: 'smsResults', parameters, asTool: true }, [{ event: 'deliveryReport' }]);
	expectErrorItem(run.json[0]?.[0], /^SMS Results can't run as an AI tool$/, { outcome: 'rejected' });
	expect(run.json[0]?.[0]?.message).toMatch(/^SMS Results needs a list of messages/);
});
