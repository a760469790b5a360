import type { IDataObject } from 'n8n-workflow';

import { runNode } from './harness/engine';
import { continuing, expectErrorItem, OPERATION, recipients, ROW, send, TAKEN, withCredential } from './harness/send';
import { serve } from './harness/wire';

describe('the recipient', () => {
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
		["'6912345678", '6912345678'],
		['6912345678.0', '6912345678'],
		['+4915112345678', '+4915112345678'],
		['0049 151 12345678', '0049 151 12345678'],
		['+1 (202) 555-0100', '+1 (202) 555-0100'],
		['e.papadopoulou', 'e.papadopoulou'],
		['it21100@example.gr', 'it21100@example.gr'],
		['A', 'A'],
	])('%j has the form %s, also in the output', async (mobile, expected) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send(), [{ ...ROW, mobile: mobile as string }]);
		expect(recipients(sent)).toEqual([expected]);
		expect(run.json[0]).toMatchObject([{ recipient: expected }]);
	});

	it('goes as typed where the user wants that', async () => {
		const sent = serve('POST', OPERATION, TAKEN);
		await runNode(send({}, { normaliseRecipient: false }), [{ ...ROW, mobile: '+306912345678' }]);
		expect(recipients(sent)).toEqual(['+306912345678']);
	});

	it.each<[unknown, string]>([
		['6912345678', '306912345678'],
		['+30 681 234 5678', '306812345678'],
		['+4915112345678', '+4915112345678'],
		['e.papadopoulou', 'e.papadopoulou'],
	])('%j is %s where the platform wants Greek mobiles with their country code', async (mobile, expected) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({}, {}, withCredential({ mobileFormat: 'international' })), [
			{ ...ROW, mobile: mobile as string },
		]);
		expect(recipients(sent)).toEqual([expected]);
		expect(run.json[0]).toMatchObject([{ recipient: expected }]);
	});

	it.each([-6912345678, 6912345.678])('%j is a number that no phone has', async (mobile) => {
		const sent = serve('POST', OPERATION, TAKEN);
		const run = await runNode(send({}, {}, continuing), [{ ...ROW, mobile }]);
		expectErrorItem(run.json[0]?.[0], /neither a mobile number/, { outcome: 'rejected', recipient: String(mobile) });
		expect(sent).toEqual([]);
	});

	const unreachable: Array<[string, RegExp]> = [
		['+298 123456 / 654321', /neither a mobile number/],
		['2101234567', /landline/],
		['+302101234567', /landline/],
		['0030 210 123 4567', /landline/],
		['691234567', /9 digits/],
		['+30691234567', /9 digits/],
		['06912345678', /11 digits/],
		['69123456789', /11 digits/],
		['5912345678', /no mobile/],
		['+30', /neither/],
		['6912345678, 6912345679', /two numbers/],
		['6912345678/6912345679', /two numbers/],
		['6912345678;+30 691 234 5679', /two numbers/],
		['κινητό', /Greek/],
		['δεν έχει', /Greek/],
		['null', /nothing/],
		['None', /nothing/],
		['undefined', /nothing/],
		['NaN', /nothing/],
		['6.9E9', /spreadsheet shortened/],
		['6,912E+09', /spreadsheet shortened/],
		['6.9Ε9', /spreadsheet shortened/],
		['name surname', /neither/],
		['-', /neither/],
		['@example.gr', /neither/],
		['+123', /neither/],
	];

	it.each(unreachable)('%s is refused before anything is sent, in a dry run too', async (mobile, text) => {
		const sent = serve('POST', OPERATION, TAKEN);
		for (const dryRun of [false, true]) {
			const run = await runNode(send({}, { dryRun }, continuing), [{ ...ROW, mobile }]);
			const json = run.json[0]?.[0] as IDataObject;
			expectErrorItem(json, text, { outcome: 'rejected', recipient: mobile });
			expect(`${String(json.error)} ${String(json.message)}`).not.toContain(mobile.length > 5 ? mobile : '\0');
		}
		expect(sent).toEqual([]);
	});

	it.each(["={{ 'false' }}", '={{ false }}'])(
		'goes as typed, unchecked, where Normalise Recipient is %s',
		async (normaliseRecipient) => {
			const sent = serve('POST', OPERATION, TAKEN);
			await runNode(send({}, { normaliseRecipient }), [{ ...ROW, mobile: '2101234567' }]);
			expect(recipients(sent)).toEqual(['2101234567']);
		},
	);
});
