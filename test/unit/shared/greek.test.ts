import {
	capitalsWithoutTonos,
	foldForComparison,
	hasGreekLetter,
	inOneAlphabet,
	mixesGreekAndLatin,
	tidy,
	greekMobile,
	isScientificNotation,
} from '../../../nodes/shared/greek';

describe('capitalsWithoutTonos', () => {
	it.each([
		['Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ'],
		['Μάιος', 'ΜΑΙΟΣ'],
		['Ρεΐζης', 'ΡΕΪΖΗΣ'],
		['Ϊσως', 'ΪΣΩΣ'],
		['Προΰπας', 'ΠΡΟΫΠΑΣ'],
		['ΆΈΉΊΌΎΏ', 'ΑΕΗΙΟΥΩ'],
		['Ἀθηναῖος', 'ΑΘΗΝΑΙΟΣ'],
		['ᾳ', 'Α'],
		['Müller', 'MÜLLER'],
		['Παπα-Δόκιμος', 'ΠΑΠΑ-ΔΟΚΙΜΟΣ'],
		['Δόκιμος'.normalize('NFD'), 'ΔΟΚΙΜΟΣ'],
	])('%s becomes %s', (typed, expected) => {
		expect(capitalsWithoutTonos(typed)).toBe(expected);
	});
});

describe('foldForComparison', () => {
	it.each([
		['ΒΑ', 'βα'],
		['ΒΑ', 'BA'],
		['βαθμός', 'ΒΑΘΜΟΣ'],
		['Βαθμος', 'βαθμόσ'],
		[' ΒΑ\u200b', 'βα'],
		['ΡΑΪΟΣ', 'ράιος'],
		['ΒΑΘΜΟΣ  ΑΠΟ', 'βαθμός από'],
	])('%j and %j are the same keyword', (a, b) => {
		expect(foldForComparison(a)).toBe(foldForComparison(b));
	});

	it('tells different keywords apart', () => {
		expect(foldForComparison('ΒΑ')).not.toBe(foldForComparison('ΒΑΘ'));
		expect(foldForComparison('Γ')).not.toBe(foldForComparison('Λ'));
	});
});

describe('greekMobile', () => {
	it.each([
		...['6912345678', '306912345678', '+30 691 234 5678', '00306912345678', '(691) 234-5678', '691.234.5678'],
		...['６９１２３４５６７８', '\u200e6912345678\u200f', "'6912345678", '’+30 691 234 5678', '6912345678.0'],
		'306912345678,00',
	])('%j is 6912345678', (written) => {
		expect(greekMobile(written)).toBe('6912345678');
	});

	it.each(['6812345678', '9412345678'])('%s is a mobile number too', (number) => {
		expect(greekMobile(number)).toBe(number);
	});

	it.each([
		...['06912345678', '2101234567', '+447911123456', 'dokimi01', '691234567', '69123456789', '691234567.0'],
		...['6912345678.5', "''6912345678", ''],
	])('%j is none', (written) => {
		expect(greekMobile(written)).toBeUndefined();
	});
});

describe('isScientificNotation', () => {
	it.each([
		...['6.9E9', '6,91234E+09', '6.912345678e9', '7E9', '６．９Ｅ９', '6.9 E 9', '6.9 E+ 09', '6,9Ε9', '6.9ε+09'],
		...['.69E10', '6.E9'],
	])('%s', (text) => {
		expect(isScientificNotation(text)).toBe(true);
	});
	it.each(['6912345678', 'e9', 'user1e9x', 'E9', '.E9', '6.9.1E9'])('not %s', (text) => {
		expect(isScientificNotation(text)).toBe(false);
	});
});

describe('tidy', () => {
	it('removes what trim() leaves', () => {
		expect(tidy('\u200b\u200e ΒΑ\ufeff\u00a0')).toBe('ΒΑ');
	});
});

describe('inOneAlphabet', () => {
	it.each([
		// What aggregators make of STOP: the letters that both alphabets have come back as Greek ones.
		['SΤΟΡ', 'STOP'],
		['stορ', 'stop'],
		['ΤEITHΕ', 'TEITHE'.replaceAll(/[TEIH]/g, (letter) => 'ΤΕΙΗ'['TEIH'.indexOf(letter)]!)],
		['BAΘMOΣ', 'ΒΑΘΜΟΣ'],
		['Βaθμός', 'Βαθμός'],
		['GRAΜΜΗ', 'GRAMMH'],
		['ABEZHIKMNOPTYX', 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'],
		['12', '12'],
		['', ''],
	])('%s is %s', (word, expected) => {
		expect(inOneAlphabet(word)).toBe(expected);
	});

	it.each(['SΩ', 'Gλ', 'Ωmega-S'])('leaves %s, which has letters of each alone', (word) => {
		expect(inOneAlphabet(word)).toBe(word);
	});
});

describe('the alphabets of a name', () => {
	it.each<[string, boolean, boolean]>([
		['Παπαδόπουλος', true, false],
		['Papadopoulos', false, false],
		['ΠAΠΑΔΟΠΟΥΛΟΣ', true, true],
		['Ἀθηναῖος', true, false],
		['-', false, false],
		['', false, false],
	])('%s: has a Greek letter %s, mixes %s', (name, hasGreek, mixes) => {
		expect([hasGreekLetter(name), mixesGreekAndLatin(name)]).toEqual([hasGreek, mixes]);
	});
});
