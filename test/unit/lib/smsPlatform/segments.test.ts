import { countSegments } from '../../../../lib/smsPlatform/segments';

describe('countSegments (3GPP TS 23.038 and 23.040)', () => {
	it.each([
		['', 1],
		['Σ'.repeat(160), 1],
		['Σ'.repeat(161), 2],
		['Σ'.repeat(306), 2],
		['Σ'.repeat(307), 3],
		['Α'.repeat(70), 1],
		['Α'.repeat(71), 2],
		['Α'.repeat(134), 2],
		['Α'.repeat(135), 3],
		['€'.repeat(80), 1],
		['€'.repeat(81), 2],
		[`${'a'.repeat(152)}€${'a'.repeat(151)}`, 2],
		[`${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
		['😀'.repeat(35), 1],
		['😀'.repeat(36), 2],
		[`${'α'.repeat(66)}😀${'α'.repeat(65)}`, 2],
		[`${'α'.repeat(66)}😀${'α'.repeat(66)}`, 3],
		['GSM: @£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ', 1],
	])('counts, for the text %j, %d SMS', (text, segments) => {
		expect(countSegments(text)).toBe(segments);
	});
});
