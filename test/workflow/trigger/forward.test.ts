import type { IDataObject } from 'n8n-workflow';

import { findSecrets } from '../../spellings';
import {
	credentials,
	deep,
	expectRefusal,
	expectStarted,
	forward,
	items,
	KEY,
	long,
	now,
	SUCCESS,
	trigger,
} from './calls';

describe('an SMS forward', () => {
	it('starts the workflow with the documented item, and is answered as the platform expects', async () => {
		const receivedAt = now();
		const answer = await trigger().call(forward({ 'sms-forward-id': 'f-1', body: '  ηλεκτρονική\n8 ' }));
		expectStarted(answer);
		expect(items(answer)).toEqual([
			[
				{
					event: 'smsForward',
					msisdn: '6912345678',
					mobile: '6912345678',
					keyword: 'ΒΑ',
					body: '  ηλεκτρονική\n8 ',
					words: ['ηλεκτρονική', '8'],
					smsForwardId: 'f-1',
					receivedAt,
				},
			],
			[],
		]);
		expect(answer.execution?.stored).not.toContain(KEY);
		expect(answer.execution?.outputs[0]).toHaveLength(1);
	});

	it.each(['MSISDN', 'keyword', 'body', 'sms-forward-id'])('stores no key that stands in %s', async (field) => {
		const answer = await trigger().call(forward({ [field]: `ΒΑ ${KEY}` }));
		expectStarted(answer);
		expect(findSecrets(answer.execution!.stored, [KEY])).toEqual([]);
		expect(JSON.stringify(items(answer))).toContain('ΒΑ •••');
	});

	it.each<[string, IDataObject, IDataObject]>([
		['a number with a country code', { MSISDN: '306912345678' }, { msisdn: '306912345678', mobile: '6912345678' }],
		['a number of another country', { MSISDN: '4915112345678' }, { msisdn: '4915112345678' }],
		['a number that is one in JSON', { MSISDN: 6912345678 }, { msisdn: '6912345678', mobile: '6912345678' }],
		['an id that is a number', { 'sms-forward-id': 4711 }, { smsForwardId: '4711' }],
		['an empty body', { body: '' }, { body: '', words: [] }],
		[
			'the longest body',
			{ body: 'λέξη '.repeat(8000) },
			{ body: 'λέξη '.repeat(8000), words: Array(8000).fill('λέξη') },
		],
		['no body', { body: undefined }, { body: '', words: [] }],
		['null for a body', { body: null }, { body: '', words: [] }],
		[
			'a word whose shared letters came in Greek',
			{ body: 'SΤΟΡ ΒΑΘΜΟΣ stoρ' },
			{ body: 'SΤΟΡ ΒΑΘΜΟΣ stoρ', words: ['STOP', 'ΒΑΘΜΟΣ', 'stop'] },
		],
		['a word whose shared letters came in Latin', { body: 'BAΘMOΣ' }, { words: ['ΒΑΘΜΟΣ'] }],
		['a word with letters of each alphabet alone', { body: 'ΒΑΘΜΟS' }, { words: ['ΒΑΘΜΟS'] }],
	])('takes %s', async (_, changes, expected) => {
		const answer = await trigger().call(forward(changes));
		expectStarted(answer);
		const item = items(answer)?.[0]?.[0];
		expect(item).toMatchObject(expected);
		if (!('mobile' in expected) && 'MSISDN' in changes) expect(item).not.toHaveProperty('mobile');
	});

	it('takes more fields than documented', async () => {
		expectStarted(await trigger().call(forward({ error: 'x', operator: { deep: [1] } })));
	});

	it.each<[string, unknown]>([
		['no key', undefined],
		['null', null],
		['an empty key', ''],
		['a wrong key', 'wrong'],
		['the start of the key', KEY.slice(0, -1)],
		['the key and more', `${KEY}x`],
		['the key in capitals', KEY.toUpperCase()],
		['the key in a list', [KEY]],
		['the key in an object', { toString: KEY }],
		['a megabyte', long],
	])("with %s is a stranger's, and learns nothing but that", async (_, key) => {
		const node = trigger({ keywords: 'ΒΑ' });
		const known = forward({ 'sms-forward-id': 'known' });
		await node.call(known);
		const texts = new Set<string>();
		for (const changes of [{}, { keyword: 'ΑΛΛΟ' }, { MSISDN: '' }, { keyword: [] }, { 'sms-forward-id': 'known' }]) {
			const answer = await node.call(forward({ ...changes, 'pre-shared key': key as never }));
			expectRefusal(answer, 401, 'INVALID_KEY');
			texts.add(answer.text);
		}
		expect(texts.size).toBe(1);
	});

	it('that has the key in a prototype is refused without one of its own', async () => {
		const body = `{"__proto__":${JSON.stringify(forward().body)}}`;
		expectRefusal(await trigger().call({ path: 'forward', body }), 401, 'INVALID_KEY');
	});

	it('never gets in with the key before the current one', async () => {
		const node = trigger(
			{},
			{},
			{ credentials: credentials('new', { previousPreSharedKey: KEY, keyChangedOn: '2026-11-20' }) },
		);
		expectRefusal(await node.call(forward()), 401, 'INVALID_KEY');
		expectStarted(await node.call(forward({ 'pre-shared key': 'new' })));
	});

	it('gets in where the key was pasted into the credential with what surrounds it', async () => {
		expectStarted(await trigger({}, {}, { credentials: credentials(`\u200b ${KEY}\r\n`) }).call(forward()));
	});

	describe('where the operator has a key of its own for forwards', () => {
		const node = () =>
			trigger(
				{},
				{},
				{
					credentials: credentials('of sends', {
						forwardKey: ` ${KEY}\n`,
						previousPreSharedKey: 'before',
						keyChangedOn: '2026-11-20',
					}),
				},
			);

		it('gets in with that key', async () => {
			const answer = await node().call(forward({ body: `of sends ${KEY}` }));
			expectStarted(answer);
			expect(findSecrets(answer.execution!.stored, [KEY, 'of sends'])).toEqual([]);
		});

		it.each(['of sends', 'before', ''])('does not get in with "%s"', async (key) => {
			expectRefusal(await node().call(forward({ 'pre-shared key': key })), 401, 'INVALID_KEY');
		});
	});

	it('never gets in where the credential has no key', async () => {
		const node = trigger({}, {}, { credentials: credentials('') });
		for (const key of ['', undefined, null]) {
			expectRefusal(await node.call(forward({ 'pre-shared key': key as never })), 401, 'INVALID_KEY');
		}
	});

	it.each<[string, IDataObject]>([
		['no MSISDN', { MSISDN: undefined }],
		['a blank MSISDN', { MSISDN: '  ' }],
		['an object as MSISDN', { MSISDN: deep }],
		['a megabyte of MSISDN', { MSISDN: long }],
		['an empty keyword', { keyword: '' }],
		['a list as keyword', { keyword: ['ΒΑ'] }],
		['a megabyte of keyword', { keyword: long }],
		['a list as body', { body: [] }],
		['an object as id', { 'sms-forward-id': {} }],
		['a megabyte of id', { 'sms-forward-id': long }],
		// PostgreSQL stores it in no text: a workflow that keeps the message would fail after the platform has its answer.
		...['MSISDN', 'keyword', 'body', 'sms-forward-id'].map((field): [string, IDataObject] => [
			`a NUL in ${field}`,
			{ [field]: '6\0' },
		]),
	])('with %s is malformed, also when the keyword is not ours', async (_, changes) => {
		for (const keywords of ['', 'ΑΛΛΟ']) {
			const answer = await trigger({ keywords }).call(forward(changes));
			expectRefusal(answer, 400, 'INVALID_REQUEST');
			expect(answer.text).toContain(Object.keys(changes)[0]);
		}
	});
});

describe('a body whose content type is not JSON', () => {
	it.each([[null], ['text/plain'], ['application/x-www-form-urlencoded'], ['application/octet-stream']])(
		'is read as JSON all the same (%s)',
		async (contentType) => {
			const answer = await trigger().call({ ...forward(), contentType });
			expect(answer.text).toBe(SUCCESS);
			expect(answer.started?.[0]?.[0]?.json).toMatchObject({ keyword: 'ΒΑ', body: 'ΗΛΕΚΤΡΟΝΙΚΗ' });
			const form = { path: 'forward', contentType, body: 'keyword=ΒΑ' } as const;
			expectRefusal(await trigger().call(form), 401, 'INVALID_KEY');
		},
	);
});
