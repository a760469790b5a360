import { decodeBody } from '../../../../lib/http/charset';

/** «ΕΛΕΝΗ» in each charset. */
const GREEK = { 'utf-8': Buffer.from('ΕΛΕΝΗ'), 'iso-8859-7': Buffer.from('c5cbc5cdc7', 'hex') };

describe('decodeBody', () => {
	it.each([
		['application/json; charset=iso-8859-7'],
		['application/json;charset="ISO-8859-7"'],
		['text/html; x=1; Charset = windows-1253; y=2'],
	])('decodes Greek text with the content type %j', (contentType) => {
		expect(decodeBody(GREEK['iso-8859-7'], contentType)).toEqual({ text: 'ΕΛΕΝΗ', unreadable: false });
	});

	it.each([
		['application/json'],
		[''],
		[undefined],
		[['a', 'b']],
		[7],
		['application/json; charset=klingon'],
		['application/json; charset='],
	])(
		'reads UTF-8 if the content type %j names no known charset, and reports bytes that are not UTF-8 as unreadable',
		(contentType) => {
			expect(decodeBody(GREEK['utf-8'], contentType)).toEqual({ text: 'ΕΛΕΝΗ', unreadable: false });
			expect(decodeBody(GREEK['iso-8859-7'], contentType)).toMatchObject({ unreadable: true });
		},
	);

	it('removes a byte order mark before UTF-8', () => {
		expect(decodeBody(Buffer.from('\ufeff{}'), 'application/json')).toEqual({ text: '{}', unreadable: false });
	});

	it('is fast with a content type of one megabyte', () => {
		expect(decodeBody(Buffer.from('x'), '; charset='.repeat(100_000)).text).toBe('x');
	});
});
