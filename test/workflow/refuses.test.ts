import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type NodeUnderTest, runNode } from './harness/engine';
import {
	BASE,
	continuing,
	DLR,
	expectErrorItem,
	KEY,
	OPERATION,
	recipients,
	ROW,
	row,
	send,
	splitting,
	TAKEN,
	withCredential,
} from './harness/send';
import { serve } from './harness/wire';

describe('bad input', () => {
	const long = 'Α'.repeat(1024 * 1024);
	const deep = JSON.parse('{"a":'.repeat(200) + '1' + '}'.repeat(200)) as IDataObject;
	const hostile: Array<[string, unknown]> = [
		...[null, undefined, '', ' \u200b\t', [], 'a\u0000b\r\nc', 'a\ud83d'].map((bad): [string, unknown] => [
			JSON.stringify(bad),
			bad,
		]),
		['a deep object', deep],
		['a megabyte', long],
	];
	const parameters: Array<[string, INodeParameters, RegExp]> = [
		['serviceId', { serviceId: '={{ $json.bad }}' }, /^Service (?!ID)/],
		['messageId', { messageId: '={{ $json.bad }}' }, /^Message (?!ID)/],
		['recipient', { recipient: '={{ $json.bad }}' }, /mobile number/],
	];
	const cases = parameters.flatMap(([name, parameter, text]) =>
		hostile.map(([what, bad]) => [`${what} as ${name}`, parameter, bad, text] as const),
	);

	it.each(cases)(
		'%s is refused with the name of the parameter, the other row goes on',
		async (_, parameter, bad, text) => {
			const sent = serve('POST', OPERATION, TAKEN);
			const run = await runNode(send(parameter, {}, continuing), [
				{ ...ROW, bad: bad as never },
				{ ...ROW, bad: '6912345679' },
			]);
			expect(sent).toHaveLength(1);
			expectErrorItem(run.json[0]?.[0], text, { outcome: 'rejected' });
			expect(run.json[0]?.[1]).toMatchObject({ accepted: true });
			expect(run.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		},
	);

	const list = (replacements: string) => ({ replacements });
	const value = (expression: string) => ({ replacements: `={{ [${expression}] }}` });
	const megabyte = "'x'.repeat(1048576)";
	it.each<[string, INodeParameters, INodeParameters, RegExp]>([
		['JSON that is none', {}, list('=["a"'), /Replacements must be a JSON list/],
		['JSON that is no list', {}, list('{"a":1}'), /Replacements must be/],
		['text where a list is meant', {}, list("={{ 'Φυσική' }}"), /Replacements must be/],
		['an expression that gives nothing', {}, list('={{ null }}'), /Replacements must be/],
		['one that gives an empty text', {}, list("={{ '' }}"), /Replacements must be/],
		['a list in the list', {}, list('[["a"]]'), /replacement 1/],
		['a number in JSON that is too large', {}, list('["a", 1e400]'), /replacement 2/],
		['a column that is not there', {}, value('$json.nowhere'), /replacement 1/],
		['a result that is no number', {}, value('0 / 0'), /replacement 1/],
		['half an emoji in a value', {}, value("'a' + String.fromCharCode(0xd83d)"), /replacement 1/],
		['an object as value', {}, value('$json'), /replacement 1/],
		[
			'an expression as text in a value',
			{},
			{ replacements: '["a {{ $json.course }}", "b"]' },
			/"replacement 1" has code/,
		],
		['one as a service by its ID', { serviceId: '{{ $json.service }}' }, {}, /"Service" has code/],
		['one as a message by its ID', { messageId: '$json.message' }, {}, /"Message" has code/],
		['one as reference', {}, { reference: '$json.ref' }, /"Reference" has code/],
		['one as duplicate key', {}, { duplicateKey: "$('List').item.json.id" }, /"Duplicate Key" has code/],
		['a report address that is none', {}, { dlrUrl: 'n8n.example.gr/dlr' }, /Delivery Report URL/],
		['a megabyte of it', {}, { dlrUrl: `={{ 'https://a.example.gr/' + ${megabyte} }}` }, /Delivery Report URL/],
		['a reference with a line break', {}, { reference: "={{ 'a\\nb' }}" }, /Reference/],
		['an object as reference', {}, { reference: '={{ $json }}' }, /Reference/],
		['a time-out of 0', {}, { timeout: 0 }, /Timeout/],
		['a concurrency of 0', {}, { concurrency: 0 }, /Concurrency/],
		['a negative rate', {}, { messagesPerSecond: -1 }, /Messages per Second/],
		['a word for Include Input Fields', {}, { includeInputFields: "={{ 'x' }}" }, /Include Input Fields/],
		['a word for No Delivery Report', {}, { noReport: "={{ 'x' }}" }, /No Delivery Report/],
		['a word for Allow Empty Values', {}, { allowEmptyValues: "={{ 'x' }}" }, /Allow Empty Values/],
		['an object as duplicate key', {}, { duplicateKey: '={{ $json }}' }, /Duplicate Key/],
		['another word for Remember For', { rememberFor: "={{ 'month' }}" }, {}, /Remember For/],
		['another word for If Already Sent', { ifAlreadySent: "={{ 'never' }}" }, {}, /If Already Sent/],
	])('%s is refused before anything is sent', async (_, parameters, options, text) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send(parameters, options, splitting), [ROW]);
		expect(sent).toEqual([]);
		expect(run.json[0]).toEqual([]);
		expect(run.json[1]).toHaveLength(1);
		expect(run.json[1]?.[0]?.error).toMatch(text);
		expect(run.json[1]?.[0]?.details).toMatchObject({ outcome: 'rejected' });
	});

	const none = { smsPlatformApi: new Error('the store is down') };
	const noUrl = { smsPlatformApi: { baseUrl: 'x', institution: 'x', preSharedKey: KEY } };
	it.each<[string, INodeParameters, INodeParameters, Partial<NodeUnderTest>]>([
		['a value too many', {}, { replacements: '["α", "β"]' }, withCredential({ messages: 'grades/result: {α,1}' })],
		['a service that is missing', { serviceId: "={{ '' }}" }, {}, {}],
		['a report address that is none', {}, { dlrUrl: 'dlr' }, {}],
		['a run option', {}, { concurrency: 0 }, {}],
		['a credential that cannot be read', {}, {}, { credentials: none }],
		['a Base URL that is none', {}, {}, { credentials: noUrl }],
	])('is an error that names each row by recipient and reference: %s', async (_, parameters, options, more) => {
		const run = await runNode(
			send(parameters, { reference: '={{ $json.ref }}', ...options }, { ...continuing, ...more }),
			[
				{ ...row(1), ref: 'r-1' },
				{ ...row(2), ref: 'r-2' },
				{ ...row(3), ref: 'a\nb' },
				{ ...row(4), mobile: '', ref: 'r-4' },
			],
		);
		expect(run.json[0]?.map(({ details }) => details)).toMatchObject([
			{ outcome: 'rejected', recipient: '6912345671', reference: 'r-1' },
			{ outcome: 'rejected', recipient: '6912345672', reference: 'r-2' },
			{ outcome: 'rejected', recipient: '6912345673' },
			{ outcome: 'rejected', reference: 'r-4' },
		]);
	});

	it.each(['', ' \u200b'])('is a pre-shared key of "%s": nothing is sent', async (preSharedKey) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const credentials = { smsPlatformApi: { baseUrl: BASE, institution: 'x', preSharedKey } };
		for (const operation of ['send', 'sendAndWait']) {
			const run = await runNode(send({ operation }, { dlrUrl: DLR }, { ...continuing, credentials }), [ROW]);
			expectErrorItem(run.json[0]?.[0], /Pre-Shared Key is empty/, { outcome: 'rejected', recipient: '6912345678' });
		}
		expect(sent).toEqual([]);
	});

	it.each(['resend', '={{ $json.operation }}', 'constructor'])(
		'makes an error item of every row where the operation is %j',
		async (operation) => {
			const sent = serve('POST', OPERATION, TAKEN);
			const run = await runNode(send({ operation }, {}, continuing), [row(1), row(2)]);
			expect(run.json[0]).toMatchObject(
				[1, 2].map(() => ({ error: expect.stringMatching(/^Operation has/) as unknown })),
			);
			expect(sent).toEqual([]);
		},
	);

	it('makes an error item of a row whose expression fails', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		const recipient = "={{ $json.mobile.endsWith('1') ? $('Nowhere').item.json.x : $json.mobile }}";
		const run = await runNode(send({ recipient }, {}, splitting), [row(1), row(2)]);
		expect(recipients(sent)).toEqual(['6912345672']);
		expect(run.json[1]).toMatchObject([{ mobile: '6912345671', error: expect.any(String) as unknown }]);
	});
});

