import { weakKeyWarning } from '../../../nodes/Sms/keys';

describe('weakKeyWarning', () => {
	it.each(['', 'a', 'uni-sms-2026', 'x7!Qp-0Zr', 'Vq7-w0Zr_tB31xK', 'κλειδί-9a'])('%j is short', (key) => {
		const warning = weakKeyWarning(key);
		expect(warning).toMatch(/^The Pre-Shared Key is short: .* Ask the operator/);
		if (key.length > 2) expect(warning).not.toContain(key);
	});

	it.each([
		...['universitysms2026', 'university-sms_2026', 'Πανεπιστήμιο-2026', 'πανεπιστήμιο 2026!'],
		...['2026_university-sms', 'MESSAGES....1999'],
	])('%j can be guessed', (key) => {
		const warning = weakKeyWarning(key);
		expect(warning).toMatch(/can be guessed/);
		expect(warning).not.toContain(key);
	});

	it.each([
		...['Vq7-w0Zr_tB31xKe', 'a9f3c1d27e5b8a64', '20260511-9f3c-77c0', 'uni-x7Qp0ZrtB31-2026'],
		'κλειδί"9+/=$&<ά>%41 ψ-9d2a',
	])('nothing speaks against %j', (key) => {
		expect(weakKeyWarning(key)).toBeUndefined();
	});

	it('comes back from the longest keys', () => {
		for (const part of ['a', 'a-', '-', 'α.2026', '2026']) expect(weakKeyWarning(part.repeat(20_000))).toBeUndefined();
		for (const part of ['a', 'a-', '-', 'α.', '2026']) weakKeyWarning(`${part.repeat(190 / part.length)}x`);
	});
});
