import { createHmac } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { readKeys } from '../../../../lib/smsPlatform/credential';
import { inPlainCharacters, signReportUrl, verifyReportUrl } from '../../../../lib/smsPlatform/reportSignature';

const KEY = 'a pre-shared key';
const NOW = 1_800_000_000;
const MESSAGE = { serviceId: 'grades', reference: 'ref-1', mid: 'mid-1' };
const VALID = { state: 'valid', reference: 'ref-1', mid: 'mid-1' };
const sign = (dlrUrl: string, changes = {}, key = KEY, now = NOW) =>
	Object.fromEntries(new URL(signReportUrl(dlrUrl, { ...MESSAGE, ...changes }, key, now)).searchParams);
const query = sign('https://n8n.example.gr/webhook/x/dlr');
const verify = async (asked: unknown, serviceId: string | undefined, key: string, now: number) =>
	await verifyReportUrl(asked, serviceId, async () => ({ current: key }), now);

describe('signReportUrl', () => {
	it('returns a URL with the documented HMAC that is valid for seven days', () => {
		expect(query).toEqual(signedBy('grades', 'ref-1', 'mid-1', String(NOW + 7 * 86_400)));
	});

	it('keeps other query parameters, and replaces an old signature', () => {
		expect(sign('https://n8n.example.gr/dlr?tenant=α&ref=old&mid=old&exp=1&sig=old')).toEqual({
			...query,
			tenant: 'α',
		});
	});

	it('signs an expiry in whole seconds', () => {
		expect(sign('https://n8n.example.gr/dlr', {}, KEY, NOW + 0.9)).toMatchObject({ exp: String(NOW + 7 * 86_400) });
	});
});

describe('inPlainCharacters', () => {
	it('writes other characters as base64url, without a prefix by default, and leaves plain characters unchanged', () => {
		expect(['α', 'grade-1'].map((reference) => inPlainCharacters(reference))).toEqual(['zrE', 'grade-1']);
	});
});

/** Returns a query that was signed with the key. */
const signedBy = (serviceId: string, ref: string, mid: string, exp: string, key = KEY) => ({
	...{ ref, mid, exp },
	sig: createHmac('sha256', key).update(`dlr.v1\n${serviceId}\n${ref}\n${mid}\n${exp}`).digest('base64url'),
});

