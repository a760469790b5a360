import { countSegments, fillPlaceholders } from '../../nodes/Sms/messageText';

const GRADE = 'Ο βαθμός σας στο μάθημα {Μάθημα,1} είναι {Βαθμός,2}';

describe('fillPlaceholders', () => {
	it.each([
		[GRADE, ['Φυσική', '8'], 'Ο βαθμός σας στο μάθημα Φυσική είναι 8'],
		['{β,2} πριν {α,1}', ['ένα', 'δύο'], 'δύο πριν ένα'],
		['{α,1} και πάλι {α,1}', ['ένα'], 'ένα και πάλι ένα'],
		['{Σχολή, Τμήμα,1}', ['Φυσικό'], 'Φυσικό'],
		['{Βαθμός, 1}', ['9'], '9'],
		['χωρίς πεδία', [], 'χωρίς πεδία'],
		['άγκιστρα {} {α} {1}', [], 'άγκιστρα {} {α} {1}'],
		['{α,1}', ['$& $1 {β,2}'], '$& $1 {β,2}'],
		['{α,1}', [''], ''],
	])('%j with %j', (text, replacements, expected) => {
		expect(fillPlaceholders(text, replacements)).toEqual({ text: expected });
	});

	it.each([
		[GRADE, ['Φυσική'], 'takes 2 replacements, and there is 1'],
		[GRADE, ['Φυσική', '8', 'x'], 'takes 2 replacements, and there are 3'],
		['χωρίς πεδία', ['x'], 'takes 0 replacements, and there is 1'],
		['{α,0}', [], 'count from 1'],
	])('refuses %j with %j', (text, replacements, fault) => {
		expect(fillPlaceholders(text, replacements)).toEqual({ fault: expect.stringContaining(fault) });
	});

	it('answers a hostile text at once', () => {
		expect(fillPlaceholders('{'.repeat(100_000), [])).toEqual({ text: '{'.repeat(100_000) });
		expect(fillPlaceholders(`{${','.repeat(100_000)}`, [])).toHaveProperty('text');
	});
});

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
	])('%#', (text, segments) => {
		expect(countSegments(text)).toBe(segments);
	});
});
