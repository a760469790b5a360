import type { IDataObject } from 'n8n-workflow';

import { readDay, readForwardKey, readKeys, readPlatform } from '../../../../lib/smsPlatform/credential';
import { Problem } from '../../../../lib/texts/problem';

const DAY = 86_400;
const filled = {
	baseUrl: 'https://sms.example.gr:9999',
	institution: 'example-university',
	preSharedKey: 'the key',
	messages: '',
	dlrUrl: '',
	mobileFormat: 'national',
	forwardKey: '',
};
const read = (changes: IDataObject) =>
	readPlatform({ type: 'smsPlatformApi', data: { ...filled, ...changes } as never });

describe('readPlatform', () => {
	it('reads the settings that an institution agreed with the operator', () => {
		expect(
			read({
				messages: '# grades\ngrades/new: Ο βαθμός σας είναι {Βαθμός,1}',
				dlrUrl: ' https://n8n.example.gr/webhook/x/dlr ',
				mobileFormat: 'international',
			}),
		).toMatchObject({
			sendUrl: 'https://sms.example.gr:9999/sendSMS',
			institution: 'example-university',
			keys: { current: 'the key' },
			messages: [{ serviceId: 'grades', messageId: 'new', text: 'Ο βαθμός σας είναι {Βαθμός,1}' }],
			dlrUrl: 'https://n8n.example.gr/webhook/x/dlr',
			mobileFormat: 'international',
		});
	});

	it.each(['', null, ' '])('returns no Delivery Report URL if the field contains %j', (dlrUrl) => {
		expect(read({ dlrUrl }).dlrUrl).toBeUndefined();
	});

	it('accepts a credential that was saved by an earlier version with fewer fields', () => {
		expect(
			read({ messages: undefined, dlrUrl: undefined, mobileFormat: undefined, forwardKey: undefined }),
		).toMatchObject({ messages: [], mobileFormat: 'national', userNames: false });
	});

	it.each<[string, IDataObject, RegExp]>([
		['no key', { preSharedKey: '' }, /^Pre-Shared Key is empty/],
		['no institution', { institution: '' }, /^Institution is empty/],
		['no Base URL', { baseUrl: '' }, /^Base URL/],
		['a Base URL without https', { baseUrl: 'http://sms.example.gr' }, /^Base URL .*https/],
		['an unknown Mobile Format', { mobileFormat: 'E.164' }, /^Mobile Format has an unknown value/],
	])('throws an error that names the invalid setting: %s', (_, changes, message) => {
		expect(() => read(changes)).toThrow(
			expect.objectContaining({ message: expect.stringMatching(message) as unknown }),
		);
		expect(() => read(changes)).toThrow(Problem);
	});
});

describe('the keys of a credential', () => {
	it.each(['the key', ' the key ', 'the key\r\n', '\u200bthe\u2060 key\ufeff'])(
		'are read without spaces and line breaks at either end, and without invisible characters (%j)',
		(key) => {
			expect(readKeys({ preSharedKey: key, previousPreSharedKey: key, keyChangedOn: '2026-11-20' })).toMatchObject({
				current: 'the key',
				previous: { key: 'the key' },
			});
			expect(readForwardKey({ preSharedKey: key, forwardKey: '' })).toBe('the key');
			expect(readForwardKey({ preSharedKey: 'other', forwardKey: key })).toBe('the key');
		},
	);

	it.each([undefined, null, '', ' \n'])(
		'include the Pre-Shared Key as Forward Key if the field Forward Key contains %j',
		(forwardKey) => {
			expect(readForwardKey({ preSharedKey: 'the key', previousPreSharedKey: 'before', forwardKey })).toBe('the key');
		},
	);

	it('include the previous key until eight days after the change', () => {
		const { previous } = readKeys({ preSharedKey: 'new', previousPreSharedKey: 'old', keyChangedOn: '2026-11-20' });
		expect(previous).toEqual({ key: 'old', validUntil: Date.parse('2026-11-28T00:00:00Z') / 1000 });
	});

	it.each<[string, IDataObject]>([
		['the field is blank', { previousPreSharedKey: ' \u200b' }],
		['the day of the change is empty', { keyChangedOn: '' }],
		['the day of the change is ambiguous', { keyChangedOn: '11/05/2026' }],
	])('do not include the previous key if %s', (_, changes) => {
		expect(
			readKeys({ preSharedKey: 'new', previousPreSharedKey: 'old', keyChangedOn: '2026-11-20', ...changes }),
		).toEqual({ current: 'new' });
	});
});

describe('readDay', () => {
	it.each([
		['2026-11-20', '2026-11-20T00:00:00Z'],
		[' 2026-11-20 ', '2026-11-20T00:00:00Z'],
		['2026-11-20T12:30:00.000Z', '2026-11-20T12:30:00Z'],
		['2026-11-20T14:30:00+02:00', '2026-11-20T12:30:00Z'],
	])('reads the date %j', (text, instant) => {
		expect(readDay(text)).toBe(Date.parse(instant) / 1000);
	});

	it('reads a date without a time zone, as the editor stores it, with an error of less than a day', () => {
		expect(Math.abs(readDay('2026-11-20T14:30:00')! - Date.parse('2026-11-20T14:30:00Z') / 1000)).toBeLessThan(DAY);
	});

	it.each([
		...['11/05/2026', '20/11/2026', '5.11.2026', '2026-13-01', '2026-02-31', '2026-02-29', '26-11-20', '2026-11'],
		...['20261120', 'soon', 'Nov 20 2026', '1800000000', '', ' ', '2026-11-20T', '2026-11-20Tx', '+002026-11-20'],
		...[null, undefined, 1_800_000_000, true, ['2026-11-20']],
	])('returns undefined for %j', (value) => {
		expect(readDay(value)).toBeUndefined();
	});
});
