import type { IDataObject } from 'n8n-workflow';

import { runNode } from './harness/engine';
import { continuing, expectErrorItem, OPERATION, recipients, ROW, send, TAKEN, withCredential } from './harness/send';
import { serve } from './harness/wire';

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
