import {
	capitalsWithoutTonos,
	foldForComparison,
	hasGreekLetter,
	inOneAlphabet,
	mixesGreekAndLatin,
	tidy,
} from '../../../nodes/shared/greekLetters';

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
