import { deriveKeys, weakKeyWarning } from '../../../../lib/smsPlatform/derivedKeys';

describe('derived keys', () => {
	it("equal the keys that Python's scrypt and HKDF derive, differ for each use, and are derived only once", async () => {
		const derived = await deriveKeys('psk"7&Ω-91');
		expect(derived.seal.toString('hex')).toBe('bf73a0320d4ef19d2b89943267a927e9a4d76ac06007f159d827d6337eda1592');
		expect(derived.reference.toString('hex')).toBe('0d3082ecf7de39937cffe523e1a0608909e445ffea26968bca8b0afeeb781b0c');
		expect(await deriveKeys('psk"7&Ω-91')).toBe(derived);
	});
});

describe('weakKeyWarning', () => {
	it.each(['', 'a', 'uni-sms-2026', 'x7!Qp-0Zr', 'Vq7-w0Zr_tB31xK', 'κλειδί-9a'])(
		'returns a warning that the key %j is short',
		(key) => {
			const warning = weakKeyWarning(key);
			expect(warning).toMatch(/^The Pre-Shared Key is short: .* Ask the operator/);
			if (key.length > 2) expect(warning).not.toContain(key);
		},
	);

	it.each(['Vq7-w0Zr_tB31xKe', 'universitysms2026', '🔑'.repeat(16)])('returns no warning for the key %j', (key) => {
		expect(weakKeyWarning(key)).toBeUndefined();
	});
});
