import {
	capitalsWithoutTonos,
	foldForComparison,
	hasGreekLetter,
	inOneAlphabet,
	mixesGreekAndLatin,
	withoutPunctuation,
} from '../../../../lib/greek/letters';

describe('capitalsWithoutTonos', () => {
	it.each([
		['Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ'],
		['Μάιος', 'ΜΑΙΟΣ'],
		['Ρεΐζης', 'ΡΕΪΖΗΣ'],
		['ΆΈΉΊΌΎΏ', 'ΑΕΗΙΟΥΩ'],
		['ᾳ', 'Α'],
		['Müller', 'MÜLLER'],
		['Παπα-Δόκιμος', 'ΠΑΠΑ-ΔΟΚΙΜΟΣ'],
		['Δόκιμος'.normalize('NFD'), 'ΔΟΚΙΜΟΣ'],
	])('turns %s into %s', (typed, expected) => {
		expect(capitalsWithoutTonos(typed)).toBe(expected);
	});
});

describe('foldForComparison', () => {
	it.each([
		['ΒΑ', 'βα'],
		['ΒΑ', 'BA'],
		[' ΒΑ\u200b', 'βα'],
		['ΡΑΪΟΣ', 'ράιος'],
		// Old phones and data write the accent as a separate character before the letter.
		['ΕΓΓΡΑΦ΄Η', 'εγγραφή'],
		['΄Ωρα', 'ΩΡΑ'],
		// Some fonts have mathematical signs instead of these letters.
		['Α∆ΕΙΑ', 'άδεια'],
		['∑ΤΟΠ', 'στοπ'],
		['ΣΤΟ∏', 'στοπ'],
		['Ωρα', 'ώρα'],
	])('returns the same text for the keywords %j and %j', (a, b) => {
		expect(foldForComparison(a)).toBe(foldForComparison(b));
	});

	it('returns different texts for different keywords', () => {
		expect(foldForComparison('ΒΑ')).not.toBe(foldForComparison('ΒΑΘ'));
		expect(foldForComparison('Γ')).not.toBe(foldForComparison('Λ'));
	});
});

describe('withoutPunctuation', () => {
	it.each([
		['«ΒΑ»', 'ΒΑ'],
		[' ΣΤΟΠ!!! 👍🏼', 'ΣΤΟΠ'],
		['-Α-Β-', 'Α-Β'],
		['Α', 'Α'],
		['(Α)', 'Α'],
		['ΒΑ\n;', 'ΒΑ'],
		['Γ\nΔ', 'Γ\nΔ'],
		['?!', ''],
		['', ''],
	])('turns %j into %j', (text, expected) => {
		expect(withoutPunctuation(text)).toBe(expected);
	});

	it('is fast on a long text', () => {
		const long = `a${'!'.repeat(100_000)}a${'!'.repeat(100_000)}`;
		expect(withoutPunctuation(long)).toHaveLength(100_002);
	});
});

describe('inOneAlphabet', () => {
	it.each([
		// SMS aggregators return STOP like this: they replace each letter that looks the same in both alphabets by the Greek
		// letter.
		['SΤΟΡ', 'STOP'],
		['ΤEITHΕ', 'TEITHE'.replaceAll(/[TEIH]/g, (letter) => 'ΤΕΙΗ'['TEIH'.indexOf(letter)]!)],
		['GRAΜΜΗ', 'GRAMMH'],
		['ABEZHIKMNOPTYX', 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'],
		['', ''],
		['Τhank', 'Thank'],
		['Aύριο', 'Αύριο'],
		['Nαι', 'Ναι'],
		['CΗIOΣ', 'CΗIOΣ'],
	])('turns %s into %s', (word, expected) => {
		expect(inOneAlphabet(word)).toBe(expected);
	});

	it.each(['SΩ', 'Gλ', 'Ωmega-S', 'Βaθμός'])(
		'leaves %s unchanged, because some of its letters exist only in Greek, and others only in Latin',
		(word) => {
			expect(inOneAlphabet(word)).toBe(word);
		},
	);

	it.each(['it21234', 'Thank', 'Stop.', 'you', 'nai', 'oxi', 'e.papadopoulou@uni.example.gr', 'ok', 'ναι', 'Ναί'])(
		'leaves the small letters of %s unchanged',
		(word) => {
			expect(inOneAlphabet(word)).toBe(word);
		},
	);
});

describe('hasGreekLetter and mixesGreekAndLatin', () => {
	it.each<[string, boolean, boolean]>([
		['Παπαδόπουλος', true, false],
		['Papadopoulos', false, false],
		['ΠAΠΑΔΟΠΟΥΛΟΣ', true, true],
		['Ἀθηναῖος', true, false],
		['', false, false],
	])('return, for the name "%s", %s and %s', (name, hasGreek, mixes) => {
		expect([hasGreekLetter(name), mixesGreekAndLatin(name)]).toEqual([hasGreek, mixes]);
	});
});
