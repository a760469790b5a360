import { createHmac } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { readPreSharedKeys } from '../../nodes/Sms/preSharedKeys';
import { reportAddressWarning, sameText, signReportAddress, verifyReportAddress } from '../../nodes/Sms/reportAddress';

const KEY = 'a pre-shared key';
const NOW = 1_800_000_000;
const sign = (dlrUrl: string, serviceId = 'grades', reference = 'ref-1') =>
	Object.fromEntries(new URL(signReportAddress(dlrUrl, serviceId, reference, KEY, NOW)).searchParams);
const query = sign('https://n8n.example.gr/webhook/x/dlr');
const verify = async (asked: unknown, serviceId: string | undefined, key: string, now: number) =>
	await verifyReportAddress(asked, serviceId, async () => ({ current: key }), now);

describe('signReportAddress', () => {
	it('is the documented HMAC, valid for seven days', () => {
		const exp = String(NOW + 7 * 86_400);
		const sig = createHmac('sha256', KEY).update(`dlr.v1\ngrades\nref-1\n${exp}`).digest('base64url');
		expect(query).toEqual({ ref: 'ref-1', exp, sig });
	});

	it('keeps the query that was there, and replaces an old signature', () => {
		expect(sign('https://n8n.example.gr/dlr?tenant=α&ref=old&sig=old')).toEqual({ ...query, tenant: 'α' });
	});
});

describe('verifyReportAddress', () => {
	it('lets the genuine address in until it expires', async () => {
		expect(await verify(query, 'grades', KEY, NOW)).toEqual({ state: 'valid', reference: 'ref-1' });
		expect(await verify(query, 'grades', KEY, NOW + 7 * 86_400)).toMatchObject({ state: 'valid' });
		expect(await verify(query, 'grades', KEY, NOW + 7 * 86_400 + 1)).toEqual({ state: 'invalid' });
	});

	it.each([
		['another service', query, 'exams', KEY],
		['another key', query, 'grades', 'other'],
		['no key configured', query, 'grades', ''],
		['no service in the report', query, undefined, KEY],
		['another reference', { ...query, ref: 'ref-2' }, 'grades', KEY],
		['a later expiry', { ...query, exp: String(NOW + 9_000_000) }, 'grades', KEY],
		['an expiry that is no number', { ...query, exp: '9e99' }, 'grades', KEY],
		['no signature', { ref: query.ref, exp: query.exp }, 'grades', KEY],
		['an empty signature', { ...query, sig: '' }, 'grades', KEY],
		['two references', { ...query, ref: ['ref-1', 'ref-2'] }, 'grades', KEY],
		['an object as reference', { ...query, ref: { a: 1 } }, 'grades', KEY],
		['a megabyte of signature', { ...query, sig: 'A'.repeat(1_000_000) }, 'grades', KEY],
	])('refuses %s', async (_, asked, serviceId, key) => {
		expect(await verify(asked, serviceId, key, NOW)).toEqual({ state: 'invalid' });
	});

	it.each([[{}], [null], [undefined], [{ other: '1' }]])('%j is unsigned', async (asked) => {
		expect(await verify(asked, 'grades', KEY, NOW)).toEqual({ state: 'missing' });
	});

	it('asks for the key only where everything else is in order', async () => {
		const readKeys = jest.fn(async () => ({ current: KEY }));
		for (const asked of [{}, { ...query, exp: '1' }, { ...query, sig: [] }]) {
			await verifyReportAddress(asked, 'grades', readKeys, NOW);
		}
		expect(readKeys).not.toHaveBeenCalled();
	});

	it('does not take one message for another by a line break in a name', async () => {
		const signed = sign('https://n8n.example.gr/dlr', 'grades\nA', 'B');
		expect(await verify(signed, 'grades\nA', KEY, NOW)).toEqual({ state: 'invalid' });
		expect(await verify({ ...signed, ref: 'A\nB' }, 'grades', KEY, NOW)).toEqual({ state: 'invalid' });
	});
});