describe('verifyReportUrl', () => {
	it.each<[string, string, string, string, string, string]>([
		['256 characters are valid', 'x'.repeat(256), 'x'.repeat(256), 'x'.repeat(256), '999999999999', 'valid'],
		['a longer service is invalid', 'x'.repeat(257), 'r', 'm', '999999999999', 'invalid'],
		['a longer reference is invalid', 's', 'x'.repeat(257), 'm', '999999999999', 'invalid'],
		['a longer message id is invalid', 's', 'r', 'x'.repeat(257), '999999999999', 'invalid'],
		['a longer expiry is invalid', 's', 'r', 'm', '9999999999999', 'invalid'],
		['an expiry in another notation is invalid', 's', 'r', 'm', '+1800000000', 'invalid'],
		['an expiry with a line break is invalid', 's', 'r', 'm', '1800000000\n', 'invalid'],
		['a control character in the message id is invalid', 's', 'r', 'm\u0085', '999999999999', 'invalid'],
		['half of a letter in the message id is invalid', 's', 'r', 'm\ud800', '999999999999', 'invalid'],
	])(
		'checks the format of each value, even if the signature is right: %s',
		async (_, serviceId, ref, mid, exp, state) => {
			expect(await verify(signedBy(serviceId, ref, mid, exp), serviceId, KEY, NOW)).toMatchObject({ state });
		},
	);

	const EXP = '999999999999';
	const renamed = (name: string, other: string) =>
		Object.fromEntries(
			Object.entries(signedBy('s', 'r', 'm', EXP)).map(([each, value]) => [each === name ? other : each, value]),
		);
	it.each<[string, object, string]>([
		['an empty message id', signedBy('s', 'r', '', EXP), KEY],
		['an empty reference', signedBy('s', '', 'm', EXP), KEY],
		['the empty key', signedBy('s', 'r', 'm', EXP, ''), ''],
		['a list as expiry', { ...signedBy('s', 'r', 'm', EXP), exp: [EXP] }, KEY],
		['a list as reference', { ...signedBy('s', 'α', 'm', EXP), ref: ['~zrE'] }, KEY],
		['a character before an encoded reference', { ...signedBy('s', 'α', 'm', EXP), ref: 'x~zrE' }, KEY],
		['a character after an encoded reference', { ...signedBy('s', 'α', 'm', EXP), ref: '~zrE!' }, KEY],
		['a message id under another name', renamed('mid', 'mamp;id'), KEY],
	])('refuses a right signature with %s', async (_, asked, key) => {
		expect(await verify(asked, 's', key, NOW)).toEqual({ state: 'invalid' });
	});

	/* test/unit/hostile/addresses tests that a URL is valid for a week, and invalid if any part of it is changed. */
	it.each([
		['no key configured', query, 'grades', ''],
		['no service in the report', query, undefined, KEY],
		['no message id', { ...query, mid: undefined }, 'grades', KEY],
		['two message ids', { ...query, mid: ['mid-1', 'mid-1'] }, 'grades', KEY],
		['only a message id', { mid: 'mid-1' }, 'grades', KEY],
		['no signature', { ...query, sig: undefined }, 'grades', KEY],
		['an empty signature', { ...query, sig: '' }, 'grades', KEY],
		['an object as reference', { ...query, ref: { a: 1 } }, 'grades', KEY],
		['a signature of one megabyte', { ...query, sig: 'A'.repeat(1_000_000) }, 'grades', KEY],
	])('refuses a report with %s', async (_, asked, serviceId, key) => {
		expect(await verify(asked, serviceId, key, NOW)).toEqual({ state: 'invalid' });
	});

	it.each([[{}], [null], [undefined], [{ other: '1' }]])(
		'treats a URL with the query %j as unsigned',
		async (asked) => {
			expect(await verify(asked, 'grades', KEY, NOW)).toEqual({ state: 'missing' });
		},
	);

	it('reads the key only if all other parts of the URL are valid', async () => {
		const readKeys = jest.fn(async () => ({ current: KEY }));
		for (const asked of [{}, { ...query, exp: '1' }, { ...query, sig: [] }, { ...query, ref: '' }]) {
			await verifyReportUrl(asked, 'grades', readKeys, NOW);
		}
		expect(readKeys).not.toHaveBeenCalled();
	});

	it('refuses the signature of another message, even if a line break in a value makes the signed texts equal', async () => {
		const signed = sign('https://n8n.example.gr/dlr', { serviceId: 'grades\nA', reference: 'B' });
		expect(await verify(signed, 'grades\nA', KEY, NOW)).toEqual({ state: 'invalid' });
		expect(await verify({ ...signed, ref: 'A\nB' }, 'grades', KEY, NOW)).toEqual({ state: 'invalid' });
		const other = sign('https://n8n.example.gr/dlr', { reference: 'A', mid: 'B\nC' });
		expect(await verify(other, 'grades', KEY, NOW)).toEqual({ state: 'invalid' });
		expect(await verify({ ...other, ref: 'A\nB', mid: 'C' }, 'grades', KEY, NOW)).toEqual({ state: 'invalid' });
	});
});