describe('the recipient', () => {
	it.each<[unknown, string]>([
		['6912345678', '6912345678'],
		[6912345678, '6912345678'],
		['+4915112345678', '+4915112345678'],
		['0049 151 12345678', '0049 151 12345678'],
		['+1 (202) 555-0100', '+1 (202) 555-0100'],
		['e.papadopoulou', 'e.papadopoulou'],
		['it21100@example.gr', 'it21100@example.gr'],
		['A', 'A'],
	])('%j has the form %s, also in the output', async (mobile, expected) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({}, {}, withCredential({ userNames: true })), [
			{ ...ROW, mobile: mobile as string },
		]);
		expect(recipients(sent)).toEqual([expected]);
		expect(run.json[0]).toMatchObject([{ recipient: expected }]);
	});

	it.each<[unknown, string]>([
		['6912345678', '306912345678'],
		['+30 681 234 5678', '306812345678'],
		['+4915112345678', '+4915112345678'],
		['e.papadopoulou', 'e.papadopoulou'],
	])('%j is %s where the platform wants Greek mobiles with their country code', async (mobile, expected) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({}, {}, withCredential({ mobileFormat: 'international', userNames: true })), [
			{ ...ROW, mobile: mobile as string },
		]);
		expect(recipients(sent)).toEqual([expected]);
		expect(run.json[0]).toMatchObject([{ recipient: expected }]);
	});

	it.each([-6912345678, 6912345.678])('%j is a number that no phone has', async (mobile) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({}, {}, continuing), [{ ...ROW, mobile }]);
		expectErrorItem(run.json[0]?.[0], /is not a mobile number/, { outcome: 'rejected', recipient: String(mobile) });
		expect(sent).toEqual([]);
	});

	it.each<[string, IDataObject[], string]>([
		['', [{}], 'emptyList'],
		['={{ $json.mobile }}', [{ mobile: '' }, { mobile: null, course: ' ' }], 'emptyList'],
		['={{ $json.mobile.trim() }}', [{}, {}], 'emptyList'],
		['={{ $json.mobile }}', [{ mobile: '', course: 'x' }], 'emptyRecipient'],
	])('that %j finds nowhere in %j: %s', async (recipient, rows, reason) => {
		const run = await runNode(send({ recipient }, {}, continuing), rows);
		expect(run.json[0]).toMatchObject(rows.map(() => ({ details: { reason } })));
	});

	it('that is fixed needs no row', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		await runNode(send({ recipient: '6912345678' }, { replacements: '["x"]' }), [{}]);
		expect(recipients(sent)).toEqual(['6912345678']);
	});

	const unreachable: Array<[string, string]> = Object.entries({
		landline: ['2101234567', '+302101234567', '0030 210 123 4567'],
		notMobile: [
			...['+298 123456 / 654321', '691234567', '+30691234567', '06912345678', '69123456789', '5912345678', '+30'],
			...['κινητό', 'δεν έχει', 'name surname', '-', '@example.gr', '+123', 'O6912345678', 'no', 'it21100@example.gr'],
		],
		twoNumbers: ['6912345678, 6912345679', '6912345678/6912345679', '6912345678;+30 691 234 5679'],
		emptyRecipient: ['null', 'None', 'undefined', 'NaN'],
		digitsLost: ['6.9E9', '6,912E+09', '6.9Ε9'],
	}).flatMap(([reason, numbers]) => numbers.map((number): [string, string] => [number, reason]));

	it.each(unreachable)('%s is refused before anything is sent, in a review too', async (mobile, reason) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({}, {}, continuing), [{ ...ROW, mobile }]);
		const json = run.json[0]?.[0] as IDataObject;
		expectErrorItem(json, /./, { outcome: 'rejected', recipient: mobile, reason });
		expect(`${String(json.error)} ${String(json.message)}`).not.toMatch(/\d{7}/);
		const review = await runNode(send({ operation: 'review', reviewOutput: 'rows' }), [{ ...ROW, mobile }]);
		expect(review.json[0]).toMatchObject([{ accepted: false, review: true, recipient: mobile, reason }]);
		expect(sent).toEqual([]);
	});
});