describe('after a change of key', () => {
	const DAY = 86_400;
	const changed = (at: number) => new Date(at * 1000).toISOString();
	const verifyAfter = async (asked: unknown, credential: IDataObject, now: number) =>
		await verifyReportAddress(asked, 'grades', async () => readPreSharedKeys(credential), now);
	const rotated = { preSharedKey: 'the new key', previousPreSharedKey: KEY, keyChangedOn: changed(NOW + 60) };

	it('an address that was signed before it is let in for its whole lifetime', async () => {
		expect(await verifyAfter(query, rotated, NOW + 120)).toEqual({ state: 'valid', reference: 'ref-1' });
		expect(await verifyAfter(query, rotated, NOW + 7 * DAY)).toMatchObject({ state: 'valid' });
		expect(await verifyAfter(query, rotated, NOW + 7 * DAY + 1)).toEqual({ state: 'invalid' });
	});

	it('an address that is signed with the new key is let in', async () => {
		const { searchParams } = new URL(signReportAddress('https://n8n.example.gr/dlr', 'grades', 'r', 'the new key', NOW + 60));
		expect(await verifyAfter(Object.fromEntries(searchParams), rotated, NOW + 120)).toMatchObject({ state: 'valid' });
	});

	it('the previous key opens nothing more than a week and a day after it, however late an expiry it signs', async () => {
		const signedLater = async (days: number) => {
			const at = NOW + 60 + days * DAY;
			const { searchParams } = new URL(signReportAddress('https://n8n.example.gr/dlr', 'grades', 'r', KEY, at));
			return (await verifyAfter(Object.fromEntries(searchParams), rotated, at)).state;
		};
		expect(await signedLater(1)).toBe('valid');
		expect(await signedLater(1.01)).toBe('invalid');
		expect(await signedLater(30)).toBe('invalid');
	});

	it.each([
		['the previous key was cleared', { previousPreSharedKey: '' }],
		['nobody said when', { keyChangedOn: '' }],
		['the day cannot be read', { keyChangedOn: 'soon' }],
		['the day is null', { keyChangedOn: null }],
		['the previous key is another one', { previousPreSharedKey: 'older still' }],
	])('nothing signed with it is let in where %s', async (_, change) => {
		expect(await verifyAfter(query, { ...rotated, ...change }, NOW + 120)).toEqual({ state: 'invalid' });
	});

	it('reads the day as the editor stores it, and as people write it', () => {
		for (const keyChangedOn of ['2026-11-20T14:30:00', '2026-11-20', '2026-11-20T12:30:00.000Z']) {
			const { previous } = readPreSharedKeys({ ...rotated, keyChangedOn });
			expect(Math.abs(previous!.lastExpiry - Date.parse('2026-11-28T12:30:00Z') / 1000)).toBeLessThan(DAY);
		}
	});
});

describe('sameText', () => {
	it.each([
		['a', 'a', true],
		['a', 'b', false],
		['', '', true],
		['κλειδί', 'κλειδί', true],
		['a', 'aa', false],
		['x'.repeat(20_000), 'x'.repeat(20_000), false],
	])('%#', (a, b, expected) => {
		expect(sameText(a, b)).toBe(expected);
	});
});

describe('reportAddressWarning', () => {
	it.each([
		['https://n8n.example.gr/webhook/x/dlr', true, undefined],
		['https://n8n.example.gr/webhook-test/x/dlr', false, undefined],
		['https://n8n.example.gr/webhook-test/x/dlr', true, 'test address'],
		['http://n8n.example.gr/webhook/x/dlr', true, 'plain http'],
		['http://localhost:5678/webhook/x/dlr', false, 'localhost'],
		['https://127.0.0.1/dlr', true, '127.0.0.1'],
		['https://10.1.2.3/dlr', true, '10.1.2.3'],
		['https://172.16.0.1/dlr', true, '172.16.0.1'],
		['https://192.168.1.1/dlr', true, '192.168.1.1'],
		['https://169.254.1.1/dlr', true, '169.254.1.1'],
		['https://[::1]/dlr', true, '[::1]'],
		['https://[fd00::1]/dlr', true, '[fd00::1]'],
		['https://n8n/dlr', true, 'n8n'],
		['https://n8n.local/dlr', true, 'n8n.local'],
		['https://172.32.0.1/dlr', true, undefined],
		['https://11.1.2.3/dlr', true, undefined],
		['https://[2001:db8::1]/dlr', true, undefined],
	])('%s (production %s)', (url, production, text) => {
		const warning = reportAddressWarning(url, production);
		if (text === undefined) expect(warning).toBeUndefined();
		else expect(warning).toContain(text);
	});
});