describe('a signed report URL', () => {
	const references = [
		...['Βαθμός Άλγεβρα', 'a&b', 'a+b', '100%', 'a b', '😀', 'x=1&y=2', 'παπαδόπουλος/2026', "it's"],
		...['A~b', '~abc', '%41', '&amp;', 'ά'.normalize('NFD')],
	];
	const urlOf = (reference: string) =>
		signReportUrl('https://n8n.example.gr/webhook/x/dlr', { ...MESSAGE, reference }, KEY, NOW);
	const read = (url: string) => Object.fromEntries(new URL(url).searchParams);

	it.each(references)('is still valid after a client has rewritten it, with the reference %s', async (reference) => {
		const valid = { state: 'valid', reference: reference.normalize('NFC'), mid: 'mid-1' };
		const url = urlOf(reference);
		expect(url).toMatch(/^[\x21-\x7e]+$/);
		expect(url.slice(url.indexOf('?'))).toMatch(/^\?ref=[\w.~&=-]+$/);
		const rewritten = [
			url,
			url.replaceAll('&', '&amp;'),
			url.replaceAll('&', '&amp;amp;'),
			decodeURIComponent(url),
			encodeURI(url),
			`https://n8n.example.gr/webhook/x/dlr?${new URLSearchParams(read(url)).toString()}`,
			encodeURI(decodeURI(url)),
			// Java's URI constructor with five arguments encodes each % again.
			url.replace(/%/g, '%25'),
			url.replaceAll('~', '%7E'),
		];
		for (const each of rewritten) expect(await verify(read(each), 'grades', KEY, NOW)).toEqual(valid);
	});

	it('contains its reference in characters that no client encodes: readable if possible, and otherwise as base64url', () => {
		expect(read(urlOf('Grades_2026-05.v1')).ref).toBe('Grades_2026-05.v1');
		expect(read(urlOf('α')).ref).toBe(`~${Buffer.from('α').toString('base64url')}`);
	});

	it('is valid with a reference that is not base64url-encoded, because other systems sign references like that', async () => {
		for (const reference of ['Βαθμός', '~abc', '~zrE']) {
			const asked = signedBy('grades', reference, 'mid-1', String(NOW + 60));
			expect(await verify(asked, 'grades', KEY, NOW)).toEqual({ state: 'valid', reference, mid: 'mid-1' });
		}
	});

	it('is refused if it has a parameter twice in different spellings, or an encoded reference that cannot be signed', async () => {
		expect(await verify({ ...query, 'amp;mid': 'mid-1' }, 'grades', KEY, NOW)).toEqual({ state: 'invalid' });
		for (const reference of ['a\nb', '', 'x'.repeat(257)]) {
			const ref = `~${Buffer.from(reference).toString('base64url')}`;
			const asked = { ...signedBy('grades', reference, 'mid-1', String(NOW + 60)), ref };
			expect(await verify(asked, 'grades', KEY, NOW)).toEqual({ state: 'invalid' });
		}
	});
});

describe('after a change of the pre-shared key', () => {
	const DAY = 86_400;
	const changed = (at: number) => new Date(at * 1000).toISOString();
	const verifyAfter = async (asked: unknown, credential: IDataObject, now: number) =>
		await verifyReportUrl(asked, 'grades', async () => readKeys(credential), now);
	const rotated = { preSharedKey: 'the new key', previousPreSharedKey: KEY, keyChangedOn: changed(NOW + 60) };

	it('a URL that was signed with the previous key is valid until it expires', async () => {
		expect(await verifyAfter(query, rotated, NOW + 120)).toEqual(VALID);
		expect(await verifyAfter(query, rotated, NOW + 7 * DAY)).toMatchObject({ state: 'valid' });
		expect(await verifyAfter(query, rotated, NOW + 7 * DAY + 1)).toEqual({ state: 'invalid' });
	});

	it('a URL that is signed with the new key is valid', async () => {
		const signed = sign('https://n8n.example.gr/dlr', {}, 'the new key', NOW + 60);
		expect(await verifyAfter(signed, rotated, NOW + 120)).toEqual(VALID);
	});

	it('the previous key verifies no URL later than eight days after the change, even if the URL expires later', async () => {
		const signedLater = async (days: number) => {
			const at = NOW + 60 + days * DAY;
			return (await verifyAfter(sign('https://n8n.example.gr/dlr', {}, KEY, at), rotated, at)).state;
		};
		expect(await signedLater(1)).toBe('valid');
		expect(await signedLater(8)).toBe('valid');
		expect(await signedLater(8 + 1 / DAY)).toBe('invalid');
		expect(await signedLater(30)).toBe('invalid');
	});
});
